"""Splitters compared: the same documents, one row of figures a strategy."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from pydantic import TypeAdapter, ValidationError

from youju.chains.fitting import fit, splitter_for
from youju.errors import QuestionError, SettingsError
from youju.eval.cuts import Spans, cut_places, find_cuts, find_sentences
from youju.eval.questions import Question, find_quotes
from youju.eval.result import Characters, Retriever, Sample, SplitterComparison, StrategyFigures
from youju.eval.retrieval import Vectors, retrieval_figures
from youju.models import build_embeddings, input_limit
from youju.retrievers.base import require_question
from youju.settings import EmbeddingsSettings, Settings, SplitterSettings

_UNIT = "youju_eval_unit"
"""Metadata key that tells which document a chunk was cut from."""
_ASK_A_MODEL = frozenset({"semantic", "token"})
_SCALED = ("chunk_overlap", "min_chunk_size", "parent_size")


def compare_splitters(
    documents: Iterable[Document],
    splitters: Mapping[str, SplitterSettings],
    *,
    embeddings: Embeddings | Callable[[], Embeddings] | None = None,
    questions: Sequence[Question] | None = None,
    retriever: Retriever = "bm25",
    samples: int = 3,
    places: int = 20,
    on_start: Callable[[str], None] = lambda _: None,
) -> SplitterComparison:
    """Split the same documents in several ways, and say what comes of each.

    Args:
        documents: What the loaders give; files, pages or sections.
        splitters: Strategies under names of your own.
        embeddings: The model for `semantic`, `token`, and retrievers other than `bm25`, or what makes it when it is
            needed; None takes the built-in one.
        questions: What to ask of the chunks of each strategy; None measures no retrieval.
        retriever: How they are searched, in memory. With vectors, chunks longer than the model reads are split first,
            as they are on ingest.
        samples: How many of the first chunks to show.
        places: How many of the sentences that one strategy cuts and another keeps to show; all are counted.
        on_start: Called with the name of each strategy before its work begins.

    Raises:
        SettingsError: There is nothing to compare.
        QuestionError: A question holds nothing to search for, or is too long.
        LoadError: A quote of a question stands nowhere in the documents.
        MissingExtraError: ir-measures, which measures retrieval, is not installed.
    """
    loaded = [_numbered(document, number) for number, document in enumerate(documents)]
    if not loaded or not splitters:
        raise SettingsError("没有可以比较的：至少要有一份资料和一种切分方式")
    for number, question in enumerate(questions or (), start=1):
        try:
            require_question(question.text)
        except QuestionError as error:
            raise QuestionError(f"{question.place or f'第 {number} 个问题'}：{error}") from None
    golds = find_quotes(questions or (), loaded)
    with_vectors = bool(questions) and retriever != "bm25"
    model = _Model(embeddings)
    if with_vectors or any(settings.kind in _ASK_A_MODEL for settings in splitters.values()):
        model().embed_query("预热")  # loading the model is not the time of the strategy that happens to come first
    vectors = Vectors(model()) if with_vectors else None

    all_sentences = find_sentences(loaded)
    cuts, strategies = {}, {}
    for name, settings in splitters.items():
        on_start(name)
        splitter = splitter_for(Settings(splitter=settings), model)
        started = time.perf_counter()
        chunks = splitter.split_documents(loaded)
        seconds = time.perf_counter() - started
        cuts[name] = find_cuts(_spans(chunks, loaded), all_sentences)
        retrieval = None
        if questions:
            searched = list(fit(chunks, input_limit(vectors.embeddings))) if vectors else chunks
            retrieval = retrieval_figures(
                [_placed(chunk, loaded) for chunk in searched],
                [_placed(block, loaded) for block in splitter.parents(loaded)],
                questions,
                golds,
                retriever=retriever,
                vectors=vectors,
            )
        strategies[name] = StrategyFigures(
            kind=settings.kind,
            chunks=len(chunks),
            characters=_characters(chunks),
            sentences_cut=sum(cut.lost for cut in cuts[name].values()),
            sentences_torn=len(cuts[name]),
            seconds=seconds,
            samples=[_sample(chunk) for chunk in chunks[:samples]],
            retrieval=retrieval,
        )
    found = cut_places(loaded, all_sentences, cuts)
    return SplitterComparison(
        documents=len(loaded),
        characters=sum(len(document.page_content) for document in loaded),
        sentences=len(all_sentences),
        strategies=strategies,
        cut_places=len(found),
        cuts=found[:places],
    )


def with_chunk_size(settings: SplitterSettings, size: int) -> SplitterSettings:
    """The same strategy with chunks of another size; overlap and other sizes keep their share of it.

    Raises:
        SettingsError: The strategy takes no chunks of this size.
    """
    values = settings.model_dump()
    for name in _SCALED:
        if name in values:
            values[name] = values[name] * size // settings.chunk_size
    try:
        scaled: SplitterSettings = TypeAdapter(SplitterSettings).validate_python({**values, "chunk_size": size})
    except ValidationError:
        raise SettingsError(f"{settings.kind} 的 chunk_size 不能是 {size}；请换一个大一些的数") from None
    return scaled


class _Model:
    """The embedding model, made when it is first asked for."""

    def __init__(self, given: Embeddings | Callable[[], Embeddings] | None) -> None:
        self._given = given

    def __call__(self) -> Embeddings:
        if not isinstance(self._given, Embeddings):
            self._given = self._given() if self._given else build_embeddings(EmbeddingsSettings())
        return self._given


def _numbered(document: Document, number: int) -> Document:
    return Document(page_content=document.page_content, metadata={**document.metadata, _UNIT: number})


def _placed(passage: Document, documents: Sequence[Document]) -> Document:
    """A chunk or block with the number of its document and its span there."""
    unit = int(passage.metadata[_UNIT])
    offset = int(documents[unit].metadata.get("start", 0))
    start, end = passage.metadata["start"] - offset, passage.metadata["end"] - offset
    metadata = {**passage.metadata, "unit": unit, "start": start, "end": end}
    return Document(id=passage.id, page_content=passage.page_content, metadata=metadata)


def _spans(chunks: Sequence[Document], documents: Sequence[Document]) -> Spans:
    spans: list[list[tuple[int, int]]] = [[] for _ in documents]
    for chunk in chunks:
        metadata = _placed(chunk, documents).metadata
        spans[metadata["unit"]].append((metadata["start"], metadata["end"]))
    return spans


def _characters(chunks: Sequence[Document]) -> Characters:
    lengths = [len(chunk.page_content) for chunk in chunks] or [0]
    return Characters(mean=fmean(lengths), median=median(lengths), min=min(lengths), max=max(lengths))


def _sample(chunk: Document) -> Sample:
    return Sample(location=str(chunk.metadata.get("location", "")), text=chunk.page_content)
