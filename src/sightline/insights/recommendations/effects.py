"""Whether done actions worked: reads the marks and the Full Checks around their dates, and measures the effects."""

import asyncio
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.engine import Reader
from sightline.insights.models import DoneMark
from sightline.insights.recommendations import queries
from sightline.metrics.effect import (
    MIN_BASELINE_CHECKS,
    MIN_OTHER_PROMPTS,
    Effect,
    FullCheckTime,
    WatchedChecks,
    measure_effect,
    select_checks,
)
from sightline.metrics.observation import Observation
from sightline.scans.analyze_answer import names_brand
from sightline.scans.queries import find_scan
from sightline.scans.stored import decode_measured
from sightline.scoreboard.models import decode_facts
from sightline.scoreboard.queries import find_latest_source


class ConcernedPrompt(msgspec.Struct, frozen=True):
    id: uuid.UUID
    text: str


class ActionEffect(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a done action, with the Full Checks and the prompts that it is based on."""

    mark: DoneMark
    effect: Effect
    checks: WatchedChecks
    completed_at: Mapping[uuid.UUID, datetime]
    """When each Full Check of the domain was completed."""
    prompts: tuple[ConcernedPrompt, ...]
    """All prompts that the action concerned when it was marked."""
    overlapping: int
    """Other actions for some of the same prompts that were done between the first and the last compared check."""


class _History(msgspec.Struct, frozen=True):
    """What the effects of a domain are measured from."""

    checks: Sequence[FullCheckTime]
    marks: Sequence[DoneMark]
    """All marks of the domain."""
    prompts: Mapping[uuid.UUID, tuple[str, str | None]]
    """The text and the country of each prompt."""


async def read_effects(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    marks: Sequence[DoneMark],
    *,
    until: datetime | None = None,
) -> dict[str, ActionEffect]:
    """Return the effect of each mark by its task key, from the Full Checks completed by `until`."""
    if not marks:
        return {}
    source = await find_latest_source(db, workspace_id, domain_id)
    checks = [] if source is None else await queries.list_full_checks(db, workspace_id, domain_id, source, until=until)
    texts = await queries.list_prompt_texts(db, workspace_id, domain_id)
    all_marks = await queries.list_done_marks(db, workspace_id, domain_id)
    history = _History(checks, all_marks, {prompt_id: (text, country) for prompt_id, text, country in texts})
    watched = {mark.subject: select_checks(checks, done_at=mark.done_at, marked_from=mark.scan_id) for mark in marks}
    needed = {check for each in watched.values() for check in _list_needed(each)}
    stored = await queries.list_prompt_scans_of(db, workspace_id, list(needed))
    brand = await _find_brand(db, workspace_id, checks)
    return await asyncio.to_thread(_measure_effects, marks, watched, history, stored, brand)


async def count_missing_checks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    """Return how many more Full Checks must run before an action whose effect can be measured."""
    source = await find_latest_source(db, workspace_id, domain_id)
    checks = [] if source is None else await queries.list_full_checks(db, workspace_id, domain_id, source, until=None)
    needed = MIN_BASELINE_CHECKS + 1  # the one that leads to the action is left out
    return max(0, needed - len(checks))


async def count_missing_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, actions: Iterable[Collection[uuid.UUID]]
) -> list[int]:
    """Return how many more prompts must be tracked to measure the effect of each action, given by its prompts."""
    tracked = await queries.list_tracked_prompts(db, workspace_id, domain_id)
    return [max(0, MIN_OTHER_PROMPTS - len(tracked.difference(prompts))) for prompts in actions]


def _list_needed(watched: WatchedChecks) -> tuple[uuid.UUID, ...]:
    """Return the checks whose answers are needed; none before the first look."""
    if not watched.looked_at:
        return ()
    return (*watched.baseline, *watched.looked_at, *(() if watched.led_by is None else (watched.led_by,)))


async def _find_brand(db: Reader, workspace_id: uuid.UUID, checks: Sequence[FullCheckTime]) -> Brand | None:
    """Find the brand as the latest check measured it."""
    if not checks:
        return None
    scan = await find_scan(db, workspace_id, max(checks, key=lambda check: check.completed_at).id)
    return None if scan is None else decode_measured(scan.brand).brand


def _measure_effects(
    marks: Sequence[DoneMark],
    watched: Mapping[str, WatchedChecks],
    history: _History,
    stored: Sequence[tuple[uuid.UUID, uuid.UUID, bytes]],
    brand: Brand | None,
) -> dict[str, ActionEffect]:
    observations = _build_observations(stored, history.prompts, brand)
    completed_at = {check.id: check.completed_at for check in history.checks}
    found = {}
    for mark in marks:
        checks = watched[mark.subject]
        prompt_ids = mark.prompt_ids or []
        found[mark.subject] = ActionEffect(
            mark=mark,
            effect=measure_effect(checks, observations, {str(each) for each in prompt_ids}),
            checks=checks,
            completed_at=completed_at,
            prompts=tuple(
                ConcernedPrompt(each, history.prompts[each][0]) for each in prompt_ids if each in history.prompts
            ),
            overlapping=_count_overlapping(mark, history.marks, [completed_at[each] for each in _list_needed(checks)]),
        )
    return found


def _count_overlapping(mark: DoneMark, marks: Sequence[DoneMark], compared: Sequence[datetime]) -> int:
    """Count the other actions that may have caused the same effect."""
    if not compared:
        return 0
    prompt_ids = set(mark.prompt_ids or ())
    return sum(
        other.subject != mark.subject
        and min(compared) < other.done_at < max(compared)
        and not prompt_ids.isdisjoint(other.prompt_ids or ())
        for other in marks
    )


def _build_observations(
    stored: Sequence[tuple[uuid.UUID, uuid.UUID, bytes]],
    prompts: Mapping[uuid.UUID, tuple[str, str | None]],
    brand: Brand | None,
) -> dict[uuid.UUID, list[Observation]]:
    """Return the observations of each check. Prompts that name the brand are left out: they are not compared."""
    lexicon = None if brand is None else Lexicon([brand])
    unbranded = {
        prompt_id: country
        for prompt_id, (text, country) in prompts.items()
        if lexicon is not None and not names_brand(text, lexicon)
    }
    found: dict[uuid.UUID, list[Observation]] = {}
    for scan_id, prompt_id, cells in stored:
        check = found.setdefault(scan_id, [])
        if prompt_id in unbranded:
            check += (cell.to_observation(str(prompt_id), unbranded[prompt_id]) for cell in decode_facts(cells))
    return found
