"""The Overview: five questions on one screen, and what is behind each answer one click away."""

import html
import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.insights.findings.read import read_latest_findings
from sightline.scoreboard.history.trend import TrendBoard, read_trend
from sightline.scoreboard.read import read_past_scan
from sightline.web.layout import describe_freshness
from tests.insights.anvil_market import market_answer, open_market
from tests.web.dashboard.dashboard_history import (
    FORGE,
    QUIET,
    DashboardHistory,
    answer_by_platform,
    without_count_links,
)
from tests.web.page_browser import assert_explained, open_browser

DASH = "\u2013"
NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
METRICS = {"": "Visibility", "?metric=brand_coverage_pct": "Coverage", "?metric=share_of_voice_pct": "Share of voice"}
TRICKY = 'which "prompts":[ or "competitors":[ is best'


def say_less(prompt, platform):
    return answer_by_platform(prompt, platform) if prompt.text == FORGE else "Globex is good."


def _read_league(page):
    """Return the texts of the cells of each row of the league."""
    table = re.search(r'<table class="league">.*?</tbody>', page, re.DOTALL)[0]
    rows = re.findall(r"<tr[^>]*>\s*(<td.*?)</tr>", table, re.DOTALL)
    return [
        [html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]
        for row in rows
    ]


async def test_the_verdict_is_the_headline_of_the_findings_and_every_metric_has_its_address(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, say_less)
    await dashboard.history.run_daily_check(answer_by_platform)
    domain = await find_tracked_domain(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    findings = await read_latest_findings(installation.db, dashboard.history.workspace_id, domain)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for query, name in METRICS.items():
            page = (await browser.get(dashboard.path + query)).text
            assert_explained(page)
            assert f"<h1>{findings.headline}" in html.unescape(page) and len(page.encode()) < 150_000
            assert re.search(rf'aria-current="true">{name}</a>', page), name
            assert page.count('data-chart="/static/vega-') == 1
        kept = html.unescape((await browser.get(f"{dashboard.path}?metric=brand_coverage_pct&period=52w")).text)
        assert f'href="{dashboard.path}/platforms/gemini?period=52w"' in kept
        assert f'href="{dashboard.path}?period=52w"' in kept, "the way back to the first metric"


async def test_the_league_has_every_brand_with_its_place_and_its_range(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        league = _read_league((await browser.get(dashboard.path)).text)
        coverage = _read_league((await browser.get(f"{dashboard.path}?metric=brand_coverage_pct")).text)
        voice = _read_league((await browser.get(f"{dashboard.path}?metric=share_of_voice_pct")).text)
    assert [row[1][1:] for row in league] == ["Globex", "Acme", "Initech"]
    assert all(re.fullmatch(rf"\d({DASH}\d)?", row[0]) and DASH in row[3] for row in league)
    assert [row[2] for row in coverage] == ["67%", "33%", "33%"]
    assert {row[3] for row in voice} == {""}, "a share of voice of a competitor has no range"
    assert {row[4] for row in league} == {"no clear change"}


async def test_a_point_of_the_chart_shows_the_league_and_the_map_of_that_check(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, say_less)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        latest = (await browser.get(dashboard.path)).text
        days = re.findall(r'"href":"\?day=([\d-]+)"', latest)
        assert len(days) == 2 and days == sorted(days)
        earlier = (await browser.get(f"{dashboard.path}?day={days[0]}")).text
        assert "Acme is named in 2 of 6 answers" in without_count_links(earlier)
        assert "named in 1 of 6 answers" in without_count_links(latest)
        assert earlier.count('"href":"?day=') == 2, "the chart keeps its period"
        assert _read_league(earlier) != _read_league(latest)
        for unknown in ("2026-02-30", "0000-00-00", "<script>", "1999-01-01"):
            shown = await browser.get(dashboard.path, params={"day": unknown})
            assert shown.status_code == 200 and _read_league(shown.text) == _read_league(latest), unknown


async def test_the_map_outlines_what_changed_and_a_square_opens_what_was_said_before_and_now(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, say_less)
    prompts = await dashboard.prompt_ids()
    path = f"{dashboard.path}/cells/{prompts[QUIET]}/chatgpt"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
        lost = re.findall(r'<a class="q absent lost" href="([^"]*)"[^>]*aria-label="([^"]*)"', page)
        assert lost == [(path, "ChatGPT: not mentioned, no longer named")]
        rows = re.findall(r'<td class="named">([^<]*)</td>', page)
        assert rows == ["1 → 0", "1"], "the worst change is first"
        cell = (await browser.get(path)).text
        now, before = re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", cell, re.DOTALL)
        assert "Globex" in now and "Acme" not in now and '<mark class="own">Acme</mark>' in before
        for wrong in (f"{prompts[QUIET]}/nobody", "nothing/chatgpt"):
            assert (await browser.get(f"{dashboard.path}/cells/{wrong}")).status_code == 404
    other = await installation.tenant()
    async with open_browser(installation, other.owner) as stranger:
        assert (await stranger.get(path)).status_code == 404


async def test_one_real_sentence_is_quoted_and_criticism_comes_first(installation):
    def praise(prompt, platform):
        return "1. Acme is excellent." if platform == "chatgpt" else "Globex is good."

    def criticize(prompt, platform):
        return "Acme is unreliable, slow and bad." if platform == "gemini" else praise(prompt, platform)

    dashboard = await DashboardHistory.open(installation, praise)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert re.search(r'id="quote".*?Acme</mark> is excellent', (await browser.get(dashboard.path)).text, re.DOTALL)
        await dashboard.history.run_full_check(criticize)
        quote = re.search(r'id="quote".*?</section>', (await browser.get(dashboard.path)).text, re.DOTALL)[0]
    assert "unreliable" in quote and "Gemini" in quote and "#named" in quote


async def test_the_next_actions_show_their_expected_effect(installation):
    market = await open_market(installation)
    await market.run_full_check(market_answer)
    async with open_browser(installation, market.tenant.owner) as browser:
        page = (await browser.get(f"/w/{market.tenant.id}/d/{market.domain_id}")).text
    tasks = re.search(r'<ol class="next">.*?</ol>', page, re.DOTALL)[0]
    assert 1 <= tasks.count("<li>") <= 3 and re.search(rf">\+\d+{DASH}\d+ answers<", tasks)


async def test_a_platform_shows_its_own_figures_and_what_is_unknown_is_left_out(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        one = (await browser.get(f"{dashboard.path}?platform=chatgpt")).text
        assert "On ChatGPT, Acme is named in 2 of 2 answers (100.0%). If these prompts" in without_count_links(one)
        plain = (await browser.get(f"{dashboard.path}?platform=nobody&country=XX&period=9w&metric=<script>")).text
        assert "named in 2 of 6 answers" in without_count_links(plain) and "<script>alert" not in plain
        tagged = (await browser.get(f"{dashboard.path}?language=en&metric=share_of_voice_pct")).text
        assert "over time is not available for a language or a tag" in tagged


async def test_the_chart_has_its_finding_and_its_table(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
    assert page.count("Show as table") == 1
    assert re.search(r'data-finding="[\d.]+ \([^)]+\) in the check of [^"]*No clear change since', page)


async def test_without_a_check_there_is_no_chart_and_no_vega(installation):
    dashboard = await DashboardHistory.open(installation)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
        assert "The first check has not been completed yet" in page and 'data-chart="' not in page


async def test_the_trend_shows_the_figures_of_the_boards(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, say_less, prompts=(TRICKY, FORGE, QUIET))
    history, since = dashboard.history, installation.clock() - timedelta(weeks=4)
    past = await read_trend(installation.db, history.workspace_id, history.domain_id, "sandbox", since=since)
    assert len(past) == 2 and not past[1].has_model_change
    async with open_browser(installation, dashboard.tenant.owner):
        for check, scan_id in zip(past, dashboard.scans, strict=True):
            whole = await read_past_scan(installation.db, history.workspace_id, history.domain_id, scan_id)
            assert check.board == msgspec.json.decode(whole.json, type=TrendBoard)
    assert not await read_trend(installation.db, dashboard.tenant.owner.id, history.domain_id, "sandbox", since=since)


@pytest.mark.parametrize(
    ("full", "daily", "audit", "following", "latest", "said"),
    [
        (NOW - timedelta(days=3), NOW, None, NOW + timedelta(days=4), "Checked today 12:00 UTC",
         ["Full Check completed 12 Nov, 12:00 UTC", "Daily Check completed today 12:00 UTC",
          "Next Full Check Thursday 12:00 UTC"]),
        (NOW - timedelta(days=1), None, NOW, NOW + timedelta(days=1), "Checked today 12:00 UTC",
         ["Full Check completed yesterday 12:00 UTC", "Next Full Check tomorrow 12:00 UTC"]),
        (None, None, NOW, None, "Checked today 12:00 UTC", ["Free Audit completed today 12:00 UTC"]),
        (None, None, None, None, "Not checked yet", []),
    ],
)  # fmt: skip
def test_the_data_stamp_names_near_days(full, daily, audit, following, latest, said):
    facts = dict.fromkeys(TrackedDomainRow.__struct_fields__)
    domain = TrackedDomainRow(
        **facts
        | {
            "last_full_check_at": full,
            "last_daily_check_at": daily,
            "last_audit_at": audit,
            "next_check_at": following,
            "next_check_scope": "full_check",
        }
    )
    assert describe_freshness(domain, NOW) == (latest, said)
