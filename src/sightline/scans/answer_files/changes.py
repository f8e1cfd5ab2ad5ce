"""What changed between two days of a file, and what of it is chance: by the rule of all other changes (metrics 3.6)."""

from collections import Counter
from collections.abc import Mapping
from datetime import date

import msgspec

from sightline.metrics.period_change import Checks, TestedChange, find_period_changes
from sightline.scans.models import ScanAnswer, ScanPlan

_FULL_DAY = 0.5
"""A day counts as a check if it has at least this share of the answers of the fullest day."""


class DayComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two days of a file, and the tested changes of brands, platforms and prompts between them."""

    before: date
    now: date
    answers: int
    """Answers on each of the two days to a prompt that was asked on the same platform on both."""
    changes: tuple[TestedChange, ...]


def choose_days(days: Mapping[date, int]) -> tuple[date, date] | None:
    """Return the first and the last day with about as many answers as the fullest one; None if there is only one."""
    least = _FULL_DAY * max(days.values(), default=0)
    full = sorted(day for day, answers in days.items() if answers >= least)
    return (full[0], full[-1]) if len(full) > 1 else None


class DayTally:
    """Which brands each answer of two days names. A prompt that was asked again on a day is another cell."""

    def __init__(self, plan: ScanPlan, days: tuple[date, date]) -> None:
        self._plan = plan
        self._days = days
        self._named: tuple[dict[tuple[str, str, int], tuple[bool, ...]], ...] = ({}, {})
        self._repeats: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())

    def add(self, answer: ScanAnswer, day: date | None) -> None:
        if day not in self._days or answer.analysis is None:
            return
        place = self._days.index(day)
        cell = (answer.prompt.id, answer.platform)
        repeat = self._repeats[place][cell]
        self._repeats[place][cell] += 1
        self._named[place][*cell, repeat] = tuple(brand.mentioned for brand in answer.analysis.brands)

    def compare(self) -> DayComparison:
        """Test every change over the cells that both days have."""
        import numpy as np  # heavy, and needed only for files with several days

        first, last = self._named
        cells = [cell for cell in first if cell in last]
        platforms = [platform for _, platform, _ in cells]
        brands = {
            brand.name: Checks(
                [day.toordinal() for day in self._days],
                platforms,
                np.array([[float(each[cell][place]) for each in self._named] for cell in cells]).reshape(-1, 2),
            )
            for place, brand in enumerate(self._plan.tracked)
        }
        changes = find_period_changes(brands, [prompt for prompt, _, _ in cells]) if cells else []
        return DayComparison(before=self._days[0], now=self._days[1], answers=len(cells), changes=tuple(changes))
