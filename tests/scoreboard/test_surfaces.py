"""A platform that is asked on another surface: its trend starts again, and nothing compares it with what was before."""

import html

import pytest

from sightline.domains.tracking.queries import find_tracked_domain
from sightline.scoreboard.history.trend import list_surface_breaks, read_trend_points
from sightline.scoreboard.read import read_check_changes, read_scoreboard
from tests.insights.daily_answers import PROMPTS
from tests.scan_history import ScanHistory
from tests.web.page_browser import open_browser


def named(prompt, platform):
    return "Acme is the best choice. Globex is good, too."


def lost_in_the_app(prompt, platform):
    return "Globex is the best choice." if platform == "chatgpt" else named(prompt, platform)


@pytest.fixture
async def history(installation):
    """Two Full Checks on one surface; then ChatGPT is asked in its app, which names other brands."""
    history = await ScanHistory.open(installation, *PROMPTS)
    await history.run_full_check(named)
    await history.run_full_check(named)
    history.surfaces = {"chatgpt": "app"}
    return history


async def read_domain(history):
    return await find_tracked_domain(history.installation.db, history.workspace_id, history.domain_id)


async def test_figures_compare_only_platforms_on_the_same_surface(history):
    scan_id = await history.run_full_check(lost_in_the_app)
    db = history.installation.db
    changes = await read_check_changes(db, history.workspace_id, scan_id)
    assert changes.reasons == ("surface",) and changes.established == ()
    assert [(each.platform, each.before, each.now) for each in changes.surfaces] == [("chatgpt", "sandbox", "app")]
    tested = {each.name for each in changes.periods if each.subject == "platform"}
    assert tested == {"gemini", "perplexity"}, "ChatGPT pauses"
    board = (await read_scoreboard(db, history.workspace_id, await read_domain(history))).decode()
    coverage = board.headline.brand_coverage_pct.comparison
    assert (coverage.delta, coverage.matched_cells) == (0, 2 * len(PROMPTS)), "ChatGPT is left out"
    assert coverage.trend_only and coverage.reasons == ("surface",)
    assert {each.platform: each.surface for each in board.platforms} == {
        "chatgpt": "app", "gemini": "sandbox", "perplexity": "sandbox",
    }  # fmt: skip


@pytest.mark.parametrize(("surface", "alerts"), [("sandbox", True), ("app", False)])
async def test_no_alert_comes_from_another_surface(history, surface, alerts):
    history.surfaces = {}
    for _ in range(3):
        await history.run_daily_check(named)
    history.surfaces = {"chatgpt": surface}
    for _ in range(3):
        await history.run_daily_check(lost_in_the_app)
    assert bool(await history.rows("alerts")) is alerts


async def test_a_daily_check_does_not_mix_surfaces_on_the_board(history):
    await history.run_daily_check(lost_in_the_app)
    shown = (await read_scoreboard(history.installation.db, history.workspace_id, await read_domain(history))).decode()
    assert {each.platform: each.surface for each in shown.platforms}["chatgpt"] == "sandbox"
    assert shown.headline.brand_coverage_pct.value == 100, "the app starts with the next Full Check"


async def test_the_overview_starts_a_new_line_and_says_when(history):
    await history.run_full_check(lost_in_the_app)
    history.installation.clock.advance(hours=1)
    domain = await read_domain(history)
    now = history.installation.clock()
    points = await read_trend_points(
        history.installation.db, history.workspace_id, domain.id, "sandbox", since=now.replace(year=now.year - 1)
    )
    (found,) = list_surface_breaks(points)
    assert (found.at, found.platform, found.now) == (points[-1].completed_at, "chatgpt", "app")
    assert list_surface_breaks(points, "gemini") == []
    async with open_browser(history.installation, history.tenant.owner) as browser:
        path = f"/w/{history.workspace_id}/d/{history.domain_id}"
        page = html.unescape((await browser.get(path)).text)
        calm = html.unescape((await browser.get(f"{path}?platform=gemini")).text)
        platform = html.unescape((await browser.get(f"{path}/platforms/chatgpt")).text)
    assert "New surface" in page and '"line":1' in page and "ChatGPT: app instead of sandbox" in page
    assert "Answers of different surfaces are not compared." in page
    assert "New surface" not in calm and '"line":1' not in calm
    assert "ChatGPT: app instead of sandbox since" in platform


async def test_rows_of_tables_carry_their_surface(history):
    scan_id = await history.run_full_check(lost_in_the_app)
    rows = await history.installation.db.fetch(
        """SELECT DISTINCT d.name, r ->> 'platform', r ->> 'surface' FROM scan_rows d, jsonb_array_elements(d.rows) r
           WHERE d.scan_id = $1 AND d.name IN ('answers', 'cells', 'mentions') ORDER BY 1, 2""",
        scan_id,
    )
    expected = [("chatgpt", "app"), ("gemini", "sandbox"), ("perplexity", "sandbox")]
    assert [tuple(row) for row in rows] == [
        (name, *each) for name in ("answers", "cells", "mentions") for each in expected
    ]
