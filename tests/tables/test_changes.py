"""Whoever reads what changed ends with the same tables as whoever reads everything."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sightline.metrics.registry import METRICS_VERSION
from tests.property_testing import prove
from tests.running_worker import until
from tests.tables.table_reader import ChangingDomain, TableReader

CHOICES = st.lists(st.integers(0, 4), min_size=4, max_size=4)
STEPS = st.one_of(
    st.tuples(st.just("check"), CHOICES),
    st.tuples(st.just("daily"), CHOICES),
    st.tuples(st.just("rename"), st.sampled_from([(), ("Akme",), ("Overpriced Co",)])),
    st.tuples(st.just("compete"), st.sampled_from([("globex.com", False), ("globex.com", True), ("akme.io", False)])),
    st.tuples(st.just("tag"), st.sampled_from([(), ("brand",), ("brand", "price")])),
    st.tuples(st.just("tag late"), st.sampled_from([(), ("brand",), ("slow",)])),
    st.tuples(st.sampled_from(["correct", "mark", "read"]), st.none()),
)
SEVERAL = settings(
    prove,
    max_examples=prove.max_examples // 10,
    phases=[Phase.explicit, Phase.generate],  # an example takes a second: too long to look for the shortest
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


async def take(step, domain: ChangingDomain, reader: TableReader) -> None:
    name, value = step
    if name in {"check", "daily"}:
        await domain.check(value, "full_check" if name == "check" else "daily_check")
    elif name == "rename":
        await domain.rename(value)
    elif name == "compete":
        await domain.compete(value[0], hide=value[1])
    elif name == "tag":
        async with domain.installation.db.transaction() as tx:
            await domain.tag(tx, value)
    elif name == "tag late":  # the reader reads before the change is committed
        async with domain.installation.db.transaction() as tx:
            await domain.tag(tx, value)
            await reader.read()
    elif name == "correct":
        await domain.correct()
    elif name == "mark":
        await domain.mark()
    else:
        await reader.read()


@SEVERAL
@given(st.tuples(st.just("check"), CHOICES), st.lists(STEPS, min_size=3, max_size=7))
async def test_a_reader_of_changes_ends_with_the_tables_of_a_new_reader(installation, first, steps):
    domain = await ChangingDomain.open(installation)
    reader, fresh = TableReader(domain.history), TableReader(domain.history)
    await take(first, domain, reader)
    await reader.read()
    for step in steps:
        await take(step, domain, reader)
    await reader.read()
    await fresh.read()
    assert reader.find_differences(fresh) == []
    assert fresh.rows["answers"] and fresh.rows["daily_metrics"]


@pytest.fixture
async def domain(installation):
    return await ChangingDomain.open(installation)


async def test_a_rename_is_noticed_and_what_it_unmakes_is_told_as_removed(domain):
    await domain.check([1, 1, 2, 2])
    await domain.rename(("Akme",))
    reader = TableReader(domain.history)
    await reader.read()
    named = [row for row in reader.rows["mentions"].values() if row["is_own"]]
    assert len(named) == 2
    await domain.rename(())
    await reader.read()
    assert not [row for row in reader.rows["mentions"].values() if row["is_own"]]
    await until(reader.reads_nothing)


async def test_a_transaction_that_commits_late_is_seen_by_the_next_read(domain):
    """It took its place in the order of transactions before the read, and others committed after it."""
    scan_id = await domain.check([0, 0, 0, 0])
    db, reader = domain.installation.db, TableReader(domain.history)
    async with db.transaction() as late:
        await late.execute("UPDATE scan_results SET metrics_version = 'late' WHERE scan_id = $1", scan_id)
        await domain.check([1, 1, 1, 1])
        await reader.read("answers")
        assert {row["metrics_version"] for row in reader.rows["answers"].values()} == {METRICS_VERSION}
    await reader.read("answers")
    versions = {row["scan_id"]: row["metrics_version"] for row in reader.rows["answers"].values()}
    assert versions[str(scan_id)] == "late" and len(versions) == 2


async def test_stamps_from_before_a_restore_are_not_sent_again_and_again(domain):
    await domain.check([0, 0, 0, 0])
    reader = TableReader(domain.history)
    await reader.read()
    await domain.installation.db.execute("UPDATE table_changes SET changed_xid = '999999999999'")
    await until(reader.reads_nothing)
