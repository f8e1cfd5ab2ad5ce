"""Rows of insights are built once, also for insights of before there were stored rows, and go with their insight."""

import msgspec
import pytest

from sightline.insights import table_rows
from sightline.insights.alerts.models import decode_evidence
from sightline.insights.missing_rows import build_missing_insight_rows_any_workspace
from sightline.insights.models import StoredRecommendation, StoredTheme, task_key
from sightline.insights.queries import replace_ranked
from sightline.insights.recommendations.tasks import mark_done, mark_open, read_tasks
from sightline.tables.catalog import TABLES
from tests.insights.anvil_market import market_answer, open_market
from tests.insights.daily_answers import answers_naming, open_history, prompt_index, text_naming
from tests.tables.table_reader import ChangingDomain, TableReader

INSIGHTS = ("themes", "recommendations", "alerts")
OF_UNIT = {"row_id", "domain_id", "scan_id", "measured_at", "updated_at", "removed_at"}
OF_UNIT |= {"metrics_version", "extractor_version"}
CURRENT = {"done_at", "state", "confirmed_at", "resolved_at"}


@pytest.fixture
async def market(installation):
    """A history whose Full Check has themes and recommendations."""
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    return history


async def build(history) -> int:
    return await build_missing_insight_rows_any_workspace(history.installation.db, now=history.installation.clock())


async def drop_rows(history) -> None:
    """Leave the insights as the version before the stored rows wrote them."""
    for name in INSIGHTS:
        await history.installation.db.execute(f"UPDATE {name} SET table_row = NULL")


async def read_table(history, name: str) -> dict[str, dict]:
    reader = TableReader(history)
    await reader.read(name)
    return reader.rows[name]


async def store(history, kind, *found) -> None:
    scan_id = await history.installation.db.fetchval("SELECT id FROM scans ORDER BY id DESC LIMIT 1")
    async with history.installation.db.transaction() as tx:
        await replace_ranked(tx, history.workspace_id, history.domain_id, kind, scan_id, found)


@pytest.mark.parametrize(
    ("table", "stored"),
    [
        ("themes", table_rows.ThemeTableRow),
        ("recommendations", table_rows.RecommendationTableRow),
        ("alerts", table_rows.AlertTableRow),
    ],
)
def test_rows_have_the_columns_of_their_table(table, stored):
    columns = {column.name for column in TABLES[table].columns}
    assert set(stored.__struct_fields__) - {"mark_keys"} == columns - OF_UNIT - CURRENT


async def test_insights_of_before_get_the_same_rows_and_readers_of_changes_get_them_again(installation, market):
    for text in [f"Which anvil is right for forge number {place}?" for place in range(12)]:
        await market.add_prompt(text)
    for share in (12, 4, 3):
        await market.run_daily_check(name_in_new_prompts(share))
    reader, second, fresh = (TableReader(market) for _ in range(3))
    await reader.read()
    assert all(reader.rows[name] for name in INSIGHTS)
    await drop_rows(market)
    await second.read()
    assert not any(second.rows[name] for name in INSIGHTS)
    assert await build(market) == sum(len(reader.rows[name]) for name in INSIGHTS) and await build(market) == 0
    await second.read()
    await fresh.read()
    assert reader.find_differences(fresh) == second.find_differences(fresh) == []


def name_in_new_prompts(share: int):
    def say(prompt, platform):
        place = prompt.text.removeprefix("Which anvil is right for forge number ").removesuffix("?")
        is_named = not place.isdigit() or int(place) < share or platform != "chatgpt"
        return text_naming(*(["Acme"] if is_named else []), "Globex")

    return say


async def test_an_insight_that_cannot_be_decoded_is_left_out(market):
    before = await read_table(market, "themes")
    await drop_rows(market)
    lost = min(before)
    await market.installation.db.execute("UPDATE themes SET theme = $2 WHERE id = $1::text::uuid", lost, b'{"place":')
    assert await build(market) > 0 and await build(market) == 0
    assert set(await read_table(market, "themes")) == set(before) - {lost}


async def test_a_cell_that_a_process_of_the_version_before_confirms_gets_a_new_row(installation):
    """Such a process replaces the evidence and knows no rows."""
    history = await open_history(installation)

    def lose_one_cell(prompt, platform):
        return text_naming(*(["Globex"] if (prompt_index(prompt), platform) == (0, "chatgpt") else ["Acme"]))

    for say in [answers_naming()] * 6 + [lose_one_cell] * 2:
        await history.run_daily_check(say)
    (row,) = (await read_table(history, "alerts")).values()
    stored = await installation.db.fetchval("SELECT evidence FROM alerts")
    later = msgspec.structs.replace(decode_evidence(stored), p=row["p"] / 2)
    await installation.db.execute("UPDATE alerts SET evidence = $1", msgspec.json.encode(later))
    assert await read_table(history, "alerts") == {}
    assert await build(history) == 1
    (changed,) = (await read_table(history, "alerts")).values()
    assert changed == row | {"p": row["p"] / 2, "updated_at": changed["updated_at"]} and row["scope"] == "cell"


async def test_a_confirmed_alert_keeps_a_row_and_has_its_state(installation):
    history = await open_history(installation)
    found = []
    for share in (12, 4, 3, 12, 12):
        await history.run_daily_check(answers_naming(chatgpt=share))
        rows = await read_table(history, "alerts")
        found += [row for row in rows.values() if (row["scope"], row["platform"]) == ("platform", "chatgpt")][:1]
    assert [row["state"] for row in found] == ["watch", "confirmed", "resolved", "resolved"]
    assert [(row["named_before"], row["named_now"]) for row in found] == [(12, 4)] * 4
    assert [bool(row["confirmed_at"]) for row in found] == [False, True, True, True]
    assert await build(history) == 0


async def test_a_marked_site_covers_its_pages_and_the_mark_of_the_page_counts_first(market):
    page = StoredRecommendation(kind="get_listed", subject="g2.com/anvils", site="g2.com", proofs=())
    site = StoredRecommendation(kind="get_listed", subject="g2.com", site="g2.com", proofs=())
    claim = StoredRecommendation(kind="fix_claim", subject="price", site="g2.com", proofs=())
    await store(market, "recommendation", page, site, claim)
    domain, clock = ChangingDomain(market), market.installation.clock

    async def list_done() -> list[bool]:
        rows = sorted((await read_table(market, "recommendations")).values(), key=lambda row: row["place"])
        tasks = await read_tasks(market.installation.db, market.workspace_id, market.domain_id)
        assert [bool(row["done_at"]) for row in rows] == [task.done is not None for task in tasks.rows]
        return [row["done_at"] for row in rows]

    assert await list_done() == [None, None, None]
    async with market.installation.db.transaction() as tx:
        await mark_done(tx, domain.actor, market.domain_id, page.key, now=clock())
    of_page, of_site, _ = await list_done()
    assert of_page and of_site is None
    clock.advance(days=1)
    async with market.installation.db.transaction() as tx:
        await mark_done(tx, domain.actor, market.domain_id, site.key, now=clock())
    assert (await list_done())[0] == of_page and (await list_done())[1] > of_page
    async with market.installation.db.transaction() as tx:
        await mark_open(tx, domain.actor, market.domain_id, page.key)
    first, second, third = await list_done()
    assert first == second and third is None


async def test_a_nul_becomes_the_replacement_character_and_the_key_stays_that_of_the_action(market):
    await store(market, "recommendation", StoredRecommendation(kind="keep", subject="a\0b", proofs=()))
    (row,) = (await read_table(market, "recommendations")).values()
    assert (row["subject"], row["key"]) == ("a\ufffdb", task_key("keep", "a\0b"))
    assert (row["platforms"], row["expected_answers"], row["answers"]) == (None, None, 0)


async def test_rows_of_replaced_insights_are_told_as_removed(market):
    reader = TableReader(market)
    await reader.read()
    assert reader.rows["themes"] and reader.rows["recommendations"]
    theme = StoredTheme(
        descriptor="loud", kind="shared", answers=1, share=50.0, log_odds=0.1, z=0.2, polarity=None,
        polarity_label=None, answer_ids=(),
    )  # fmt: skip
    await store(market, "theme", theme)
    await store(market, "recommendation")
    await reader.read()
    assert [row["theme"] for row in reader.rows["themes"].values()] == ["loud"]
    assert reader.rows["recommendations"] == {}
