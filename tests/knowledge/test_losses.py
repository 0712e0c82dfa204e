"""What a base keeps of what it lacks, and whom it tells."""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju import KnowledgeBase, Settings
from youju.errors import KnowledgeBaseNotFoundError, SettingsError
from youju.knowledge import FileRecord, Loss, Losses, matches

Put = Callable[..., Any]


def lost(source: str, reason: str = "打不开", **options: Any) -> Loss:
    return Loss(source, "read", reason, f"/{source}", "/", **options)


def note(base: KnowledgeBase, *losses: Loss) -> None:
    with base.writing() as writer:
        writer.note_losses(losses)


def named(found: Losses) -> list[tuple[str, bool]]:
    return [(loss.source, loss.whole) for loss in found.losses]


@pytest.fixture
def scan(base: KnowledgeBase, put: Put) -> KnowledgeBase:
    """A base of two files of two tenants, each with a page that was not read, and a file nothing was read of."""
    put(base, "other.md", ("丙", {}))
    with base.writing() as writer:
        for source, tenant in (("a.pdf", "甲"), ("b.pdf", "乙")):
            record = FileRecord(source, f"/{source}", "/", "hash", 1, ("第 2 页没有文字层",), ("第 3 页",))
            writer.put(record, [_chunk(source, f"{source}的正文", tenant=tenant, title=f"{tenant}的手册")])
        writer.note_losses([lost("c.pdf")])
    return base


def _chunk(source: str, text: str, **metadata: Any) -> Document:
    return Document(text, metadata={**metadata, "source": source})


def test_a_base_lacks_nothing_until_something_is_lost(base: KnowledgeBase, put: Put) -> None:
    with pytest.raises(KnowledgeBaseNotFoundError):
        base.losses()
    put(base, "a.md", "甲")
    assert base.losses() == Losses((), 0, 1)


def test_files_and_parts_of_files_are_kept_with_stage_reason_and_title(scan: KnowledgeBase) -> None:
    assert scan.losses() == Losses(
        (
            Loss("a.pdf", "read", "第 2 页没有文字层", "/a.pdf", "/", whole=False, title="甲的手册"),
            Loss("a.pdf", "cut", "第 3 页", "/a.pdf", "/", whole=False, title="甲的手册"),
            Loss("b.pdf", "read", "第 2 页没有文字层", "/b.pdf", "/", whole=False, title="乙的手册"),
            Loss("b.pdf", "cut", "第 3 页", "/b.pdf", "/", whole=False, title="乙的手册"),
            lost("c.pdf"),
        ),
        0,
        3,
    )


def test_another_process_sees_what_was_lost(scan: KnowledgeBase, settings: Settings, stub_embeddings: Any) -> None:
    scan.close()
    again = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert [loss.source for loss in again.losses().losses] == ["a.pdf", "a.pdf", "b.pdf", "b.pdf", "c.pdf"]
    assert again.files()[0] == FileRecord("a.pdf", "/a.pdf", "/", "hash", 1, ("第 2 页没有文字层",), ("第 3 页",))
    again.close()


def test_what_is_put_or_removed_is_no_longer_lost(scan: KnowledgeBase, put: Put) -> None:
    note(scan, lost("a.pdf"), lost("b.pdf"), lost("c.pdf"))
    put(scan, "a.pdf", "重新读了")
    put(scan, "c.pdf", "读到了")
    with scan.writing() as writer:
        writer.remove("b.pdf")
    assert scan.losses().losses == ()


def test_the_version_changes_with_what_is_lost_and_only_then(scan: KnowledgeBase) -> None:
    before = scan.version()
    note(scan, lost("c.pdf"))
    assert scan.version() == before
    note(scan, lost("c.pdf", "要密码"))
    assert scan.version() != before


def test_a_base_of_an_older_version_is_read_and_written(
    scan: KnowledgeBase, settings: Settings, stub_embeddings: Any, put: Put
) -> None:
    scan.close()
    [catalog] = settings.store.path.glob("*/g*/catalog.sqlite3")
    with sqlite3.connect(catalog) as db:
        db.execute("DROP TABLE losses")
        db.execute("UPDATE files SET problems = '[\"第 2 页没有文字层\"]' WHERE source = 'a.pdf'")
        db.execute("UPDATE files SET problems = '[]' WHERE source = 'b.pdf'")
    db.close()
    again = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert named(again.losses()) == [("a.pdf", False)]
    put(again, "d.md", "丁")
    note(again, lost("c.pdf"))
    assert named(again.losses()) == [("a.pdf", False), ("c.pdf", True)]
    again.close()


def test_a_filter_shows_a_tenant_the_files_that_are_all_its_own_and_counts_those_it_cannot_tell(
    scan: KnowledgeBase,
) -> None:
    found = scan.losses({"tenant": "甲"})
    assert named(found) == [("a.pdf", False), ("a.pdf", False)]
    assert (found.withheld, found.held) == (1, 1)  # c.pdf may be anybody's
    assert named(scan.losses({"tenant": "丙"})) == []


@pytest.mark.parametrize("conditions", [{"tenant": {"$ne": "乙"}}, {"tenant": {"$nin": ["乙"]}}, {"date": "2026"}])
def test_a_file_that_nothing_is_known_of_is_not_named_because_it_lacks_the_field(
    scan: KnowledgeBase, conditions: dict[str, Any]
) -> None:
    found = scan.losses(conditions)
    assert "c.pdf" not in [loss.source for loss in found.losses]
    assert found.withheld == 1


def test_a_filter_on_names_alone_can_be_told_of_every_file(scan: KnowledgeBase) -> None:
    found = scan.losses({"source": {"$in": ["b.pdf", "c.pdf"]}})
    assert (named(found), found.withheld) == ([("b.pdf", False), ("b.pdf", False), ("c.pdf", True)], 0)
    assert scan.losses({"source": {"$ne": "c.pdf"}}).withheld == 0


def test_a_file_that_is_only_partly_a_tenants_own_is_counted(base: KnowledgeBase) -> None:
    with base.writing() as writer:
        chunks = [_chunk("all.csv", "甲的行", tenant="甲"), _chunk("all.csv", "乙的行", tenant="乙")]
        writer.put(FileRecord("all.csv", "/all.csv", "/", "hash", 2, ("第 7 行的文字字段没有内容",)), chunks)
    found = base.losses({"tenant": "甲"})
    assert (found.losses, found.withheld, found.held) == ((), 1, 1)


def test_a_new_version_that_was_not_read_is_told_to_whom_the_old_one_belongs(scan: KnowledgeBase) -> None:
    note(scan, lost("a.pdf", "已损坏"))
    assert named(scan.losses({"tenant": "甲"})) == [("a.pdf", True), ("a.pdf", False), ("a.pdf", False)]
    assert "a.pdf" not in [loss.source for loss in scan.losses({"tenant": "乙"}).losses]


def test_a_filter_without_meaning_is_refused(scan: KnowledgeBase) -> None:
    with pytest.raises(SettingsError):
        scan.losses({"tenant": {"$near": "甲"}})


TENANTS = st.sampled_from(["甲", "乙", "丙"])
ONE = st.one_of(
    st.tuples(st.sampled_from(["tenant", "year"]), st.sampled_from(["$eq", "$ne"]), TENANTS),
    st.tuples(
        st.just("source"),
        st.sampled_from(["$in", "$nin"]),
        st.lists(st.sampled_from(["f0", "f1", "f2", "x0", "x1"]), min_size=1),
    ),
).map(lambda one: {one[0]: {one[1]: one[2]}})
CONDITIONS = st.recursive(
    ONE,
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1), min_size=1, max_size=1
    ),
    max_leaves=3,
)


@examples(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(st.lists(TENANTS, min_size=1, max_size=2), min_size=1, max_size=3),
    unread=st.integers(0, 2),
    conditions=st.lists(CONDITIONS, min_size=1, max_size=4),
)
def test_nobody_learns_the_name_of_a_file_that_may_be_outside_the_filter(
    settings: Settings, stub_embeddings: Any, files: list[list[str]], unread: int, conditions: list[dict[str, Any]]
) -> None:
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    with base.writing() as writer:
        for number, tenants in enumerate(files):
            record = FileRecord(f"f{number}", f"/f{number}", "/", "hash", 1, ("第 2 页",))
            chunks = [_chunk(f"f{number}", f"{at}{tenant}", tenant=tenant) for at, tenant in enumerate(tenants)]
            writer.put(record, chunks)
        writer.note_losses([lost(f"x{number}") for number in range(unread)])
    for one in conditions:
        found = base.losses(one)
        told = {loss.source for loss in found.losses}
        for number, tenants in enumerate(files):
            passing = [matches({"source": f"f{number}", "tenant": tenant}, one) for tenant in tenants]
            assert (f"f{number}" in told) == all(passing)
        # an unread file may turn out to be of any tenant and year, or of none
        values: Iterable[Any] = [None, "甲", "乙", "丙"]
        for number in range(unread):
            may_be = [
                {"source": f"x{number}", **({"tenant": t} if t else {}), **({"year": y} if y else {})}
                for t in values
                for y in values
            ]
            if f"x{number}" in told:
                assert all(matches(metadata, one) for metadata in may_be)
        assert len(told) + found.withheld <= len(files) + unread
    base.close()
