"""Whether a text follows from another, by a model whose values are read by their names."""

import sys
from pathlib import Path
from typing import Any

import pytest

from youju.errors import MissingExtraError, ModelRequestError, SettingsError, TextTooLongError
from youju.models.entailment import EntailmentModel, meanings
from youju.models.rerankers import windows

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"年假为十天报销期限食堂病不。"]
LABELS = ["entailment", "neutral", "contradiction"]


def saved(folder: Path, labels: list[str]) -> str:
    """A real cross-encoder of one small layer that reads 40 tokens; the same weights for any labels."""
    import torch  # noqa: PLC0415 - only with the extra
    from transformers import (  # noqa: PLC0415 - as above
        BertConfig,
        BertForSequenceClassification,
        BertTokenizerFast,
    )

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=40).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
        initializer_range=1.0,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return f"huggingface:{folder}"


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    pytest.importorskip("sentence_transformers", reason="the huggingface extra is not installed")
    return saved(tmp_path / "tiny", LABELS)


def by_hand(name: str, premise: str, claim: str) -> list[float]:
    """The probabilities as transformers itself computes them."""
    import torch  # noqa: PLC0415 - only with the extra
    from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: PLC0415 - as above

    folder = name.removeprefix("huggingface:")
    model: Any = AutoModelForSequenceClassification.from_pretrained(folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model.eval()
    with torch.no_grad():
        logits = model(**tokenizer(premise, claim, return_tensors="pt")).logits[0]
    found: list[float] = logits.softmax(0).tolist()
    return found


@pytest.mark.huggingface
def test_probabilities_are_those_of_the_pair_evidence_then_claim(tiny: str) -> None:
    entailment, _, contradiction = by_hand(tiny, "年假为十天。", "年假十天")
    found = EntailmentModel(tiny).probabilities("年假十天", ["年假为十天。"])
    assert found == pytest.approx((entailment, contradiction), abs=1e-5)


@pytest.mark.huggingface
def test_the_order_of_the_values_is_read_from_the_model(tiny: str, tmp_path: Path) -> None:
    other = saved(tmp_path / "other", ["CONTRADICTION", "Neutral", "ENTAILMENT"])
    first = EntailmentModel(tiny).probabilities("年假十天", ["病假不报销"])
    second = EntailmentModel(other).probabilities("年假十天", ["病假不报销"])
    assert first.entailment != pytest.approx(first.contradiction, abs=1e-3)
    assert second == pytest.approx(first[::-1], abs=1e-5)


@pytest.mark.huggingface
def test_long_evidence_is_read_in_pieces_and_the_surest_counts(tiny: str) -> None:
    long = "食堂" * 60 + "。年假为十天。"
    pieces = windows(long, 40 - 6 - 4)  # the claim is four tokens between two marks
    rows = [by_hand(tiny, piece, "年假十天") for piece in pieces]
    expected = (max(row[0] for row in rows), max(row[2] for row in rows))
    assert EntailmentModel(tiny).probabilities("年假十天", [long]) == pytest.approx(expected, abs=1e-5)


@pytest.mark.huggingface
def test_blocks_that_fit_are_read_together_and_alone(tiny: str) -> None:
    texts = ["年假为十天。", "报销不限。"]
    rows = [by_hand(tiny, text, "年假十天") for text in ["\n".join(texts), *texts]]
    expected = (max(row[0] for row in rows), max(row[2] for row in rows))
    assert EntailmentModel(tiny).probabilities("年假十天", texts) == pytest.approx(expected, abs=1e-5)


@pytest.mark.huggingface
def test_evidence_without_content_says_nothing(tiny: str) -> None:
    assert EntailmentModel(tiny).probabilities("年假十天", []) == (0, 0)
    assert EntailmentModel(tiny).probabilities("年假十天", ["。 "]) == (0, 0)


@pytest.mark.huggingface
def test_a_claim_longer_than_the_model_reads_is_told(tiny: str) -> None:
    with pytest.raises(TextTooLongError, match="请把这句话写短"):
        EntailmentModel(tiny).probabilities("年假" * 20, ["食堂"])


@pytest.mark.huggingface
def test_a_model_for_something_else_is_refused_when_it_is_used(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the huggingface extra is not installed")
    model = EntailmentModel(saved(tmp_path / "stars", ["1 star", "2 stars", "3 stars"]))
    with pytest.raises(ModelRequestError, match="第 1 个值叫 1 star"):
        model.probabilities("年假", ["食堂"])
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ModelRequestError, match="加载不了模型"):
        EntailmentModel(f"huggingface:{empty}").probabilities("年假", ["食堂"])


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, ["entailment", "neutral", "contradiction"]),
        ({2: "ENTAILMENT", 0: "Contradiction", 1: "NEUTRAL"}, ["contradiction", "neutral", "entailment"]),
        ({0: "entailment", 1: "not_entailment"}, ["entailment", "none"]),
        ({0: "矛盾", 1: "蕴含", 2: "中立"}, ["contradiction", "entailment", "neutral"]),
    ],
)
def test_labels_are_read_by_what_they_mean(labels: dict[int, str], expected: list[str]) -> None:
    assert meanings(labels, "m") == expected


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, "第 1 个值叫 label_0，要叫 entailment"),
        ({0: "neutral", 1: "contradiction"}, "没有表示蕴含的值"),
    ],
)
def test_labels_that_say_nothing_are_refused(labels: dict[int, str], message: str) -> None:
    with pytest.raises(ModelRequestError, match=message):
        meanings(labels, "m")


def test_the_missing_extra_is_named_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[huggingface\]'"):
        EntailmentModel("huggingface:somebody/nli")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("somebody/nli", "要写成 huggingface:名字"),
        ("openai:gpt-4o-mini", "要写成 huggingface:名字"),
        ("huggingface:", "后面缺少模型名"),
        ("huggingface:./no-such-folder", "没有这个文件夹"),
    ],
)
def test_a_name_that_cannot_be_is_told_before_anything_is_loaded(name: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        EntailmentModel(name)
