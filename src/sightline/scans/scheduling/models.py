"""What scheduling reads, and the rules under which it starts a check."""

import uuid
from collections.abc import Collection
from datetime import datetime

import msgspec

from sightline.plans.table import Entitlements, PlanTable, build_plan_table
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.scans.models import AnswersSource, Prompt
from sightline.settings import Settings


class CheckRules(msgspec.Struct, frozen=True):
    """What the settings say of checks. Which platforms are paused at this moment is read with each check."""

    plans: PlanTable
    enabled: frozenset[str]
    source: AnswersSource


def check_rules(settings: Settings) -> CheckRules:
    source: AnswersSource = "sandbox" if access.is_sandbox(settings) else "live"
    return CheckRules(build_plan_table(settings.plans), access.find_enabled_platforms(settings), source)


def plan_platforms(grants: Entitlements) -> tuple[str, ...]:
    """Those of the plan, in the order of the catalogue, paused or not."""
    known = tuple(platform.key for platform in PLATFORMS)
    return known if grants.platforms is None else tuple(key for key in known if key in grants.platforms)


class Moment(msgspec.Struct, frozen=True):
    """Where a walk through the domains that are due has come to."""

    next_check_at: datetime
    workspace_id: uuid.UUID
    domain_id: uuid.UUID


class ScheduledDomain(msgspec.Struct, frozen=True):
    """A tracked domain whose setup is complete, as its next check needs it; held until the transaction ends."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    domain: str
    anchor_at: datetime
    next_check_at: datetime | None
    created_at: datetime


class AskedPrompt(msgspec.Struct, frozen=True):
    """An active prompt that the plan has room for."""

    id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    pinned_at: datetime | None
    daily: bool
    search_volume: int | None
    ai_search_volume: int | None

    @property
    def in_daily_set(self) -> bool:
        """A pin counts at once, whatever was chosen at the last Full Check."""
        return self.daily or self.pinned_at is not None

    @property
    def volume(self) -> int | None:
        return self.search_volume if self.ai_search_volume is None else self.ai_search_volume


class SeenPrompt(msgspec.Struct, frozen=True):
    """What a past check found for a prompt. `cells` is the JSON of the scoreboard: one entry per platform."""

    prompt_id: uuid.UUID
    answers_source: AnswersSource
    completed_at: datetime
    cells: bytes


class EndedCheck(msgspec.Struct, frozen=True):
    status: str
    measurement_scope: str


def to_prompts(asked: Collection[AskedPrompt]) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(id=str(each.id), text=each.prompt, language=each.language_code, country=each.country_iso_2)
        for each in asked
    )
