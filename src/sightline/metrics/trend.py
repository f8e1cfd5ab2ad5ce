"""Trend only (metrics 1.11): whether two results may be compared exactly, and if not, why not.

The matched-cell delta of `compare.py` is always shown with it.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.metrics.observation import Cell, Surface, is_same_surface

Reason = Literal[
    "scope",
    "cells",
    "competitors",
    "metrics_version",
    "extractor_version",
    "model",
    "surface",
    "incomplete_before",
    "incomplete_now",
]
FULL_CHECK_REASONS_MEANING = (
    "`cells`: the checks have different prompts or platforms. `metrics_version`: the version of the formulas differs. "
    "`extractor_version`: the version of the analyzer differs. `model`: a platform answered with a different model. "
    "`surface`: a platform was asked on another surface, so none of its answers are compared. "
    "`incomplete_before` and `incomplete_now`: the earlier or the later check has too few valid answers."
)
REASONS_MEANING = (
    "`scope`: the checks are of different kinds. `competitors`: the tracked competitors differ. "
    f"{FULL_CHECK_REASONS_MEANING}"
)


class ResultStamp(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions under which a result was measured."""

    scope: str
    cells: frozenset[Cell]
    """The planned cells, failed ones included; too many of those make the result incomplete."""
    metrics_version: str
    extractor_version: str
    competitors: frozenset[str] = frozenset()
    models: Mapping[str, str | None] = msgspec.field(default_factory=dict)
    """The model that each platform served; None if it did not say."""
    surfaces: Mapping[str, Surface | None] = msgspec.field(default_factory=dict)
    """The surface on which each platform was asked; None if it was not recorded."""
    incomplete: bool = False


def find_trend_reasons(
    before: ResultStamp, now: ResultStamp, *, against_competitors: bool = False
) -> tuple[Reason, ...]:
    """Return why two results do not compare exactly, or nothing if they do.

    The set of competitors matters only to Share of Voice and Market Position.
    """
    differs: dict[Reason, bool] = {
        "scope": before.scope != now.scope,
        "cells": before.cells != now.cells,
        "competitors": against_competitors and before.competitors != now.competitors,
        "metrics_version": before.metrics_version != now.metrics_version,
        "extractor_version": before.extractor_version != now.extractor_version,
        "model": _has_other_model(before.models, now.models),
        "surface": bool(find_surface_changes(before.surfaces, now.surfaces)),
        "incomplete_before": before.incomplete,
        "incomplete_now": now.incomplete,
    }
    return tuple(reason for reason, holds in differs.items() if holds)


def _has_other_model(before: Mapping[str, str | None], now: Mapping[str, str | None]) -> bool:
    """Return whether a platform served another model. An unknown model does not differ from any."""
    return any(
        model is not None and (earlier := before.get(platform)) is not None and earlier != model
        for platform, model in now.items()
    )


def find_surface_changes(
    before: Mapping[str, Surface | None], now: Mapping[str, Surface | None]
) -> dict[str, tuple[Surface | None, Surface]]:
    """Return the platforms of both that were asked on another surface: what it was, and what it is now."""
    return {
        platform: (before[platform], surface)
        for platform, surface in now.items()
        if surface is not None and platform in before and not is_same_surface(before[platform], surface)
    }
