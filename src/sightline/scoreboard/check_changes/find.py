"""Finding what changed between two Full Checks, over the cells that both answered. Pure.

A change is established by the same rule as a change of the headline (metrics 3.3). The brand as a whole is one test.
The competitors are a family of tests, and the brand's platforms, prompts and leads are another: in each of them,
Benjamini-Hochberg selects the tests that count (q = .05). Sites are listed without a verdict.
"""

import uuid
from collections import Counter
from collections.abc import Sequence

import msgspec

from sightline.kit.clock import to_iso
from sightline.metrics.alerts import select_discoveries
from sightline.metrics.compare import compare_flips
from sightline.metrics.completeness import is_incomplete
from sightline.metrics.figure import round_value
from sightline.metrics.observation import Cell
from sightline.metrics.trend import Reason, find_surface_changes, find_trend_reasons
from sightline.scoreboard.check_changes.matched_answers import (
    MIN_FLIPS,
    Facts,
    FullCheck,
    MatchedAnswers,
    match_answers,
)
from sightline.scoreboard.check_changes.schemas import (
    ChangeKind,
    CheckChanges,
    CountChange,
    FigureChange,
    LeadingBrand,
    ModelChange,
    PlatformSourceChange,
    SiteChange,
    SourceAnswers,
    SurfaceChange,
    WinnerChange,
)

_FALSE_RATE = 0.05  # half the rate of alerts, because no later check confirms a sentence
_MAX_UNCLEAR_SOURCES = 10
_ORDER: tuple[ChangeKind, ...] = ("coverage", "competitor", "platform", "lead", "prompt", "source")


def find_changes(before: FullCheck, now: FullCheck, figures: tuple[FigureChange, ...] = ()) -> CheckChanges:
    """Find what changed. `figures` are the changes of the headline."""
    answers = match_answers(before, now)
    reasons = find_trend_reasons(before.comparable.stamp, now.comparable.stamp)
    established, unclear = _find_count_changes(before, now, answers, reasons)
    sources = find_source_changes(answers)
    return CheckChanges(
        scan_id=now.scan_id,
        against_scan_id=before.scan_id,
        since=to_iso(before.completed_at),
        until=to_iso(now.completed_at),
        reasons=reasons,
        established=established,
        winners=find_winner_changes(now, answers),
        sources=sources,
        figures=figures,
        unclear=unclear,
        source_answers=count_source_answers(answers, sources),
        models=_find_model_changes(before, now),
        surfaces=tuple(
            SurfaceChange(platform, was, surface)
            for platform, (was, surface) in find_surface_changes(
                before.comparable.stamp.surfaces, now.comparable.stamp.surfaces
            ).items()
        ),
    )


def _find_model_changes(before: FullCheck, now: FullCheck) -> tuple[ModelChange, ...]:
    earlier, later = before.comparable.stamp.models, now.comparable.stamp.models
    return tuple(
        ModelChange(platform, was, model)
        for platform, model in later.items()
        if model is not None and (was := earlier.get(platform)) is not None and was != model
    )


def _find_count_changes(
    before: FullCheck, now: FullCheck, answers: MatchedAnswers, reasons: Sequence[Reason]
) -> tuple[tuple[CountChange, ...], tuple[CountChange, ...]]:
    """Return the changes that are established, and those that may be chance, the largest first."""
    own, cells = now.plan.brand.name, answers.cells
    overall = _compare("coverage", None, cells, answers.named_before, answers.named_now, own)
    own_parts = [
        _compare("platform", platform, part, answers.named_before, answers.named_now, own)
        for platform in now.plan.platforms
        if not _find_platform_reasons(before, now, platform)
        and (part := [cell for cell in cells if cell[1] == platform])
    ]
    competitors: list[CountChange | None] = []
    found: list[CountChange] = []
    if not reasons:
        known = {brand.name for brand in before.plan.competitors}
        competitors = [
            _compare("competitor", brand.name, cells, answers.named_before, answers.named_now, brand.name)
            for brand in now.plan.competitors
            if brand.name in known
        ]
        own_parts += [*_compare_leads(own, answers), *_compare_prompts(now, answers)]
        found += filter(None, _compare_sites(now, answers))
    kept: list[CountChange] = []
    for family in (competitors, own_parts):
        tests = [test for test in family if test is not None]
        selected = select_discoveries([test.p for test in tests], rate=_FALSE_RATE)
        kept += [test for test, is_selected in zip(tests, selected, strict=True) if is_selected]
        found += tests
    if overall is not None and not reasons:
        kept.append(overall)
        found.append(overall)
    kept = [change for change in kept if change.verdict != "no_clear_change"]
    unclear = [change for change in found if change not in kept and change.before != change.now]
    unclear.sort(key=lambda change: (-abs(change.delta), _ORDER.index(change.kind), change.subject or ""))
    return (
        tuple(sorted(kept, key=lambda change: (_ORDER.index(change.kind), change.p, change.subject or ""))),
        tuple(msgspec.structs.replace(change, verdict="no_clear_change") for change in _drop_sources(unclear)),
    )


def _drop_sources(changes: Sequence[CountChange]) -> list[CountChange]:
    """Keep only the first few changes of sources: there are many, and most of them are chance."""
    shown = [change for change in changes if change.kind == "source"][:_MAX_UNCLEAR_SOURCES]
    return [change for change in changes if change.kind != "source" or change in shown]


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
                surfaces={key: surface for key, surface in scan.stamp.surfaces.items() if key == platform},
                incomplete=is_incomplete(own),
            )
        )
    return find_trend_reasons(*stamps)


def _compare(
    kind: ChangeKind, subject: str | None, cells: Sequence[Cell], before: Facts, now: Facts, name: str
) -> CountChange | None:
    """Compare how many answers have a name or a site. None without any cell."""
    return _to_change(kind, subject, [(name in before[cell], name in now[cell]) for cell in cells])


def _to_change(kind: ChangeKind, subject: str | None, pairs: Sequence[tuple[bool, bool]]) -> CountChange | None:
    if not pairs:
        return None
    lost, gained = sum(was and not has for was, has in pairs), sum(has and not was for was, has in pairs)
    change = compare_flips(lost, gained, len(pairs))
    return CountChange(
        kind=kind,
        subject=subject,
        before=sum(was for was, _ in pairs),
        now=sum(has for _, has in pairs),
        total=len(pairs),
        gained=gained,
        lost=lost,
        delta=round_value(change.delta) or 0,
        low=round_value(change.interval.low) or 0,
        high=round_value(change.interval.high) or 0,
        p=round(change.p, 4),
        verdict=change.verdict,
    )


def _compare_leads(own: str, answers: MatchedAnswers) -> list[CountChange | None]:
    pairs = [
        (
            find_winner(count_names(cells, answers.named_before)) == own,
            find_winner(count_names(cells, answers.named_now)) == own,
        )
        for cells in group_by_prompt(answers.cells).values()
    ]
    return [_to_change("lead", None, pairs)]


def _compare_prompts(now: FullCheck, answers: MatchedAnswers) -> list[CountChange | None]:
    """Compare the prompts with enough changed answers. Most have too few answers to establish anything."""
    own, groups = now.plan.brand.name, group_by_prompt(answers.cells)
    found = []
    for prompt in now.plan.prompts:
        cells = groups.get(prompt.id, [])
        if sum((own in answers.named_before[cell]) != (own in answers.named_now[cell]) for cell in cells) >= MIN_FLIPS:
            change = _compare("prompt", prompt.text, cells, answers.named_before, answers.named_now, own)
            found.append(change and msgspec.structs.replace(change, prompt_id=uuid.UUID(prompt.id)))
    return found


def _compare_sites(now: FullCheck, answers: MatchedAnswers) -> list[CountChange | None]:
    """Compare the sites that are cited often enough to show a change, over answers with sources on both sides.

    Sites of the brand are left out: citations are a headline figure with a test of its own.
    """
    cells = answers.sourced_cells
    flips: Counter[str] = Counter()
    for cell in cells:
        flips.update(answers.sites_before[cell] ^ answers.sites_now[cell])
    owned = set(now.plan.brand.domains)
    sites = sorted(site for site, many in flips.items() if many >= MIN_FLIPS and site not in owned)
    return [_compare("source", site, cells, answers.sites_before, answers.sites_now, site) for site in sites]


_MAX_SITES = 20  # of one platform


def find_source_changes(answers: MatchedAnswers) -> tuple[PlatformSourceChange, ...]:
    """Return the sites that a platform cites in several answers of one check and in none of the other."""
    by_platform: dict[str, list[Cell]] = {}
    for cell in answers.sourced_cells:
        by_platform.setdefault(cell[1], []).append(cell)
    return tuple(
        PlatformSourceChange(platform=platform, site=site, change=change, answers=cited, total=len(cells))
        for platform, cells in by_platform.items()
        for site, change, cited in _list_site_changes(
            count_names(cells, answers.sites_before), count_names(cells, answers.sites_now)
        )
    )


def _list_site_changes(before: Counter[str], now: Counter[str]) -> list[tuple[str, SiteChange, int]]:
    found: list[tuple[str, SiteChange, int]] = [
        *((site, "new", cited) for site, cited in now.items() if cited >= MIN_FLIPS and not before[site]),
        *((site, "lost", cited) for site, cited in before.items() if cited >= MIN_FLIPS and not now[site]),
    ]
    return sorted(found, key=lambda each: (-each[2], each[0]))[:_MAX_SITES]


def count_source_answers(answers: MatchedAnswers, changes: tuple[PlatformSourceChange, ...]) -> SourceAnswers:
    """Count the answers that cite at least one of the new sites now, and one of the lost sites before."""
    sites: dict[tuple[SiteChange, str], set[str]] = {}
    for each in changes:
        sites.setdefault((each.change, each.platform), set()).add(each.site)
    cells = answers.sourced_cells
    return SourceAnswers(
        new=sum(bool(answers.sites_now[cell] & sites.get(("new", cell[1]), set())) for cell in cells),
        lost=sum(bool(answers.sites_before[cell] & sites.get(("lost", cell[1]), set())) for cell in cells),
    )


_MIN_ANSWERS = 3  # of one prompt, to have a winner
_MIN_NAMED = 2
_CLEAR_LEAD = 2


def group_by_prompt(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """Return the cells of each prompt that has enough of them for a winner."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell[0], []).append(cell)
    return {prompt: own for prompt, own in found.items() if len(own) >= _MIN_ANSWERS}


def count_names(cells: Sequence[Cell], facts: Facts) -> Counter[str]:
    """Count the answers with each name, or with each site."""
    return Counter(name for cell in cells for name in facts[cell])


def find_winner(named: Counter[str]) -> str | None:
    """Return the brand that most answers name: at least two, and more than any other brand."""
    first, *rest = [*named.most_common(2), ("", 0)]
    return first[0] if first[1] >= _MIN_NAMED and first[1] > rest[0][1] else None


def find_winner_changes(now: FullCheck, answers: MatchedAnswers) -> tuple[WinnerChange, ...]:
    """Return the prompts where one brand led another clearly, and now it is the other way round."""
    groups = group_by_prompt(answers.cells)
    found = []
    for prompt in now.plan.prompts:
        cells = groups.get(prompt.id, [])
        before, after = count_names(cells, answers.named_before), count_names(cells, answers.named_now)
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
