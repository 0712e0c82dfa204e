"""Numbers that Word counts by itself are part of the text."""

import doctest
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import youju.loaders.word_numbers
from youju.loaders import load_file
from youju.loaders.word_numbers import write_number

Load = Callable[..., list[str]]
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


@pytest.fixture
def load_word(tmp_path: Path) -> Load:
    """Makes a Word file with these paragraphs and these lists, and reads it."""

    def load(body: str, lists: str, *, style_numbers: bool = False) -> list[str]:
        of_style = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>' if style_numbers else ""
        heading = f'<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/>{of_style}</w:style>'
        links = "".join(
            f'<Relationship Id="{name}" Type="{_TYPE}/{name}" Target="{name}.xml"/>' for name in ("styles", "numbering")
        )
        parts = {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f'<Relationship Id="a" Type="{_TYPE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
            "word/styles.xml": f"<w:styles {_W}>{heading}</w:styles>",
            "word/numbering.xml": f"<w:numbering {_W}>{lists}</w:numbering>",
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
        }
        path = tmp_path / "a.docx"
        with zipfile.ZipFile(path, "w") as package:
            for name, text in parts.items():
                package.writestr(name, text)
        return [document.page_content for document in load_file(path).documents]

    return load


def level(at: int, text: str, number_format: str = "decimal", more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(*levels: str, restart: bool = False) -> str:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>' if restart else ""
    return (
        f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        f'<w:num w:numId="2"><w:abstractNumId w:val="0"/>{override}</w:num>'
    )


def item(text: str, at: int = 0, *, number: int = 1, style: str = "") -> str:
    chosen = f'<w:pStyle w:val="{style}"/>' if style else ""
    place = f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{chosen}{place}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_articles_and_their_items_are_numbered_as_word_shows_them(load_word: Load) -> None:
    articles = level(0, "第%1条", "chineseCountingThousand"), level(1, "（%2）", "chineseCounting"), level(2, "%1.%3")
    body = item("总则。") + item("年假。") + item("十天。", 1) + item("另计。", 1) + item("附则。") + item("细则。", 2)

    assert load_word(body, numbering(*articles)) == [
        "第一条 总则。\n\n第二条 年假。\n\n（一） 十天。\n\n（二） 另计。\n\n第三条 附则。\n\n三.1 细则。"
    ]


def test_a_heading_that_its_style_numbers_keeps_its_number(load_word: Load) -> None:
    heading = '<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    body = heading.format("总则") + "<w:p><w:r><w:t>一。</w:t></w:r></w:p>" + heading.format("附则")
    linked = level(0, "第%1章", "chineseCounting", '<w:pStyle w:val="1"/>')

    found = load_word(body, numbering(linked), style_numbers=True)

    assert found == ["# 第一章 总则\n\n一。\n\n# 第二章 附则"]


def test_another_list_of_the_same_kind_counts_on_unless_it_starts_anew(load_word: Load) -> None:
    body = item("甲。") + item("乙。") + item("丙。", number=2)

    assert load_word(body, numbering(level(0, "%1."))) == ["1. 甲。\n\n2. 乙。\n\n3. 丙。"]
    assert load_word(body, numbering(level(0, "%1."), restart=True)) == ["1. 甲。\n\n2. 乙。\n\n1. 丙。"]


def test_figures_alone_where_the_level_says_so_and_no_gap_where_none_is_shown(load_word: Load) -> None:
    levels = level(0, "第%1章", "chineseCounting"), level(1, "%1.%2", more='<w:isLgl/><w:suff w:val="nothing"/>')

    assert load_word(item("总则") + item("范围", 1), numbering(*levels)) == ["第一章 总则\n\n1.1范围"]


def test_bullets_empty_paragraphs_and_paragraphs_out_of_the_list_get_no_number(load_word: Load) -> None:
    body = item("甲") + item("") + item("乙") + item("丙", number=0)

    assert load_word(body, numbering(level(0, "%1、"))) == ["1、 甲\n\n3、 乙\n\n丙"]
    assert load_word(item("甲") + item("乙"), numbering(level(0, "", "bullet"))) == ["* 甲\n* 乙"]


def test_lists_that_are_defined_wrongly_cost_no_text(load_word: Load) -> None:
    broken = numbering(level(0, "%1.%9").replace('w:start w:val="1"', 'w:start w:val="x"'))

    assert load_word(item("甲", number=7) + item("乙", at=5) + item("丙"), broken) == ["甲\n\n乙\n\n0. 丙"]


@pytest.mark.parametrize(
    ("number", "number_format", "shown"),
    [
        (10, "chineseCounting", "十"),
        (20, "japaneseCounting", "二十"),
        (101, "chineseCountingThousand", "一百零一"),
        (110, "chineseCountingThousand", "一百一十"),
        (1005, "chineseCountingThousand", "一千零五"),
        (12, "chineseLegalSimplified", "壹拾贰"),
        (3, "ideographTraditional", "丙"),
        (12, "ideographZodiac", "亥"),
        (20, "decimalEnclosedCircle", "⑳"),
        (21, "decimalEnclosedCircle", "21"),
        (28, "upperLetter", "BB"),
        (1994, "upperRoman", "MCMXCIV"),
        (7, "decimalZero", "07"),
        (7, "unheardOf", "7"),
    ],
)
def test_numbers_are_written_as_the_format_says(number: int, number_format: str, shown: str) -> None:
    assert write_number(number, number_format) == shown


def test_the_example_runs() -> None:
    assert doctest.testmod(youju.loaders.word_numbers) == doctest.TestResults(failed=0, attempted=1)
