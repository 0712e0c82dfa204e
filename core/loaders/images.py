"""Images: text comes out of them only with an OCR engine that the caller brings."""

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from youju.errors import LoadError, NoTextError
from youju.text import has_content

if TYPE_CHECKING:
    from youju.loaders.files import Ocr

_FILE_NAME = re.compile(r"\S+\.(png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)", re.IGNORECASE)


def load_image(data: bytes, source: str, ocr: "Ocr | None") -> list[Document]:
    """Read the text of an image.

    Args:
        data: The file's bytes.
        source: The file as the user knows it.
        ocr: Reads the text off the image; without it an image cannot be read.

    Returns:
        One document, marked by `ocr` in its metadata: recognised text may hold mistakes.

    Raises:
        NoTextError: There is no engine, or it found no text.
        LoadError: The engine failed.
    """
    if ocr is None:
        how = "在代码里用 load_file(path, ocr=…) 或 build_ingest_chain(base, ocr=…) 接入识别引擎"
        raise NoTextError(source, f"这是图片，要做文字识别（OCR）才能读取；请{how}，或先转成带文字的 PDF")
    text = recognise(data, source, ocr)
    if not has_content(text):
        raise NoTextError(source, "文字识别（OCR）没有在图片里找到文字；请确认图片清晰、方向正确")
    name = PurePosixPath(source)
    place = {"source": source, "title": name.stem, "location": source, "start": 0, "end": len(text)}
    return [Document(text, metadata={**place, "ocr": True})]


def recognise(data: bytes, source: str, ocr: "Ocr") -> str:
    """Ask the caller's engine, and hand on its text without what cannot be stored.

    Raises:
        LoadError: The engine raised an error, or returned no text.
    """
    try:
        text = ocr(data)
    except Exception as error:  # the engine is the caller's: it may raise anything, and other files go on
        reason = f"文字识别（OCR）时出错（{type(error).__name__}）；请检查所接的识别引擎"
        raise LoadError(source, reason) from error
    if not isinstance(text, str):
        got = type(text).__name__  # type: ignore[unreachable]  # what a caller's function returns is not checked for us
        raise LoadError(source, f"文字识别（OCR）返回的不是文字（str），而是 {got}；请检查所接的识别函数")
    return storable(text).strip()


def caption(words: str) -> str:
    """What is said of an image in a file; the name of an image file says nothing."""
    words = " ".join(words.split())
    return "" if _FILE_NAME.fullmatch(words) else words


def storable(text: str) -> str:
    r"""A text with `\n` as its only line end, without NULs and halves of surrogate pairs, which no file can hold."""
    text = text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode("utf-8")
