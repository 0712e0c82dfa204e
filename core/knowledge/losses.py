"""What was lost of the files on their way into a base: files that were not read, pages without text, and the like."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from youju.knowledge.columns import fields_of
from youju.knowledge.filters import selecting

if TYPE_CHECKING:
    from youju.knowledge.catalog import FileRecord
    from youju.knowledge.view import View

LossStage = Literal["read", "skip", "cut", "embed"]
"""Where it was lost: it could not be read, its format is not read, no chunk was cut of it, or it got no vectors."""


@dataclass(frozen=True)
class Loss:
    """A file, or a part of one, that a base does not hold.

    Attributes:
        source: The file as it is, or would be, cited.
        stage: Where it was lost.
        reason: Why, in words.
        path: Where it was, absolute.
        root: The folder that it was found under, absolute.
        whole: Whether nothing of the file was taken in, or nothing of its new version; else parts of it were.
        title: The title of the document, where the base holds some of it.
    """

    source: str
    stage: LossStage
    reason: str
    path: str
    root: str
    whole: bool = True
    title: str = ""


@dataclass(frozen=True)
class Losses:
    """What a base does not hold of its files, as far as a filter lets it be told.

    Attributes:
        losses: By source; one for each file and stage.
        withheld: Files of which it is not known whether the filter would let them through.
        held: Files that the base holds something of, and the filter lets through.
    """

    losses: tuple[Loss, ...]
    withheld: int
    held: int


def losses_of(view: "View", conditions: Mapping[str, Any] | None) -> Losses:
    """What a base does not hold.

    Under a filter, a file is told of only if all that the base holds of it fulfils the filter. Of a file that it holds
    nothing of, only the name is known, and so only a filter that asks for nothing else can let it through: it may be
    somebody else's, whose name is nobody's business.
    """
    catalog = view.catalog
    allowed = view.allowed(conditions)
    whole = {loss.path: loss for loss in catalog.losses()}
    told: list[Loss] = []
    withheld: set[str] = set()
    known = set()
    for record in catalog.files(whole.keys()):
        lost = [*([whole[record.path]] if record.path in whole else []), *_partial(record)]
        if not lost:
            continue
        known.add(record.path)
        ids = catalog.ids(record.source)
        passing = [allowed is None or chunk_id in allowed for chunk_id in ids]
        if all(passing) and (passing or allowed is None):
            document = catalog.documents(ids[:1]).get(ids[0]) if ids else None
            title = str(document.metadata.get("title", "")) if document is not None else ""
            told += [replace(loss, title=title) for loss in lost]
        elif any(passing) or not passing:
            withheld.add(record.path)
    by_name, fulfils = fields_of(conditions or {}) <= {"source"}, selecting(conditions)
    for loss in whole.values():
        if loss.path in known:
            continue
        if not by_name:
            withheld.add(loss.path)
        elif fulfils({"source": loss.source}):
            told.append(loss)
    told.sort(key=lambda loss: (loss.source, loss.path))
    held = catalog.file_count() if allowed is None else len(view.table().combinations(["source"], conditions))
    return Losses(tuple(told), len(withheld), held)


def _partial(record: "FileRecord") -> Iterator[Loss]:
    """What a file that was taken in lacks."""
    if record.problems:
        yield Loss(record.source, "read", "；".join(record.problems), record.path, record.root, whole=False)
    if record.uncut:
        yield Loss(record.source, "cut", "；".join(record.uncut), record.path, record.root, whole=False)
