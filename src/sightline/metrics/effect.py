"""Whether an action worked: the prompts that it concerns against the other prompts, before and after its date.

An action is recommended because the brand was absent, so the check that led to it is not part of the baseline: its
answers were worse than usual by chance, and the next ones would look like a success. The effect is computed twice,
after two and after four Full Checks, each time with an interval of 95%. So a useless action is called effective by
chance in at most 2 · 2.5% of cases.
"""

import math
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from sightline.metrics.intervals import Interval, student_t_quantile
from sightline.metrics.observation import Cell, Observation, drop_former_surfaces

EffectStatus = Literal["not_enough_history", "too_early", "no_clear_effect", "up", "down"]
HistoryGap = Literal["baseline", "prompts", "others", "cells"]
"""Why there is not enough history: too few checks before the date, no prompts recorded with the mark, too few other
prompts to compare with, or no cell that was answered both before and after."""

MIN_BASELINE_CHECKS = 2
# Prompts drift, so older checks say little about the level at the date of the action.
MAX_BASELINE_CHECKS = 4
LOOKS = (2, 4)
"""Numbers of later Full Checks after which the effect is computed. The last one is final."""
MIN_OTHER_PROMPTS = 5
_TAIL = 0.975


class FullCheckTime(msgspec.Struct, frozen=True):
    id: uuid.UUID
    completed_at: datetime


class WatchedChecks(msgspec.Struct, frozen=True):
    """The Full Checks that say whether an action worked, each part from old to new."""

    baseline: tuple[uuid.UUID, ...]
    led_by: uuid.UUID | None
    """The check that led to the action. It is not part of the baseline."""
    later: tuple[uuid.UUID, ...]
    """The checks after the date, at most as many as the last look needs."""

    @property
    def looked_at(self) -> tuple[uuid.UUID, ...]:
        """Return the later checks that the latest look is based on; empty before the first look."""
        size = max((look for look in LOOKS if look <= len(self.later)), default=0)
        return self.later[:size]


class GroupShares(msgspec.Struct, frozen=True):
    """A group of prompts: the share of its answers that named the brand before and after, in percent."""

    prompts: tuple[str, ...]
    before: float
    after: float


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What an action changed, in percentage points of answers that name the brand."""

    status: EffectStatus
    gap: HistoryGap | None = None
    points: float | None = None
    interval: Interval | None = None
    treated: GroupShares | None = None
    others: GroupShares | None = None
    is_final: bool = False


def select_checks(
    checks: Iterable[FullCheckTime], *, done_at: datetime, marked_from: uuid.UUID | None
) -> WatchedChecks:
    """Select the Full Checks to compare for an action.

    `marked_from` is the check whose recommendations the person read, if it is known. If the date is earlier, the last
    check before the date led to the action, and `marked_from` counts on neither side: it selected the prompts.
    """
    ordered = sorted(checks, key=lambda check: check.completed_at)
    before = [check.id for check in ordered if check.completed_at <= done_at]
    led_by = marked_from if marked_from in before else before[-1] if before else None
    baseline = [check for check in before if check != led_by]
    later = [check.id for check in ordered if check.completed_at > done_at and check.id != marked_from]
    return WatchedChecks(tuple(baseline[-MAX_BASELINE_CHECKS:]), led_by, tuple(later[: LOOKS[-1]]))


def measure_effect(
    watched: WatchedChecks,
    observations: Mapping[uuid.UUID, Sequence[Observation]],
    treated: Collection[str],
) -> Effect:
    """Return the difference in differences between the treated prompts and all other unbranded prompts.

    "Up" needs both: the treated prompts rose, and they rose more than the others. "Down" is called only if they fell
    since the check that led to the action, too: what was lost before it is not the action's fault. `observations` holds
    the brand's observations of every check of `watched`.
    """
    if not treated:
        return Effect(status="not_enough_history", gap="prompts")
    if len(watched.baseline) < MIN_BASELINE_CHECKS:
        return Effect(status="not_enough_history", gap="baseline")
    if not watched.looked_at:
        return Effect(status="too_early")
    led_by = () if watched.led_by is None else (watched.led_by,)
    needed = (*watched.baseline, *led_by, *watched.looked_at)  # from the oldest to the newest
    seen = dict(zip(needed, drop_former_surfaces(observations[check] for check in needed), strict=True))
    later = [seen[check] for check in watched.looked_at]
    changes = _measure_changes([seen[check] for check in watched.baseline], later)
    found = _compare_groups(changes, treated)
    if isinstance(found, str):
        return Effect(status="not_enough_history", gap=found)
    direction = found.direction
    if direction == "down" and watched.led_by is not None:
        since = _compare_groups(_measure_changes([seen[watched.led_by]], later), treated)
        if isinstance(since, str) or since.own >= 0 or since.difference >= 0:
            direction = "no_clear_effect"
    return Effect(
        status=direction,
        points=_to_points(found.difference),
        interval=Interval(_to_points(found.difference - found.half), _to_points(found.difference + found.half)),
        treated=_find_shares(changes, [prompt for prompt in changes if prompt in treated]),
        others=_find_shares(changes, [prompt for prompt in changes if prompt not in treated]),
        is_final=len(watched.looked_at) == LOOKS[-1],
    )


def _to_points(difference: float) -> float:
    """Return percentage points. No action changes a share by more than 100 of them, whatever the other prompts do."""
    return 100 * max(-1.0, min(1.0, difference))


class _PromptChange(msgspec.Struct, frozen=True):
    before: float
    after: float
    chance: float
    """The variance of the change if every answer were a coin toss with the prompt's shares."""

    @property
    def change(self) -> float:
        return self.after - self.before


class _Comparison(msgspec.Struct, frozen=True):
    own: float
    """The mean change of the treated prompts, and half its interval."""
    own_half: float
    difference: float
    """The mean change of the treated prompts less that of the others, and half its interval."""
    half: float

    @property
    def direction(self) -> Literal["up", "down", "no_clear_effect"]:
        if self.own > self.own_half and self.difference > self.half:
            return "up"
        if self.own < -self.own_half and self.difference < -self.half:
            return "down"
        return "no_clear_effect"


def _measure_changes(
    before: Sequence[Sequence[Observation]], after: Sequence[Sequence[Observation]]
) -> dict[str, _PromptChange]:
    """Return the change of each unbranded prompt over its matched cells: those with a valid answer on both sides."""
    earlier, later = _count_mentions(before), _count_mentions(after)
    cells: dict[str, list[Cell]] = defaultdict(list)
    for cell in earlier:
        if cell in later:
            cells[cell[0]].append(cell)
    return {
        prompt: _measure_change([earlier[cell] for cell in matched], [later[cell] for cell in matched])
        for prompt, matched in cells.items()
    }


def _count_mentions(checks: Sequence[Sequence[Observation]]) -> dict[Cell, tuple[int, int]]:
    """Return the mentions and the valid answers of each cell over all checks."""
    found: dict[Cell, tuple[int, int]] = {}
    for answer in (one for check in checks for one in check):
        if answer.is_valid and not answer.branded:
            mentions, answers = found.get(answer.cell, (0, 0))
            found[answer.cell] = (mentions + answer.mentioned, answers + 1)
    return found


def _measure_change(before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]]) -> _PromptChange:
    return _PromptChange(
        before=_mean_share(before), after=_mean_share(after), chance=_chance_variance(before) + _chance_variance(after)
    )


def _mean_share(cells: Sequence[tuple[int, int]]) -> float:
    return math.fsum(mentions / answers for mentions, answers in cells) / len(cells)


def _chance_variance(cells: Sequence[tuple[int, int]]) -> float:
    mentions, answers = sum(each for each, _ in cells), sum(each for _, each in cells)
    # Half a mention is added on either side, because a prompt that was never named is not certain to stay so.
    share = (mentions + 0.5) / (answers + 1)
    return share * (1 - share) * math.fsum(1 / each for _, each in cells) / len(cells) ** 2


def _compare_groups(changes: Mapping[str, _PromptChange], treated: Collection[str]) -> _Comparison | HistoryGap:
    """Compare the two groups with prompts as clusters.

    The variance of a prompt's change is its chance variance times one factor for all prompts: how much more they vary
    than by chance. So a single treated prompt has an honest interval as well, although it shows no spread itself.
    """
    groups = (
        [change for prompt, change in changes.items() if prompt in treated],
        [change for prompt, change in changes.items() if prompt not in treated],
    )
    if not groups[0]:
        return "cells"
    if len(groups[1]) < MIN_OTHER_PROMPTS:
        return "others"
    means = [math.fsum(each.change for each in group) / len(group) for group in groups]
    freedom = len(changes) - 2
    spread = math.fsum(
        (each.change - mean) ** 2 / each.chance for group, mean in zip(groups, means, strict=True) for each in group
    )
    factor = max(1.0, spread / freedom)
    variances = [factor * math.fsum(each.chance for each in group) / len(group) ** 2 for group in groups]
    quantile = student_t_quantile(_TAIL, freedom)
    return _Comparison(
        own=means[0],
        own_half=quantile * math.sqrt(variances[0]),
        difference=means[0] - means[1],
        half=quantile * math.sqrt(math.fsum(variances)),
    )


def _find_shares(changes: Mapping[str, _PromptChange], prompts: Sequence[str]) -> GroupShares:
    return GroupShares(
        prompts=tuple(prompts),
        before=100 * math.fsum(changes[prompt].before for prompt in prompts) / len(prompts),
        after=100 * math.fsum(changes[prompt].after for prompt in prompts) / len(prompts),
    )
