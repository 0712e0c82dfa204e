"""The fusion of rankings, where only the best are wanted."""

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju.retrievers.fusion import fused

_RANKINGS = st.lists(st.lists(st.sampled_from("甲乙丙丁戊"), max_size=6), min_size=1, max_size=3)


@given(rankings=_RANKINGS, most=st.integers(0, 6))
def test_the_best_few_are_the_first_of_all(rankings: list[list[str]], most: int) -> None:
    documents = [[Document(id=name, page_content=name) for name in ranking] for ranking in rankings]
    names = [f"leg{at}" for at in range(len(rankings))]
    everything = fused(names, [1.0] * len(names), documents, c=60)
    assert fused(names, [1.0] * len(names), documents, c=60, most=most) == everything[:most]
