"""The domain that is measured: a hundred prompts on six platforms, answered by the sandbox.

The product's own functions set it up and scan it for a week.
"""

import itertools
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

import msgspec

from bench.comparison import Aborted
from bench.environment import BenchEnvironment
from bench.tracking.databases import opened, read_settings
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.issue import NewKey, mint_key
from sightline.db.engine import Reader, Transaction
from sightline.domains.schemas import CompetitorInput
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.kit.clock import utc_now
from sightline.onboarding.demo.replay import DemoReplay, begin_replay, replay_history
from sightline.onboarding.setup import SetupInput
from sightline.plans.table import Plan as CustomerPlan
from sightline.plans.table import PlanTable, build_plan_table
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.prompts import suggest_prompts
from sightline.worker.follow_up import follow_up_in_process

PROMPTS = 100
_COUNTRIES = ("US", "GB", "CA", "AU", "IE")
DOMAIN, _BRAND = "acme.com", "Acme"
_DAYS = 6
_numbers = itertools.count(1)


class TrackedDomain(msgspec.Struct, frozen=True):
    """A tracked domain in a workspace of its own."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    key: str


class Brand(msgspec.Struct, frozen=True):
    owned: TrackedDomain
    scans: Mapping[str, uuid.UUID]
    """The latest check of each scope."""
    begun: datetime


async def set_up_domain(tx: Transaction, domain: str, plans: PlanTable, *, now: datetime) -> TrackedDomain:
    """Create the domain in its setup state."""
    owner = await create_user(tx, f"tracker{next(_numbers)}@acme.com", "Owner", "no password opens this", now=now)
    assert owner is not None
    workspace = await create_workspace(tx, owner, "Acme", CustomerPlan.AGENCY, now=now)
    _, key = await mint_key(tx, workspace.id, owner.id, NewKey(name="Key", kind="data", livemode=True), now=now)
    tracked = await track_domain(tx, workspace.id, TrackInput(domain), plans=plans, now=now)
    return TrackedDomain(workspace.id, tracked.id, key)


async def run_week(environment: BenchEnvironment) -> Brand:
    """Run a Full Check and the six Daily Checks after it, each with its follow-up."""
    settings, now = read_settings(environment), utc_now()
    anchor = now - timedelta(days=_DAYS, hours=12)
    async with opened(environment) as db:
        async with db.transaction() as tx:
            owned = await set_up_domain(tx, DOMAIN, build_plan_table(settings.plans), now=anchor)
        replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, db, settings), now=now)
        await begin_replay(db, replay, owned.workspace_id, owned.domain_id, describe_brand(PROMPTS), anchor=anchor)
        if await replay_history(db, replay, owned.workspace_id, owned.domain_id, advance=lambda: None) != _DAYS:
            raise Aborted("the week of the measured domain has not as many checks as it should")
        return await read_brand(db, owned, begun=anchor)


async def read_brand(db: Reader, owned: TrackedDomain, *, begun: datetime) -> Brand:
    rows = await db.fetch(
        """SELECT DISTINCT ON (measurement_scope) measurement_scope, id FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed'
           ORDER BY measurement_scope, created_at DESC""",
        owned.workspace_id,
        owned.domain_id,
    )
    return Brand(owned, {row[0]: row[1] for row in rows}, begun)


def describe_brand(prompts: int) -> SetupInput:
    """Describe a brand with this many prompts, over five countries."""
    subject = Subject(DOMAIN, _BRAND)
    texts = suggest_prompts(subject, "en", prompts // len(_COUNTRIES))
    return SetupInput(
        brand_name=_BRAND,
        language_code="en",
        countries=list(_COUNTRIES),
        competitors=[CompetitorInput(rival.domain, rival.name) for rival in build_market(subject).rivals[:3]],
        suggested=list(texts),
    )
