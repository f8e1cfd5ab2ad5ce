"""The Overview: "one glance, then one click deeper", with its state in the address."""

import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.domains.models import TrackedDomainRow
from sightline.scoreboard.history.trend import TrendBoard, read_trend
from sightline.scoreboard.read import read_past_scan
from sightline.web.pages.dashboard.freshness import describe_freshness
from tests.web.dashboard.dashboard_history import (
    FORGE,
    QUIET,
    DashboardHistory,
    answer_by_platform,
    without_count_links,
)
from tests.web.page_browser import assert_explained, open_browser

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
TRICKY = 'which "prompts":[ or "competitors":[ is best'


def say_less(prompt, platform):
    return answer_by_platform(prompt, platform) if prompt.text == FORGE else "Globex is good."


async def test_five_cards_switch_the_one_large_chart_and_every_view_has_its_address(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, say_less)
    await dashboard.history.run_daily_check(answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
        assert_explained(page)
        links = re.findall(r'<a class="whole" href="([^"]*)"', page)
        assert len(links) == 5 and page.count('data-chart="/static/vega-') == 2
        for metric, link in zip(METRICS, links, strict=True):
            shown = await browser.get(dashboard.path + link.replace("&amp;", "&"))
            assert shown.status_code == 200 and len(shown.content) < 150_000
            chosen = re.search(r'<a class="whole" href="[^"]*" aria-current="true">([^<]*)<', shown.text)[1]
            assert f"<h2>{chosen} over time</h2>" in shown.text and (metric == METRICS[0]) == (link == "?")
        kept = (await browser.get(f"{dashboard.path}?metric=ai_mentions&period=52w")).text
        assert f'href="{dashboard.path}/platforms/gemini?period=52w"' in kept
        assert 'href="?period=52w"' in kept


async def test_a_platform_shows_its_own_figures_and_what_is_unknown_is_left_out(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        one = (await browser.get(f"{dashboard.path}?platform=chatgpt")).text
        assert "On ChatGPT, Acme is named in 2 of 2 answers (100.0%). If these prompts" in without_count_links(one)
        assert "With this filter, the chart shows only Full Checks, and only your brand." in one
        plain = (await browser.get(f"{dashboard.path}?platform=nobody&country=XX&period=9w&metric=<script>")).text
        assert "Acme is named in 2 of 6 answers" in without_count_links(plain) and "<script>alert" not in plain


async def test_the_ranking_says_what_has_changed_and_a_chart_has_its_table(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
        assert page.count("No clear change") >= 3 and "was " in page
        assert page.count("Show as table") == 2
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
    ("full", "daily", "audit", "following", "said"),
    [
        (NOW - timedelta(days=3), NOW, None, NOW + timedelta(days=4),
         ("Full Check completed 12 Nov, 12:00 UTC · Daily Check completed today 12:00 UTC · "
          "next Full Check Thursday 12:00 UTC")),
        (NOW, NOW - timedelta(days=1), NOW, NOW + timedelta(days=1),
         ("Full Check completed today 12:00 UTC · Daily Check completed yesterday 12:00 UTC · "
          "next Full Check tomorrow 12:00 UTC")),
        (None, None, NOW, None, "Free Audit completed today 12:00 UTC"),
        (None, None, None, None, "Not checked yet"),
    ],
)  # fmt: skip
def test_the_data_stamp_names_near_days(full, daily, audit, following, said):
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
    assert describe_freshness(domain, NOW) == said
