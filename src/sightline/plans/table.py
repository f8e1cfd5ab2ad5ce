"""The plan table. Operators change it with the setting SIGHTLINE_PLANS; nothing else knows these numbers."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from sightline.accounts.models import Plan
from sightline.settings import SettingsError

Count = Annotated[int, msgspec.Meta(ge=0)]
DataApi = Literal["none", "read", "insights", "write"]


class Entitlements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tracked_prompts: Count
    tracked_domains: Count
    daily_prompts: Count
    platforms: tuple[str, ...] | None
    """None: all of them."""
    data_api: DataApi
    data_rate_per_month: Annotated[int, msgspec.Meta(ge=1)]


_TRIAL = ("chatgpt", "gemini", "perplexity")
_STARTER = (*_TRIAL, "google_ai_overviews")
_PROFESSIONAL = (*_STARTER, "claude", "copilot")

_DEFAULTS: Mapping[Plan, Entitlements] = {
    Plan.FREE: Entitlements(10, 1, 0, _TRIAL, "none", 10_000),
    Plan.TRIAL: Entitlements(25, 1, 10, _TRIAL, "none", 10_000),
    Plan.STARTER: Entitlements(50, 2, 10, _STARTER, "read", 10_000),
    Plan.PROFESSIONAL: Entitlements(150, 5, 25, _PROFESSIONAL, "insights", 10_000),
    Plan.AGENCY: Entitlements(500, 50, 50, None, "write", 50_000),
}

PlanTable = Mapping[Plan, Entitlements]


def plan_table(changes: Mapping[str, Mapping[str, Any]]) -> PlanTable:
    """The defaults with the operator's changes; a change that makes no sense stops the start, not a request."""
    table = dict(_DEFAULTS)
    for name, fields in changes.items():
        if name not in set(Plan):
            raise SettingsError(f"SIGHTLINE_PLANS names the plan {name!r}; the plans are {', '.join(Plan)}.")
        try:
            merged = msgspec.to_builtins(table[Plan(name)]) | dict(fields)
            table[Plan(name)] = msgspec.convert(merged, Entitlements)
        except msgspec.ValidationError as error:
            raise SettingsError(f"SIGHTLINE_PLANS, plan {name}: {error}") from error
    return table
