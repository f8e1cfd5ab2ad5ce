"""Running `sightline analyze`: validate the file, analyze every answer, then print and save the result."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from sightline.answers.scorers import parse_scorer_name
from sightline.cli.analyze_document import write_answer, write_document
from sightline.cli.analyze_editor import OpenedEditor
from sightline.cli.analyze_insights import print_insights
from sightline.cli.analyze_opinion import print_second_opinion
from sightline.cli.check_input import (
    parse_aliases,
    parse_category,
    parse_columns,
    parse_competitors,
    parse_days,
    parse_named_brand,
    refuse,
)
from sightline.cli.check_tables import print_scan
from sightline.cli.context import out
from sightline.cli.failures import err, fail
from sightline.cli.report_file import save_report
from sightline.facts.models import Fact
from sightline.insights.editor.caller import PlatformEditor
from sightline.insights.editor.folder import FolderEditor
from sightline.insights.file_insights import AnswerSample, FileInsights, find_file_insights
from sightline.kit.clock import utc_now
from sightline.kit.counting import count
from sightline.presentation.dates import format_date
from sightline.presentation.lists import join_names
from sightline.reports.scan_report import MAX_PROMPTS_SHOWN, MAX_TEXTS_SHOWN
from sightline.scans.answer_files.columns import UnreadableFile, find_layout
from sightline.scans.answer_files.measure import FileChanged, measure_file, plan_file
from sightline.scans.answer_files.opinion import build_file_record
from sightline.scans.answer_files.survey import FileSurvey, survey_file
from sightline.scans.models import ScanAnswer, ScanPlan

MAX_COMPETITORS = 100
OpenEditor = Callable[[], AbstractAsyncContextManager[OpenedEditor]]


def execute_analysis(
    path: Path,
    brand: str,
    *,
    aliases: Sequence[str],
    competitors: Sequence[str],
    scorer_setting: str,
    processes: int,
    as_json: bool,
    save: Path | None,
    columns: Sequence[str],
    compare: str | None,
    category: str | None,
    facts: Sequence[Fact],
    open_editor: OpenEditor,
    has_editor: bool,
) -> int:
    """Analyze a file, print and save the result, and return the exit code.

    Without competitors, the brand is compared with the most named ones; an editor says itself who competes.
    """
    # Reserved domains such as acme.example are fine here: nothing is looked up.
    own = parse_named_brand("--brand", brand, sandbox=True)
    own = msgspec.structs.replace(own, aliases=(*own.aliases, *parse_aliases(aliases)))
    rivals = parse_competitors(competitors, own, sandbox=True, most=MAX_COMPETITORS)
    sold = parse_category(category)
    days = parse_days(compare)
    survey = _survey(path, parse_columns(columns))
    _require_days(survey, days)
    started_at = utc_now()
    try:
        planned = plan_file(path, survey, own, rivals, choose_rivals=not has_editor)
    except FileChanged:
        _refuse_changed(path)
    plan = planned.plan
    shown, sample = _ShownAnswers(plan), AnswerSample()
    with TemporaryFile() as answers_json:

        def keep(answer: ScanAnswer) -> None:
            shown.add(answer)
            sample.add(answer)
            if as_json:
                write_answer(answer, answers_json)
            progress.advance(settling)

        with _show_progress(planned.answers) as (progress, analyzing, settling):
            try:
                found = measure_file(
                    path,
                    survey,
                    plan,
                    sentiment=parse_scorer_name(scorer_setting),
                    processes=processes,
                    on_analyzed=lambda: progress.advance(analyzing),
                    on_settled=keep,
                    days=days,
                )
            except FileChanged:
                _refuse_changed(path)
            except BrokenExecutor:
                fail(
                    "A process that analyzes answers stopped, perhaps because it ran out of memory. Set "
                    "SIGHTLINE_ANALYZER_PROCESSES=0 to analyze them in one process."
                )
        insights = asyncio.run(_find_insights(plan, sample.answers, open_editor, sold, facts))
        if insights.edition:
            found = found.with_rivals(insights.edition.rivals)
        scan = build_file_record(survey, planned, found, shown.answers, started_at)
        if as_json:
            write_document(scan, found, insights, answers_json, sys.stdout.buffer)
    if not as_json:
        print_second_opinion(scan, out)
        print_scan(scan, out)
        print_insights(insights, out)
    if save is not None:
        save_report(scan, save)
    return 0 if found.results.valid else 1


def _refuse_changed(path: Path) -> NoReturn:
    refuse(f"{path} changed while it was analyzed. Run the command again.")


def _require_days(survey: FileSurvey, days: tuple[date, date] | None) -> None:
    absent = [format_date(day) for day in days or () if day not in survey.days]
    if absent:
        refuse(f"The file has no answer of {join_names(absent)}.")


async def _find_insights(
    plan: ScanPlan, answers: Sequence[ScanAnswer], open_editor: OpenEditor, category: str | None, facts: Sequence[Fact]
) -> FileInsights:
    async with open_editor() as opened:
        insights = await find_file_insights(plan, answers, opened.editor, opened.codebook, category, facts)
        if insights.edition and (dropped := insights.edition.dropped.total()):
            verb = "was" if dropped == 1 else "were"
            err.print(
                f"{count(dropped, 'part')} of the editor's replies {verb} left out, because nothing proves it.",
                highlight=False,
            )
        if isinstance(opened.editor, FolderEditor) and insights.edition and not opened.editor.missing:
            opened.editor.write_themes(insights.edition.codebook)
        name = opened.editor.name if isinstance(opened.editor, PlatformEditor) else None
        return msgspec.structs.replace(insights, edited_by=name)


def _survey(path: Path, columns: Mapping[str, str]) -> FileSurvey:
    """Return what the file holds. Exits with 2, and names every bad line, if it cannot be analyzed."""
    try:
        if path.is_dir():
            refuse(f"{path} is a folder. Give the name of a file.")
        if path.exists() and not path.is_file():
            refuse(f"{path} is not a regular file. Save the answers to a file first, because it is read twice.")
        layout = find_layout(path).choose(columns)
        layout.require_text()
        survey = survey_file(path, layout)
    except UnreadableFile as error:
        refuse(f"{path}: {error}")
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    if any(field != name for field, name in layout.columns.items()):
        used = ", ".join(f"{field} = {name}" for field, name in layout.columns.items())
        err.print(f"Columns: {used}.", markup=False, highlight=False)
    _list_bad_lines(path, survey)
    return survey


def _list_bad_lines(path: Path, survey: FileSurvey) -> None:
    """Print the lines that are left out, and exit with 2 if they are too many."""
    for bad in survey.bad_lines:
        err.print(f"{path}, {survey.layout.unit} {bad.number}: {bad}", markup=False, highlight=False)
    if survey.more_bad_lines:
        more = count(survey.more_bad_lines, f"more bad {survey.layout.unit}")
        err.print(f"and {more}", markup=False, highlight=False)
    if not survey.bad_lines and not survey.answers:
        refuse(f"{path} contains no answers.")
    bad_lines = count(survey.bad_count, survey.layout.unit)
    if not survey.is_usable:
        refuse(f"{bad_lines} of {path} cannot be used, so nothing was analyzed. Correct or remove them.")
    if survey.bad_lines:
        err.print(f"{bad_lines} left out.", markup=False, highlight=False)


class _ShownAnswers:
    """The answers whose texts the report shows: the first ones to the prompts that it lists."""

    def __init__(self, plan: ScanPlan) -> None:
        self._prompts = {prompt.id for prompt in plan.prompts[:MAX_PROMPTS_SHOWN]}
        self.answers: list[ScanAnswer] = []

    def add(self, answer: ScanAnswer) -> None:
        if len(self.answers) < MAX_TEXTS_SHOWN and answer.prompt.id in self._prompts:
            self.answers.append(answer)


@contextmanager
def _show_progress(answers: int) -> Iterator[tuple[Progress, TaskID, TaskID]]:
    """Show a bar for each pass on a terminal; elsewhere print one line."""
    if not err.is_terminal:
        err.print(f"Analyzing {count(answers, 'answer')}.", highlight=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn()
    )  # fmt: skip
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield (
            progress,
            progress.add_task("Analyzing answers", total=answers),
            progress.add_task("Settling ranks   ", total=answers),
        )
