"""Finding what changed between two Full Checks, over the cells that both answered. Pure.

A change is established by the same rule as a change of the headline (metrics 3.3). The brand as a whole is one test; of
all other tests of the week, Benjamini-Hochberg selects those that count (q = .05).
"""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.answers.names import Lexicon
from sightline.answers.tracked_names import tracked_names_of
from sightline.kit.clock import to_iso
from sightline.metrics.alerts import select_discoveries
from sightline.metrics.compare import compare_flips, match_cells
from sightline.metrics.completeness import is_incomplete
from sightline.metrics.figure import round_value
from sightline.metrics.observation import Cell
from sightline.metrics.trend import Reason, find_trend_reasons
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.rivals import map_makers
from sightline.scoreboard.check_changes.schemas import (
    ChangeKind,
    CheckChanges,
    EstablishedChange,
    LeadingBrand,
    PlatformSourceChange,
    SiteChange,
    WinnerChange,
)
from sightline.scoreboard.compare import ComparableScan

_FALSE_RATE = 0.05  # half of that of alerts: nothing confirms a sentence later
_MIN_ANSWERS = 3  # of one prompt, to have a winner
_MIN_NAMED = 2
_CLEAR_LEAD = 2
_MIN_FLIPS = 6  # fewer one-way flips are never significant (metrics 3.3)
_MAX_SITES = 20  # of one platform
_ORDER: tuple[ChangeKind, ...] = ("coverage", "platform", "lead", "competitor", "source")

Facts = Mapping[Cell, frozenset[str]]
"""The names or sites of the answer of each cell."""


class FullCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A completed Full Check with its answers, and as the headline compares it."""

    scan_id: uuid.UUID
    completed_at: datetime
    plan: ScanPlan
    answers: Sequence[ScanAnswer]
    comparable: ComparableScan


class _Answers(msgspec.Struct, frozen=True):
    """The two answers of all cells that both checks answered, in prompts that count in the headline."""

    cells: Sequence[Cell]
    named_before: Facts
    named_now: Facts
    sites_before: Facts
    sites_now: Facts


def find_changes(before: FullCheck, now: FullCheck) -> CheckChanges:
    answers = _match_answers(before, now)
    reasons = find_trend_reasons(before.comparable.stamp, now.comparable.stamp)
    return CheckChanges(
        scan_id=now.scan_id,
        against_scan_id=before.scan_id,
        since=to_iso(before.completed_at),
        until=to_iso(now.completed_at),
        reasons=reasons,
        established=_find_established(before, now, answers, reasons),
        winners=_find_winner_changes(now, answers),
        sources=_find_source_changes(answers),
    )


def _match_answers(before: FullCheck, now: FullCheck) -> _Answers:
    makers = map_makers([*before.answers, *now.answers])
    tracked = tracked_names_of(Lexicon(now.plan.tracked))
    others = {name: maker for name, maker in makers.items() if not tracked.include(maker)}
    pairs = match_cells(before.comparable.observations, now.comparable.observations)
    return _Answers(
        [later.cell for _, later in pairs],
        _index_names(before, others),
        _index_names(now, others),
        {earlier.cell: earlier.source_domains for earlier, _ in pairs if earlier.has_sources},
        {later.cell: later.source_domains for _, later in pairs if later.has_sources},
    )


def _index_names(check: FullCheck, others: Mapping[str, str]) -> Facts:
    """Return the tracked and the other brands that each valid answer names."""
    return {
        answer.key: frozenset(
            [
                *(brand.name for brand in answer.analysis.brands if brand.mentioned),
                *(others[each.name] for each in answer.candidates if each.name in others),
            ]
        )
        for answer in check.answers
        if answer.analysis is not None
    }


def _find_established(
    before: FullCheck, now: FullCheck, answers: _Answers, reasons: Sequence[Reason]
) -> tuple[EstablishedChange, ...]:
    own, cells = now.plan.brand.name, answers.cells
    overall = _compare("coverage", None, cells, answers.named_before, answers.named_now, own)
    tests = [
        _compare("platform", platform, part, answers.named_before, answers.named_now, own)
        for platform in now.plan.platforms
        if not _find_platform_reasons(before, now, platform)
        and (part := [cell for cell in cells if cell[1] == platform])
    ]
    if not reasons:
        tests += _compare_leads(own, answers)
        known = {brand.name for brand in before.plan.competitors}
        tests += [
            _compare("competitor", brand.name, cells, answers.named_before, answers.named_now, brand.name)
            for brand in now.plan.competitors
            if brand.name in known
        ]
        tests += _compare_sites(answers)
    found = [test for test in tests if test is not None]
    selected = select_discoveries([test.p for test in found], rate=_FALSE_RATE)
    kept = [test for test, is_selected in zip(found, selected, strict=True) if is_selected]
    if overall is not None and not reasons:
        kept.append(overall)
    kept = [change for change in kept if change.verdict != "no_clear_change"]
    return tuple(sorted(kept, key=lambda change: (_ORDER.index(change.kind), change.p, change.subject or "")))


def _find_platform_reasons(before: FullCheck, now: FullCheck, platform: str) -> Sequence[Reason]:
    """Return why the answers of one platform do not compare exactly, whatever the others do."""
    stamps = []
    for scan in (before.comparable, now.comparable):
        own = [each for each in scan.observations if each.platform == platform]
        stamps.append(
            msgspec.structs.replace(
                scan.stamp,
                cells=frozenset(each.cell for each in own),
                models={key: model for key, model in scan.stamp.models.items() if key == platform},
                incomplete=is_incomplete(own),
            )
        )
    return find_trend_reasons(*stamps)


def _compare(
    kind: ChangeKind, subject: str | None, cells: Sequence[Cell], before: Facts, now: Facts, name: str
) -> EstablishedChange | None:
    """Compare how many answers have a name or a site. None without any cell."""
    return _to_change(kind, subject, [(name in before[cell], name in now[cell]) for cell in cells])


def _to_change(kind: ChangeKind, subject: str | None, pairs: Sequence[tuple[bool, bool]]) -> EstablishedChange | None:
    if not pairs:
        return None
    lost, gained = sum(was and not has for was, has in pairs), sum(has and not was for was, has in pairs)
    change = compare_flips(lost, gained, len(pairs))
    return EstablishedChange(
        kind=kind,
        subject=subject,
        before=sum(was for was, _ in pairs),
        now=sum(has for _, has in pairs),
        total=len(pairs),
        delta=round_value(change.delta) or 0,
        low=round_value(change.interval.low) or 0,
        high=round_value(change.interval.high) or 0,
        p=round(change.p, 4),
        verdict=change.verdict,
    )


def _compare_sites(answers: _Answers) -> list[EstablishedChange | None]:
    """Compare the sites that are cited often enough to show a change, over answers with sources on both sides."""
    cells = [cell for cell in answers.cells if cell in answers.sites_before and cell in answers.sites_now]
    cited: Counter[str] = Counter()
    for cell in cells:
        cited.update(answers.sites_before[cell] ^ answers.sites_now[cell])
    sites = sorted(site for site, flips in cited.items() if flips >= _MIN_FLIPS)
    return [_compare("source", site, cells, answers.sites_before, answers.sites_now, site) for site in sites]


def _group_by_prompt(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell[0], []).append(cell)
    return {prompt: own for prompt, own in found.items() if len(own) >= _MIN_ANSWERS}


def _count_names(cells: Sequence[Cell], facts: Facts) -> Counter[str]:
    return Counter(name for cell in cells for name in facts[cell])


def find_winner(named: Counter[str]) -> str | None:
    """Return the brand that most answers name: at least two, and more than any other brand."""
    first, *rest = [*named.most_common(2), ("", 0)]
    return first[0] if first[1] >= _MIN_NAMED and first[1] > rest[0][1] else None


def _compare_leads(own: str, answers: _Answers) -> list[EstablishedChange | None]:
    pairs = [
        (
            find_winner(_count_names(cells, answers.named_before)) == own,
            find_winner(_count_names(cells, answers.named_now)) == own,
        )
        for cells in _group_by_prompt(answers.cells).values()
    ]
    return [_to_change("lead", None, pairs)]


def _find_winner_changes(now: FullCheck, answers: _Answers) -> tuple[WinnerChange, ...]:
    """Return the prompts where one brand led another clearly, and now it is the other way round."""
    groups = _group_by_prompt(answers.cells)
    found = []
    for prompt in now.plan.prompts:
        cells = groups.get(prompt.id, [])
        before, after = _count_names(cells, answers.named_before), _count_names(cells, answers.named_now)
        old, new = find_winner(before), find_winner(after)
        if old is None or new is None or old == new:
            continue
        if before[old] - before[new] < _CLEAR_LEAD or after[new] - after[old] < _CLEAR_LEAD:
            continue
        found.append(
            WinnerChange(
                prompt_id=uuid.UUID(prompt.id),
                prompt=prompt.text,
                country_iso_2=prompt.country,
                answers=len(cells),
                before=LeadingBrand(old, before[old]),
                now=LeadingBrand(new, after[new]),
            )
        )
    return tuple(found)


def _find_source_changes(answers: _Answers) -> tuple[PlatformSourceChange, ...]:
    """Return the sites that a platform cites in several answers of one check and in none of the other."""
    by_platform: dict[str, list[Cell]] = {}
    for cell in answers.cells:
        if cell in answers.sites_before and cell in answers.sites_now:
            by_platform.setdefault(cell[1], []).append(cell)
    return tuple(
        PlatformSourceChange(platform=platform, site=site, change=change, answers=cited, total=len(cells))
        for platform, cells in by_platform.items()
        for site, change, cited in _list_site_changes(
            _count_names(cells, answers.sites_before), _count_names(cells, answers.sites_now)
        )
    )


def _list_site_changes(before: Counter[str], now: Counter[str]) -> list[tuple[str, SiteChange, int]]:
    found: list[tuple[str, SiteChange, int]] = [
        *((site, "new", cited) for site, cited in now.items() if cited >= _MIN_FLIPS and not before[site]),
        *((site, "lost", cited) for site, cited in before.items() if cited >= _MIN_FLIPS and not now[site]),
    ]
    return sorted(found, key=lambda each: (-each[2], each[0]))[:_MAX_SITES]
