"""Housekeeping makes partitions for the coming months."""

from datetime import UTC, datetime

import pytest

from sightline.db.engine import DatabaseUnavailable
from sightline.scans.partitions import first_id_at, make_partitions
from sightline.worker.housekeeping import run_housekeeping
from tests.running_worker import working
from tests.scans.running.provider import build_keywords

MONTHS = ("2026_11", "2026_12", "2027_01", "2027_02")


@pytest.fixture(autouse=True)
async def without_partitions(installation):
    """Remove the partitions that every test database begins with."""
    names = [f"{table}_{month}" for table in ("answers", "answer_payloads") for month in MONTHS]
    await installation.db.execute(f"DROP TABLE {', '.join(names)}")


async def keep(installation):
    await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())


async def partitions(installation, table):
    rows = await installation.db.fetch(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = $1::text::regclass ORDER BY 1", table
    )
    return [row[0] for row in rows]


async def test_partitions_are_made_for_this_month_and_the_next_three_and_running_again_changes_nothing(installation):
    for _ in range(2):
        await keep(installation)
        for table in ("answers", "answer_payloads"):
            expected = [f"{table}_{month}" for month in MONTHS]
            assert await partitions(installation, table) == sorted([*expected, f"{table}_default"])
    installation.clock.advance(days=20)
    await keep(installation)
    assert "answers_2027_03" in await partitions(installation, "answers")


async def test_the_answers_of_a_scan_lie_in_the_partition_of_its_month(installation, console):
    async with installation.db.transaction() as tx:
        await make_partitions(tx, now=datetime.now(UTC))  # ids are made by the real clock
    scan = await console.submit(await console.domain(), keywords=build_keywords(3), platforms=["chatgpt"])
    async with working(installation):
        await console.ended(scan["id"])
    for table in ("answers", "answer_payloads"):
        rows = await installation.db.fetch(f"SELECT DISTINCT tableoid::regclass::text FROM {table}")
        assert [row[0] for row in rows] == [f"{table}_{datetime.now(UTC):%Y_%m}"]


async def test_payloads_are_not_compressed_a_second_time(installation):
    await keep(installation)
    rows = await installation.db.fetch(
        """SELECT attrelid::regclass::text, attstorage::text FROM pg_attribute
           WHERE attname = 'payload' AND attrelid::regclass::text LIKE 'answer_payloads_%'"""
    )
    assert len(rows) == 5 and {row[1] for row in rows} == {"e"}


async def test_a_month_with_rows_in_the_default_partition_is_left_alone(installation):
    january = first_id_at(datetime(2027, 1, 10, tzinfo=UTC))
    await installation.db.execute(
        """INSERT INTO answers (workspace_id, scan_id, id, prompt_index, platform, status, text, record, answered_at)
           VALUES (gen_random_uuid(), $1, gen_random_uuid(), 0, 'grok', 'ok', '', '', now())""",
        january,
    )
    await keep(installation)
    made = await partitions(installation, "answers")
    assert "answers_2027_01" not in made and {"answers_2026_12", "answers_2027_02"} <= set(made)
    assert "answer_payloads_2027_01" in await partitions(installation, "answer_payloads")
    assert await installation.db.fetchval("SELECT count(*) FROM answers") == 1


async def test_a_long_read_does_not_make_everybody_else_wait(installation):
    """A new partition needs a lock on the table. Housekeeping gives up soon and makes it in the next round."""
    async with installation.db.transaction() as reader:
        await reader.fetch("SELECT 1 FROM answers LIMIT 1")
        with pytest.raises(DatabaseUnavailable, match="lock timeout"):  # the worker logs it and goes on
            await keep(installation)
    await keep(installation)
    assert len(await partitions(installation, "answers")) == 5
