"""The ground rules of 1.0: which answers a figure stands on, and whether enough of the planned ones came."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import msgspec

from sightline.metrics.reading import Reading

Key = TypeVar("Key", bound=Hashable)


class Panel(msgspec.Struct, frozen=True):
    answers: tuple[Reading, ...]
    """The valid ones."""
    planned: int
    incomplete: bool
    only_branded: bool = False

    @property
    def prompts(self) -> int:
        return len({answer.prompt_id for answer in self.answers})


def select_unbranded(readings: Sequence[Reading]) -> Panel:
    """For the headline: branded prompts stay out, unless there is nothing else; then the panel says so."""
    unbranded = [reading for reading in readings if not reading.branded]
    if readings and not unbranded:
        return _panel(readings, only_branded=True)
    return _panel(unbranded)


def select_all(readings: Sequence[Reading]) -> Panel:
    """For citations, sentiment and themes, where branded prompts count."""
    return _panel(readings)


def is_incomplete(readings: Iterable[Reading]) -> bool:
    """Below 80 % valid, over all or on one platform.

    An overview that was not shown was measured well (it has its own `surface_rate`), so it does not count as missing:
    else a platform that seldom shows one could never be compared or raise an alert.
    """
    shown = [reading for reading in readings if reading.status != "no_surface"]
    parts = [shown, *split_by(shown, lambda reading: reading.platform).values()]
    return any(_lacks(part) for part in parts)


def lacks_answers(valid: int, planned: int) -> bool:
    """In whole numbers, for 80 % itself is enough and must not fall to a rounding error."""
    return 5 * valid < 4 * planned


def split_by(readings: Iterable[Reading], key: Callable[[Reading], Key]) -> dict[Key, list[Reading]]:
    """The parts that have figures of their own: by platform, country or prompt, in order of appearance."""
    parts: dict[Key, list[Reading]] = defaultdict(list)
    for reading in readings:
        parts[key(reading)].append(reading)
    return dict(parts)


def _lacks(part: Sequence[Reading]) -> bool:
    return lacks_answers(sum(reading.is_valid for reading in part), len(part))


def _panel(readings: Sequence[Reading], *, only_branded: bool = False) -> Panel:
    return Panel(
        answers=tuple(reading for reading in readings if reading.is_valid),
        planned=len(readings),
        incomplete=is_incomplete(readings),
        only_branded=only_branded,
    )
