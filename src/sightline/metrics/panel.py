"""The ground rules of 1.0: which answers a figure is based on, and whether enough of the plan was answered."""

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from sightline.metrics.completeness import is_incomplete
from sightline.metrics.intervals import Interval, market_ratio_interval
from sightline.metrics.observation import Observation

Key = TypeVar("Key", bound=Hashable)
AnswerValue = Callable[[Observation], float]


class Panel(msgspec.Struct, frozen=True, dict=True):
    """The answers that a figure is based on."""

    answers: tuple[Observation, ...]
    """The valid answers."""
    planned: int
    incomplete: bool
    only_branded: bool = False

    @cached_property
    def prompts(self) -> int:
        return len({answer.prompt_id for answer in self.answers})

    def evaluate(self, value_of: AnswerValue) -> Sequence[float]:
        """Return the value of each answer, in their order. Cached, because several figures need the same values."""
        found = self._values.get(value_of)
        if found is None:
            # An array of numbers: a file may hold a hundred thousand answers, and a list needs more memory.
            found = self._values[value_of] = array("d", map(value_of, self.answers))
        return found

    def find_market_interval(self, value_of: AnswerValue) -> Interval | None:
        """Return the market interval of the mean value. Cached, because it is the slowest part of a figure."""
        if value_of not in self._market_intervals:
            by_prompt: dict[str, list[float]] = defaultdict(list)
            for answer, value in zip(self.answers, self.evaluate(value_of), strict=True):
                by_prompt[answer.prompt_id].append(value)
            self._market_intervals[value_of] = market_ratio_interval(
                [math.fsum(values) for values in by_prompt.values()],
                [len(values) for values in by_prompt.values()],
                trials=len(self.answers),
            )
        return self._market_intervals[value_of]

    @cached_property
    def _values(self) -> dict[AnswerValue, Sequence[float]]:
        return {}

    @cached_property
    def _market_intervals(self) -> dict[AnswerValue, Interval | None]:
        return {}


class Observations(tuple[Observation, ...]):  # noqa: SLOT001 - the panels are cached in its dictionary
    """Observations that many figures are made of. Their two panels are selected only once."""

    @cached_property
    def unbranded(self) -> Panel:
        unbranded = [observation for observation in self if not observation.branded]
        if len(unbranded) == len(self):
            return self.all
        return _build_panel(unbranded) if unbranded else _build_panel(self, only_branded=True)

    @cached_property
    def all(self) -> Panel:
        return _build_panel(self)


def select_unbranded(observations: Sequence[Observation]) -> Panel:
    """Select the answers for the headline: unbranded prompts, or branded ones if there are no others (flagged)."""
    return _to_observations(observations).unbranded


def select_all(observations: Sequence[Observation]) -> Panel:
    """Select the answers for citations, sentiment and themes, where branded prompts count."""
    return _to_observations(observations).all


def split_by(observations: Iterable[Observation], key: Callable[[Observation], Key]) -> dict[Key, list[Observation]]:
    """Split by platform, country or prompt, in order of appearance."""
    parts: dict[Key, list[Observation]] = defaultdict(list)
    for observation in observations:
        parts[key(observation)].append(observation)
    return dict(parts)


def _to_observations(observations: Sequence[Observation]) -> Observations:
    return observations if isinstance(observations, Observations) else Observations(observations)


def _build_panel(observations: Sequence[Observation], *, only_branded: bool = False) -> Panel:
    return Panel(
        answers=tuple([observation for observation in observations if observation.status == "ok"]),
        planned=len(observations),
        incomplete=is_incomplete(observations),
        only_branded=only_branded,
    )
