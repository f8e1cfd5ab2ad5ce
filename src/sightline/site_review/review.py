"""Running a review: the job reads page by page and stores each, and at the end what it found.

A worker that dies leaves what it has read; the next one goes on from there. Two at once store each page once, and one
result.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import timedelta

from sightline.answers.citations import normalize_url
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import find_tracked_domain, lock_tracked_domain
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.scans.queries import find_scan
from sightline.scans.running.queries import read_answers
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import to_answer
from sightline.site_review import queries
from sightline.site_review.context import build_context
from sightline.site_review.fetch import Fetched, SiteFetcher
from sightline.site_review.findings import find_findings
from sightline.site_review.models import (
    GROUP_OF,
    FindingRow,
    Found,
    Question,
    ReadPage,
    ReviewContext,
    ReviewedPage,
    SiteFacts,
    SiteReviewRow,
    decode_found,
    decode_site,
)
from sightline.site_review.reading import plan_pages, read_one, read_site
from sightline.site_review.request import ReviewJob

MAX_DURATION = timedelta(minutes=20)

OpenFetcher = Callable[[Sequence[str]], SiteFetcher]
"""Opens the fetcher for the domains of a brand."""
ReadThemes = Callable[[uuid.UUID, uuid.UUID], Awaitable[Sequence[Question]]]
"""Reads the themes of a domain's codebook, each with the answers that have it in `rival_pages`."""
Act = Callable[[Transaction, uuid.UUID, uuid.UUID], Awaitable[None]]
"""Brings what follows from the findings of a domain up to date, in the transaction that stores them."""


async def review_site(
    db: Database,
    job: ReviewJob,
    *,
    open_fetcher: OpenFetcher | None,
    read_themes: ReadThemes,
    act: Act,
    clock: Clock,
) -> bool:
    """Review a site and return whether this call ended the review.

    With `open_fetcher` None, in a sandbox, nothing is contacted: the review is dropped.
    """
    review = await queries.find_review(db, job.workspace_id, job.review_id)
    if review is None or review.completed_at is not None:
        return False
    context = await _read_context(db, job.workspace_id, review, read_themes)
    if open_fetcher is None or context is None:
        async with db.transaction() as tx:
            await queries.delete_review(tx, job.workspace_id, review.id)
        return False
    fetcher = open_fetcher(context.domains)
    if review.started_at is None:
        review = await _start(db, job, review, fetcher, context, clock=clock)
    await _read_pages(db, job, review, fetcher, clock=clock)
    return await _finish(db, job, review, context, act, clock=clock)


async def _read_context(
    db: Database, workspace_id: uuid.UUID, review: SiteReviewRow, read_themes: ReadThemes
) -> ReviewContext | None:
    """Read what the answers of the check say; None if the domain is no longer tracked."""
    domain = await find_tracked_domain(db, workspace_id, review.domain_id)
    scan = await find_scan(db, workspace_id, review.scan_id)
    if domain is None or scan is None or scan.prompts is None:
        return None
    rows = await read_answers(db, workspace_id, scan.id)
    themes = await read_themes(workspace_id, review.domain_id)
    domains = tuple(dict.fromkeys((domain.domain, *domain.owned_domains)))

    def build() -> ReviewContext:
        plan = build_plan(scan, frozenset())
        answers = [to_answer(row, plan.prompts[row.prompt_index]) for row in rows]
        return build_context(plan, domains, answers, themes)

    return await asyncio.to_thread(build)


async def _start(
    db: Database,
    job: ReviewJob,
    review: SiteReviewRow,
    fetcher: SiteFetcher,
    context: ReviewContext,
    *,
    clock: Clock,
) -> SiteReviewRow:
    """Read robots.txt and the sitemap, choose the pages, and store both. Pages with open findings are read again."""
    site = await read_site(fetcher)
    rows = await queries.list_findings(db, job.workspace_id, review.domain_id, states=("open",))
    again = dict.fromkeys(found.url for row in rows if (found := decode_found(row)).url)
    pages = plan_pages(
        context,
        site.listed,
        home=fetcher.domain,
        again=[f"{fetcher.scheme}://{url}" for url in again],
        scheme=fetcher.scheme,
    )
    async with db.transaction() as tx:
        await queries.start_review(tx, job.workspace_id, review.id, site, pages, now=clock())
    started = await queries.find_review(db, job.workspace_id, review.id)
    assert started is not None
    return started


async def _read_pages(
    db: Database, job: ReviewJob, review: SiteReviewRow, fetcher: SiteFetcher, *, clock: Clock
) -> None:
    assert review.started_at is not None
    for page in await queries.list_pages(db, job.workspace_id, review.id):
        if page.page is not None:
            continue
        if clock() - review.started_at > MAX_DURATION:
            read, text = ReadPage(fetched=Fetched(url=page.url, reason="time_used_up")), None
        else:
            read, text = await read_one(fetcher, page.url, today=clock().date())
        async with db.transaction() as tx:
            await queries.store_page(tx, job.workspace_id, review.id, page.place, read, text)
        crash_point("site_page_stored")


async def _finish(
    db: Database, job: ReviewJob, review: SiteReviewRow, context: ReviewContext, act: Act, *, clock: Clock
) -> bool:
    assert review.site is not None
    pages = await queries.list_pages(db, job.workspace_id, review.id)
    found, site = await asyncio.to_thread(find_findings, context, decode_site(review.site), pages)
    async with db.transaction() as tx:
        if await lock_tracked_domain(tx, job.workspace_id, review.domain_id) is None:
            await queries.delete_review(tx, job.workspace_id, review.id)
            return False
        now = clock()
        if not await queries.complete_review(tx, job.workspace_id, review, site, now=now):
            return False
        open_rows = await queries.list_findings(tx, job.workspace_id, review.domain_id, states=("open",))
        mended = [row.id for row in open_rows if is_mended(row, found, site, pages)]
        await queries.store_findings(tx, job.workspace_id, review.domain_id, found, mended, now=now)
        await act(tx, job.workspace_id, review.domain_id)
        crash_point("before_site_review_commit")
    return True


def is_mended(row: FindingRow, found: Collection[Found], site: SiteFacts, pages: Sequence[ReviewedPage]) -> bool:
    """Return whether a review has seen that a finding is gone. What was not checked again stays open."""
    if any(each.key == row.key for each in found):
        return False
    before = decode_found(row)
    if before.kind == "agent_blocked":
        return "agents" not in site.unchecked
    if before.kind == "robots_failing":
        return site.robots_status is not None and site.robots_status < 500
    if GROUP_OF[before.kind] == "missing":
        return ("questions" if before.kind == "prompt_missing" else "themes") not in site.unchecked
    for page in pages:
        citation = normalize_url(page.url)
        if citation is not None and citation.url == before.url and page.page is not None:
            return page.page.fetched.reason is None
    return False
