"""How `youju ask` shows an answer: all that carries it, in whole words, and why something is missing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
TABLE = """\
# 差旅制度

## 住宿

住宿标准如下：

| 城市 | 每晚 |
| --- | --- |
| 上海 | 600元 |
| 成都 | 450元 |

出差补贴为每天120元。报销须在三十日内提交。
"""
POLICY = """\
# Security

## Passwords

Passwords must have at least 12 characters and must be changed every 90 days. Guests receive a temporary password.
"""


def test_every_sentence_that_carries_the_answer_is_shown_without_headings_and_rules(youju: Run) -> None:
    Path("a.md").write_text(TABLE, encoding="utf-8")
    youju("ingest", "a.md")
    done = youju("ask", "-q", "上海每晚多少钱？出差补贴多少？")
    assert "城市：上海；每晚：600元[资料1]。出差补贴为每天120元[资料1]。" in done.out
    assert done.out.splitlines()[2:] == [
        "依据：",
        "[资料1] a.md › 差旅制度 > 住宿",
        "    住宿标准如下： | 城市 | 每晚 |“| 上海 | 600元 |”| 成都 | 450元 |",
        "    | 成都 | 450元 |“出差补贴为每天120元。”报销须在三十日内提交。",
    ]


def test_an_english_question_is_answered_for_in_english(youju: Run) -> None:
    Path("a.md").write_text(POLICY, encoding="utf-8")
    Path("b.pdf").write_bytes(b"%PDF-1.4 broken")
    youju("ingest", "a.md", "b.pdf")
    done = youju("ask", "-q", "How many characters must passwords have?")
    assert done.out.splitlines()[1:] == [
        "",
        "Evidence:",
        "[资料1] a.md › Security > Passwords",
        f"    “{POLICY.splitlines()[4][:77]}”Guests receive a temporary…",
    ]
    silent = youju("ask", "-q", "How many guests are there in summer?", "--set", "answer.gate=none").err.splitlines()
    assert silent[0].startswith("(the built-in model recognised no answer in the evidence, but goes by words alone:")
    assert silent[1].startswith("(Files missing from the base: 1 not read (b.pdf).")
    assert silent[2] == "What came nearest (`youju retrieve` shows all):"
    assert silent[3].startswith("  a.md › Security > Passwords  score ")


def test_of_a_part_that_the_built_in_model_did_not_recognise_the_reader_is_told_what_to_do(youju: Run) -> None:
    Path("a.md").write_text(TABLE, encoding="utf-8")
    youju("ingest", "a.md")
    done = youju("ask", "-q", "出差补贴多少？食堂几点开门？停车场在哪里？")
    assert done.out.splitlines()[0] == (
        "出差补贴为每天120元[资料1]。关于“食堂几点开门”，资料中未提及。关于“停车场在哪里”，资料中未提及。"
    )
    assert done.err == (
        "（内置模型没有认出这一部分的答案：它只凭字词来认，资料里也许有；"
        "换成更接近原文的问法再问，或用设置 chat.model 接一个大模型）\n"
    )
