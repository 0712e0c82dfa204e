"""What printing did to a page is undone, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.loaders.page_cleaning import clean_page, clean_with_origins


def test_chinese_lines_join_without_a_blank() -> None:
    assert clean_page("员工应当在每年年底以前提出下一年的休假计\n划，由部门负责人批准。") == (
        "员工应当在每年年底以前提出下一年的休假计划，由部门负责人批准。"
    )


def test_english_lines_join_with_one_blank_and_a_hyphenated_word_becomes_whole() -> None:
    text = "The applicant shall hand in the form be-\nfore the end of May, and the department\nreplies in June."

    assert clean_page(text) == (
        "The applicant shall hand in the form before the end of May, and the department replies in June."
    )


@pytest.mark.parametrize(
    ("end", "rest", "joined"),
    [
        ("http://a.example/x-", "y.html 的说明", "http://a.example/x-y.html 的说明"),
        ("http://a.example/docs/", "leave.html。", "http://a.example/docs/leave.html。"),
        ("https://docs.a.", "example/leave 里", "https://docs.a.example/leave 里"),
        ("www.a.example/find?", "q=leave&page=2", "www.a.example/find?q=leave&page=2"),
        ("http://a.example:", "8080/leave", "http://a.example:8080/leave"),
        ("see http://a.example/", "for more", "see http://a.example/ for more"),
        ("http://a.example/docs/", "2.病假的申请", "http://a.example/docs/\n2.病假的申请"),
        ("see http://a.example.", "The form is there.", "see http://a.example.\nThe form is there."),
        ("see the self-", "service page", "see the selfservice page"),
    ],
)
def test_a_link_cut_at_a_line_end_becomes_whole(end: str, rest: str, joined: str) -> None:
    line = "休假的申请表和填写的办法请见公司网站上的页面 "

    assert clean_page(f"{line}{end}\n{rest}") == line + joined


def test_a_hyphen_that_belongs_to_a_number_stays() -> None:
    assert clean_page("报销单的编号印在右上角，例如 BX-2024-\n0017，请抄写完整。") == (
        "报销单的编号印在右上角，例如 BX-2024-0017，请抄写完整。"
    )


@pytest.mark.parametrize(
    "heading",
    [
        "第二章 休假",
        "第五条 年假",
        "（一）年假",
        "二、病假",
        "2. 病假",
        "2）病假",
        "2.1 病假",
        "• 病假",
        "- 病假",
        "① 病假",
        "附件一",
    ],
)
def test_a_heading_or_list_item_stays_on_its_own_line(heading: str) -> None:
    before = "本办法所称员工是指与公司签订劳动合同的人员"

    assert clean_page(f"{before}\n{heading}") == f"{before}\n{heading}"


def test_a_reference_to_an_article_is_no_heading() -> None:
    assert clean_page("员工因工负伤期间的待遇，依照本办法\n第十二条第二款的规定办理。") == (
        "员工因工负伤期间的待遇，依照本办法第十二条第二款的规定办理。"
    )


def test_a_short_line_ends_its_paragraph() -> None:
    assert clean_page("员工手册\n公司保障每一名员工依法享有休息休假的权利。") == (
        "员工手册\n公司保障每一名员工依法享有休息休假的权利。"
    )


def test_an_indented_line_opens_a_paragraph() -> None:
    text = "本办法自二〇二四年一月一日起施行，由人事部解释\n　　原办法同时废止，尚未休完的假期可以保留一年。"

    assert clean_page(text) == (
        "本办法自二〇二四年一月一日起施行，由人事部解释\n原办法同时废止，尚未休完的假期可以保留一年。"
    )


def test_a_blank_line_parts_paragraphs_once() -> None:
    assert clean_page("员工每年有十天年假，可以分次使用并且\n \n \n当年没有用完的年假可以顺延一年。") == (
        "员工每年有十天年假，可以分次使用并且\n\n当年没有用完的年假可以顺延一年。"
    )


def test_rows_of_figures_and_tables_of_contents_keep_their_lines() -> None:
    rows = "办公用品支出合计 1,200 1,350\n差旅交通支出合计 8,000 7,640"
    contents = "第一节 总则的适用范围......1\n总则的其他规定以及说明......3"

    assert clean_page(rows) == rows
    assert clean_page(contents) == contents


def test_a_wide_running_header_does_not_make_every_line_look_short() -> None:
    lines = ["年度报告" * 12, *["公司全年召开董事会会议并且审议议案" for _ in range(20)]]

    assert clean_page("\n".join(lines)).endswith("公司全年召开董事会会议并且审议议案" * 20)


def test_letter_spaced_chinese_loses_its_blanks_and_everything_else_keeps_them() -> None:
    assert clean_page("第 一 季 度 报 告  摘 要") == "第一季度报告 摘要"
    assert clean_page("见 GB/T 19001-2016 与 annual report") == "见 GB/T 19001-2016 与 annual report"
    assert clean_page("出席人员：张三 李四 王五") == "出席人员：张三 李四 王五"


def test_a_tab_between_cells_becomes_two_blanks_and_rows_never_join() -> None:
    rows = (
        "报销单的编号印在右上角，请抄写完整\t说明一\n差旅费的标准由财务部门另行通知各部门 \t 说明二\n办公费\t \t说明三"
    )

    assert clean_page(rows) == (
        "报销单的编号印在右上角，请抄写完整  说明一\n差旅费的标准由财务部门另行通知各部门  说明二\n办公费  说明三"
    )


def test_numbered_references_stay_on_their_own_lines() -> None:
    lines = "[1] 张三、李四：《企业员工休假制度研究》，某某出版社\n[2] 王五：《加班与调休》，载《劳动研究》"

    assert clean_page(lines) == lines


def test_a_full_line_is_measured_in_its_own_column() -> None:
    wide = "这一页的摘要横跨两栏，所以它的每一行都比正文的行宽得多得多。"
    text = f"{wide}\n正文在窄栏里排成短行，每一行都\n写满了，句子在下一行才结束。"

    assert clean_with_origins(text, [64, 30, 30]).text == (
        f"{wide}\n正文在窄栏里排成短行，每一行都写满了，句子在下一行才结束。"
    )
    assert clean_page(text).endswith("每一行都\n写满了，句子在下一行才结束。")


@given(st.text(alphabet="年假为十天第一章⼀⽠条（）、。，ABab1 2-\t\n\r\u3000\x00\xad•", max_size=80))
def test_every_character_knows_where_it_was(text: str) -> None:
    page = clean_with_origins(text)

    assert page.text == clean_page(text)
    assert len(page.origins) == len(page.text)
    known = [(at, one) for at, one in zip(page.origins, page.text, strict=True) if at >= 0 and not one.isspace()]
    assert [at for at, _ in known] == sorted({at for at, _ in known})
    usual = {"⼀": "一", "⽠": "瓜", "\xad": "-"}
    assert all(usual.get(text[at], text[at]) == one for at, one in known)


def test_control_characters_go_and_line_ends_become_one_kind() -> None:
    assert clean_page("年\x00假\r\n十\x01天\ufeff") == "年假\n十天"


def test_characters_that_only_a_font_told_apart_become_the_usual_ones() -> None:
    assert clean_page("南\u2f60另\ufa08") == "南瓜另行"


@given(st.text(alphabet="年假为十天第一章条（）、。，；ABab1 2-\n\u3000\x00•", max_size=80))
def test_cleaning_keeps_every_visible_character_but_hyphens_and_cleaning_again_finds_no_control_characters(
    text: str,
) -> None:
    def visible(page: str) -> list[str]:
        return [character for character in page if not character.isspace() and character not in "\x00-"]

    cleaned = clean_page(text)

    assert visible(cleaned) == visible(text)
    assert "\x00" not in cleaned
    assert "\n\n\n" not in cleaned
