"""A review from its request to its findings: once a week, resumed after a crash, once if run twice, one tenant each."""

import asyncio
from datetime import timedelta

import pytest

from sightline.accounts.models import build_operator_actor
from sightline.db.engine import Database
from sightline.errors import Problem
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.tasks import read_tasks
from sightline.insights.reviewed_site import (
    ignore_site_finding,
    list_reviewed_themes,
    refresh_site_actions,
    reopen_site_finding,
)
from sightline.kit.ids import new_id
from sightline.onboarding.demo.example_site import review_example_site
from sightline.scans.queries import find_scan
from sightline.site_review import manage, queries
from sightline.site_review.fetch import FetchLimits, SiteFetcher
from sightline.site_review.models import decode_found
from sightline.site_review.request import ReviewJob, request_review, request_weekly_review
from sightline.site_review.review import review_site
from tests.competitors.local_sites import open_sites
from tests.scan_history import ScanHistory, ScriptedAnswer

PAGE = "<html lang=en><title>{0}</title><body><h1>{0}</h1><p>" + "Anvils for small forges, made by hand. " * 20
PROMPT = "Which anvil suits a small forge?"


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        opened.serve("https://acme.com/robots.txt", body=b"User-agent: Claude-User\nDisallow: /\n")
        opened.serve("https://acme.com/sitemap.xml", 404)
        for path in ("", "mini", "maxi"):
            opened.serve(f"https://acme.com/{path}", body=PAGE.format(path or "Acme").encode())
        opened.serve("https://acme.com/gone", 404)
        yield opened


class Reviews:
    """The reviews of acme.com in one workspace."""

    def __init__(self, history, sites) -> None:
        self.history, self.sites = history, sites
        self.db: Database = history.installation.db
        self.clock = history.installation.clock
        self.key = (history.workspace_id, history.domain_id)

    async def check(self) -> object:
        """Complete a Full Check with live answers that cite three pages of ours."""
        cited = ("https://acme.com/gone", "https://www.acme.com/mini", "https://acme.com/maxi#top")
        scan_id = await self.history.run_full_check(lambda *_: ScriptedAnswer("Acme makes anvils.", cited))
        await self.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", scan_id)
        return await find_scan(self.db, self.key[0], scan_id)

    async def request(self, scan) -> object:
        async with self.db.transaction() as tx:
            await request_weekly_review(tx, scan, now=self.clock())
        return next((row for row in await queries.list_reviews(self.db, *self.key, limit=1)), None)

    def open_fetcher(self, domains):
        return SiteFetcher(
            self.sites.session, self.sites.guard, domains, docs_url="https://x.example", limits=FetchLimits(delay=0.0)
        )

    async def run(self, review, *, open_fetcher=...):
        async def read_themes(*at):
            return await list_reviewed_themes(self.db, *at)

        opened = self.open_fetcher if open_fetcher is ... else open_fetcher
        job = ReviewJob(self.key[0], review.id)
        return await review_site(
            self.db, job, open_fetcher=opened, read_themes=read_themes, act=refresh_site_actions, clock=self.clock
        )

    async def read_findings(self):
        rows = await queries.list_findings(self.db, *self.key)
        return {(row.kind, decode_found(row).url or decode_found(row).subject): row.state for row in rows}

    def actor(self, tenant=None):
        tenant = tenant or self.history.tenant
        return build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)


@pytest.fixture
async def reviews(installation, sites):
    return Reviews(await ScanHistory.open(installation, PROMPT), sites)


FOUND = {("cited_gone", "acme.com/gone"): "open", ("agent_blocked", "Claude-User"): "open"}


async def test_a_full_check_with_live_answers_leads_to_one_review_a_week(reviews):
    scan = await reviews.check()
    review = await reviews.request(scan)
    assert review.started_at is None
    assert (await reviews.request(scan)).id == review.id
    assert await reviews.run(review)
    assert await reviews.read_findings() == FOUND
    latest = await manage.read_latest_review(reviews.db, *reviews.key)
    assert latest.open == {"broken": 1, "access": 1, "readable": 0, "missing": 0}
    assert [(page.url, page.page.fetched.status, page.text) for page in latest.pages] == [
        ("https://acme.com/gone", 404, None),
        ("https://acme.com/maxi", 200, None),
        ("https://www.acme.com/mini", None, None),
        ("https://acme.com/", 200, None),
    ]
    rows = [decode_found(row) for row in await queries.list_findings(reviews.db, *reviews.key)]
    assert (rows[0].answers, [prompt.text for prompt in rows[0].prompts]) == (3, [PROMPT])
    reviews.clock.advance(days=6)
    assert (await reviews.request(scan)).id == review.id
    reviews.clock.advance(days=1)
    assert (await reviews.request(scan)).id != review.id


async def test_sandbox_answers_lead_to_no_review(reviews):
    scan = await reviews.check()
    await reviews.db.execute("UPDATE scans SET answers_source = 'sandbox' WHERE id = $1", scan.id)
    assert await reviews.request(await find_scan(reviews.db, scan.workspace_id, scan.id)) is None
    async with reviews.db.transaction() as tx:
        with pytest.raises(Problem, match="live"):
            await request_review(tx, reviews.actor(), reviews.key[1], now=reviews.clock())
    assert reviews.sites.asked == []


async def test_where_nothing_may_be_contacted_the_review_is_dropped(reviews):
    review = await reviews.request(await reviews.check())
    assert not await reviews.run(review, open_fetcher=None)
    assert await queries.list_reviews(reviews.db, *reviews.key, limit=2) == []


async def test_a_review_goes_on_where_a_dead_worker_left_it(reviews):
    review = await reviews.request(await reviews.check())
    read = 0

    def open_dying(domains):
        fetcher = reviews.open_fetcher(domains)
        fetch = fetcher.fetch_page

        async def fetch_and_die(url):
            nonlocal read
            read += 1
            if read > 2:
                raise ConnectionAbortedError
            return await fetch(url)

        fetcher.fetch_page = fetch_and_die
        return fetcher

    with pytest.raises(ConnectionAbortedError):
        await reviews.run(review, open_fetcher=open_dying)
    assert await reviews.read_findings() == {}
    asked = list(reviews.sites.asked)
    assert await reviews.run(review)
    assert await reviews.read_findings() == FOUND
    later = reviews.sites.asked[len(asked) :]
    assert "https://acme.com/gone" in asked and "https://acme.com/gone" not in later
    assert not await reviews.run(review)


async def test_two_workers_at_once_store_one_result(reviews):
    review = await reviews.request(await reviews.check())
    ended = await asyncio.gather(*(reviews.run(review) for _ in range(3)))
    assert sorted(ended) == [False, False, True]
    assert await reviews.read_findings() == FOUND
    assert len(await queries.list_reviews(reviews.db, *reviews.key, limit=5)) == 1


async def test_findings_are_mended_open_again_and_ignored(reviews):
    scan = await reviews.check()
    await reviews.run(await reviews.request(scan))
    row = next(row for row in await queries.list_findings(reviews.db, *reviews.key) if row.kind == "agent_blocked")
    async with reviews.db.transaction() as tx:
        ignored = await manage.ignore_finding(
            tx, reviews.actor(), reviews.key[1], row.id, " not  ours ", now=reviews.clock()
        )
        with pytest.raises(Problem):
            await manage.ignore_finding(tx, reviews.actor(), reviews.key[1], new_id(), "", now=reviews.clock())
    assert (ignored.state, ignored.reason) == ("ignored", "not ours")
    reviews.sites.serve("https://acme.com/gone", body=PAGE.format("Back").encode())
    await review_again(reviews, scan)
    assert await reviews.read_findings() == {
        ("cited_gone", "acme.com/gone"): "mended",
        ("agent_blocked", "Claude-User"): "ignored",
    }
    del reviews.sites.pages["https://acme.com/gone"]  # no connection: nothing is known
    await review_again(reviews, scan)
    assert (await reviews.read_findings())["cited_gone", "acme.com/gone"] == "mended"
    reviews.sites.serve("https://acme.com/gone", 410)
    await review_again(reviews, scan)
    assert (await reviews.read_findings())["cited_gone", "acme.com/gone"] == "open"
    del reviews.sites.pages["https://acme.com/gone"]
    await review_again(reviews, scan)
    assert (await reviews.read_findings())["cited_gone", "acme.com/gone"] == "open"
    async with reviews.db.transaction() as tx:
        again = await manage.reopen_finding(tx, reviews.actor(), reviews.key[1], row.id)
    assert (again.state, again.ignored_at) == ("open", None)


async def review_again(reviews, scan):
    reviews.clock.advance(days=7)
    await reviews.run(await reviews.request(scan))


async def test_by_hand_at_most_once_a_day(reviews):
    await reviews.check()
    async with reviews.db.transaction() as tx:
        review_id = await request_review(tx, reviews.actor(), reviews.key[1], now=reviews.clock())
    for _ in range(2):
        async with reviews.db.transaction() as tx:
            with pytest.raises(Problem) as refused:
                await request_review(tx, reviews.actor(), reviews.key[1], now=reviews.clock())
        assert refused.value.code == "site_review_too_soon"
        await reviews.run(await queries.find_review(reviews.db, reviews.key[0], review_id))
    reviews.clock.advance(days=1)
    async with reviews.db.transaction() as tx:
        assert await request_review(tx, reviews.actor(), reviews.key[1], now=reviews.clock()) != review_id


async def test_what_takes_too_long_is_not_checked(reviews):
    review = await reviews.request(await reviews.check())

    def open_slow(domains):
        fetcher = reviews.open_fetcher(domains)
        fetch = fetcher.fetch_page

        async def fetch_slowly(url):
            reviews.clock.advance(minutes=15)
            return await fetch(url)

        fetcher.fetch_page = fetch_slowly
        return fetcher

    assert await reviews.run(review, open_fetcher=open_slow)
    pages = (await manage.read_latest_review(reviews.db, *reviews.key)).pages
    assert [page.page.fetched.reason for page in pages][-1] == "time_used_up"


async def test_another_workspace_sees_and_changes_nothing(reviews, installation):
    await reviews.run(await reviews.request(await reviews.check()))
    other = await ScanHistory.open(installation, PROMPT)
    row = (await queries.list_findings(reviews.db, *reviews.key))[0]
    assert await queries.list_findings(reviews.db, other.workspace_id, reviews.key[1]) == []
    async with reviews.db.transaction() as tx:
        with pytest.raises(Problem):
            await manage.reopen_finding(tx, reviews.actor(other.tenant), reviews.key[1], row.id)
    async with reviews.db.transaction() as tx:
        with pytest.raises(Problem):
            await request_review(
                tx, reviews.actor(other.tenant), reviews.key[1], now=reviews.clock() + timedelta(days=9)
            )


async def test_what_is_broken_comes_first_in_the_recommendations(reviews):
    scan = await reviews.check()
    await reviews.run(await reviews.request(scan))
    tasks = (await read_tasks(reviews.db, *reviews.key)).rows
    assert [(task.found.kind, task.found.subject) for task in tasks[:2]] == [
        ("mend_page", "acme.com/gone"),
        ("admit_agent", "Claude-User"),
    ]
    told = describe_action(tasks[0].found, len(tasks[0].found.proofs), "Acme")
    assert told.action == "Mend acme.com/gone, which answers cite"
    assert (told.why, len(told.steps), told.effort) == ("acme.com/gone is gone (404).", 3, "low")
    assert {proof.scan_id for proof in tasks[0].found.proofs} == {scan.id}
    row = next(row for row in await queries.list_findings(reviews.db, *reviews.key) if row.kind == "cited_gone")
    async with reviews.db.transaction() as tx:
        await ignore_site_finding(tx, reviews.actor(), reviews.key[1], row.id, "", now=reviews.clock())
    assert [task.found.kind for task in (await read_tasks(reviews.db, *reviews.key)).rows][:1] == ["admit_agent"]
    async with reviews.db.transaction() as tx:
        await reopen_site_finding(tx, reviews.actor(), reviews.key[1], row.id)
    await reviews.check()  # the next Full Check replaces the recommendations, and keeps these
    assert [task.found.kind for task in (await read_tasks(reviews.db, *reviews.key)).rows][:2] == [
        "mend_page",
        "admit_agent",
    ]


async def test_the_demonstration_reviews_an_example_site_on_this_machine(reviews):
    cited = ("https://acme.com/collections/bestsellers", "https://acme.com/guides/anvils", "https://acme.com/help")
    await reviews.history.run_full_check(lambda *_: ScriptedAnswer("Acme makes anvils.", cited))
    for _ in range(2):
        await review_example_site(reviews.db, *reviews.key, clock=reviews.clock)
    assert await reviews.read_findings() == {
        ("cited_gone", "acme.com/collections/bestsellers"): "open",
        ("agent_blocked", "Claude-User"): "open",
        ("listed_gone", "acme.com/press/2019"): "open",
        ("needs_scripts", "acme.com/guides/anvils"): "open",
    }
    assert len(await queries.list_reviews(reviews.db, *reviews.key, limit=5)) == 1
    assert reviews.sites.asked == []
