"""What an ingest does not take in, kept with the base until it is taken in or gone."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from langchain_core.documents import Document

from youju.chains.places import is_gone
from youju.errors import LoadError, TextTooLongError, UnsupportedFormatError
from youju.knowledge import FileRecord, Loss
from youju.knowledge.losses import LossStage
from youju.loaders.places import one_line
from youju.models.keys import hide_secrets

_UNIT = "\0unit"
_SHOWN = 20
_PENDING = "收录没有做完，还没有算出向量；请再运行一次 youju ingest"


class LossBook:
    """The whole files that a base lacks: those of earlier runs, and what becomes of the files that this run looks at.

    What was said of a file or folder that is looked at again is forgotten, so that only what is wrong now remains.
    """

    def __init__(self, before: Iterable[Loss]) -> None:
        """Take what the base lacks until now."""
        self._losses = {loss.path: replace(loss, title="") for loss in before if loss.whole}

    def __iter__(self) -> Iterator[Loss]:
        return iter(self._losses.values())

    def roots(self) -> set[Path]:
        """The folders and files that were named for what is missing, where they are still there."""
        return {Path(loss.root) for loss in self if not is_gone(loss.root)}

    def look_at(self, roots: Sequence[Path]) -> None:
        """Forget what was said of what lies under some roots: it is looked at again."""
        self._losses = {
            path: loss
            for path, loss in self._losses.items()
            if not any(Path(path).is_relative_to(root) for root in roots)
        }

    def forget_gone(self, roots: Collection[Path] | None = None) -> None:
        """Forget files that are no longer there: those under roots that have moved, or all."""
        self._losses = {
            path: loss
            for path, loss in self._losses.items()
            if not ((roots is None or Path(loss.root) in roots) and is_gone(path))
        }

    def add(self, path: Path | str, root: Path | str, source: str, stage: LossStage, reason: str) -> None:
        """Note a file that is not taken in."""
        self._losses[str(path)] = Loss(source, stage, hide_secrets(reason), str(path), str(root))

    def add_pending(self, records: Sequence[FileRecord]) -> None:
        """Note files that are read and not in the base yet, should the run end before they are."""
        for record in records:
            self.add(record.path, record.root, record.source, "embed", _PENDING)

    def took_in(self, record: FileRecord) -> None:
        """Forget a file: it is in the base now."""
        self._losses.pop(record.path, None)


def stage_of(error: LoadError | TextTooLongError) -> LossStage:
    """Where a file was lost that ended in an error."""
    if isinstance(error, TextTooLongError):
        return "cut"
    return "skip" if isinstance(error, UnsupportedFormatError) else "read"


def numbered(documents: Sequence[Document]) -> list[Document]:
    """Copies of what was read of a file, so numbered that their chunks tell which they are of; see `uncut`."""
    return [
        Document(document.page_content, metadata={**document.metadata, _UNIT: number})
        for number, document in enumerate(documents)
    ]


def uncut(documents: Sequence[Document], chunks: Sequence[Document]) -> tuple[str, ...]:
    """Say of which parts of a file there is no chunk, and take the numbers off the chunks."""
    cut = {chunk.metadata.pop(_UNIT) for chunk in chunks}
    return tuple(
        f"{document.metadata['location']} 没有切出文字块，读到的只有“{one_line(document.page_content)[:_SHOWN]}”"
        for number, document in enumerate(documents)
        if number not in cut
    )
