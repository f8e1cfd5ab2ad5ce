"""Building the history of the demonstration: the scans of the last weeks of its tracked domains."""

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Database
from sightline.domains.names import first_label
from sightline.domains.schemas import CompetitorInput
from sightline.onboarding.demo.example_site import review_example_site
from sightline.onboarding.demo.replay import DemoReplay, PlantedSurface, begin_replay, list_replayed, replay_history
from sightline.onboarding.setup import SetupInput
from sightline.plans.table import Plan
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.prompts import suggest_prompts
from sightline.platforms.sandbox.stories import STORIES, PlantedStory, StoryName, StoryShape
from sightline.prompts.pin import pin_prompt
from sightline.prompts.queries import list_tracked_prompts

# Enough prompts for meaningful figures, few enough to replay all domains in half a minute.
_PROMPTS = {Plan.AGENCY: 12, Plan.TRIAL: 10, Plan.PROFESSIONAL: 10, Plan.STARTER: 8, Plan.FREE: 10}
_COMPETITORS = 3
_PINNED = 2
# A rival rises, a platform changes its model, and the brand fades slowly. Others are calm.
_STORIES: Mapping[str, StoryName] = {
    "acme.com": "rival_rise",
    "globex.com": "new_model",
    "initech.com": "slow_loss",
}
# Half way through its history, the app of ChatGPT is asked instead of its API.
_NEW_SURFACE = "globex.com"
_SUDDEN = 9 / 7  # weeks ago, so that Daily Checks before and after tell of it
_EMPHASIS = 2.0  # because a demonstration has fewer prompts and weeks than the stories are made for


class DemoDomain(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    domain: str
    plan: Plan


def count_demo_checks(domains: int, *, weeks: int, now: datetime) -> int:
    """Return how many checks `build_demo_history` goes through, at most."""
    anchors = (_find_anchor(index, weeks, now) for index in range(domains))
    return sum(1 + len(list(list_replayed(anchor, now))) for anchor in anchors)


async def build_demo_history(
    db: Database,
    replay: DemoReplay,
    domains: list[DemoDomain],
    *,
    weeks: int,
    advance: Callable[[], object] = lambda: None,
) -> int:
    """Build the history of each domain and return the number of scans. What was replayed before is left alone.

    `advance` is called after each scan.
    """
    done = 0
    for index, each in enumerate(domains):
        anchor = _find_anchor(index, weeks, replay.now)
        planted = PlantedStory(_choose_story(each.domain, weeks), (anchor + timedelta(weeks=weeks)).date())
        told = msgspec.structs.replace(
            replay, planted=planted, surface_change=_choose_surface_change(each.domain, anchor, weeks)
        )
        await begin_replay(db, told, each.workspace_id, each.domain_id, _build_setup(each), anchor=anchor)
        await _pin_first_prompts(db, each, now=anchor)
        advance()
        done += await replay_history(db, told, each.workspace_id, each.domain_id, advance=advance)
        await review_example_site(db, each.workspace_id, each.domain_id, clock=lambda: replay.now)
    return done


def _find_anchor(index: int, weeks: int, now: datetime) -> datetime:
    """Return when a domain had its first check.

    The first domain had its latest Full Check an hour ago and shows everything that it brings. The others are at other
    points of their weeks.
    """
    return now - timedelta(weeks=weeks, days=2 * index, hours=1)


def _choose_story(domain: str, weeks: int) -> StoryShape:
    """Return the story of a domain, such that it begins within these weeks, and a sudden one among Daily Checks."""
    story = STORIES[_STORIES.get(domain, "nothing")]
    longest = weeks if story.is_slow else min(weeks / 2, _SUDDEN)
    return msgspec.structs.replace(story, weeks=min(story.weeks, longest), change=_EMPHASIS * story.change)


def _choose_surface_change(domain: str, anchor: datetime, weeks: int) -> PlantedSurface | None:
    """Return the change of a surface with the middle Full Check of the one domain that shows one."""
    if domain != _NEW_SURFACE:
        return None
    return PlantedSurface("chatgpt", "api", "app", (anchor + timedelta(weeks=(weeks + 1) // 2)).date())


def _build_setup(each: DemoDomain) -> SetupInput:
    """Track the strongest competitors of the made-up market from the start; scans suggest the others."""
    brand = first_label(each.domain).capitalize()
    subject = Subject(each.domain, brand)
    competitors = build_market(subject).rivals[:_COMPETITORS]
    return SetupInput(
        brand_name=brand,
        language_code="en",
        competitors=[CompetitorInput(each.domain, each.name) for each in competitors],
        suggested=list(suggest_prompts(subject, "en", _PROMPTS[each.plan])),
    )


async def _pin_first_prompts(db: Database, each: DemoDomain, *, now: datetime) -> None:
    async with db.transaction() as tx:
        prompts = await list_tracked_prompts(tx, each.workspace_id, each.domain_id)
        if any(prompt.pinned_at for prompt in prompts):
            return
        for prompt in prompts[:_PINNED]:
            await pin_prompt(tx, each.workspace_id, each.domain_id, prompt.id, now=now)
