"""The loaders as LangChain knows them."""

from collections.abc import Iterator
from pathlib import Path

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from youju.errors import LoadError, UnsupportedFormatError
from youju.loaders.files import IMAGES, Ocr, load_file
from youju.loaders.finding import find_files, source_of
from youju.settings import LoaderSettings


class FileLoader(BaseLoader):
    r"""A LangChain loader over a file or a folder.

    Attributes:
        path: What to read.
        settings: How to read it; None means the defaults.
        ocr: Reads the text off images, and off pages that have none.
        problems: After loading: parts of files that could not be read, and files of a folder in a format that is not
            read here, for want of an extra or an engine for images too.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "leave.md").write_text("# 请假制度\n\n年假为10天。", encoding="utf-8")
        ...     [document.metadata["location"] for document in FileLoader(folder).load()]
        ['leave.md › 请假制度']
    """

    def __init__(self, path: Path | str, *, settings: LoaderSettings | None = None, ocr: Ocr | None = None) -> None:
        self.path = Path(path)
        self.settings = settings
        self.ocr = ocr
        self.problems: list[LoadError] = []

    def lazy_load(self) -> Iterator[Document]:
        """Read file after file.

        Yields:
            The documents, file by file in sorted order.

        Raises:
            LoadError: The path is not there, or a file as a whole could not be read.
        """
        self.problems = []
        if not self.path.is_dir():
            found = load_file(self.path, settings=self.settings, ocr=self.ocr)
            self.problems.extend(found.problems)
            yield from found.documents
            return
        folder = find_files(self.path)
        self.problems.extend(folder.problems)
        for path in folder.files:
            source = source_of(path, folder.root)
            try:
                found = load_file(path, source=source, settings=self.settings, ocr=self.ocr)
            except LoadError as error:
                without_ocr = self.ocr is None and path.suffix.lower() in IMAGES
                if not (without_ocr or isinstance(error, UnsupportedFormatError)):
                    raise
                self.problems.append(error)
                continue
            self.problems.extend(found.problems)
            yield from found.documents
