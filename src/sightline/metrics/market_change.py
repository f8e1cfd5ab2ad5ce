"""How the figures against competitors changed, over matched cells (metrics 1.11): Share of Voice, Market Position.

`before` and `now` hold the observations of each brand in the same order, the measured brand first. Only brands that
both scans measured belong there: a competitor that was added or removed changes these figures by construction.
"""

import math
from collections.abc import Sequence

from sightline.metrics.compare import (
    Change,
    Verdict,
    build_change,
    find_sign_flip_p,
    match_cells,
)
from sightline.metrics.intervals import Interval
from sightline.metrics.observation import Observation
from sightline.metrics.position import find_position_ranges, is_seen
from sightline.metrics.visibility import value_answer

Brands = Sequence[Sequence[Observation]]
# Scores that differ by less are equal but for rounding errors.
_EPSILON = 1e-9


def compare_share_of_voice(before: Brands, now: Brands) -> Change | None:
    """Compare Share of Voice. None without a matched cell, a competitor, or a mention on either side.

    Cells are exchanged between the two scans at random. The share of both scans together stays the same then, so each
    cell counts by what it adds to the brand's mentions beyond that share, and its sign flips.
    """
    matched = _match_brands(before, now)
    earlier = [_share_voice([pair[0] for pair in cell]) for cell in zip(*matched, strict=True)]
    later = [_share_voice([pair[1] for pair in cell]) for cell in zip(*matched, strict=True)]
    voices_before, voices_now = sum(whole for _, whole in earlier), sum(whole for _, whole in later)
    if len(matched) < 2 or not voices_before or not voices_now:
        return None
    own = sum(part for part, _ in (*earlier, *later))
    pooled = own / (voices_before + voices_now)
    differences = [
        (part_now - pooled * whole_now) - (part_before - pooled * whole_before)
        for (part_before, whole_before), (part_now, whole_now) in zip(earlier, later, strict=True)
    ]
    # With the harmonic mean of the mentions, the sum of the differences is exactly the difference of the two shares.
    whole = 2 * voices_before * voices_now / (voices_before + voices_now)
    return build_change(differences, find_sign_flip_p(differences), scale=100, whole=whole)


def compare_position(before: Brands, now: Brands) -> Change | None:
    """Compare Market Position, in places: below 0 the brand is ranked higher than before, and the verdict is "up".

    A place is won from a competitor or lost to one. The change is established if the lead over each of these changed
    by the rule of 3.3, and p is the largest of theirs. The interval combines the two ranges of places. None without a
    matched cell or a competitor, or if the brand has no place.
    """
    matched = _match_brands(before, now)
    if len(matched) < 2 or not matched[0]:
        return None
    sides = [[[pair[side] for pair in pairs] for pairs in matched] for side in (0, 1)]
    if not all(is_seen(brands[0]) for brands in sides):
        return None
    earlier, later = ([[value_answer(answer) for answer in answers] for answers in brands] for brands in sides)
    above_before, above_now = _find_above(earlier), _find_above(later)
    places = len(above_now) - len(above_before)
    passed = (above_before - above_now) if places < 0 else (above_now - above_before)
    tests = [_compare_leads(earlier, later, rival) for rival in sorted(passed)] if places else []
    (best_before, worst_before), (best_now, worst_now) = (_find_range(brands) for brands in sides)
    steps = [has - was for was, has in zip(earlier[0], later[0], strict=True)]
    return Change(
        matched_cells=len(steps),
        gained=sum(step > _EPSILON for step in steps),
        lost=sum(step < -_EPSILON for step in steps),
        delta=float(places),
        interval=Interval(best_now - worst_before, worst_now - best_before),
        p=max((test.p for test in tests), default=1.0),
        verdict=_find_place_verdict(tests),
    )


def _match_brands(before: Brands, now: Brands) -> list[list[tuple[Observation, Observation]]]:
    return [match_cells(earlier, later) for earlier, later in zip(before, now, strict=True)]


def _share_voice(answers: Sequence[Observation]) -> tuple[int, int]:
    return int(answers[0].mentioned), sum(answer.mentioned for answer in answers)


def _find_above(values: Sequence[Sequence[float]]) -> set[int]:
    """Return the competitors that score higher than the brand."""
    own, *rivals = (math.fsum(each) for each in values)
    return {index for index, score in enumerate(rivals, start=1) if score > own + _EPSILON}


def _compare_leads(before: Sequence[Sequence[float]], now: Sequence[Sequence[float]], rival: int) -> Change:
    """Compare how far the brand is ahead of a competitor."""
    leads = [[own - theirs for own, theirs in zip(values[0], values[rival], strict=True)] for values in (before, now)]
    differences = [later - earlier for earlier, later in zip(*leads, strict=True)]
    return build_change(differences, find_sign_flip_p(differences), scale=100, whole=len(differences))


def _find_range(brands: Brands) -> tuple[int, int]:
    return find_position_ranges({str(index): answers for index, answers in enumerate(brands)})["0"]


def _find_place_verdict(tests: Sequence[Change]) -> Verdict:
    """Return the direction in which all leads changed. If they disagree, the change of place is not established."""
    verdicts = {test.verdict for test in tests}
    return verdicts.pop() if len(verdicts) == 1 else "no_clear_change"
