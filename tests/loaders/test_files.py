"""Single files: what is taken, what is refused, and in which words."""

import doctest
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import youju.loaders
import youju.loaders.langchain_loader
from youju.errors import LoadError, UnsupportedFormatError
from youju.loaders import SUFFIXES, FileLoader, load_file
from youju.settings import LoaderSettings


def test_the_public_names() -> None:
    names = ["SUFFIXES", "FileLoader", "FoundFiles", "LoadedFile", "Ocr", "find_files", "load_file"]
    assert [name for name in youju.loaders.__all__ if name not in {"Box", "locate"}] == names


def test_the_suffixes() -> None:
    documents = ".pdf .md .markdown .txt .text .docx .xlsx .pptx .html .htm .csv .tsv .jsonl .ndjson"
    images = ".png .jpg .jpeg .webp .bmp .tif .tiff .gif"
    assert {*documents.split(), *images.split()} == SUFFIXES


@pytest.mark.parametrize("name", ["A.TXT", "a.Text", "A.MD", "a.markdown"])
def test_suffixes_are_taken_in_any_case(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("年假为十天。", encoding="utf-8")

    assert load_file(str(tmp_path / name)).documents[0].page_content == "年假为十天。"


def test_other_formats_are_refused_with_those_that_are_read(tmp_path: Path) -> None:
    (tmp_path / "note.xyz").write_text("年假", encoding="utf-8")

    with pytest.raises(UnsupportedFormatError) as caught:
        load_file(tmp_path / "note.xyz")

    assert caught.value.reason == (
        "不支持 .xyz 格式；可以读取：PDF、Word（.docx）、Excel（.xlsx）、PowerPoint（.pptx）、网页（.html）、"
        "Markdown（.md）、文本（.txt）、CSV、JSONL"
    )
    with pytest.raises(UnsupportedFormatError, match="没有扩展名"):
        load_file(tmp_path / "README")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("制度.doc", "不支持 .doc 格式；请用 Word 或 WPS 另存为 .docx 后重试"),
        ("报表.XLS", "不支持 .XLS 格式；请用 Excel 或 WPS 另存为 .xlsx 后重试"),
        ("课件.ppt", "不支持 .ppt 格式；请用 PowerPoint 或 WPS 另存为 .pptx 后重试"),
        ("数据.json", "不支持 .json 格式；请改为 .jsonl，一行一个 JSON 对象"),
    ],
)
def test_formats_near_to_one_that_is_read_are_refused_with_the_way_there(
    tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        load_file(tmp_path / name)

    assert caught.value.reason == reason


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 2 * 1024 * 1024)

    with pytest.raises(LoadError) as caught:
        load_file(path, settings=LoaderSettings(max_megabytes=1.5))

    assert caught.value.reason == (
        "文件有 2.0 MB，超过了 1.5 MB 的上限，没有读取；请拆分文件，或调大设置 loader.max_megabytes"
    )
    assert load_file(path, settings=LoaderSettings(max_megabytes=2)).documents


def test_a_missing_file_and_a_folder_named_like_a_file_are_load_errors(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()

    with pytest.raises(LoadError, match="找不到这个文件"):
        load_file(tmp_path / "none.md")
    with pytest.raises(LoadError, match="不是普通文件"):
        load_file(tmp_path / "folder.md")
    with pytest.raises(LoadError):
        load_file("a\0b.md")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")

    with pytest.raises(LoadError, match="不是普通文件"):
        load_file(tmp_path / "pipe.txt")


def test_a_langchain_loader_over_a_folder_yields_all_and_remembers_the_rest(
    tmp_path: Path, make_pdf: Callable[..., bytes]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_text("# 年假\n\n十天。", encoding="utf-8")
    (tmp_path / "sub" / "b.pdf").write_bytes(make_pdf(["病假另计。"], "scan"))
    (tmp_path / "c.xyz").touch()
    loader = FileLoader(tmp_path)

    documents = loader.load()

    assert [(document.metadata["source"], document.page_content) for document in documents] == [
        ("a.md", "# 年假\n\n十天。"),
        ("sub/b.pdf", "病假另计。"),
    ]
    assert [(problem.source, problem.pages) for problem in loader.problems] == [("c.xyz", ()), ("sub/b.pdf", (2,))]


def test_a_langchain_loader_raises_at_the_first_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("甲", encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"")
    documents = FileLoader(str(tmp_path)).lazy_load()

    assert next(documents).page_content == "甲"
    with pytest.raises(LoadError, match=r"b\.txt：文件是空的"):
        next(documents)


def test_a_langchain_loader_over_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("甲", encoding="utf-8")

    assert [document.metadata["source"] for document in FileLoader(path).load()] == ["a.txt"]
    with pytest.raises(UnsupportedFormatError):
        FileLoader(Path("note.xyz")).load()


def test_a_langchain_loader_hands_its_settings_and_its_ocr_on(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("说明,部门\n年假,人事\n", encoding="utf-8")
    (tmp_path / "b.png").write_bytes(b"image")
    settings = LoaderSettings(text_fields=["说明"])

    documents = FileLoader(tmp_path, settings=settings, ocr=lambda data: f"识别 {data.decode()}").load()

    assert [document.page_content for document in documents] == ["年假", "识别 image"]
    assert FileLoader(tmp_path / "b.png", ocr=lambda _: "单个").load()[0].page_content == "单个"


def test_the_example_of_the_langchain_loader_runs() -> None:
    assert doctest.testmod(youju.loaders.langchain_loader) == doctest.TestResults(failed=0, attempted=3)


def test_front_matter_that_cannot_be_read_is_a_problem_and_its_text_is_kept(tmp_path: Path) -> None:
    (tmp_path / "leave.md").write_text("---\ntitle: [年假\n---\n\n# 年假\n\n年假为10天。\n", encoding="utf-8")
    loaded = load_file(tmp_path / "leave.md")
    [problem] = loaded.problems
    assert problem.reason.startswith("文件开头的元数据（front matter）读不出来，已当作正文：")
    assert "title: [年假" in loaded.documents[0].page_content
    assert "年假为10天。" in loaded.documents[-1].page_content
