"""Numbers in odd writing: none stands in an answer whose source lacks it."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.chains import CitationParser, Evidence
from youju.chains.numerals import plain_digits, unread_number, without_items
from youju.chains.settle import settle

LEAVE = "年假为10天。"
KINDS = "年假分两类：法定年假和公司年假。房屋面积为100平方米。二氧化碳CO2浓度不超过5%。收据有❺联。"


def standing(reply: str, *sources: str) -> str:
    """What stands of a reply."""
    blocks = [Evidence(n=n, id=None, text=text, source="a", location="a") for n, text in enumerate(sources, 1)]
    parser = CitationParser(require="grounded", evidence=blocks, question="年假几天？")
    return settle(parser, reply, repair=True).text


@pytest.mark.parametrize("written", ["10", "１０", "१०", "١٠", "𝟏𝟎", "1\u200b0", "十", "⑩"])
def test_a_number_may_be_written_in_any_script(written: str) -> None:
    reply = f"年假为{written}天[资料1]。"
    assert standing(reply, LEAVE) == reply


@pytest.mark.parametrize(
    "written",
    [
        *(
            "१५",
            "١٥",
            "1५",
            "1٥",
            "15",
            "１５",
            "𝟏𝟓",
            "1\u200b5",
            "1\u20605",
            "1\u03015",
            "1**5**",
            "1`5`",
            "1<b>5</b>",
        ),
        *(
            "廿",
            "卅",
            "⑮",
            "❺",
            "㉈",
            "🔟",
            "1🔟",
            "㈠10",
            "Ⅻ",
            "½",
            "10½",
            "10²",
            "10₀",
            "1&#53;",
            "$15$",
            "十五",
            "壹拾伍",
        ),
        *("1\n5", "10\n5", "10 5", "10×2", "10+5", "5️⃣"),
    ],
)
def test_another_number_in_odd_writing_does_not_pass(written: str) -> None:
    left = standing(f"年假为{written}天[资料1]。", LEAVE)
    assert "年假" not in left
    assert not re.search(r"5|五|伍|½|²|₀|廿|卅|❺|㉈|🔟|⑮|Ⅻ", plain_digits(left))


@pytest.mark.parametrize(
    "reply",
    [
        "年假分两类：①法定年假；②公司年假[资料1]。",
        "年假分两类：(1)法定年假；(2)公司年假[资料1]。",
        "年假分两类：❶法定年假❷公司年假[资料1]。",
        "❶年假分两类：法定年假和公司年假[资料1]。",
        "㈠年假分两类：法定年假和公司年假[资料1]。",
        "房屋面积为100m²[资料1]。",
        "CO₂浓度不超过5%[资料1]。",
        "收据有❺联[资料1]。",
    ],
)
def test_numbers_of_items_and_signs_of_units_are_no_facts(reply: str) -> None:
    assert standing(reply, KINDS) == reply


@pytest.mark.parametrize("text", ["年假为①天，②周", "见(2)法定年假；(3)公司年假", "共(1)法定年假", "①天②天", "❺天"])
def test_what_does_not_count_up_items_stays(text: str) -> None:
    assert without_items(text) == text


@given(st.text())
def test_digits_keep_their_places_and_values(text: str) -> None:
    plain = plain_digits(text)
    assert len(plain) == len(text)
    for one, other in zip(text, plain, strict=True):
        assert other == (str(unicodedata.decimal(one)) if one.isdecimal() else one)
    assert unread_number(text, [text]) is None


NUMERALS = st.sampled_from(
    [
        one
        for one in map(chr, range(0x80, 0x20000))
        if one.isnumeric() and not unicodedata.name(one, "").startswith(("CJK", "IDEOGRAPHIC"))
    ]
)
"""Every sign that stands for a number, but for plain digits and Han characters."""


@given(sign=NUMERALS, at=st.integers(0, 2))
def test_no_sign_for_a_number_changes_one_unseen(sign: str, at: int) -> None:
    written = "10"[:at] + sign + "10"[at:]
    if standing(f"年假为{written}天[资料1]。", LEAVE):
        assert float(unicodedata.normalize("NFKC", plain_digits(written))) == 10
