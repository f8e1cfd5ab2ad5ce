"""Market Position and Share of Voice: set by a Full Check, measured again only when tracked competitors change."""

import re

from sightline.competitors.review import add_competitor
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.presentation.numbers import NOT_MEASURED
from tests.api.assertions import DATA
from tests.insights.anvil_market import market_answer, open_market
from tests.running_worker import until, working
from tests.tracked_domains import Tracker
from tests.web.page_browser import open_browser

MARKET = ("market_position", "share_of_voice_pct")


def select_market(board: dict) -> dict:
    """Return all market figures of a board."""
    rows = [board["headline"], *board["platforms"], *board["countries"]]
    figures = [row[name]["value"] for row in rows for name in MARKET]
    compared = [board["headline"][name]["comparison"] for name in MARKET]
    return {"figures": figures, "compared": compared, "ranking": board["competitors"]}


async def test_a_new_alias_changes_market_figures_with_the_next_full_check(installation):
    async with Tracker.open(installation) as tracker, working(installation, sandbox_latency_ms=0):
        made = await tracker.track(brand_name="Nobody Uses This Name", competitors=())
        await tracker.wait_for_board(made.domain.id, made.first_check.id)
        first, second, *_ = await list_names(tracker, made.first_check.id)
        await track_rival(tracker, made, "rival-of-acme.com", first)
        before = await read_everything(tracker, made)
        await add_alias(tracker, made, second)
        after = await read_everything(tracker, made)
        # The brand's own figures follow at once, on the scoreboard and in the check.
        for name in ("scoreboard", "check"):
            now, then = (
                after[name]["headline"]["ai_mentions"]["value"],
                before[name]["headline"]["ai_mentions"]["value"],
            )
            assert now > then
            assert select_market(after[name]) == select_market(before[name])
        assert after["row"]["ai_mentions"] > before["row"]["ai_mentions"]
        assert after["row"]["market_position"] == before["row"]["market_position"]
        for name in MARKET:
            assert after["scoreboard"]["trend"][0][name] == before["scoreboard"]["trend"][0][name]
        assert after["table"] == before["table"]
        # A new competitor ranks all of them again, by the names of now.
        await track_rival(tracker, made, "second-rival.com", "Nothing Names It")
        ranked = await read_everything(tracker, made)
        assert len(ranked["scoreboard"]["competitors"]) == 3
        share = ranked["scoreboard"]["headline"]["share_of_voice_pct"]["value"]
        assert share > before["scoreboard"]["headline"]["share_of_voice_pct"]["value"]


async def read_everything(tracker, made) -> dict:
    path = f"/domains/{made.domain.id}"
    table = await tracker.read(f"{path}/tables/competitors")
    names = ("brand_id", "position", "position_low", "position_high", "share_of_voice_pct")
    return {
        "scoreboard": await tracker.read(f"{path}/analytics"),
        "check": await tracker.read(f"{path}/analytics", params={"scan_id": str(made.first_check.id)}),
        "row": (await tracker.read(f"{path}/scans"))[0],
        "table": sorted(tuple(row[name] for name in names) for row in table),
    }


async def list_names(tracker, scan_id) -> list[str]:
    """Return the names in the answers that are not tracked, most frequent first."""
    counts: dict[str, int] = {}
    for answer in await tracker.read(f"/scans/{scan_id}/answers"):
        for candidate in answer["candidates"]:
            counts[candidate["name"]] = counts.get(candidate["name"], 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))


async def track_rival(tracker, made, domain, name) -> None:
    async with tracker.installation.db.transaction() as tx:
        await add_competitor(tx, tracker.workspace_id, made.domain.id, domain, [name], now=tracker.installation.clock())
    await wait_for_recomputation(tracker)


async def add_alias(tracker, made, name) -> None:
    async with tracker.installation.db.transaction() as tx:
        await change_tracked_domain(
            tx, tracker.workspace_id, made.domain.id, BrandChanges(aliases=[name]), now=tracker.installation.clock()
        )
    await wait_for_recomputation(tracker)


async def wait_for_recomputation(tracker) -> None:
    open_ones = "SELECT count(*) FROM recomputations WHERE status <> 'done'"

    async def is_done():
        return await tracker.installation.db.fetchval(open_ones) == 0

    await until(is_done, seconds=60)


async def test_a_daily_check_has_no_market_figures(installation, client):
    """Its row, its board, its point of the trend, its rows of the table and its page have none."""
    history = await open_market(installation)
    full = await history.run_full_check(market_answer)
    daily = await history.run_daily_check(market_answer)
    # As a worker of an earlier release stored it.
    await installation.db.execute("UPDATE scans SET market_position = 1")

    async def read(path, **query):
        response = await client.get(f"{DATA}{path}", params=query, headers={"X-API-Key": history.tenant.data})
        assert response.status_code == 200, response.text
        return response.json()["data"]

    path = f"/domains/{history.domain_id}"
    assert [row["market_position"] for row in await read(f"{path}/scans")] == [None, 1]
    assert (await read(f"/scans/{daily}"))["market_position"] is None
    whole, board = await read(f"{path}/analytics"), await read(f"{path}/analytics", scan_id=str(daily))
    for name in MARKET:
        assert whole["headline"][name]["value"] is not None
        assert [point[name]["value"] is None for point in whole["trend"]] == [False, True]
        for row in (board["headline"], *board["platforms"], *board["countries"]):
            assert (row[name]["value"], row[name]["n"]) == (None, 0)
        assert board["headline"][name]["comparison"] is None
    assert board["competitors"] == [] and whole["competitors"]
    assert board["headline"]["visibility_score"]["value"] is not None
    rows = await read(f"{path}/tables/competitors")
    ranked = {str(full): False, str(daily): True}
    assert {row["scan_id"] for row in rows} == set(ranked)
    for row in rows:
        for name in ("position_low", "position_high", "share_of_voice_pct"):
            assert (row[name] is None) == ranked[row["scan_id"]], row
        assert row["visibility_score"] is not None
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/checks/{daily}")).text
    for name in ("Share of Voice", "Market Position"):
        card = page[page.index(f"<h2>{name}</h2>") :]
        shown = re.search(r'<p class="value">(.*?) <span class="range">(.*?)</span></p>', card)
        assert shown.groups() == (NOT_MEASURED, "Only Full Checks measure it.")
