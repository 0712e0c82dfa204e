"""Opening a PDF: is it one, is it whole, which password opens it; and pypdf's log, kept away from the reader."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from youju.errors import DamagedFileError, ProtectedFileError

if TYPE_CHECKING:
    from pypdf import PdfReader


@contextmanager
def caught_log() -> Iterator[list[str]]:
    """Keep pypdf's log to ourselves: what matters in it becomes an error that names the page."""
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]  # a one-line handler
    logger = logging.getLogger("pypdf")
    propagate, level = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate
        logger.setLevel(level)


def open_pdf(data: bytes, source: str, password_env: Sequence[str]) -> "tuple[PdfReader, int, str]":
    """Open a PDF with pypdf, which says more clearly than PDFium what is wrong with a file.

    Returns:
        The reader, the number of pages, and the password that opened it; empty if it opens without.

    Raises:
        ProtectedFileError: It opens only with a password, and none of those given is right.
        DamagedFileError: It is no PDF, or is broken or truncated.
    """
    from pypdf import PdfReader  # noqa: PLC0415 - takes 0.2 s, and not every folder holds PDFs

    damaged = "PDF 已损坏或不完整，打不开；请重新获取或重新导出这个文件"
    if b"%PDF-" not in data[:1024]:
        raise DamagedFileError(source, "内容不是 PDF；请确认文件的扩展名与内容相符，或重新获取这个文件")
    encrypted = False
    password: str | None = ""
    try:
        reader = PdfReader(BytesIO(data))
        encrypted = reader.is_encrypted
        if encrypted:
            given = ["", *(os.environ[name] for name in password_env if os.environ.get(name))]
            password = next((word for word in given if reader.decrypt(word)), None)
        count = len(reader.pages) if password is not None else 0
    except Exception as error:
        if encrypted:
            raise ProtectedFileError(source, "PDF 用不支持的方式加密；请另存为不加密的 PDF 后重试") from error
        raise DamagedFileError(source, damaged) from error
    if password is None:
        raise ProtectedFileError(source, _wanted(password_env))
    if not count:
        raise DamagedFileError(source, damaged)
    return reader, count, password


def _wanted(password_env: Sequence[str]) -> str:
    """What to do about a password that is missing or wrong; never the password."""
    told = "请把密码放进环境变量，并把变量名写进设置 loader.pdf_password_env；或另存为不加密的 PDF 后重试"
    if not password_env:
        return f"PDF 需要密码才能打开；{told}"
    unset = [name for name in password_env if not os.environ.get(name)]
    if len(unset) == len(password_env):
        named = f"设置 loader.pdf_password_env 里的环境变量 {'、'.join(unset)} 没有值"
        return f"PDF 需要密码才能打开，而{named}；请设好变量后重试"
    tried = "、".join(name for name in password_env if name not in unset)
    missing = f"，{'、'.join(unset)} 没有值" if unset else ""
    return (
        f"PDF 需要密码才能打开；设置 loader.pdf_password_env 里的 {tried} 不是它的密码{missing}；请改正变量的值后重试"
    )
