"""The rows that scheduling reads, and the rules for starting a check."""

import uuid
from collections.abc import Collection, Mapping
from datetime import datetime

import msgspec

from sightline.metrics.observation import Surface
from sightline.plans.table import Entitlements, Plan, PlanTable, build_plan_table
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.scans.models import AnswersSource, ScanPrompt
from sightline.settings import Settings


class CheckRules(msgspec.Struct, frozen=True):
    """The settings that apply to checks. Which platforms are paused is read with each check."""

    plans: PlanTable
    enabled: frozenset[str]
    source: AnswersSource
    surfaces: Mapping[str, Surface] | None = None
    """The surface of each live platform."""


def build_check_rules(settings: Settings) -> CheckRules:
    source: AnswersSource = "sandbox" if access.is_sandbox(settings) else "live"
    return CheckRules(
        build_plan_table(settings.plans),
        access.find_enabled_platforms(settings),
        source,
        access.find_surfaces(settings),
    )


def plan_platforms(grants: Entitlements) -> tuple[str, ...]:
    """Return the platforms of a plan in the order of the catalog, paused or not."""
    known = tuple(platform.key for platform in PLATFORMS)
    return known if grants.platforms is None else tuple(key for key in known if key in grants.platforms)


class DueCursor(msgspec.Struct, frozen=True):
    """A position in the list of due domains."""

    next_check_at: datetime
    workspace_id: uuid.UUID
    domain_id: uuid.UUID


class ScheduledDomain(msgspec.Struct, frozen=True):
    """A tracked domain whose setup is complete, with what its next check needs."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    domain: str
    anchor_at: datetime
    next_check_at: datetime | None
    created_at: datetime
    chosen_platforms: list[str] | None
    """None stands for all platforms of the plan."""


class PlannedDomain(msgspec.Struct, frozen=True):
    """A domain with a planned check: its schedule, and what its checks ask."""

    plan: Plan
    anchor_at: datetime
    next_check_at: datetime
    chosen_platforms: list[str] | None
    prompts: int


class ScheduledPrompt(msgspec.Struct, frozen=True):
    """An active prompt within the limits of the plan."""

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
        """Return whether Daily Checks ask this prompt. A pin takes effect at once."""
        return self.daily or self.pinned_at is not None

    @property
    def volume(self) -> int | None:
        return self.search_volume if self.ai_search_volume is None else self.ai_search_volume


class PromptHistoryRow(msgspec.Struct, frozen=True):
    """The result of a past check for a prompt. `cells` is the JSON of the scoreboard: one entry per platform."""

    prompt_id: uuid.UUID
    answers_source: AnswersSource
    completed_at: datetime
    cells: bytes


class PreviousCheck(msgspec.Struct, frozen=True):
    status: str
    measurement_scope: str


def to_prompts(asked: Collection[ScheduledPrompt]) -> tuple[ScanPrompt, ...]:
    return tuple(
        ScanPrompt(id=str(each.id), text=each.prompt, language=each.language_code, country=each.country_iso_2)
        for each in asked
    )
