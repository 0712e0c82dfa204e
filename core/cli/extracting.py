"""`youju extract`: what the loader and the splitter see."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.documents import Document

from youju.chains.fitting import splitter_for
from youju.cli.output import say, say_json
from youju.errors import LoadError
from youju.knowledge.identity import chunk_ids, search_text
from youju.loaders import LoadedFile, find_files, load_file
from youju.loaders.finding import source_of
from youju.models import build_embeddings
from youju.settings import Settings

_PREVIEW = 60


def run(paths: Sequence[Path], settings: Settings, *, as_json: bool) -> int:
    """Read and split files, print what comes out, and return the exit status."""
    splitter = splitter_for(settings, lambda: build_embeddings(settings.embeddings))
    units: list[dict[str, Any]] = []
    chunks: list[dict[str, Any]] = []
    failures: list[LoadError] = []
    for loaded in load_paths(paths, settings, failures):
        made = splitter.split_documents(loaded.documents)
        units += [_unit(loaded.source, document) for document in loaded.documents]
        ids = chunk_ids(loaded.source, [search_text(chunk) for chunk in made])
        chunks += [_chunk(chunk_id, chunk) for chunk_id, chunk in zip(ids, made, strict=True)]
        if not as_json:
            _print_file(loaded, made)
    if as_json:
        reasons = [{"source": failure.source, "reason": failure.reason} for failure in failures]
        say_json(json.dumps({"units": units, "chunks": chunks, "failures": reasons}, ensure_ascii=False))
    else:
        say(f"共 {len(units)} 个单元，{len(chunks)} 块")
        for failure in failures:
            say(f"未读入 {failure}", err=True)
    return (3 if units else 1) if failures else 0


def load_paths(paths: Sequence[Path], settings: Settings, failures: list[LoadError]) -> Iterator[LoadedFile]:
    """The files that could be read; what could not is added to `failures`."""
    for path in paths:
        try:
            found = find_files(path)
        except LoadError as error:
            failures.append(error)
            continue
        failures += found.problems
        for file in found.files:
            try:
                loaded = load_file(file, source=source_of(file, found.root), settings=settings.loader)
            except LoadError as error:
                failures.append(error)
            else:
                failures += loaded.problems
                yield loaded


def _unit(source: str, document: Document) -> dict[str, Any]:
    metadata = document.metadata
    page, location = metadata.get("page"), metadata["location"]
    return {"source": source, "page": page, "location": location, "text": document.page_content}


def _chunk(chunk_id: str, chunk: Document) -> dict[str, Any]:
    places = {key: chunk.metadata.get(key) for key in ("start", "end", "page")}
    return {"id": chunk_id, **places, "text": chunk.page_content}


def _print_file(loaded: LoadedFile, chunks: Sequence[Document]) -> None:
    page_count = f"{loaded.pages} 页，" if loaded.pages is not None else ""
    characters = sum(len(document.page_content) for document in loaded.documents)
    say(f"{loaded.source}：{page_count}{len(loaded.documents)} 个单元，{characters} 字，{len(chunks)} 块")
    for number, chunk in enumerate(chunks, start=1):
        text = " ".join(chunk.page_content.split())
        shown = text if len(text) <= _PREVIEW else f"{text[:_PREVIEW]}…"
        say(f"  {number}. {chunk.metadata['location']}（{len(chunk.page_content)} 字）{shown}")
