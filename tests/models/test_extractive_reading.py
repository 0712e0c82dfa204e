"""The evidence of a prompt as units."""

from youju.models.extractive_reading import Unit, blocks_of, units_in
from youju.models.extractive_script import folding_for

TEXT = """退货政策

一、期限
普通订单为7天。会员订单为15天。
二、材料
申请须提交下列材料：
1. 订单号
2. 商品照片
怎么联系客服？
拨打 400-820-1234。"""


def units(text: str) -> list[Unit]:
    return units_in([(1, "a.md", text)])


def test_headings_and_questions_state_nothing_and_stand_over_what_follows() -> None:
    assert [(unit.text, unit.section, unit.kind) for unit in units(TEXT)] == [
        ("普通订单为7天。", "退货政策\n一、期限", "sentence"),
        ("会员订单为15天。", "退货政策\n一、期限", "sentence"),
        ("申请须提交下列材料:".replace(":", "："), "退货政策\n二、材料", "sentence"),
        ("1. 订单号", "退货政策\n二、材料\n申请须提交下列材料:", "item"),
        ("2. 商品照片", "退货政策\n二、材料\n申请须提交下列材料:", "item"),
        ("拨打 400-820-1234。", "退货政策\n二、材料\n怎么联系客服?", "sentence"),
    ]


def test_items_of_one_list_and_rows_of_one_table_belong_together() -> None:
    found = units("- 甲\n- 乙\n说明。\n- 丙\n\n| 名 | 数 |\n| --- | --- |\n| 丁 | 1 |\n| 戊 | 2 |")
    assert [(unit.text, unit.group) for unit in found] == [
        ("甲", 1),
        ("乙", 1),
        ("说明。", 0),
        ("丙", 2),
        ("名：丁；数：1", 3),
        ("名：戊；数：2", 3),
    ]


def test_blocks_are_cut_at_their_headers() -> None:
    assert blocks_of("[资料1] a.md\n甲\n\n乙\n\n[资料2] b.md\n丙") == [(1, "a.md", "甲\n\n乙"), (2, "b.md", "丙")]


def test_all_blocks_of_a_file_are_one_document() -> None:
    first, second, other = units_in([(1, "a.pdf 第 1 页", "甲。"), (2, "a.pdf 第 2 页", "乙。"), (3, "b.pdf", "丙。")])
    assert first.document == second.document
    assert "乙" in first.document
    assert "甲" not in other.document


def test_traditional_is_folded_only_where_it_is_met() -> None:
    assert folding_for(["年假", "ABC"])("員工") == "員工"
    assert folding_for(["年假", "員工"])("員工ＡＢ") == "员工ab"
