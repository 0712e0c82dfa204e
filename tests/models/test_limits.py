import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from youju.models import E5Embeddings, InputLimit, build_embeddings, input_limit
from youju.settings import EmbeddingsSettings


def limit_of(**options: object) -> InputLimit:
    settings = EmbeddingsSettings.model_validate(options)
    limit = input_limit(build_embeddings(settings), settings)
    assert limit is not None
    return limit


def test_the_built_in_model_reads_512_tokens_by_its_own_count() -> None:
    limit = limit_of()
    assert (limit.max_tokens, limit.exact) == (512, True)


def test_the_count_of_the_built_in_model_includes_its_prefix_and_the_special_tokens() -> None:
    # <s>, "passage", ":", the blank that stands before a text, </s>
    assert limit_of().count("") == 5


def test_a_text_of_exactly_the_limit_fits_and_one_word_more_does_not() -> None:
    limit = limit_of()
    words = 512 - limit.count("")
    text = " a" * words
    assert limit.count(text) - limit.count(" a" * (words - 1)) == 1
    while limit.count(text) < 512:
        text += " a"
    assert limit.count(text) == 512
    assert limit.fits(text)
    assert not limit.fits(text + " a")


def test_a_passage_prefix_of_the_settings_counts_as_well() -> None:
    plain, prefixed = limit_of(), limit_of(passage_prefix="以下是员工手册的一段：")
    assert prefixed.count("年假十天。") == plain.count("以下是员工手册的一段：年假十天。")


def test_settings_can_lower_a_known_limit_and_not_raise_it() -> None:
    assert limit_of(max_tokens=128).max_tokens == 128
    assert limit_of(max_tokens=8191).max_tokens == 512


def test_other_models_are_taken_to_read_8191_tokens(key: str) -> None:
    limit = limit_of(model="openai:text-embedding-3-small")
    assert (limit.max_tokens, limit.exact) == (8191, False)


def test_other_models_read_what_the_settings_say(key: str) -> None:
    assert limit_of(model="openai:text-embedding-3-small", max_tokens=512).max_tokens == 512


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 2),
        ("abc 1", 2 + 5),
        ("年假十天", 2 + 4 * 2),
        ("年假，（10天）。", 2 + 3 * 2 + 4 * 2 + 2),  # full-width marks as Han characters
        ("é", 2 + 2),
        ("한", 2 + 3),
        ("😀", 2 + 4),
        ("𠮷", 2 + 4),
    ],
)
def test_the_estimate_counts_from_above(key: str, text: str, tokens: int) -> None:
    assert limit_of(model="openai:text-embedding-3-small").count(text) == tokens


def test_an_embeddings_object_from_elsewhere_has_no_limit_unless_the_settings_give_one() -> None:
    other = DeterministicFakeEmbedding(size=3)
    assert input_limit(other) is None
    assert input_limit(other, EmbeddingsSettings()) is None
    limit = input_limit(other, EmbeddingsSettings(max_tokens=512))
    assert limit is not None
    assert (limit.max_tokens, limit.exact) == (512, False)


def test_the_built_in_model_made_by_hand_knows_its_limit_too() -> None:
    limit = input_limit(E5Embeddings())
    assert limit is not None
    assert limit.max_tokens == 512
