"""Text as data: folding, search words and sentences."""

import re
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text import fold, fold_width, has_content, sentences, tokens


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize("written", ["ABC123", "abc123", "ＡＢＣ１２３", "Ａbc１２３"])
def test_width_and_case_do_not_tell_words_apart(written: str) -> None:
    assert fold(written) == "abc123"
    assert tokens(written) == ["abc123", "abc", "123"]


@pytest.mark.parametrize("dash", ["-", "－", "‐", "‑", "–", "—", "−"])
def test_every_dash_joins_an_identifier(dash: str) -> None:
    assert tokens(f"BX{dash}2024")[0] == "bx-2024"


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066"])
def test_what_has_no_width_does_not_hide_a_word(hidden: str) -> None:
    assert fold(f"年{hidden}假A{hidden}b") == "年假ab"
    assert tokens(f"年{hidden}假") == tokens("年假")


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("BX-2024-0017", "bx-2024-0017"),
        ("GB/T", "gb/t"),
        ("19001-2016", "19001-2016"),
        ("5w-30", "5w-30"),
        ("v2.3.1", "v2.3.1"),
        ("E1001", "e1001"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("R&D", "r&d"),
    ],
)
def test_an_identifier_is_a_word_of_its_own_inside_chinese_text(written: str, whole: str) -> None:
    assert whole in tokens(f"请见{written}的说明")
    assert tokens(written)[0] == whole


def test_an_identifier_comes_with_its_parts() -> None:
    assert tokens("BX-2024-0017") == ["bx-2024-0017", "bx", "2024", "0017"]


@pytest.mark.parametrize("text", ["", " ", "？", "，。！", "——", "\n\t　", "…“”（）"])
def test_marks_and_blanks_are_no_words(text: str) -> None:
    assert tokens(text) == []
    assert not has_content(text)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("年假", "年假为十天"),
        ("年假", "年假可以结转"),
        ("退货", "退货运费由买家承担"),
        ("运费", "退货运费由买家承担"),
        ("次年", "未休部分结转次年度"),
        ("期满", "试用期满后转正"),
        ("试用期", "试用期满后转正"),
        ("社保", "社保障金由单位缴纳"),
        ("学生", "北京大学生前来参观"),
        ("研究", "研究生命的起源"),
        ("生命", "研究生命的起源"),
    ],
)
def test_a_word_is_found_inside_a_text_whatever_stands_beside_it(word: str, text: str) -> None:
    assert set(tokens(word)) <= set(tokens(text))


def test_repetitions_count() -> None:
    assert sorted(tokens("发票，发票，发票")) == ["发票", "发票", "发票"]


def test_words_of_other_scripts_stay_apart_from_chinese() -> None:
    assert tokens("café") == ["café"]
    assert set(tokens("α粒子")) == {"α", "粒子"}
    assert set(tokens("テスト结果")) == {"テスト", "结果"}


def test_nothing_is_printed_and_no_file_is_written_by_the_segmenter(tmp_path_factory: pytest.TempPathFactory) -> None:
    nowhere = tmp_path_factory.mktemp("temp") / "missing"
    run = subprocess.run(
        [sys.executable, "-c", "from youju.text import tokens; tokens('员工年假几天')"],
        capture_output=True,
        check=True,
        env={"TMPDIR": str(nowhere), "PATH": "/usr/bin:/bin"},
    )
    assert (run.stdout, run.stderr) == (b"", b"")
    assert not nowhere.exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("“好！”“不！”她说。", ["“好！”", "“不！”她说。"]),
        ("“你去吗？”他问。“不去。”", ["“你去吗？”他问。", "“不去。”"]),
        ("“你去吗？”他低声问道，“现在就去？”", ["“你去吗？”他低声问道，“现在就去？”"]),
        ("“甲方负责。”李经理答：“好。”散会。", ["“甲方负责。”李经理答：“好。”", "散会。"]),
        ("“保修一年。”员工应当知道。", ["“保修一年。”", "员工应当知道。"]),
        ("“保修一年。”也就是说，次年自费。", ["“保修一年。”", "也就是说，次年自费。"]),
        ('"Really?" he asked. "Yes." She left.', ['"Really?" he asked.', '"Yes."', "She left."]),
        ("她说：“他说：‘不行。’”然后走了。", ["她说：“他说：‘不行。’”", "然后走了。"]),
        ("他停了一下……！然后说。", ["他停了一下……！", "然后说。"]),
        ("Wait... and see. Go on... Stop.", ["Wait... and see.", "Go on...", "Stop."]),
        ("“走吧……”她说。", ["“走吧……”她说。"]),
        ("（甲。）乙。", ["（甲。）", "乙。"]),
        ("真的吗？！是的。", ["真的吗？！", "是的。"]),
        ("Really? Yes! 好", ["Really?", "Yes!", "好"]),
        ("他走了……然后回来。", ["他走了……", "然后回来。"]),
        ("等等…好", ["等等…好"]),
        ("甲｡乙｡", ["甲｡", "乙｡"]),
        ("年假共有十天.病假另算", ["年假共有十天.", "病假另算"]),
        ("年假共有十天．病假另算", ["年假共有十天．", "病假另算"]),
        ("Leave is ten days.Sick leave is long.", ["Leave is ten days.", "Sick leave is long."]),
        ("甲\n乙", ["甲", "乙"]),
        ("没有句号", ["没有句号"]),
        ("", []),
        ("。。。", []),
    ],
)
def test_sentences_end_where_their_marks_and_closing_quotes_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "利率为3.5%。",
        "版本v2.3.1已发布！",
        "见 https://a.example/b.html?x=1.2 的说明。",
        "联系a.b@c.example。",
        "Mr. Li met Dr. Wang.",
        "See Fig. 3 and No. 5.",
        "Use a tool, e.g. a saw, i.e. a blade.",
        "The U.S. rules apply.",
        "1. 第一条的内容。",
        "一.总则的内容。",
        "作者约翰.史密斯。",
        "用System.Console输出。",
        "Use Node.js or os.path here.",
        "12. 第十二条的内容。",
    ],
)
def test_dots_that_end_nothing_do_not_end_a_sentence(text: str) -> None:
    assert cut(text) == [text]


def test_a_numbered_list_in_one_line_is_cut_before_its_numbers() -> None:
    assert cut("1. 提交申请。2. 等待审批。") == ["1. 提交申请。", "2. 等待审批。"]


def test_an_english_sentence_ends_at_its_dot() -> None:
    assert cut("It costs 300. We pay. Next") == ["It costs 300.", "We pay.", "Next"]


@pytest.mark.parametrize("run", ["…", "!", "?", "！", "。", ".", "! ", "…”", "!)", "！!", "…!", "。…", "a.B"])
@pytest.mark.parametrize("then", ["甲", "”他说。甲", "”。甲"])
def test_a_long_run_of_marks_is_cut_to_its_end(run: str, then: str) -> None:
    text = run * 600_000 + then  # work that is quadratic would take half an hour
    spans = sentences(text)
    assert text[slice(*spans[-1])].endswith("甲")


TEXTS = st.text(alphabet="年假为十天。！？；，…”’）（“ \n\tabcXYZ019.-/:%!?", max_size=200) | st.text(max_size=100)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS | st.text(alphabet="，：；！？（）,:;!?()\u0338\u0301ａ—年", max_size=20))
def test_width_is_that_of_the_compatibility_form_whatever_is_folded_first(text: str) -> None:
    assert fold_width(text) == re.sub("[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text))


@given(TEXTS)
def test_sentences_are_ordered_slices_that_hold_all_content(text: str) -> None:
    spans = sentences(text)
    covered: set[int] = set()
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert has_content(text[start:end])
        assert text[start:end] == text[start:end].strip()
        covered.update(range(start, end))
        last = end
    assert all(at in covered for at, character in enumerate(text) if character.isalnum())


@given(TEXTS)
def test_words_hold_no_blank_and_a_text_with_content_has_some(text: str) -> None:
    words = tokens(text)
    assert all(word and not any(map(str.isspace, word)) for word in words)
    if any(character.isalnum() and character.isascii() for character in text):
        assert words
