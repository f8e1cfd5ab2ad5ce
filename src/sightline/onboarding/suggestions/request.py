"""Requesting suggested prompts for a domain that is being set up.

A worker asks the platform, through the gates that scans share. The answer is saved: the same input costs nothing
again. A plan includes a number of requests a day. Beyond it, and whenever no platform answers, ten prompts are built
without a platform.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.answers.models import Brand
from sightline.db.engine import Database, Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.insights.editor.read import find_rules_reason
from sightline.insights.editor.setup import NO_EDITOR, find_site_facts, suggest_prompts
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.counting import count
from sightline.kit.shared_tasks import SharedTasks
from sightline.onboarding import site_pages
from sightline.onboarding.suggestions import queries
from sightline.onboarding.suggestions.models import JOB, SuggestionJob
from sightline.plans.table import PlanTable
from sightline.platforms.access import find_connections, is_sandbox
from sightline.scans.brands import build_tracked_brands
from sightline.scans.editor_platform import choose_editor
from sightline.scans.platform_clients import build_subject
from sightline.scans.scheduling.queries import read_plan
from sightline.scans.suggest import SuggestedPrompts, SuggestionInput, suggest_in_sandbox
from sightline.settings import Settings

_WAIT_SECONDS = 60.0
_POLL_SECONDS = 0.3
# Shared by everybody who waits for the same suggestions: pressing a button often costs no more than pressing it once.
_WAITING: SharedTasks[SuggestedPrompts | None] = SharedTasks()
_STALE_AFTER = timedelta(minutes=15)  # longer than a worker takes for an answer


def build_request(
    workspace_id: uuid.UUID,
    domain: TrackedDomainRow,
    competitors: Sequence[Brand] = (),
    *,
    language: str | None,
    country: str | None,
    category: str | None = None,
) -> SuggestionJob:
    """Return the request for prompts of a domain, with the names that it has in its setup."""
    wanted = SuggestionInput(
        domain=domain.domain,
        brand=build_tracked_brands(domain, []).brand,
        competitors=tuple(competitors),
        language=language,
        country=country,
        category=category,
    )
    return SuggestionJob(workspace_id=workspace_id, domain_id=domain.id, input=wanted)


async def suggest_prompts_at_setup(
    db: Database, settings: Settings, job: SuggestionJob, *, plans: PlanTable, now: datetime
) -> SuggestedPrompts:
    """Suggest ten prompts; in a sandbox they come from its made-up market, and nothing is contacted.

    Waits for the worker's answer for a minute at most, outside any transaction. An answer that comes later is found by
    the next request with the same input, which does not count again.
    """
    found = await _request_prompts(db, settings, job, plans, now=now)
    return (
        found
        or await _WAITING.run(job.key, lambda: _wait(db, job))
        or await _suggest_offline(
            job.input,
            "the platform has not answered yet. Its suggestions are saved when they arrive: ask again in a minute",
        )
    )


async def find_first_prompts(
    db: Database, settings: Settings, job: SuggestionJob, *, plans: PlanTable, now: datetime
) -> SuggestedPrompts | None:
    """Return the prompts that a new setup begins with, and request them the first time; None until they arrive.

    Unlike `suggest_prompts_at_setup`, it never asks a second time where a platform had nothing to suggest.
    """
    saved = await queries.find_suggestions(db, job.workspace_id, job.domain_id, job.input.digest)
    found = saved and saved.to_suggested()
    if not found:
        return await _request_prompts(db, settings, job, plans, now=now)
    facts = await find_site_facts(db, job.workspace_id, job.domain_id, job.input, site_pages.SITES.fetch)
    return msgspec.structs.replace(found, brand_name=facts.name, category=facts.plural, rivals=facts.rivals)


async def _request_prompts(
    db: Database, settings: Settings, job: SuggestionJob, plans: PlanTable, *, now: datetime
) -> SuggestedPrompts | None:
    """Return prompts where no platform is asked, otherwise request them and return None."""
    wanted = job.input
    if is_sandbox(settings):
        subject = build_subject(wanted.domain, wanted.brand, wanted.competitors)
        return suggest_in_sandbox(subject, language=wanted.language, country=wanted.country)
    refusal = await _find_reason(db, settings, job.workspace_id) or await _request(db, job, plans, now=now)
    return await _suggest_offline(wanted, refusal) if refusal else None


async def _find_reason(db: Database, settings: Settings, workspace_id: uuid.UUID) -> str | None:
    """Return why there is no editor to ask, or None."""
    reason = await find_rules_reason(db, workspace_id, choose_editor(settings, find_connections(settings)))
    return None if reason is None else NO_EDITOR[reason]


class _Refused(Exception):
    """The platform is not asked. The request is rolled back, and its message says why."""


async def _request(db: Database, job: SuggestionJob, plans: PlanTable, *, now: datetime) -> str | None:
    """Enqueue the question unless it was asked before. Return why it cannot be asked, or None."""
    try:
        async with db.transaction() as tx:
            if await queries.claim_request(tx, job, stale_before=now - _STALE_AFTER, now=now):
                await _enqueue(tx, job, plans, now=now)
    except _Refused as refused:
        return str(refused)
    return None


async def _enqueue(tx: Transaction, job: SuggestionJob, plans: PlanTable, *, now: datetime) -> None:
    """Count a new question and enqueue its job. The count and the job exist together, or neither does."""
    if not await queries.has_worker(tx):
        raise _Refused("no worker is running that could ask one")
    limit = plans[await read_plan(tx, job.workspace_id)].suggestion_requests_per_day
    if not await queries.count_request(tx, job.workspace_id, now.date(), limit=limit):
        raise _Refused(
            f"your plan includes {count(limit, 'request')} a day, and today's are used up. "
            "There are new ones after midnight UTC"
        )
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=job.key))


async def _wait(db: Database, job: SuggestionJob) -> SuggestedPrompts | None:
    """Return the saved answer; None if there is none within the time."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _WAIT_SECONDS
    while True:
        saved = await queries.find_suggestions(db, job.workspace_id, job.domain_id, job.input.digest)
        found = saved.to_suggested() if saved else None
        if found is not None or loop.time() >= deadline:
            return found
        await asyncio.sleep(_POLL_SECONDS)


async def _suggest_offline(wanted: SuggestionInput, reason: str) -> SuggestedPrompts:
    """Return ten prompts from templates. No platform is asked."""
    return await suggest_prompts(wanted, None, site_pages.SITES.fetch, fault=reason)
