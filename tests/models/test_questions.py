"""What a question asks for."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from youju.models.questions import Part, question_parts
from youju.text import fold


def only(question: str) -> Part:
    (part,) = question_parts(question)
    return part


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("年假有多少天？", ["年假有多少天"]),
        ("退款几天到账? 保修几年?", ["退款几天到账", "保修几年"]),
        ("年假几天，病假几天？", ["年假几天", "病假几天"]),
        ("签收10天后，还能退货吗？", ["签收10天后，还能退货吗"]),
        ("年假；病假", ["年假", "病假"]),
        ("请问，年假有多少天？谢谢", ["请问，年假有多少天", "谢谢"]),
        ("", []),
        ("？？", []),
    ],
)
def test_a_question_is_cut_where_another_thing_is_asked(question: str, parts: list[str]) -> None:
    assert [part.text for part in question_parts(question)] == parts


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("退货运费由谁承担？", ["退货", "运费", "承担"]),
        ("请问年假有多少天？", ["年假"]),
        ("How many days of annual leave?", ["many", "days", "annual", "leave"]),
        ("BX-200 的功率是多少？", ["bx-200", "功率"]),
        ("年假，年假？", ["年假"]),
    ],
)
def test_words_that_ask_or_connect_do_not_matter(question: str, words: list[str]) -> None:
    assert [word for word, _ in only(question).terms] == words


@pytest.mark.parametrize(
    ("question", "kind", "held", "lacking"),
    [
        ("退货要多少钱", "money", "收费10元", "收费标准另定"),
        ("价格是多少", "money", "全部免费", "见附件"),
        ("多久到账", "time", "三个工作日", "很快"),
        ("阀门多久检查一次", "time", "每季度一次", "定期检查"),
        ("什么时候更新", "time", "周五更新", "不定期更新"),
        ("会议室能坐多少人", "number", "可坐20人", "一方使用"),
        ("违约金是多少", "number", "百分之五", "一方违约"),
        ("客服电话是多少", "contact", "400-123-4567", "9点到18点"),
        ("法定代表人是谁", "name", "法定代表人为王平", "由股东会选举产生"),
        ("运费由谁承担", "person", "由买家承担", "费用另计"),
        ("为什么要登记", "reason", "因防火需要登记", "须登记"),
        ("仓库在哪里", "place", "位于南京市", "仓库须通风"),
    ],
)
def test_the_kind_of_value_is_known_by_the_question_and_seen_in_a_sentence(
    question: str, kind: str, held: str, lacking: str
) -> None:
    part = only(question)
    assert part.kind is not None
    assert part.kind.name == kind
    assert part.has_kind(fold(held))
    assert not part.has_kind(fold(lacking))


def test_other_questions_have_no_kind_and_every_sentence_may_answer() -> None:
    part = only("保修政策是什么")
    assert part.kind is None
    assert part.has_kind("")


@pytest.mark.parametrize(
    ("question", "sentence", "block", "about"),
    [
        ("2023年的收入", "2023年收入", "", True),
        ("2023年的收入", "2022年收入", "2023年年报", False),
        ("2023年的收入", "收入12亿", "2023年年报", True),
        ("2023年的收入", "收入12亿", "年报", False),
        ("第三条", "第三条 费用", "", True),
        ("第三条", "第四条 费用", "第三条", False),
        ("bx-200的功率", "bx-100的功率", "bx-200", False),
        ("甲方的责任", "乙方负责", "甲方和乙方", False),
        ("甲方的责任", "甲方和乙方负责", "", True),
        ("年假", "2023年年假", "", True),
    ],
)
def test_a_sentence_about_another_year_article_model_or_party_is_told_apart(
    question: str, sentence: str, block: str, *, about: bool
) -> None:
    assert only(question).speaks_of(sentence, block) is about


def test_coverage_is_the_share_of_the_words_by_weight() -> None:
    part = only("退货运费由谁承担？")
    assert part.coverage("退货的运费由买家承担") == 1.0
    assert part.coverage("可以退货") == pytest.approx(1 / 3)
    assert part.coverage("") == 0.0


def test_a_long_word_counts_by_the_pairs_that_stand_there() -> None:
    part = only("违约金")
    assert part.terms == (("违约金", 1.5),)
    assert part.coverage("违约责任") == pytest.approx(0.8 * 2 / 3)


@hypothesis_settings(deadline=None)  # the first call loads the dictionary
@given(question=st.text(max_size=40), text=st.text(max_size=60))
def test_any_question_has_parts_whose_coverage_is_a_share(question: str, text: str) -> None:
    for part in question_parts(question):
        assert part.text in question
        assert 0.0 <= part.coverage(fold(text)) <= 1.0 + 1e-9
