"""Values in texts: spellings of one value are equal, and what is no value is none."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.chains.values import Value, agree, comparable, folded, folded_all, opposed, values
from youju.chains.values_pattern import KINDS, VALUE


def read(text: str) -> list[Value]:
    return values(folded(text))


def one(text: str) -> Value:
    (value,) = read(text)
    return value


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("一百二十万元", "1,200,000元"),
        ("120万元", "¥1,200,000"),
        ("1亿2000万元", "1.2亿元"),
        ("1200块", "1200元"),
        ("十五日", "15天"),
        ("１５日", "十五天"),
        ("两周", "14天"),
        ("半年", "6个月"),
        ("一年半", "18个月"),
        ("三个工作日", "3 个工作日"),
        ("1.5小时", "90分钟"),
        ("两个半小时", "150分钟"),
        ("二〇二四年", "２０２４年"),
        ("2024年3月5日", "2024-03-05"),
        ("2024/3/5", "二〇二四年三月五日"),
        ("March 5, 2024", "2024年3月5日"),
        ("5 March 2024", "2024.3.5"),
        ("下午3点", "15:00"),
        ("3 p.m.", "15点"),
        ("上午9点半", "9:30"),
        ("周日", "星期天"),
        ("九折", "90%"),
        ("九五折", "9.5折"),
        ("百分之五", "5%"),
        ("千分之三", "3‰"),
        ("万分之五", "0.05%"),
        ("三成", "30%"),
        ("三分之一", "1/3"),
        ("5kg", "5000克"),
        ("5公斤", "五千克"),
        ("1.5千瓦", "1500W"),
        ("零下5度", "-5℃"),
        ("第十五条", "第15条"),
        ("Article 15", "第十五条"),
        ("BX-2024-0017", "ｂｘ－２０２４－００１７"),
        ("GB/T 19001-2016", "GB/T19001-2016"),
        ("v2.3.1", "2.3.1"),
        ("5元/月", "每月5元"),
        ("3至5天", "三天到五天"),
        ("10%~20%", "百分之十至百分之二十"),
        ("thirty (30) days", "30天"),
        ("twenty-one days", "三周"),
        ("9點至18點", "9:00-18:00"),
        ("3000万千瓦时", "30吉瓦时"),
        ("用电3000万度", "3000万千瓦时"),
        ("五千克", "5公斤"),
        ("三万千瓦", "30兆瓦"),
        ("20千米", "20公里"),
        ("2千卡", "2大卡"),
        ("1.2亿吨", "12000万吨"),
        ("15亩", "1公顷"),
        ("120毫米汞柱", "120mmHg"),
        ("百万分之五", "0.0005%"),
        ("三成五", "35%"),
        ("-4,648,986.52", "－4,648,986.52"),
        ("−4,648,986.52", "净额：(4,648,986.52)"),
        ("负5%", "-5%"),
        ("-¥500", "¥-500"),
        ("下降3.1%", "-3.1%"),
    ],
)
def test_spellings_of_one_value_agree(first: str, second: str) -> None:
    assert agree(one(first), one(second))
    assert agree(one(second), one(first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("3个工作日", "3天"),
        ("1个月", "30天"),
        ("10天", "10元"),
        ("10元", "10美元"),
        ("10条", "第10条"),
        ("5%", "5个百分点"),
        ("5元/月", "5元/年"),
        ("3点", "15:00"),
        ("下午3点", "3:00"),
        ("2024年3月5日", "2024年5月3日"),
        ("3-5天", "3天"),
        ("3-5天", "3-7天"),
        ("BX-2024-0017", "BX-2024-0018"),
        ("120万元", "120元"),
        ("十五人", "五十人"),
        ("第三章", "第三条"),
        ("1/3", "3:1"),
        ("3000万千瓦时", "3000万千瓦"),
        ("3000万千瓦时", "3000万瓦时"),
        ("8千克", "8克"),
        ("百万分之五", "万分之五"),
        ("120毫米汞柱", "120毫米"),
        ("-4,648,986.52", "4,648,986.52"),
        ("净额：(4,648,986.52)", "4,648,986.52"),
        ("变动-3.1%", "变动3.1%"),
        ("增长3.1%", "-3.1%"),
    ],
)
def test_other_values_do_not_agree(first: str, second: str) -> None:
    assert not agree(one(first), one(second))


@pytest.mark.parametrize(
    "text", ["千万不要", "十分重要", "统一标准", "一般情况", "一个部门", "三五天", "不管", "两人的意见", "半导体"]
)
def test_idioms_and_articles_are_no_values(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3级-5级", ["3级-5级"]),
        ("第3条-第5条", ["第3条-第5条"]),
        ("电话010-12345678", ["010-12345678"]),
        ("编号A-03-4", ["a-03-4"]),
        ("2024-03-05", ["2024-03-05"]),
        ("任期3年（2020-2023）", ["3年", "2020", "2023"]),
        ("约三十（30）天", ["30"]),
        ("价款（1,200,000.00元）", ["1200000.00元"]),
    ],
)
def test_a_hyphen_or_bracket_in_other_things_is_no_sign(text: str, written: list[str]) -> None:
    found = read(text)
    assert [value.text for value in found][-len(written) :] == written
    assert not any(amount < 0 for value in found for _, amount in value.readings if isinstance(amount, Fraction))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("7天内", "down"),
        ("不超过30天", "down"),
        ("不得高于5%", "down"),
        ("未满18周岁", "down"),
        ("3天之前", "down"),
        ("within 5 days", "down"),
        ("至少3次", "up"),
        ("不少于2人", "up"),
        ("不得低于3%", "up"),
        ("不得晚于3月5日", "down"),
        ("不早于3月5日", "up"),
        ("no less than 2 hours", "up"),
        ("no more than 2 hours", "down"),
        ("≥5", "up"),
        ("≤5", "down"),
        ("满3年", "up"),
        ("三次以上", "up"),
        ("7天后", "up"),
        ("more than 10 days", "up"),
        ("票价最高到80元", "down"),
        ("共3次", None),
    ],
)
def test_what_is_said_beside_a_value_is_its_bound(text: str, bound: str | None) -> None:
    assert one(text).bound == bound


def test_a_least_and_a_largest_value_are_opposed() -> None:
    assert opposed(one("3天以上"), one("不超过3天"))
    assert not opposed(one("3天以上"), one("至少3天"))
    assert not opposed(one("3天"), one("不超过3天"))


def test_one_end_of_a_range_is_its_least_or_largest_value() -> None:
    assert agree(one("至少3天"), one("3-5天"))
    assert agree(one("最多5天"), one("3-5天"))
    assert not agree(one("最多3天"), one("3-5天"))


def test_a_date_agrees_with_one_that_says_more() -> None:
    assert agree(one("3月5日"), one("2024年3月5日"))
    assert agree(one("2024年"), one("2024年3月5日"))
    assert not agree(one("2024年3月5日"), one("3月5日"))
    assert agree(one("2024年3月5日"), one("3月5日"), frozenset([2024]))
    assert not agree(one("2023年3月5日"), one("3月5日"), frozenset([2024]))


def test_only_what_measures_the_same_can_stand_in_its_place() -> None:
    assert comparable(one("3天"), one("2小时"))
    assert not comparable(one("3天"), one("3个月"))
    assert comparable(one("3天"), one("3个月"), loosely=True)
    assert not comparable(one("3天"), one("3元"), loosely=True)
    assert comparable(one("BX-2024-0017"), one("BX-2024-0099"))
    assert not comparable(one("BX-2024-0017"), one("v2.3.1"))


def test_values_are_found_in_order_and_in_place() -> None:
    text = folded("满３年不满5年的，享有十二天年假，折合4,800元。")
    found = values(text)
    assert [value.text for value in found] == ["3年", "5年", "十二天", "4800元"]
    assert [text[value.start : value.end] for value in found] == [value.text for value in found]
    assert found[3].readings == (("元", Fraction(4800)),)


def test_folding_drops_what_does_not_matter() -> None:
    assert folded("**會員**：簽收後 15 天內，可退 １,２００ 元") == "会员:签收后15天内,可退1200元"
    assert folded("- within seven days") == "within 7 days"


@given(st.integers(min_value=1, max_value=10**9))
def test_group_marks_and_width_do_not_matter(number: int) -> None:
    plain = one(f"{number}元")
    assert agree(plain, one(f"{number:,}元"))
    assert agree(plain, one("".join(chr(ord(digit) + 0xFEE0) for digit in str(number)) + "元"))
    assert not agree(plain, one(f"{number + 1}元"))


@given(
    st.lists(
        st.text(alphabet="年假十天會員，：（）(), \n*-3.５ΑΣ\u0301seven", max_size=20) | st.text(max_size=20),
        max_size=6,
    )
)
def test_several_texts_are_folded_as_each_of_them_is(texts: list[str]) -> None:
    assert folded_all(texts) == [folded(text) for text in texts]


PIECES = (
    "0 1 12 31 2024 3.5 . - / : % ‰ 年 月 日 号 点 时 分 半 刻 成 折 第 条 周 星期 一 二 三 十 百 千 万 零 〇 两 分之"
    " 百分之 比 个 元 小时 上午 下午 晚 pm am may 5th st of us$ ¥ € 负 零下 rmb percent off iso v2 bx-2024-0017 ab , 。"
    " ( ~ 至 半价 一半 财年 度 公里 kg 个月 天 吨 article 以上 半天 上半年 个半 余 # _"
).split(" ")


@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=12).map("".join))
def test_looking_first_at_what_a_value_begins_with_changes_nothing(text: str) -> None:
    slow = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
    found, expected = ([(match.span(), match.lastgroup) for match in one.finditer(text)] for one in (VALUE, slow))
    assert found == expected


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    plain = folded(text)
    found = values(plain)
    assert all(plain[value.start : value.end] == value.text for value in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
