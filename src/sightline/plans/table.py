"""Every rule that depends on a workspace's plan. Operators change the limits with the setting SIGHTLINE_PLANS."""

import enum
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec

from sightline.settings import SettingsError


class Plan(enum.StrEnum):
    FREE = "free"
    TRIAL = "trial"
    STARTER = "starter"
    PROFESSIONAL = "professional"
    AGENCY = "agency"


DEFAULT_PLAN = Plan.AGENCY
"""The plan of a workspace that the operator or the first owner creates."""

TRIAL_LENGTH = timedelta(days=14)
PLAN_AFTER_TRIAL = Plan.FREE

PLANS_WITH_THEMES = frozenset({Plan.PROFESSIONAL, Plan.AGENCY})
"""The plans that include Brand Themes."""

PLANS_WITH_CLIENTS = frozenset({Plan.AGENCY})
"""The plans that include clients, with guests, logos and scheduled reports."""

Count = Annotated[int, msgspec.Meta(ge=0)]
DataApi = Literal["none", "read", "insights", "write"]
_DATA_API_LEVELS: dict[DataApi, int] = {"none": 0, "read": 1, "insights": 2, "write": 3}


class Entitlements(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The limits of one plan."""

    tracked_prompts: Count
    tracked_domains: Count
    daily_prompts: Count
    platforms: tuple[str, ...] | None
    """The platforms that the plan's checks ask; None means all of them."""
    data_api: DataApi
    data_rate_per_month: Annotated[int, msgspec.Meta(ge=1)]
    suggestion_requests_per_day: Count
    """How often a day (UTC) the workspace may ask a platform for prompts in the set-up of a domain."""


PlanTable = Mapping[Plan, Entitlements]

_TRIAL_PLATFORMS = ("chatgpt", "gemini", "perplexity")
_STARTER_PLATFORMS = (*_TRIAL_PLATFORMS, "google_ai_overviews")
_PROFESSIONAL_PLATFORMS = (*_STARTER_PLATFORMS, "claude", "copilot")

_DEFAULTS: PlanTable = {
    Plan.FREE: Entitlements(
        tracked_prompts=10,
        tracked_domains=1,
        daily_prompts=0,
        platforms=_TRIAL_PLATFORMS,
        data_api="none",
        data_rate_per_month=10_000,
        suggestion_requests_per_day=5,
    ),
    Plan.TRIAL: Entitlements(
        tracked_prompts=25,
        tracked_domains=1,
        daily_prompts=10,
        platforms=_TRIAL_PLATFORMS,
        data_api="none",
        data_rate_per_month=10_000,
        suggestion_requests_per_day=5,
    ),
    Plan.STARTER: Entitlements(
        tracked_prompts=50,
        tracked_domains=2,
        daily_prompts=10,
        platforms=_STARTER_PLATFORMS,
        data_api="read",
        data_rate_per_month=10_000,
        suggestion_requests_per_day=20,
    ),
    Plan.PROFESSIONAL: Entitlements(
        tracked_prompts=150,
        tracked_domains=5,
        daily_prompts=25,
        platforms=_PROFESSIONAL_PLATFORMS,
        data_api="insights",
        data_rate_per_month=10_000,
        suggestion_requests_per_day=20,
    ),
    Plan.AGENCY: Entitlements(
        tracked_prompts=500,
        tracked_domains=50,
        daily_prompts=50,
        platforms=None,
        data_api="write",
        data_rate_per_month=50_000,
        suggestion_requests_per_day=20,
    ),
}


def build_plan_table(overrides: Mapping[str, Mapping[str, Any]]) -> PlanTable:
    """Return the default table with the operator's overrides applied.

    An override that is not valid raises `SettingsError`, so that it stops the start instead of failing requests.
    """
    table = dict(_DEFAULTS)
    for name, fields in overrides.items():
        if name not in set(Plan):
            raise SettingsError(f"SIGHTLINE_PLANS names the plan {name!r}; the plans are {', '.join(Plan)}.")
        try:
            merged = msgspec.to_builtins(table[Plan(name)]) | dict(fields)
            table[Plan(name)] = msgspec.convert(merged, Entitlements)
        except msgspec.ValidationError as error:
            raise SettingsError(f"SIGHTLINE_PLANS, plan {name}: {error}") from error
    return table


def is_free(plan: Plan) -> bool:
    """Return whether the plan has no scheduled checks but one free audit per workspace."""
    return plan is Plan.FREE


def runs_scheduled_checks(plan: Plan) -> bool:
    return not is_free(plan)


def find_trial_end(plan: Plan, *, now: datetime) -> datetime | None:
    """Return when a trial that starts now ends; None for every other plan."""
    return now + TRIAL_LENGTH if plan is Plan.TRIAL else None


def has_themes(plan: Plan | None) -> bool:
    return plan in PLANS_WITH_THEMES


def has_clients(plan: Plan) -> bool:
    return plan in PLANS_WITH_CLIENTS


def find_first_plan_with_platform(platform: str) -> Plan:
    """Return the smallest paid plan, or the trial, whose default checks ask the platform."""
    plans = (Plan.TRIAL, Plan.STARTER, Plan.PROFESSIONAL)
    return next((plan for plan in plans if platform in (_DEFAULTS[plan].platforms or ())), Plan.AGENCY)


def is_platform_sold_as_addon(first_plan: Plan) -> bool:
    """Return whether plans below `first_plan` can buy its platforms one by one."""
    return first_plan in {Plan.PROFESSIONAL, Plan.AGENCY}


def list_plans_with_data_api(table: PlanTable, *, level: DataApi) -> list[Plan]:
    """Return the plans whose access to the Data API includes the given level."""
    needed = _DATA_API_LEVELS[level]
    return [plan for plan, limits in table.items() if _DATA_API_LEVELS[limits.data_api] >= needed]
