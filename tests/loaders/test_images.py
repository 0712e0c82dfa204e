"""Images: reported, and read where the caller brings an OCR engine."""

from pathlib import Path

import pytest

from youju.errors import LoadError, NoTextError
from youju.loaders import FileLoader, load_file

SUFFIXES = "png jpg jpeg webp bmp tif tiff gif".split()


def image(folder: Path, name: str = "扫描.png") -> Path:
    path = folder / name
    path.write_bytes(b"\x89PNG image")
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_image_without_ocr_is_reported_with_what_to_do(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(NoTextError) as caught:
        load_file(image(tmp_path, f"扫描.{suffix}"))

    assert caught.value.reason == (
        "这是图片，要做文字识别（OCR）才能读取；请在代码里用 load_file(path, ocr=…) 或 "
        "build_ingest_chain(base, ocr=…) 接入识别引擎，或先转成带文字的 PDF"
    )


def test_a_langchain_loader_passes_images_over_and_remembers_them(tmp_path: Path) -> None:
    image(tmp_path, "a.PNG")
    (tmp_path / "b.txt").write_text("年假", encoding="utf-8")
    loader = FileLoader(tmp_path)

    assert [document.page_content for document in loader.load()] == ["年假"]
    assert [(problem.source, type(problem)) for problem in loader.problems] == [("a.PNG", NoTextError)]
    with pytest.raises(NoTextError, match="没有在图片里找到文字"):
        FileLoader(tmp_path, ocr=lambda _: "").load()


def test_the_text_that_ocr_finds_is_one_unit(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def ocr(data: bytes) -> str:
        seen.append(data)
        return "\r\n年假为十天。\0\r\n病假另计。\n"

    (document,) = load_file(image(tmp_path), ocr=ocr).documents

    assert seen == [b"\x89PNG image"]
    assert document.page_content == "年假为十天。\n病假另计。"
    assert document.metadata == {
        "source": "扫描.png",
        "title": "扫描",
        "location": "扫描.png",
        "start": 0,
        "end": 12,
        "ocr": True,
    }


def test_an_engine_that_fails_is_reported_by_the_kind_of_its_error(tmp_path: Path) -> None:
    def broken(data: bytes) -> str:
        raise RuntimeError("key sk-secret refused")

    with pytest.raises(LoadError) as caught:
        load_file(image(tmp_path), ocr=broken)

    assert caught.value.reason == "文字识别（OCR）时出错（RuntimeError）；请检查所接的识别引擎"
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_an_engine_that_returns_something_else_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="返回的不是文字（str），而是 list"):
        load_file(image(tmp_path), ocr=lambda _: ["年假"])  # type: ignore[arg-type,return-value]  # the fault itself


@pytest.mark.parametrize("found", ["", " \n", "——"])
def test_an_image_in_which_nothing_is_found_is_reported(tmp_path: Path, found: str) -> None:
    with pytest.raises(NoTextError, match="没有在图片里找到文字"):
        load_file(image(tmp_path), ocr=lambda _: found)
