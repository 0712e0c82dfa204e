import math
import sys
import threading
from pathlib import Path

import pytest

from youju.errors import MissingExtraError, ModelRequestError, SettingsError
from youju.models import build_embeddings, input_limit
from youju.models.checked import CheckedEmbeddings
from youju.settings import EmbeddingsSettings

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"年假为十天报销期限三问文：。"]


def made(model: str | Path, **options: object) -> CheckedEmbeddings:
    return build_embeddings(EmbeddingsSettings.model_validate({"model": f"huggingface:{model}", **options}))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real sentence-transformers model of one small layer that reads 8 tokens, with a prompt of its own."""
    pytest.importorskip("sentence_transformers", reason="the huggingface extra is not installed")
    import torch  # noqa: PLC0415 - only with the extra
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - as above
    from transformers import BertConfig, BertModel, BertTokenizerFast  # noqa: PLC0415 - as above

    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    BertModel(config).save_pretrained(folder / "bert")
    prompts = {"query": "问：", "document": ""}
    model = SentenceTransformer(str(folder / "bert"), prompts=prompts, device="cpu")  # puts a mean over the words
    model.max_seq_length = 8
    model.save(str(folder / "model"))
    return folder / "model"


@pytest.mark.huggingface
def test_vectors_have_length_1_and_follow_the_text(tiny: Path) -> None:
    first, second, again = made(tiny).embed_documents(["年假十天", "报销期限", "年假十天"])
    assert len(first) == 16
    assert math.hypot(*first) == pytest.approx(1, abs=1e-5)
    assert first == pytest.approx(again, abs=1e-6)
    assert first != pytest.approx(second, abs=1e-2)


@pytest.mark.huggingface
def test_a_question_gets_the_prompt_of_the_model_unless_the_settings_give_one(tiny: Path) -> None:
    model = made(tiny)
    assert model.embed_query("年假") == pytest.approx(model.embed_documents(["问：年假"])[0], abs=1e-6)
    prefixed = made(tiny, query_prefix="文：", passage_prefix="问：")
    assert prefixed.embed_query("年假") == pytest.approx(model.embed_documents(["文：年假"])[0], abs=1e-6)
    assert prefixed.embed_documents(["年假"])[0] == pytest.approx(model.embed_documents(["问：年假"])[0], abs=1e-6)


@pytest.mark.huggingface
def test_the_limit_is_that_of_the_model_by_its_own_tokenizer(tiny: Path) -> None:
    limit = input_limit(made(tiny))
    assert limit is not None
    assert (limit.max_tokens, limit.exact) == (8, True)
    assert limit.count("年假十天") == 2 + 4  # [CLS] and [SEP]
    assert limit.fits("年假为十天。")
    assert not limit.fits("年假为三十天。")
    assert limit.count("年假" * 50) == 2 + 100


@pytest.mark.huggingface
def test_a_prefix_counts_and_the_settings_can_lower_the_limit(tiny: Path) -> None:
    limit = input_limit(made(tiny, passage_prefix="文："))
    assert limit is not None
    assert limit.count("年假十天") == 2 + 2 + 4
    assert made(tiny, max_tokens=16).limit.max_tokens == 8


@pytest.mark.huggingface
def test_threads_get_the_vectors_of_their_own_texts(tiny: Path) -> None:
    model = made(tiny)
    texts = ["年假", "报销期限", "三十天", "为期十天"]
    alone = [model.embed_query(text) for text in texts]
    found: dict[int, list[float]] = {}

    def work(n: int) -> None:
        found[n] = model.embed_query(texts[n])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, vector in enumerate(alone):
        assert found[n] == pytest.approx(vector, abs=1e-6)


@pytest.mark.huggingface
def test_characters_that_cannot_be_sent_do_not_stop_the_model(tiny: Path) -> None:
    model = made(tiny)
    assert model.embed_query("年假\ud800\0") == pytest.approx(model.embed_query("年假"), abs=1e-6)


@pytest.mark.huggingface
def test_a_folder_without_a_model_is_refused(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelRequestError, match=f"加载不了模型 huggingface:{tmp_path}"):
        made(tmp_path)


@pytest.mark.parametrize("path", ["./no-such-folder", "/no/such/folder", "~/no-such-folder-at-all"])
def test_a_path_that_does_not_exist_is_told_before_anything_is_loaded(path: str) -> None:
    with pytest.raises(SettingsError, match="没有这个文件夹"):
        made(path)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[huggingface\]'") as caught:
        made("BAAI/bge-small-zh-v1.5")
    assert (caught.value.package, caught.value.extra) == ("sentence-transformers", "huggingface")


def test_a_package_that_is_there_and_broken_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sentence_transformers.py").write_text("import a_module_that_is_not_there\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there") as caught:
        made("BAAI/bge-small-zh-v1.5")
    assert not isinstance(caught.value, MissingExtraError)
