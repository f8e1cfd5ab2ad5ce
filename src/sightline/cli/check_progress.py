"""Progress of a running check on stderr: bars on a terminal, otherwise a line for each finished platform."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from sightline.kit.counting import count
from sightline.platforms.models import Fault
from sightline.platforms.names import platform_name
from sightline.presentation.phrases import FAULT_PHRASES
from sightline.scans.models import ScanAnswer, ScanPlan


class ProgressView(Protocol):
    """What shows the progress of a check."""

    def add(self, answer: ScanAnswer) -> None: ...


@contextmanager
def show_progress(plan: ScanPlan, console: Console) -> Iterator[ProgressView]:
    if not console.is_terminal:
        yield ProgressLines(plan, console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield ProgressBars(plan, progress)


class PlatformTally:
    """Counts of the answers of one platform so far."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.done = 0
        self.failed = 0
        self.not_shown = 0
        self.last_fault: Fault | None = None

    def add(self, answer: ScanAnswer) -> None:
        self.done += 1
        self.failed += answer.status == "failed"
        self.not_shown += answer.status == "no_surface"
        self.last_fault = answer.fault or self.last_fault

    def describe(self) -> str:
        parts = [f"{self.done - self.failed - self.not_shown} ok"]
        if self.not_shown:
            parts.append(f"{self.not_shown} not shown")
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.last_fault is not None:
            parts.append(f"last: {FAULT_PHRASES[self.last_fault.kind]}")
        return ", ".join(parts)


class ProgressBars:
    """A bar for each platform."""

    def __init__(self, plan: ScanPlan, progress: Progress) -> None:
        self._progress = progress
        width = max(len(platform_name(key)) for key in plan.platforms)
        self._tallies = {key: PlatformTally(len(plan.prompts)) for key in plan.platforms}
        self._tasks: dict[str, TaskID] = {
            key: progress.add_task(f"{platform_name(key):<{width}}", total=len(plan.prompts), note="")
            for key in plan.platforms
        }

    def add(self, answer: ScanAnswer) -> None:
        tally = self._tallies[answer.platform]
        tally.add(answer)
        color = "red" if tally.failed else "green"
        note = f"[{color}]{escape(tally.describe())}[/{color}]"
        self._progress.update(self._tasks[answer.platform], advance=1, note=note)


class ProgressLines:
    """A line for each platform once it is finished."""

    def __init__(self, plan: ScanPlan, console: Console) -> None:
        self._console = console
        self._tallies = {key: PlatformTally(len(plan.prompts)) for key in plan.platforms}
        prompts, platforms = count(len(plan.prompts), "prompt"), count(len(plan.platforms), "platform")
        self._print(f"Asking {prompts} on {platforms}.")

    def add(self, answer: ScanAnswer) -> None:
        tally = self._tallies[answer.platform]
        tally.add(answer)
        if tally.done == tally.planned:
            self._print(f"{platform_name(answer.platform)}: {tally.describe()}")

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False)
