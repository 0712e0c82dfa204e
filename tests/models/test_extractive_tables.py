"""Rows of tables as sentences."""

import pytest

from youju.models.extractive_tables import is_row, statements


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["| 型号 | 库存 |", "| --- | --- |", "| 轴承6308 | 85 |"], [[], [], ["型号：轴承6308；库存：85"]]),
        (["| 型号 | 库存 |", "| --- | --- |", "| 轴承6308 | |"], [[], [], ["型号：轴承6308"]]),
        (["| 甲 | 乙 |", "| --- | --- |", "| 1\\|2 | 先停机。再断电。 |"], [[], [], ["甲：1|2；乙：先停机；再断电"]]),
        (["股票简称  东方机电  股票代码  600999"], [["股票简称：东方机电", "股票代码：600999"]]),
        (["法定代表人  周明"], [["法定代表人：周明"]]),
        (["城市  总额  位序", "北京  635.2  1"], [[], ["城市：北京；总额：635.2；位序：1"]]),
        (["本期  上期  增减", "收入（元）  12  10  20%"], [[], ["收入（元）；本期：12；上期：10；增减：20%"]]),
        (["北京  635.2  1"], [["北京；635.2；1"]]),
        (["| 轴承6308 | A-03-4 | 85 |"], [["轴承6308；A-03-4；85"]]),
    ],
)
def test_a_row_says_its_cells_with_the_names_that_the_table_gives_them(rows: list[str], said: list[list[str]]) -> None:
    assert list(statements(rows)) == said


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("| 甲 | 乙 |", True),
        ("甲 | 乙 | 丙", True),
        ("电话  025-5211", True),
        ("年假为10天。", False),
        ("年假为10天。  病假另算。", False),
        ("5月12日 15:24  " + "交通部门说，在山区失去联系的飞机已经找到，" * 7 + "详情待查。", False),  # a date line
        ("a | b", False),
        ("", False),
    ],
)
def test_a_row_has_cells_between_bars_or_wide_gaps(line: str, *, row: bool) -> None:
    assert is_row(line) is row
