"""The ground rules of 1.0: which answers a figure stands on, and whether enough of the planned ones came."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from statistics import fmean
from typing import TypeVar

import msgspec

from sightline.metrics.intervals import Interval, market_interval
from sightline.metrics.observation import Cell, Observation

Key = TypeVar("Key", bound=Hashable)
Worth = Callable[[Observation], float]


class Panel(msgspec.Struct, frozen=True, dict=True):
    answers: tuple[Observation, ...]
    """The valid ones."""
    planned: int
    incomplete: bool
    only_branded: bool = False

    @cached_property
    def prompts(self) -> int:
        return len({answer.prompt_id for answer in self.answers})

    @cached_property
    def cells(self) -> list[Cell]:
        return [answer.cell for answer in self.answers]

    def weigh(self, worth: Worth) -> list[float]:
        """What each answer is worth, in their order. Several figures ask for the same, and it is found once."""
        found = self._worths.get(worth)
        if found is None:
            found = self._worths[worth] = list(map(worth, self.answers))
        return found

    def find_market(self, worth: Worth) -> Interval | None:
        """Of the mean worth. Found once as well: nothing else of a figure takes as long."""
        if worth not in self._markets:
            by_prompt: dict[str, list[float]] = defaultdict(list)
            for answer, value in zip(self.answers, self.weigh(worth), strict=True):
                by_prompt[answer.prompt_id].append(value)
            self._markets[worth] = market_interval([fmean(values) for values in by_prompt.values()])
        return self._markets[worth]

    @cached_property
    def _worths(self) -> dict[Worth, list[float]]:
        return {}

    @cached_property
    def _markets(self) -> dict[Worth, Interval | None]:
        return {}


class Observations(tuple[Observation, ...]):  # noqa: SLOT001 - what was selected is kept in its dictionary
    """Readings that many figures are made of: their two panels are selected once, and not for each of the figures."""

    @cached_property
    def unbranded(self) -> Panel:
        unbranded = [reading for reading in self if not reading.branded]
        if len(unbranded) == len(self):
            return self.all
        return _panel(unbranded) if unbranded else _panel(self, only_branded=True)

    @cached_property
    def all(self) -> Panel:
        return _panel(self)


def select_unbranded(readings: Sequence[Observation]) -> Panel:
    """For the headline: branded prompts stay out, unless there is nothing else; then the panel says so."""
    return _together(readings).unbranded


def select_all(readings: Sequence[Observation]) -> Panel:
    """For citations, sentiment and themes, where branded prompts count."""
    return _together(readings).all


def is_incomplete(readings: Iterable[Observation]) -> bool:
    """Below 80 % valid, over all or on one platform.

    An overview that was not shown was measured well (it has its own `surface_rate`), so it does not count as missing:
    else a platform that seldom shows one could never be compared or raise an alert.
    """
    shown = [reading for reading in readings if reading.status != "no_surface"]
    planned = Counter([reading.platform for reading in shown])
    valid = Counter([reading.platform for reading in shown if reading.status == "ok"])
    return lacks_answers(valid.total(), planned.total()) or any(
        lacks_answers(valid[platform], count) for platform, count in planned.items()
    )


def lacks_answers(valid: int, planned: int) -> bool:
    """In whole numbers, for 80 % itself is enough and must not fall to a rounding error."""
    return 5 * valid < 4 * planned


def split_by(readings: Iterable[Observation], key: Callable[[Observation], Key]) -> dict[Key, list[Observation]]:
    """The parts that have figures of their own: by platform, country or prompt, in order of appearance."""
    parts: dict[Key, list[Observation]] = defaultdict(list)
    for reading in readings:
        parts[key(reading)].append(reading)
    return dict(parts)


def _together(readings: Sequence[Observation]) -> Observations:
    return readings if isinstance(readings, Observations) else Observations(readings)


def _panel(readings: Sequence[Observation], *, only_branded: bool = False) -> Panel:
    return Panel(
        answers=tuple([reading for reading in readings if reading.status == "ok"]),
        planned=len(readings),
        incomplete=is_incomplete(readings),
        only_branded=only_branded,
    )
