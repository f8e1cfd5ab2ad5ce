"""The past of the demonstration world: a tracked domain on every plan, with the checks of its last weeks."""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Database
from sightline.domains.names import first_label
from sightline.domains.schemas import CompetitorInput
from sightline.onboarding.demo.replay import DemoReplay, begin_replay, replay_history
from sightline.onboarding.setup import SetupInput
from sightline.plans.table import Plan
from sightline.platforms.sandbox.market import Subject, market_of
from sightline.platforms.sandbox.suggest import suggest_prompts
from sightline.prompts.pin import pin_prompt
from sightline.prompts.queries import list_tracked_prompts

# Enough to say something, few enough to be lived through in two minutes.
_PROMPTS = {Plan.AGENCY: 12, Plan.TRIAL: 10, Plan.PROFESSIONAL: 10, Plan.STARTER: 8, Plan.FREE: 10}
_COMPETITORS = 3
_PINNED = 2


class DemoDomain(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    domain: str
    plan: Plan


async def build_demo_history(db: Database, replay: DemoReplay, domains: list[DemoDomain], *, weeks: int) -> int:
    """How many checks were run. What was lived through already is left alone."""
    done = 0
    for place, each in enumerate(domains):
        # The first had its latest Full Check an hour ago and shows all that one brings; the others are further on in
        # their weeks.
        anchor = replay.now - timedelta(weeks=weeks, days=2 * place, hours=1)
        await begin_replay(db, replay, each.workspace_id, each.domain_id, _build_setup(each), anchor=anchor)
        await _pin_first_prompts(db, each, now=anchor)
        done += await replay_history(db, replay, each.workspace_id, each.domain_id)
    return done


def _build_setup(each: DemoDomain) -> SetupInput:
    """The strongest rivals of the made-up market are tracked from the start; the others are there to be found."""
    brand = first_label(each.domain).capitalize()
    subject = Subject(each.domain, brand)
    rivals = market_of(subject).rivals[:_COMPETITORS]
    return SetupInput(
        brand_name=brand,
        language_code="en",
        competitors=[CompetitorInput(rival.domain, rival.name) for rival in rivals],
        suggested=list(suggest_prompts(subject, "en", _PROMPTS[each.plan])),
    )


async def _pin_first_prompts(db: Database, each: DemoDomain, *, now: datetime) -> None:
    async with db.transaction() as tx:
        prompts = await list_tracked_prompts(tx, each.workspace_id, each.domain_id)
        if any(prompt.pinned_at for prompt in prompts):
            return
        for prompt in prompts[:_PINNED]:
            await pin_prompt(tx, each.workspace_id, each.domain_id, prompt.id, now=now)
