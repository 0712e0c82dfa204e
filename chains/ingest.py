"""The ingest chain: files → documents → chunks → knowledge base."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda

from youju.chains.fitting import fit, splitter_for
from youju.chains.losing import LossBook, numbered, stage_of, uncut
from youju.chains.places import Places, file_hash, is_gone
from youju.chains.report import IngestReport, OnProgress, Progress
from youju.errors import KnowledgeBaseError, LoadError, ModelAuthError, ModelError, TextTooLongError, YoujuError
from youju.knowledge import FileRecord, KnowledgeBase, Loss, Writer
from youju.loaders import Ocr, find_files, load_file
from youju.loaders.files import displayable
from youju.loaders.finding import source_of
from youju.models import input_limit
from youju.models.keys import error_text, hide_secrets

_GIVE_UP_AFTER = 3
"""Files in a row that the embedding model fails on before a run ends: it would fail on the next, too."""


def build_ingest_chain(
    base: KnowledgeBase, *, on_progress: OnProgress = lambda _: None, ocr: Ocr | None = None
) -> Runnable[str | Path | Sequence[str | Path], IngestReport]:
    """Make the chain that takes files and folders into a base.

    Its input is a path or several. Files that have not changed are not embedded again, nor read, unless they lack
    something and there is an `ocr`; files that are gone from a
    named folder are removed; a file that fails is reported and leaves its old version answering. What is not taken in
    is kept with the base (`KnowledgeBase.losses`), until a run that looks at it again takes it in or finds it gone. An
    empty list takes in again what the base was made from.

    Args:
        base: Where to. If it was opened with `rebuild`, it is made anew and takes the old one's place at the end,
            unless a file fails that the old one holds.
        on_progress: Called as the work goes on.
        ocr: Reads the text off images and scanned pages, which are reported without it; see `youju.loaders.Ocr`.

    Raises:
        KnowledgeBaseError: On use: another process is writing, the settings are not those of the base, or a rebuild
            would lose a file.
        ModelError: On use: the embedding model refuses the key, or fails on several files in a row. What was done
            until then stays.
    """

    def ingest(paths: str | Path | Sequence[str | Path]) -> IngestReport:
        return _Ingest(base, on_progress, ocr).run([paths] if isinstance(paths, str | Path) else list(paths))

    return RunnableLambda(ingest, name="ingest")


@dataclass(frozen=True)
class _Job:
    """A file whose chunks are ready to be embedded."""

    record: FileRecord
    chunks: list[Document]
    parents: list[Document]
    is_new: bool


class _Ingest:
    """One run."""

    def __init__(self, base: KnowledgeBase, on_progress: OnProgress, ocr: Ocr | None) -> None:
        self._base = base
        self._on_progress = on_progress
        self._ocr = ocr
        self._splitter = splitter_for(base.settings, lambda: base.embeddings)
        self._report = IngestReport()
        self._book = LossBook(())

    def run(self, paths: Sequence[str | Path]) -> IngestReport:
        started = time.monotonic()
        old = self._known()
        self._book = LossBook(self._lost())
        roots = [Path(os.path.realpath(path)) for path in paths] or sorted(
            {Path(record.root) for record in old} | self._book.roots()
        )
        if not roots:
            raise KnowledgeBaseError("没有说明要读入哪些文件；请运行 youju ingest 文件或文件夹")
        rebuilding = self._base.rebuilding
        if rebuilding:
            _refuse_missing(roots)
        with self._base.writing() as writer:
            if not rebuilding and writer.catalog.version():  # else it is a new one, and the old one's book holds
                self._book = LossBook(writer.catalog.losses())
            places = Places(old)
            found = list(self._find(list(dict.fromkeys(roots))))
            jobs = list(self._read(writer, found, places))
            self._remove(writer, roots, {path for path, _ in found})
            self._book.forget_gone(None if rebuilding else places.moved())
            self._note_pending(writer, jobs)
            self._write(writer, jobs)
            writer.note_losses(list(self._book))
            self._report.chunks.total = writer.catalog.count()
            if rebuilding:
                self._refuse_loss(old, writer.catalog.files())
        self._report.seconds = round(time.monotonic() - started, 3)
        return self._report

    def _known(self) -> list[FileRecord]:
        """The files of the base; none of one that is to be made anew because it is damaged."""
        try:
            return self._base.files()
        except KnowledgeBaseError:
            if not self._base.rebuilding:
                raise
            return []

    def _lost(self) -> Sequence[Loss]:
        """What the base lacks until now, as `_known`."""
        try:
            return self._base.losses().losses if self._base.exists else ()
        except KnowledgeBaseError:
            if not self._base.rebuilding:
                raise
            return ()

    def _find(self, roots: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
        """The files to look at, each once, with the path that was named for it."""
        seen: set[Path] = set()
        bases = [lock.parent for lock in self._base.folder.parent.glob("*/write.lock")]
        self._book.look_at(roots)
        for root in roots:
            try:
                found = find_files(root, skip=bases)
            except LoadError as error:
                self._report.fail(error.source, error.reason)
                if not is_gone(root):
                    self._book.add(root, root, displayable(root.name), "read", error.reason)
                continue
            for problem in found.problems:
                path = found.root / problem.source
                if path not in seen:
                    seen.add(path)
                    self._report.fail(problem.source, problem.reason)
                    self._book.add(path, root, problem.source, stage_of(problem), problem.reason)
            for path in found.files:
                real = path.resolve()
                if real in seen:
                    continue
                seen.add(real)
                if displayable(str(real)) == str(real):
                    yield real, root
                else:
                    reason = "文件夹的名字不是有效的 UTF-8 文字；请改名后重试"
                    self._report.fail(displayable(str(path)), reason)
                    self._book.add(
                        displayable(str(real)), displayable(str(root)), source_of(path, found.root), "read", reason
                    )

    def _read(self, writer: Writer, found: Sequence[tuple[Path, Path]], places: Places) -> Iterator[_Job]:
        for number, (path, root) in enumerate(found, start=1):
            record, known = places.place(path, root)
            try:
                job = self._read_one(writer, path, record, None if self._base.rebuilding else known)
            except (LoadError, TextTooLongError) as error:
                reason = error.reason if isinstance(error, LoadError) else str(error)
                self._report.fail(record.source, hide_secrets(reason))
                self._book.add(path, record.root, record.source, stage_of(error), reason)
            else:
                if job is not None:
                    yield job
            self._on_progress(Progress("read", number, len(found)))

    def _read_one(self, writer: Writer, path: Path, record: FileRecord, known: FileRecord | None) -> _Job | None:
        before = _state(path)
        record = replace(record, hash=file_hash(path) or "")  # what cannot be read is said by the loader
        readable_now = self._ocr is not None and known is not None and bool(known.problems)
        if known is not None and known.hash == record.hash and not readable_now:
            self._report.files.unchanged += 1
            self._report.chunks.reused += writer.catalog.count(record.source)
            self._report.note(record.source, known.problems)
            if known.path != record.path:
                writer.note_place(replace(known, path=record.path, root=record.root))
            return None
        loaded = load_file(path, source=record.source, settings=self._base.settings.loader, ocr=self._ocr)
        if _state(path) != before:  # else the hash of one version would stand for the text of another
            raise LoadError(record.source, "读取的时候文件正在被修改；请稍后再运行一次")
        problems = tuple(hide_secrets(problem.reason) for problem in loaded.problems)  # an OCR engine may let one slip
        chunks = self._splitter.split_documents(numbered(loaded.documents))
        without = uncut(loaded.documents, chunks)
        record = replace(record, units=len(loaded.documents), problems=problems, uncut=without)
        parents = self._splitter.parents(loaded.documents)
        limit = input_limit(self._base.embeddings, self._base.settings.embeddings)
        return _Job(record, list(fit(chunks, limit)), parents, is_new=known is None)

    def _remove(self, writer: Writer, roots: Sequence[Path], found: set[Path]) -> None:
        """Take out files that are gone from a folder that was named; others are none of this run's business."""
        folders = [root for root in roots if root.is_dir()]
        for record in writer.catalog.files():
            path = Path(record.path)
            if path not in found and is_gone(path) and any(path.is_relative_to(folder) for folder in folders):
                self._report.chunks.deleted += writer.remove(record.source).deleted
                self._report.files.removed += 1

    def _write(self, writer: Writer, jobs: Sequence[_Job]) -> None:
        total = sum(len(job.chunks) for job in jobs)
        characters = sum(len(chunk.page_content) for job in jobs for chunk in job.chunks)
        done = failed_in_a_row = 0

        def on_embedded(count: int) -> None:
            nonlocal done
            done += count
            self._on_progress(Progress("embed", done, total, characters))

        for job in jobs:
            done_then = done + len(job.chunks)
            try:
                change = writer.put(job.record, job.chunks, parents=job.parents, on_embedded=on_embedded)
            except (ModelAuthError, KnowledgeBaseError):
                raise
            except Exception as error:  # a model given by the caller may raise anything; other files go on
                failed_in_a_row += 1
                if failed_in_a_row == _GIVE_UP_AFTER and isinstance(error, ModelError):
                    raise
                self._report.fail(job.record.source, _reason(error))
                self._book.add(job.record.path, job.record.root, job.record.source, "embed", _reason(error))
            else:
                failed_in_a_row = 0
                self._book.took_in(job.record)
                self._report.files.new += job.is_new
                self._report.files.changed += not job.is_new
                self._report.chunks.added += change.added
                self._report.chunks.deleted += change.deleted
                self._report.chunks.reused += change.reused
                self._report.embedded += change.embedded
                self._report.note(job.record.source, job.record.problems)
            done = done_then
            self._on_progress(Progress("embed", done, total, characters))

    def _note_pending(self, writer: Writer, jobs: Sequence[_Job]) -> None:
        """Say of files that they are not in the base yet, which each is relieved of when it is put."""
        self._book.add_pending([job.record for job in jobs])
        if not self._base.rebuilding:  # what ends before its end leaves the old base
            writer.note_losses(list(self._book))

    def _refuse_loss(self, old: Sequence[FileRecord], new: Sequence[FileRecord]) -> None:
        kept = {record.path for record in new}
        lost = sorted(record.source for record in old if record.path not in kept and not is_gone(record.path))
        if lost:
            reasons = {failure.source: failure.reason for failure in self._report.failures}
            listed = "；".join(f"{source}：{reasons.get(source, '不在这次读入的文件里')}" for source in lost)
            raise KnowledgeBaseError(f"重建没有完成，旧的知识库仍在使用。这些文件没有读入：{listed}")


def _refuse_missing(roots: Sequence[Path]) -> None:
    """A folder that is away, on a disk that is not there perhaps, must not leave a base without its files."""
    missing = "、".join(displayable(str(root)) for root in roots if is_gone(root))
    if missing:
        raise KnowledgeBaseError(
            f"没有重建，旧的知识库仍在使用：找不到 {missing}。如果文件夹换了地方，请写出新的位置再重建"
        )


def _state(path: Path) -> tuple[int, ...] | None:
    """What differs after a file has been written or replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _reason(error: Exception) -> str:
    text = error_text(error)
    return text if isinstance(error, YoujuError) else f"出错了（{type(error).__name__}：{text}）"
