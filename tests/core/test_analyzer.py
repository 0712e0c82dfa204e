"""The analyzer: every step of it, on and off."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.analyzer import Analyzer
from youju.analyzer_numbers import number_tokens, without_group_marks
from youju.errors import SettingsError
from youju.settings import KeywordSettings

BARE = {
    "bigrams": "none",
    "width": "keep",
    "case": "keep",
    "script": "keep",
    "numbers": "keep",
    "stop_words": "none",
}


def tokens(text: str, **options: object) -> list[str]:
    """With all steps but cutting switched off, unless an option says otherwise."""
    return Analyzer(KeywordSettings.model_validate({**BARE, **options})).tokens(text)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("accurate", {"保险合同", "书"}),
        ("search", {"保险合同", "保险", "合同", "书"}),
        ("full", {"保险合同", "保险", "合同", "合同书", "书"}),
        ("none", {"保险合同书"}),
    ],
)
def test_words_come_in_the_mode_asked_for(words: str, expected: set[str]) -> None:
    assert set(tokens("保险合同书", words=words)) == expected


def test_pairs_of_characters_come_beside_the_words_or_alone() -> None:
    assert tokens("病假十天", words="accurate", bigrams="all") == ["病假", "十天", "病假", "假十", "十天"]
    assert tokens("病假十天", words="none", bigrams="all") == ["病假", "假十", "十天"]
    assert tokens("税", words="none", bigrams="all") == ["税"]


def test_letters_come_as_often_as_words_do_beside_pairs() -> None:
    assert tokens("病假ABC", words="accurate", bigrams="all") == ["病假", "病假", "ABC", "ABC"]
    assert tokens("病假ABC", words="accurate") == ["病假", "ABC"]


def test_width_and_case_are_folded_if_asked() -> None:
    assert tokens("Ａｂ－１", width="fold", case="fold", identifiers="whole") == ["ab-1"]
    assert tokens("Ａｂ－１", width="fold", identifiers="whole") == ["Ab-1"]
    assert tokens("ABC", case="fold") == ["abc"]
    assert tokens("ABC") == ["ABC"]


def test_traditional_characters_are_searched_as_simplified_ones_if_asked() -> None:
    analyzer = Analyzer(KeywordSettings())
    assert analyzer.tokens("產品保固期為兩年") == analyzer.tokens("产品保固期为两年")
    assert tokens("產品", script="fold", words="accurate") == ["产品"]
    assert "产品" not in tokens("產品")


@pytest.mark.parametrize(
    ("identifiers", "expected"),
    [
        ("both", ["BX-2024-0017", "BX", "2024", "0017"]),
        ("whole", ["BX-2024-0017"]),
        ("parts", ["BX", "2024", "0017"]),
    ],
)
def test_an_identifier_comes_whole_and_in_parts_as_asked(identifiers: str, expected: list[str]) -> None:
    assert tokens("BX-2024-0017", identifiers=identifiers) == expected


@pytest.mark.parametrize(
    "written", ["GB/T 19001-2016", "GB/T 19001—2016", "ＧＢ／Ｔ　１９００１－２０１６", "gb/t19001-2016"]
)
def test_a_standard_is_one_token_with_a_blank_in_its_name_or_without(written: str) -> None:
    found = Analyzer().tokens(f"执行{written}标准")
    assert {"gb/t19001-2016", "gb", "t", "19001", "2016"} <= set(found)


def test_a_word_before_a_number_is_no_standard() -> None:
    assert "page12" not in Analyzer().tokens("see page 12")
    assert "iso9001-2015" in Analyzer().tokens("ISO 9001-2015")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("一百二十", ["120"]),
        ("十五天", ["15"]),
        ("十天", ["10"]),
        ("三天", ["3"]),
        ("第三条", ["3"]),
        ("两年", ["2"]),
        ("一百二", ["120"]),
        ("一万二", ["12000"]),
        ("一百零二", ["102"]),
        ("一万零五十", ["10050"]),
        ("十万", ["100000"]),
        ("三亿五千万", ["350000000"]),
        ("壹佰贰拾元整", ["120"]),
        ("三點五", ["3.5"]),
        ("三点一四", ["3.14"]),
        ("二〇二四年", ["2024"]),
        ("二零二四年", ["2024"]),
        ("百分之五", ["5%"]),
        ("百分之五点五", ["5.5%"]),
        ("百分之一百", ["100%"]),
        ("百分之5", ["5%"]),
        ("千分之三", ["3‰"]),
        ("万分之五", ["5‱"]),
        ("三分之一", ["1/3"]),
        ("5%", ["5%"]),
        ("5.0%", ["5%"]),
        ("5 %", ["5%"]),
        ("120万", ["1200000"]),
        ("1.5亿元", ["150000000"]),
        ("3千", ["3000"]),
        ("2百万", ["2000000"]),
    ],
)
def test_a_number_is_found_in_its_other_forms(written: str, expected: list[str]) -> None:
    assert list(number_tokens(written)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "三亚",  # a name
        "统一",
        "万一",
        "千万不要",
        "百姓",
        "二三十人",  # about so many
        "三五天",
        "十百",
        "一十二十",
        "零",
        "A5%",
        "v2.3万",
        "120",
        "",
    ],
)
def test_what_is_no_number_or_already_plain_gives_none(text: str) -> None:
    assert list(number_tokens(text)) == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1,200,000元", "1200000元"),
        ("１，２００，０００元", "1200000元"),
        ("1,200.50", "1200.50"),
        ("10,20,300", "10,20,300"),
        ("1,2000", "1,2000"),
        ("12345,678", "12345,678"),
        ("甲,200", "甲,200"),
    ],
)
def test_marks_between_groups_of_digits_go(written: str, expected: str) -> None:
    wide = str.maketrans("１２０", "120")
    assert without_group_marks(written).translate(wide) == expected


def test_numbers_are_folded_if_asked() -> None:
    assert tokens("1,200,000", numbers="fold") == ["1200000"]
    assert tokens("1,200,000") == ["1", "200", "000"]
    assert tokens("百分之五", words="accurate", numbers="fold")[-1] == "5%"
    assert "5%" not in tokens("百分之五", words="accurate")


@given(st.integers(min_value=1, max_value=99_999_999))
def test_every_number_written_in_han_is_read_back(number: int) -> None:
    written = in_han(number)
    if len(written) > 1:
        assert list(number_tokens(written)) == [str(number)]
    else:
        assert list(number_tokens(f"{written}天")) == [str(number)]


def in_han(number: int) -> str:
    """A number as one writes it, 10010 as 一万零一十."""
    if number >= 10_000:
        rest = number % 10_000
        zero = "零" if 0 < rest < 1000 else ""
        return in_han(number // 10_000) + "万" + zero + (in_han(rest) if rest else "")
    written, zero = "", False
    for scale, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // scale % 10
        if digit:
            written += ("零" if zero and written else "") + "零一二三四五六七八九"[digit] + unit
        zero = not digit
    return written


def test_stop_words_are_left_out_of_words_and_pairs() -> None:
    assert tokens("什么是病假", words="accurate", bigrams="all", stop_words="zh") == ["病假", "么是", "是病", "病假"]
    assert tokens("什么是病假", words="accurate") == ["什么", "是", "病假"]


def test_stop_words_come_from_a_file_and_are_folded_as_texts_are(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("事假\n\nＴＨＥ\n", encoding="utf-8")
    options = {"words": "accurate", "width": "fold", "case": "fold", "stop_words": str(path)}
    assert tokens("事假与The病假", **options) == ["与", "病假"]


def test_words_of_ones_own_are_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("海棠云盘\n雪线计划 20 n\n產品經理人甲\n", encoding="utf-8-sig")
    assert "海棠云盘" not in tokens("登录海棠云盘。", words="accurate")
    options = {"words": "accurate", "script": "fold", "dictionary": str(path)}
    assert tokens("登录海棠云盘。", **options) == ["登录", "海棠云盘"]
    assert "雪线计划" in tokens("加入雪线计划吧", **options)
    assert "产品经理人甲" in tokens("产品经理人甲签字", **options)
    assert "海棠云盘" not in tokens("登录海棠云盘。", words="accurate")  # other analyzers stay as they were


@pytest.mark.parametrize("option", ["dictionary", "stop_words"])
def test_a_file_of_words_that_cannot_be_read_is_named(option: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=rf"读不了 keywords.{option} 指定的文件 .*words.txt"):
        tokens("年假", **{option: str(tmp_path / "words.txt")})
    (tmp_path / "words.txt").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(SettingsError, match="UTF-8"):
        tokens("年假", **{option: str(tmp_path / "words.txt")})


def test_a_line_of_a_dictionary_that_means_nothing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("海棠云盘\n海棠 云盘 三\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="第 2 行看不懂"):
        tokens("年假", dictionary=str(path))


@pytest.mark.parametrize(
    "options", [{}, {"words": "full"}, {"words": "none"}, {"width": "keep", "case": "keep"}, {"stop_words": "zh"}]
)
@pytest.mark.parametrize("text", ["", " ", "？", "，。！", "——", "\n\t　", "…“”（）"])
def test_marks_and_blanks_are_no_tokens(text: str, options: dict[str, str]) -> None:
    assert Analyzer(KeywordSettings.model_validate(options)).tokens(text) == []


@pytest.mark.parametrize("strange", ["\ud800", "\0", "\ufffe"])
def test_a_character_that_is_none_parts_words_and_breaks_nothing(strange: str) -> None:
    assert Analyzer().tokens(f"病假{strange}產品") == ["病假", "病假", "产品", "产品"]
    assert tokens(f"病假{strange}AB") == ["病假", "AB"]


ANALYZERS = [Analyzer(), Analyzer(KeywordSettings.model_validate({**BARE, "words": "full", "bigrams": "all"}))]


@given(st.text(alphabet="年假为十天百万。！，… \n\tabcXYZ０１9.-/:%", max_size=60) | st.text(max_size=40))
def test_tokens_hold_no_blank_and_depend_on_the_text_alone(text: str) -> None:
    for analyzer in ANALYZERS:
        found = analyzer.tokens(text)
        assert all(token and not any(map(str.isspace, token)) for token in found)
        assert analyzer.tokens(text) == found
