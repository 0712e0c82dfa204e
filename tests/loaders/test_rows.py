"""CSV and JSONL: a row a unit, chosen fields, what is reported with its row."""

import csv
import doctest
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import youju.loaders.places
from youju.errors import LoadError, NoTextError
from youju.loaders import LoadedFile, load_file
from youju.settings import LoaderSettings


def load(data: str | bytes, name: str = "价目.csv", *, fields: tuple[str, ...] = ()) -> LoadedFile:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        return load_file(path, settings=LoaderSettings(text_fields=list(fields)))


def texts(loaded: LoadedFile) -> list[str]:
    return [document.page_content for document in loaded.documents]


def reasons(loaded: LoadedFile) -> list[str]:
    return [problem.reason for problem in loaded.problems]


def test_without_chosen_fields_all_columns_are_text() -> None:
    loaded = load("品名,价格\n甲,12\n乙,\n")

    assert texts(loaded) == ["品名：甲；价格：12", "品名：乙"]
    assert loaded.documents[0].metadata == {
        "source": "价目.csv",
        "title": "价目",
        "row": 1,
        "location": "价目.csv 第 2 行",
        "start": 0,
        "end": 10,
    }
    assert loaded.problems == ()


def test_one_chosen_field_is_the_text_and_the_others_are_metadata() -> None:
    (document,) = load("编号,说明,部门\n007,年假为10天,人事\n", fields=("说明",)).documents

    assert document.page_content == "年假为10天"
    assert (document.metadata["编号"], document.metadata["部门"]) == ("007", "人事")
    assert "说明" not in document.metadata


def test_several_chosen_fields_are_named_in_the_order_of_the_settings() -> None:
    (document,) = load("问,答,部门\n几天？,10天,人事\n", fields=("答", "问")).documents

    assert document.page_content == "答：10天\n问：几天？"
    assert document.metadata["部门"] == "人事"


def test_columns_with_names_that_youju_uses_are_kept_under_another() -> None:
    header = "说明,source,id,field_id,row"
    (document,) = load(f"{header}\n年假,内网,42,甲,9\n", fields=("说明",)).documents

    assert document.metadata["source"] == "价目.csv"
    assert document.metadata["row"] == 1
    own = {key: value for key, value in document.metadata.items() if key.startswith("field_")}
    assert own == {"field_source": "内网", "field_field_id": "42", "field_id": "甲", "field_row": "9"}


def test_files_of_one_folder_may_have_different_text_fields() -> None:
    fields = ("问", "答", "品名")
    assert [document.page_content for document in load("品名,价格\n甲,1\n", fields=fields).documents] == ["甲"]
    asked = load('{"问": "几天？", "答": "10天"}\n', "a.jsonl", fields=fields).documents
    assert [document.page_content for document in asked] == ["问：几天？\n答：10天"]


def test_text_fields_none_of_which_a_file_has_are_an_error_with_the_columns_there_are() -> None:
    with pytest.raises(LoadError) as caught:
        load("品名,价格\n甲,1\n", fields=("说明",))

    assert caught.value.reason == ("设置 loader.text_fields 里的 说明 都不是这个文件的字段；它的字段有：品名、价格")
    with pytest.raises(LoadError, match=r"它的字段有：问、答$"):
        load('{"问": 1}\n{"答": 2}\n', "a.jsonl", fields=("说明",))


@pytest.mark.parametrize("encoding", ["gbk", "utf-8-sig", "utf-16"])
def test_tables_as_excel_saves_them_are_read(encoding: str) -> None:
    assert texts(load("品名,价格\r\n螺丝刀,12\r\n".encode(encoding))) == ["品名：螺丝刀；价格：12"]


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("品名;价格\n甲;1,5\n乙;2,5\n", "a.csv"),
        ("品名\t价格\n甲\t1,5\n乙\t2,5\n", "a.csv"),
        ("品名\t价格\n甲\t1,5\n乙\t2,5\n", "a.tsv"),
        ("sep=;\n品名;价格\n甲;1,5\n乙;2,5\n", "a.csv"),
        ("SEP=;\n品名;价格\n甲;1,5\n乙;2,5\n", "a.csv"),
    ],
)
def test_semicolons_and_tabs_part_columns_too(table: str, name: str) -> None:
    assert texts(load(table, name)) == ["品名：甲；价格：1,5", "品名：乙；价格：2,5"]


def test_a_comma_in_a_tab_separated_file_parts_nothing() -> None:
    assert texts(load("a,b\tc\n1,2\t3\n", "a.tsv")) == ["a,b：1,2；c：3"]


def test_a_cell_of_several_lines_is_one_cell_and_one_row() -> None:
    loaded = load('问,答\n"一行\n二行，有""引号""",甲\n乙,丙\n')

    assert texts(loaded) == ['问：一行\n二行，有"引号"\n答：甲', "问：乙；答：丙"]
    assert [document.metadata["location"] for document in loaded.documents] == ["价目.csv 第 2 行", "价目.csv 第 3 行"]


def test_blank_rows_are_skipped_and_counted() -> None:
    loaded = load("品名,价格\n\n,\n甲,1\n")

    assert [(document.metadata["row"], document.metadata["location"]) for document in loaded.documents] == [
        (3, "价目.csv 第 4 行")
    ]
    assert loaded.problems == ()


def test_rows_of_other_lengths_are_reported_and_the_others_read() -> None:
    loaded = load("品名,价格\n甲,1\n乙\n丙,3,多\n丁,4,\n戊,5\n")

    assert texts(loaded) == ["品名：甲；价格：1", "品名：丁；价格：4", "品名：戊；价格：5"]
    assert reasons(loaded) == ["第 3–4 行的列数与表头不同；请检查单元格里的分隔符是否加了引号；没有读入这些行"]


def test_a_quote_that_is_never_closed_costs_only_its_own_row() -> None:
    loaded = load('品名,价格\n甲,1\n"乙,2\n丙,3\n')

    assert texts(loaded) == ["品名：甲；价格：1", "品名：丙；价格：3"]
    assert reasons(loaded) == ["第 3 行的引号不成对，或单元格超过 131072 字；请检查引号；没有读入这些行"]


def test_columns_without_a_name_or_with_the_same_name_are_told_apart() -> None:
    assert texts(load("备注,,备注\n甲,乙,丙\n")) == ["备注：甲；列2：乙；备注_2：丙"]


def test_a_row_whose_text_field_is_empty_is_reported() -> None:
    loaded = load("说明,部门\n年假,人事\n,财务\n——,行政\n", fields=("说明",))

    assert texts(loaded) == ["年假"]
    assert reasons(loaded) == ["第 3–4 行的文字字段没有内容；没有读入这些行"]
    assert isinstance(loaded.problems[0], NoTextError)


@pytest.mark.parametrize(
    ("data", "name"), [("品名,价格\n", "a.csv"), ("\n\n", "a.csv"), (",\n1,2\n", "a.csv"), ("\n{}\n", "a.jsonl")]
)
def test_a_table_without_rows_is_an_error(data: str, name: str) -> None:
    with pytest.raises(NoTextError):
        load(data, name)


def test_json_lines_keep_their_types_in_the_metadata() -> None:
    line = {"说明": "年假为10天", "天数": 10, "比例": 0.5, "有效": True, "标签": ["人事"], "空": None, "page": 3}
    (document,) = load(json.dumps(line, ensure_ascii=False), "制度.jsonl", fields=("说明",)).documents

    assert document.page_content == "年假为10天"
    assert document.metadata == {
        "天数": 10,
        "比例": 0.5,
        "有效": True,
        "标签": ["人事"],
        "field_page": 3,
        "source": "制度.jsonl",
        "title": "制度",
        "row": 1,
        "location": "制度.jsonl 第 1 行",
        "start": 0,
        "end": 6,
    }


def test_lines_that_are_no_json_object_are_reported_with_their_numbers() -> None:
    bad = ['{"问": ', "[1]", '"x"', '{"问": NaN}', "[" * 100_000]
    loaded = load("\n".join(['{"问": "甲"}', "", *bad, '{"问": {"a": [1, "乙"]}}']), "a.ndjson")

    assert texts(loaded) == ["问：甲", '问：{"a": [1, "乙"]}']
    assert reasons(loaded) == ["第 3–7 行不是有效的 JSON 对象（一行一个 {…}）；请修正这些行；没有读入这些行"]
    assert loaded.documents[1].metadata["location"] == "a.ndjson 第 8 行"


def test_values_that_no_database_holds_become_text() -> None:
    line = '{"文": "甲\\ud800\\u0000乙", "大": 99999999999999999999, "巨": 1e999, "\\ud800": 1}'
    (document,) = load(line, "a.jsonl", fields=("文",)).documents

    assert document.page_content == "甲?乙"
    assert (document.metadata["大"], document.metadata["巨"], document.metadata["?"]) == (
        "99999999999999999999",
        "1e999",
        1,
    )
    assert json.loads(json.dumps(document.metadata, allow_nan=False)) == document.metadata


_CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=12)


@given(st.data(), st.integers(2, 4))
def test_any_table_that_is_written_as_csv_comes_back(data: st.DataObject, columns: int) -> None:
    rows = data.draw(st.lists(st.lists(_CELLS, min_size=columns, max_size=columns), min_size=1, max_size=6))
    names = ["text", "a", "b", "c"][:columns]
    rows = [["甲" + row[0], *row[1:]] for row in rows]
    file = io.StringIO(newline="")
    csv.writer(file).writerows([names, *rows])

    loaded = load(file.getvalue(), fields=("text",))

    assert loaded.problems == ()
    assert [
        [document.page_content, *(document.metadata.get(name, "") for name in names[1:])]
        for document in loaded.documents
    ] == [[row[0], *(cell if cell.strip() else "" for cell in row[1:])] for row in rows]


@given(st.binary(max_size=120), st.sampled_from(["a.csv", "a.tsv", "a.jsonl"]))
def test_bytes_of_any_kind_become_rows_or_a_load_error(data: bytes, name: str) -> None:
    try:
        loaded = load(data, name)
    except LoadError:
        return
    assert loaded.documents


def test_reading_stops_when_the_time_is_over(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("品名,价格\n" + "甲,1\n" * 5000, encoding="utf-8")

    with pytest.raises(LoadError, match=r"还没有读完.*loader\.max_seconds"):
        load_file(path, settings=LoaderSettings(max_seconds=1e-9))


def test_the_examples_of_places_run() -> None:
    assert doctest.testmod(youju.loaders.places) == doctest.TestResults(failed=0, attempted=4)


def test_thousands_of_columns_of_one_name_are_numbered() -> None:
    (text,) = texts(load(f"{','.join(['分'] * 20_000)}\n{','.join(['1'] * 20_000)}\n", "a.csv"))
    assert text.startswith("分：1；分_2：1；")
    assert text.endswith("；分_20000：1")


def test_thousands_of_rows_with_keys_of_their_own_are_read() -> None:
    lines = "\n".join(json.dumps({f"键{number}": "值"}, ensure_ascii=False) for number in range(20_000))
    assert texts(load(lines, "a.jsonl"))[-1] == "键19999：值"
