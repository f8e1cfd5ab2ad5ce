"""Recommendations marked as done: "kept by a stable subject so that the next Full Check's rewrite keeps it"."""

import uuid
from datetime import UTC, datetime

import msgspec
import pytest

from sightline.accounts.models import Actor, Role
from sightline.errors import Problem
from sightline.insights.findings.schemas import Finding
from sightline.insights.models import ActionWording, AskedPrompt, DoneMark, StoredRecommendation, task_key
from sightline.insights.read import list_recommendations
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.tasks import (
    RecommendationTask,
    find_mark,
    mark_done,
    mark_open,
    put_headline_first,
    read_tasks,
)
from sightline.plans.table import Plan
from sightline.presentation.language import in_language
from sightline.reports.weekly.read import read_html
from tests.insights.anvil_market import market_answer, open_market
from tests.reports.stored_reports import ReportedDomain, to_report_row
from tests.reports.test_write import list_emails
from tests.web.page_browser import open_browser

PROMPT = uuid.UUID(int=7)


async def act(history, step, key, **options):
    actor = Actor("session", history.workspace_id, history.tenant.owner.id, Role.OWNER, Plan.AGENCY, livemode=True)
    async with history.installation.db.transaction() as tx:
        await step(tx, actor, history.domain_id, key, **options)


async def tasks_of(history):
    return await read_tasks(history.installation.db, history.workspace_id, history.domain_id)


async def test_a_mark_survives_the_next_full_check_and_an_undo_brings_the_task_back(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    before = await tasks_of(history)
    first, *rest = before.open
    assert rest and not before.done
    now = installation.clock()
    for _ in range(2):
        await act(history, mark_done, first.key, now=now)
        installation.clock.advance(minutes=1)
    await history.run_full_check(market_answer)
    after = await tasks_of(history)
    assert [task.key for task in after.open] == [task.key for task in rest]
    (done,) = after.done
    assert (done.key, done.done.done_by, done.done.done_at) == (first.key, history.tenant.owner.name, now)
    assert done.id != first.id, "it is a new row"
    for _ in range(2):
        await act(history, mark_open, first.key)
    assert [task.key for task in (await tasks_of(history)).open] == [task.key for task in before.open]


async def test_what_is_not_recommended_cannot_be_marked_here_or_in_another_workspace(installation):
    history, other = await open_market(installation), await open_market(installation)
    await history.run_full_check(market_answer)
    await other.run_full_check(lambda *_: "It depends.")
    theirs = await tasks_of(other)
    assert theirs.is_generated and not theirs.open, "nothing significant is no task"
    for key in ((await tasks_of(history)).open[0].key, "get_listed-0", "nothing_significant-1", "\x00"):
        with pytest.raises(Problem, match="not_found"):
            await act(other, mark_done, key, now=installation.clock())


def test_the_key_tells_tasks_apart_and_has_the_same_length_for_any_address():
    keys = [
        task_key("get_listed", "g2.com/a"),
        task_key("keep", "g2.com/a"),
        task_key("get_listed", "g2.com/b"),
        task_key("get_listed", "x" * 9000),
        task_key("open_door", "perplexity"),
    ]
    assert len(set(keys)) == 5
    assert len(keys[3]) == len(keys[0]) < 60


def test_a_site_that_is_marked_covers_its_pages_and_a_page_covers_nothing_else():
    page = StoredRecommendation(kind="get_listed", subject="g2.com/a", site="g2.com", proofs=())
    site = StoredRecommendation(kind="get_listed", subject="g2.com", site="g2.com", proofs=())
    keep = StoredRecommendation(kind="keep", subject="g2.com/a", site="g2.com", proofs=())
    mark = DoneMark("", "Ada", datetime(2026, 11, 16, tzinfo=UTC))
    of_site, of_page = {task_key("get_listed", "g2.com"): mark}, {task_key("get_listed", "g2.com/a"): mark}
    assert [find_mark(row, of_site) for row in (page, site, keep)] == [mark, mark, None]
    assert [find_mark(row, of_page) for row in (page, site, keep)] == [mark, None, None]


async def test_the_weekly_report_does_not_ask_for_what_is_done(installation):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    listed, platform = (await tasks_of(tracked)).open
    await act(tracked, mark_done, listed.key, now=installation.clock())
    await tracked.write(job)
    assert [task.kind for task in (await tracked.report(job))["document"].tasks] == [platform.found.kind]


async def test_api_page_report_and_email_count_the_same_rows_and_say_the_same(installation):
    """One function gives them all: of 14 open rows, the page shows 12, and report and e-mail the first three."""
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.store_insights(job, listings=14)
    listed = (await tasks_of(tracked)).open
    await act(tracked, mark_done, listed[0].key, now=installation.clock())
    place = (tracked.workspace_id, tracked.domain_id)
    rows = (await list_recommendations(installation.db, *place, "Acme", after=None, page_size=50)).rows
    open_rows = [row for row in rows if row.state == "open"]
    assert (len(rows), len(open_rows)) == (15, 14)
    await tracked.write(job)
    report = await tracked.report(job)
    document = report["document"]
    assert document.tasks_total == 14 and "There are 14 recommendations." in report["summary"]
    (email,) = await list_emails(installation)
    written = await read_html(installation.db, to_report_row(report))
    shown = [row.action for row in open_rows if row.action in written]
    assert shown == [row.action for row in open_rows[:3]]
    assert shown == [row.action for row in open_rows if row.action in email.text]
    async with open_browser(installation, tracked.tenant.owner) as browser:
        path = f"/w/{tracked.tenant.id}/d/{tracked.domain_id}/recommendations"
        page, whole = (await browser.get(path)).text, (await browser.get(f"{path}?show=all")).text
    assert "14 recommendations" in page and "Show all 14" in page and "Show all 14" not in whole
    assert [row.action in page for row in rows] == [True] * 13 + [False] * 2, "one is done"
    assert all(row.action in whole and row.why in whole for row in rows)


@pytest.mark.parametrize(
    ("about", "first"),
    [
        ({"platform": "gemini"}, "open_door"),
        ({"prompt_id": PROMPT}, "win_back"),
        ({"platform": "gemini", "tier": "watch"}, "get_listed"),
        ({"platform": "gemini", "direction": "up"}, "get_listed"),
        ({"platform": "gemini", "competitor": "Hooli"}, "get_listed"),
        ({}, "get_listed"),
    ],
)
def test_tasks_about_a_clear_loss_of_the_brand_come_first(about, first):
    rows = [
        StoredRecommendation(kind="get_listed", platforms=("chatgpt", "gemini"), proofs=()),
        StoredRecommendation(kind="open_door", subject="gemini", platforms=("gemini",), proofs=()),
        StoredRecommendation(kind="win_back", prompts=(AskedPrompt(str(PROMPT), "Which anvil?"),), proofs=()),
    ]
    tasks = [RecommendationTask("", PROMPT, PROMPT, place, row, None) for place, row in enumerate(rows)]
    since = "2026-11-11T09:00:00+00:00"
    finding = Finding(
        kind="platform", period="last_check", since=since, **{"tier": "clear", "direction": "down"} | about
    )
    assert put_headline_first(tasks, [finding])[0].found.kind == first
    assert put_headline_first(tasks, []) == tasks


def test_the_editors_words_are_shown_in_their_language_only():
    found = StoredRecommendation(kind="open_door", subject="gemini", platforms=("gemini",), proofs=())
    german, unknown = (
        msgspec.structs.replace(
            found, wording=ActionWording("Auf Gemini sichtbar werden", "Weil.", ("Tun.",), language=each)
        )
        for each in ("de", None)
    )
    for row, language, edited in ((german, "de", True), (german, "en", False), (unknown, "en", True)):
        with in_language(language):
            texts = describe_action(row, 0, "Acme")
        assert texts.edited is edited and (texts.action == "Auf Gemini sichtbar werden") is edited
