"""Rows of checks are built once, also for checks of before there were stored rows, and go when their answers go."""

import json
import uuid

import pytest

from sightline.db.jsonb import to_jsonb
from sightline.scans import table_rows
from sightline.scans.retention.queries import mark_scan_expired
from sightline.scoreboard.recompute.missing_rows import build_missing_rows_any_workspace
from sightline.tables.catalog import TABLES
from tests.scan_history import UNCITED, ScriptedAnswer
from tests.tables.table_reader import ChangingDomain, TableReader

SHARED = {"domain_id", "scan_id", "scope", "answers_source", "measured_at", "updated_at", "removed_at"}
SHARED |= {"metrics_version", "extractor_version"}
PROMPT = {"prompt", "language", "country", "branded"}
OF_ANSWERS = ("answers", "mentions", "citations")


@pytest.fixture
async def domain(installation):
    opened = await ChangingDomain.open(installation)
    await opened.check([0, 1, 2, 4])
    await opened.check([3, 3, 0, 0], "daily_check")
    await opened.compete("globex.com", hide=False)
    return opened


async def build(domain) -> int:
    return await build_missing_rows_any_workspace(domain.installation.db, UNCITED, now=domain.installation.clock())


@pytest.mark.parametrize(
    ("table", "stored"),
    [
        ("answers", table_rows.AnswerTableRow),
        ("mentions", table_rows.MentionRow),
        ("citations", table_rows.CitationRow),
        ("sources", table_rows.SourceRow),
        ("competitors", table_rows.CompetitorTableRow),
    ],
)
def test_rows_have_the_columns_of_their_table(table, stored):
    columns = {column.name for column in TABLES[table].columns if not column.on_request}
    assert set(stored.__struct_fields__) == columns - SHARED - PROMPT


async def test_checks_of_before_get_the_same_rows_and_readers_of_changes_get_them_again(domain):
    reader, second, fresh = (TableReader(domain.history) for _ in range(3))
    await reader.read()
    db = domain.installation.db
    await db.execute("DELETE FROM scan_rows")
    await second.read()
    assert not second.rows["answers"] and not second.rows["daily_metrics"]
    assert await build(domain) == 2 and await build(domain) == 0
    await second.read()
    await fresh.read()
    assert fresh.rows["citations"]
    assert reader.find_differences(fresh) == second.find_differences(fresh) == []


async def test_what_a_new_analysis_removes_is_told_if_the_check_had_no_rows_yet(domain):
    reader, fresh = TableReader(domain.history), TableReader(domain.history)
    await reader.read()
    await domain.installation.db.execute("DELETE FROM scan_rows")
    await domain.compete("globex.com", hide=True)
    await reader.read()
    await fresh.read()
    assert reader.find_differences(fresh) == []


async def test_rows_of_answers_go_with_the_answers_and_figures_stay(domain):
    db, expired = domain.installation.db, await domain.check([0, 0, 0, 0])
    async with db.transaction() as tx:
        await mark_scan_expired(tx, domain.workspace_id, expired, now=domain.installation.clock())
    before, after = TableReader(domain.history), TableReader(domain.history)
    await before.read()
    for name, rows in before.rows.items():
        if name in {*OF_ANSWERS, "sources", "daily_metrics", "prompt_metrics"}:
            assert any(row["scan_id"] == str(expired) for row in rows.values()) == (name not in OF_ANSWERS), name
    await db.execute("DELETE FROM scan_rows WHERE scan_id = $1", expired)
    await build(domain)
    await after.read()
    assert before.find_differences(after) == []


async def test_a_nul_in_an_address_becomes_the_replacement_character(domain):
    link = "https://www.google.com/url?q=https%3A%2F%2Fshop.example.com%2Fa%00b"
    domain.installation.clock.advance(days=1)
    await domain.history.run_scan("daily_check", lambda *_: ScriptedAnswer("Acme is a good anvil.", (link,)))
    reader = TableReader(domain.history)
    await reader.read("citations")
    assert "shop.example.com/a\ufffdb" in {row["url"] for row in reader.rows["citations"].values()}


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a\0b", "a\ufffdb"),
        ("\0\0", "\ufffd\ufffd"),
        ("\\u0000", "\\u0000"),
        ("\\\0", "\\\ufffd"),
        ({"\0": ["\\\\\0"]}, {"\ufffd": ["\\\\\ufffd"]}),
        (uuid.UUID(int=0), str(uuid.UUID(int=0))),
    ],
)
async def test_jsonb_holds_no_nul_and_everything_else(installation, value, stored):
    assert json.loads(await installation.db.fetchval("SELECT $1::jsonb", to_jsonb(value))) == stored
