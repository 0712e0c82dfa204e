"""The keyword index: both libraries, changes without counting anew, and what is read from disk."""

import random
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju import KnowledgeBase, Settings
from youju.errors import KnowledgeBaseMismatchError, MissingExtraError, SettingsError
from youju.knowledge import KeywordIndex
from youju.knowledge.keywords import best_places
from youju.settings import KeywordSettings

WORDS = "年假 病假 报销 发票 合同 保修 运费 退货".split()
Corpus = list[list[str]]


def chunks(least: int = 1) -> st.SearchStrategy[Corpus]:
    return st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=least, max_size=12)


def ids_of(corpus: Corpus) -> list[str]:
    return [f"c{at}" for at in range(len(corpus))]


def index_of(corpus: Corpus, **options: Any) -> KeywordIndex:
    return KeywordIndex.build(ids_of(corpus), corpus, KeywordSettings(**options))


@pytest.mark.parametrize(
    ("method", "in_bm25s"),
    [
        ("lucene", {"method": "lucene"}),
        ("atire", {"method": "atire"}),
        ("okapi", {"method": "atire", "idf_method": "robertson"}),
    ],
)
@given(corpus=chunks(), k1=st.sampled_from([0.9, 1.5, 2.0]), b=st.sampled_from([0.0, 0.6, 1.0]))
def test_scores_are_those_that_bm25s_computes_itself(
    method: Any, in_bm25s: dict[str, str], corpus: Corpus, k1: float, b: float
) -> None:
    if not any(corpus):
        return
    reference = bm25s.BM25(k1=k1, b=b, **in_bm25s)
    reference.index(corpus, show_progress=False)
    found = dict(index_of(corpus, method=method, k1=k1, b=b).search(WORDS, 100))
    scores = reference.get_scores([word for word in WORDS if word in reference.vocab_dict])
    for chunk_id, tokens, score in zip(ids_of(corpus), corpus, scores, strict=True):
        assert (chunk_id in found) == bool(tokens)
        assert found.get(chunk_id, 0.0) == pytest.approx(float(score), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("method", ["lucene", "atire", "okapi"])
@pytest.mark.parametrize("seed", range(5))
def test_rank_bm25_gives_the_same_ranking_with_the_same_parameters(method: Any, seed: int) -> None:
    drawn = random.Random(seed)  # noqa: S311 - a corpus, not a secret
    words = [f"词{at}" for at in range(200)]  # none of them is in more than half of the chunks
    corpus = [drawn.choices(words, k=drawn.randint(5, 60)) for _ in range(120)]
    options = {"method": method, "k1": drawn.choice([0.9, 1.5, 2.0]), "b": drawn.choice([0.3, 0.6, 0.75])}
    ours, reference = index_of(corpus, **options), index_of(corpus, engine="rank_bm25", **options)
    for _ in range(20):
        question = drawn.choices(words, k=4)
        found, expected = ours.search(question, 200), reference.search(question, 200)
        assert {chunk_id for chunk_id, _ in found} == {chunk_id for chunk_id, _ in expected}
        scale = 1 if method != "lucene" else options["k1"] + 1  # a factor that all scores have
        by_id = dict(expected)
        for chunk_id, score in found:
            assert score * scale == pytest.approx(by_id[chunk_id], rel=1e-4)
        for rank, (chunk_id, score) in enumerate(found):
            # the same place, but for chunks whose scores differ in the last digits only
            assert expected[rank][0] == chunk_id or expected[rank][1] == pytest.approx(score * scale, rel=1e-4)


def test_of_a_word_in_most_chunks_the_libraries_think_differently_with_okapi_alone() -> None:
    corpus = [["年假", "病假"], ["年假"], ["年假", "报销"], ["发票"]]
    assert [score for _, score in index_of(corpus, method="okapi").search(["年假"], 9)] == [0, 0, 0]
    stock = index_of(corpus, method="okapi", engine="rank_bm25").search(["年假"], 9)
    # mean weight (ln(1.5/3.5) + 3 ln(3.5/1.5)) / 4 = 0.4236; a quarter of it for 年假, which three of four hold
    assert [chunk_id for chunk_id, _ in stock] == ["c1", "c0", "c2"]
    assert stock[0][1] == pytest.approx(0.4236 / 4 * 2.5 / (1 + 1.5 * (0.4 + 0.6 * 1 / 1.5)), abs=1e-4)
    for engine in ("bm25s", "rank_bm25"):
        found = index_of(corpus, engine=engine).search(["年假"], 9)
        assert [chunk_id for chunk_id, _ in found] == ["c1", "c0", "c2"]
        assert all(score > 0 for _, score in found)


@given(before=chunks(0), after=chunks(0), data=st.data())
def test_a_changed_index_is_the_one_that_would_be_built_anew(
    before: Corpus, after: Corpus, data: st.DataObject
) -> None:
    ids = ids_of(before)
    gone = data.draw(st.sets(st.sampled_from(ids))) if ids else set()
    new = [f"n{at}" for at in range(len(after))]
    changed = KeywordIndex.build(ids, before).changed(gone, new, after)
    stays = [(chunk_id, tokens) for chunk_id, tokens in zip(ids, before, strict=True) if chunk_id not in gone]
    built = KeywordIndex.build([pair[0] for pair in stays] + new, [pair[1] for pair in stays] + after)
    assert changed.ids == built.ids
    for question in (WORDS, WORDS[:2], WORDS[5:]):
        assert changed.search(question, 100) == built.search(question, 100)


@pytest.mark.parametrize("corpus", [[], [[]], [[], []]])
@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
def test_an_index_without_tokens_finds_nothing_and_can_grow(corpus: Corpus, engine: str, tmp_path: Path) -> None:
    index = index_of(corpus, engine=engine)
    assert index.search(["年假"], 3) == []
    index.save(tmp_path / "index")
    loaded = KeywordIndex.load(tmp_path / "index", KeywordSettings.model_validate({"engine": engine}))
    assert loaded.ids == ids_of(corpus)
    assert [chunk_id for chunk_id, _ in loaded.changed((), ["n"], [["年假"]]).search(["年假"], 3)] == ["n"]
    assert index_of([["年假"]], engine=engine).changed(["c0"], [], []).search(["年假"], 3) == []


@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
def test_a_loaded_index_finds_the_same_from_mapped_memory(engine: str, tmp_path: Path) -> None:
    settings = KeywordSettings.model_validate({"engine": engine})
    corpus = [["年假", "年假", "病假"], ["病假"], ["报销", "发票"]]
    index = KeywordIndex.build(ids_of(corpus), corpus, settings)
    index.save(tmp_path / "index")
    loaded = KeywordIndex.load(tmp_path / "index", settings)
    assert isinstance(loaded._bm25.scores["data"].base, np.memmap)
    assert isinstance(loaded._postings.counts, np.memmap)
    assert loaded.search(["年假", "病假"], 3) == index.search(["年假", "病假"], 3)
    assert loaded.search(["年假", "病假"], 3, allowed=["c1"]) == index.search(["年假", "病假"], 3)[1:]
    grown = loaded.changed(["c0"], ["n"], [["年假"]])
    assert [chunk_id for chunk_id, _ in grown.search(["年假"], 3)] == ["n"]


@pytest.mark.parametrize("options", [{"k1": 2.0}, {"b": 0.0}, {"method": "okapi"}, {"method": "atire"}])
def test_a_saved_index_answers_with_the_constants_in_force(options: dict[str, Any], tmp_path: Path) -> None:
    corpus = [["年假", "年假", "病假"], ["年假"], ["报销", "发票"], ["合同"], ["合同", "保修"]]
    index_of(corpus).save(tmp_path / "index")
    loaded = KeywordIndex.load(tmp_path / "index", KeywordSettings.model_validate(options))
    assert loaded.search(["年假", "病假"], 3) == index_of(corpus, **options).search(["年假", "病假"], 3)
    assert loaded.search(["年假", "病假"], 3) != index_of(corpus).search(["年假", "病假"], 3)


def test_files_of_two_indexes_are_not_taken_for_one(tmp_path: Path) -> None:
    index_of([["年假"], ["病假", "报销"]]).save(tmp_path / "index")
    np.save(tmp_path / "index" / "counts.npy", np.ones(9, dtype=np.int32))
    with pytest.raises(ValueError, match="do not belong together"):
        KeywordIndex.load(tmp_path / "index")


def reopened(settings: Settings, embeddings: Any, **options: Any) -> KnowledgeBase:
    return KnowledgeBase.open(
        settings.model_copy(update={"keywords": KeywordSettings(**options)}), embeddings=embeddings
    )


@pytest.mark.parametrize(
    "options", [{"words": "full"}, {"bigrams": "none"}, {"script": "keep"}, {"stop_words": "none"}]
)
def test_a_base_whose_tokens_were_made_otherwise_is_refused_with_the_command(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Any, options: dict[str, Any]
) -> None:
    put(base, "a.txt", "年假为十天。")
    with pytest.raises(KnowledgeBaseMismatchError, match=r"关键词设置：.*youju ingest --rebuild"):
        reopened(settings, stub_embeddings, **options)


@pytest.mark.parametrize("options", [{"k1": 2.0}, {"b": 0.1}, {"method": "okapi"}, {"engine": "rank_bm25"}])
def test_how_scores_are_computed_can_be_changed_without_a_new_base(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Any, options: dict[str, Any]
) -> None:
    put(base, "a.txt", "年假为十天。", "病假须有证明。", "事假不带薪。", "食堂在二楼。")
    [before] = base.keyword_search("食堂", k=1)
    other = reopened(settings, stub_embeddings, **options)
    [after] = other.keyword_search("食堂", k=1)
    assert after.page_content == before.page_content
    assert after.metadata["score"] != before.metadata["score"]
    other.close()


def test_a_dictionary_is_known_by_its_words_not_by_its_place(
    settings: Settings, put: Any, stub_embeddings: Any, tmp_path: Path
) -> None:
    one, same, other = (tmp_path / name for name in ("one.txt", "same.txt", "other.txt"))
    one.write_text("海棠云盘\n", encoding="utf-8")
    same.write_text("\n海棠云盘\n", encoding="utf-8")
    other.write_text("海棠云\n", encoding="utf-8")
    base = reopened(settings, stub_embeddings, dictionary=one, bigrams="none")
    put(base, "a.txt", "登录海棠云盘。", "登录海棠。")
    assert [d.page_content for d in base.keyword_search("海棠云盘", k=5)] == ["登录海棠云盘。"]
    base.close()
    reopened(settings, stub_embeddings, dictionary=same, bigrams="none").close()
    with pytest.raises(KnowledgeBaseMismatchError, match="关键词设置"):
        reopened(settings, stub_embeddings, dictionary=other, bigrams="none")
    with pytest.raises(SettingsError, match=r"读不了 keywords.dictionary"):
        reopened(settings, stub_embeddings, dictionary=tmp_path / "missing.txt", bigrams="none")


def test_files_that_come_and_go_change_the_index_and_no_stored_text_is_counted_again(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(base, "a.txt", "年假为十天。", "病假须有证明。")
    asked: list[list[str]] = []
    read = type(base._current().catalog).tokens

    def counting(catalog: Any, ids: Any) -> Any:
        asked.append(list(ids))
        return read(catalog, ids)

    monkeypatch.setattr(type(base._current().catalog), "tokens", counting)
    put(base, "b.txt", "年假可以结转。")
    assert [len(ids) for ids in asked] == [1]
    assert {d.page_content for d in base.keyword_search("年假", k=5)} == {"年假为十天。", "年假可以结转。"}
    with base.writing() as writer:
        writer.remove("a.txt")
    assert [d.page_content for d in base.keyword_search("年假病假", k=5)] == ["年假可以结转。"]
    assert [len(ids) for ids in asked] == [1, 0]
    base.close()
    fresh = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert [d.page_content for d in fresh.keyword_search("年假病假", k=5)] == ["年假可以结转。"]
    assert [len(ids) for ids in asked] == [1, 0]
    fresh.close()


def test_an_engine_that_is_not_installed_is_named_when_the_base_is_opened(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("youju.knowledge.bm25.find_spec", lambda _: None)
    with pytest.raises(
        MissingExtraError, match=r"需要安装 rank-bm25：pip install rank-bm25，或 pip install 'youju\[rank-bm25\]'"
    ):
        reopened(settings, None, engine="rank_bm25")


@given(
    scores=st.lists(st.sampled_from([-np.inf, 0.0, 0.5, 1.0, 2.0]), max_size=200),
    k=st.integers(1, 6),
    extra=st.lists(st.floats(0, 9), max_size=200),
)
def test_the_best_places_are_those_of_sorting_everything(scores: list[float], k: int, extra: list[float]) -> None:
    everything = np.array([*scores, *extra], dtype=np.float32)
    places = [place for place in range(len(everything)) if everything[place] > -np.inf]
    expected = sorted(places, key=lambda place: (-everything[place], place))[:k]
    assert best_places(everything, k).tolist() == expected


@pytest.mark.parametrize("method", ["lucene", "atire", "okapi"])
@pytest.mark.parametrize("engine", ["bm25s", "rank_bm25"])
@pytest.mark.parametrize("k", [1, 3, 40])
def test_a_mask_says_the_same_as_the_ids(method: Any, engine: Any, k: int) -> None:
    drawn = random.Random(k)  # noqa: S311 - a corpus, not a secret
    corpus = [["的", *drawn.choices(WORDS, k=drawn.randint(0, 6))] for _ in range(200)]
    index = index_of(corpus, method=method, engine=engine)
    mask = np.array([drawn.random() < 0.3 for _ in corpus])
    allowed = [chunk_id for chunk_id, may in zip(index.ids, mask, strict=True) if may]
    for question in (["的"], ["年假", "的", "年假"], WORDS, ["没有"], []):
        everything = index.search(question, 200)
        assert [hit for hit in everything if hit[0] in set(allowed)][:k] == index.search(question, k, mask)
        assert index.search(question, k, mask) == index.search(question, k, allowed)
    assert index.search(WORDS, 0) == []
