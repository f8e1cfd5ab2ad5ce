"""What the results of a scan need to know of its answers, added up one by one.

No text is kept, and equal observations are one object: a hundred thousand answers need little memory.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.observation import Observation
from sightline.metrics.panel import Observations
from sightline.metrics.spot_check import measure_spot_check
from sightline.platforms.models import FaultKind
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.observations import ObservedCell, find_branded, index_answers, observe
from sightline.scans.schemas.results import CellStatus, FaultCount, PromptCell
from sightline.scans.sources import SourceTally

SpotChecks = Mapping[tuple[str, str], Figure]
"""How likely one answer is to name the brand, by the id of a prompt and a platform."""


class CellTally(msgspec.Struct):
    """The answers to one prompt on one platform: one in a scan, any number in a file."""

    answer_id: str
    """The first valid answer, or the first one of all."""
    status: CellStatus
    asked: int = 0
    """Answers that were obtained, and times that no AI answer was shown."""
    named: int = 0
    cited: int = 0
    ranks: list[int] = []

    def add(self, answer: ScanAnswer) -> None:
        self.asked += answer.status != "failed"
        if _STATUS_ORDER.index(answer.status) < _STATUS_ORDER.index(self.status):
            self.answer_id, self.status = answer.id, answer.status
        if answer.analysis is None:
            return
        own = answer.analysis.brands[0]
        self.named += own.mentioned
        self.cited += own.cited
        if own.rank is not None:
            self.ranks.append(own.rank)

    def to_prompt_cell(self, platform: str) -> PromptCell:
        """Return the cell as results show it. The position is the median of all answers."""
        measured = self.status == "ok"
        return PromptCell(
            platform=platform,
            status=self.status,
            mentioned=self.named > 0 if measured else None,
            cited=self.cited > 0 if measured else None,
            position=sorted(self.ranks)[(len(self.ranks) - 1) // 2] if self.ranks else None,
            answer_id=self.answer_id,
        )


class PlatformTally(msgspec.Struct):
    """The answers of one platform by status, and its faults: how many of each kind, and the latest message."""

    statuses: Counter[CellStatus] = msgspec.field(default_factory=Counter)
    faults: dict[FaultKind, tuple[int, str, str]] = {}

    def add(self, answer: ScanAnswer) -> None:
        self.statuses[answer.status] += 1
        if answer.fault is not None:
            count, latest, message = self.faults.get(answer.fault.kind, (0, "", ""))
            if answer.id >= latest:
                latest, message = answer.id, answer.fault.message
            self.faults[answer.fault.kind] = (count + 1, latest, message)

    def list_faults(self) -> tuple[FaultCount, ...]:
        """Return the faults, most frequent kind first."""
        ordered = sorted(self.faults.items(), key=lambda fault: (-fault[1][0], fault[0]))
        return tuple(FaultCount(kind, count, message) for kind, (count, _, message) in ordered)


class ScanTally:
    """The answers of a scan, as far as its results depend on them. `branded` are the prompts that name the brand."""

    def __init__(self, plan: ScanPlan) -> None:
        self.plan = plan
        self.branded = find_branded(plan)
        self.cells: dict[tuple[str, str], CellTally] = {}
        self.platforms = {platform: PlatformTally() for platform in plan.platforms}
        self.sources = SourceTally(plan)
        self.scorers: set[str] = set()
        self._observations: tuple[list[Observation], ...] = tuple([] for _ in plan.tracked)
        self._known: dict[Observation, Observation] = {}

    def add(self, answer: ScanAnswer) -> None:
        """Add an answer. Another answer to the same cell is a repeat, and counts as much as the first."""
        self._observe(answer.prompt, answer.platform, answer)
        self.platforms[answer.platform].add(answer)
        cell = (answer.prompt.id, answer.platform)
        if cell not in self.cells:
            self.cells[cell] = CellTally(answer.id, answer.status)
        self.cells[cell].add(answer)
        self.sources.add(answer)
        sentiment = None if answer.analysis is None else answer.analysis.brands[0].sentiment
        if sentiment is not None and sentiment.scorer is not None:
            self.scorers.add(sentiment.scorer)

    def add_unanswered(self, prompt: ScanPrompt, platform: str) -> None:
        """Add a planned cell without an answer. Figures count it as failed, so that they include what is missing."""
        self._observe(prompt, platform, None)
        self.platforms[platform].statuses["unanswered"] += 1

    def observations(self) -> tuple[Observations, ...]:
        """Return the observations of each tracked brand, the measured one first."""
        return tuple(map(Observations, self._observations))

    def measure_spot_checks(self) -> SpotChecks:
        """Return a spot check of every cell with an answer. Its value is null where there are too few repeats."""
        return {key: to_figure(measure_spot_check(cell.named, cell.asked)) for key, cell in self.cells.items()}

    def _observe(self, prompt: ScanPrompt, platform: str, answer: ScanAnswer | None) -> None:
        cell = ObservedCell(prompt, platform, answer, prompt.id in self.branded)
        for index, observations in enumerate(self._observations):
            found = observe(self.plan, index, cell, detailed=False)
            observations.append(self._known.setdefault(found, found))


_STATUS_ORDER: tuple[CellStatus, ...] = ("ok", "no_surface", "failed", "unanswered")


def tally_answers(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> ScanTally:
    """Add up the answers of a scan that asked every prompt on every platform once; some may be missing."""
    by_cell = index_answers(plan, answers)
    tally = ScanTally(plan)
    for prompt in plan.prompts:
        for platform in plan.platforms:
            answer = by_cell.get((prompt.id, platform, prompt.country))
            if answer is None:
                tally.add_unanswered(prompt, platform)
            else:
                tally.add(answer)
    return tally
