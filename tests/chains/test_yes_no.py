"""A bare yes or no is judged as what it states in answer to the question."""

import pytest

from youju.chains import CitationError, CitationParser, Evidence
from youju.chains.settle import settle
from youju.chains.yes_no import as_statement

TEXT = "会员订单签收后15天内可以退货。定制商品不能退货。申请退货需要提供发票。"


def parser(question: str) -> CitationParser:
    block = Evidence(n=1, id=None, text=TEXT, source="a.md", location="a.md")
    return CitationParser(evidence=[block], question=question, require="grounded")


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("会员订单可以退货吗？", "可以", "会员订单可以退货"),
        ("请问会员订单能退货吗?", "不能。", "会员订单不能退货"),
        ("会员订单能不能退货？", "能", "会员订单能退货"),
        ("会员订单能不能退货？", "不能", "会员订单不能退货"),
        ("申请退货是否需要发票？", "需要", "申请退货需要发票"),
        ("申请退货是否需要发票？", "Yes.", "申请退货需要发票"),
        ("公司有没有食堂？", "没有", "公司没有食堂"),
        ("杭州是省会吗？", "不是", "杭州不是省会"),
        ("会员订单几天内可以退货？", "可以", None),
        ("会员订单可以退货吗？", "需要", None),
        ("会员订单可以退货还是换货？", "可以", None),
        ("会员订单不可以退货吗？", "可以", None),
        ("会员订单可以退货吗？定制商品呢？", "可以", None),
        ("会员订单的退货期限", "是", None),
        ("", "可以", None),
    ],
)
def test_a_bare_word_is_turned_into_a_statement(question: str, answer: str, statement: str | None) -> None:
    assert as_statement(question, answer) == statement


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("会员订单签收后15天内可以退货吗？", "可以[资料1]。", "supported"),
        ("会员订单签收后15天内可以退货吗？", "不可以[资料1]。", "contradicted"),
        ("定制商品能退货吗？", "不能[资料1]。", "supported"),
        ("定制商品能退货吗？", "能[资料1]。", "contradicted"),
        ("申请退货是否需要提供发票？", "需要[资料1]。", "supported"),
        ("会员订单签收后30天内可以退货吗？", "可以[资料1]。", "contradicted"),
        ("门店可以停车吗？", "可以[资料1]。", "unsupported"),
        ("会员订单几天内可以退货？", "可以[资料1]。", "unsupported"),
    ],
)
def test_a_bare_word_is_judged_by_what_it_states(question: str, answer: str, verdict: str) -> None:
    try:
        parsed = parser(question).parse(answer)
    except CitationError as error:
        parsed = error.parsed
    assert [claim.verdict for claim in parsed.claims] == [verdict]


def test_a_right_bare_word_gets_its_mark_and_a_wrong_one_goes() -> None:
    assert settle(parser("定制商品能退货吗？"), "不能。", repair=True).text == "不能[资料1]。"
    assert settle(parser("定制商品能退货吗？"), "能。", repair=True).text == ""
