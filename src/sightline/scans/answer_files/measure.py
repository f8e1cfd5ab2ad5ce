"""Measuring the answers of a file as a check measures its own, in two passes and with little memory.

The rank of a brand depends on every brand that the answers name, so no rank is final before the last answer has been
analyzed. The first pass analyzes each answer and writes it to a temporary file; the second one settles its ranks.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import msgspec

from sightline.answers.candidates import Candidate
from sightline.answers.models import Brand, BrandAnalysis, Citation
from sightline.answers.name_words import is_ordinary
from sightline.answers.scorers import ScorerName
from sightline.metrics.discovery import CompetitorSuggestion
from sightline.platforms.assemble import MIN_CHARACTERS
from sightline.platforms.models import Fault
from sightline.scans.answer_files.changes import DayComparison, DayTally, choose_days
from sightline.scans.answer_files.lines import BadLine
from sightline.scans.answer_files.markets import OtherMarkets, find_other_markets
from sightline.scans.answer_files.misread_names import MisreadName, MisreadTally
from sightline.scans.answer_files.models import FileWeek
from sightline.scans.answer_files.parallel_analysis import analyze_in_order
from sightline.scans.answer_files.records import FileAnswer, read_answers
from sightline.scans.answer_files.survey import FileSurvey
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.results import compute_results, measure_headline, to_candidate_result
from sightline.scans.rivals import finalize_ranks, find_rivals, map_makers
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.tally import ScanTally, SpotChecks

WORTH_PROCESSES = 500  # answers; for fewer of them, starting a process takes longer than it saves
MAX_CHOSEN_RIVALS = 8
_SAMPLE = 1_500  # answers in which markets and rivals are found, or one of each prompt
MAX_WEEKS = 53
_SETTLED_AT_ONCE = 500  # answers that are in memory together
_PROVENANCE = Provenance(surface="import", vendor="file")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(ScanAnswer).decode


class FileChanged(Exception):
    """The file is not the one that was surveyed."""


class FileMeasurements(msgspec.Struct, frozen=True):
    """The results of a file, the untracked brands that its answers name, and a spot check of each cell.

    `comparison` is None for a file whose answers are not of two days.
    """

    results: ScanMeasurements
    rivals: tuple[CompetitorSuggestion, ...]
    spot_checks: SpotChecks
    comparison: DayComparison | None
    misread_names: tuple[MisreadName, ...]
    weeks: tuple[FileWeek, ...] = ()

    def with_rivals(self, rivals: Sequence[CompetitorSuggestion]) -> "FileMeasurements":
        """Return the same measurements with other suggested brands. No figure depends on them."""
        candidates = tuple(map(to_candidate_result, rivals))
        results = msgspec.structs.replace(self.results, candidates=candidates)
        return msgspec.structs.replace(self, results=results, rivals=tuple(rivals))


def measure_file(
    path: Path,
    survey: FileSurvey,
    plan: ScanPlan,
    *,
    sentiment: ScorerName | None,
    processes: int = 0,
    on_analyzed: Callable[[], None],
    on_settled: Callable[[ScanAnswer], None],
    days: tuple[date, date] | None = None,
    by_week: bool = False,
) -> FileMeasurements:
    """Analyze the answers to the prompts of the plan and return their results. Sentiment is scored for all brands.

    `days` are compared; by default, the first and the last full day of the file. With `by_week`, the figures of each of
    the latest weeks are measured, too.

    Many answers are analyzed in as many other processes as asked for, few of them in this one. `on_analyzed` is called
    for each answer of the first pass, `on_settled` with each final answer in the order of the file. Raises
    `FileChanged` if the file differs from its survey, `OSError` if it or the temporary file fails, and `BrokenExecutor`
    if a process dies.
    """
    with TemporaryFile() as spool:
        outline = _Outline()
        others = processes if survey.answers >= WORTH_PROCESSES else 0
        answered_on = array("l")
        given = _read_scan_answers(path, survey, answered_on, {prompt.id for prompt in plan.prompts})
        for answer in analyze_in_order(given, plan.tracked, sentiment, processes=others):
            _write(spool, answer)
            outline.add(answer)
            on_analyzed()
        rivals, makers = find_rivals(plan, outline.answers), map_makers(outline.answers)
        outline.answers.clear()
        tally, misread = ScanTally(plan), MisreadTally(plan.tracked)
        answered = Counter(date.fromordinal(day) for day in answered_on if day)
        days = days or choose_days(answered)
        compared = DayTally(plan, days) if days else None
        weeks = _WeekTally(plan, answered if by_week else {})
        for answer, day in zip(_settle(spool, plan, rivals, makers), answered_on, strict=True):
            tally.add(answer)
            misread.add(answer)
            if compared is not None and day:
                compared.add(answer, date.fromordinal(day))
            weeks.add(answer, day)
            on_settled(answer)
    return FileMeasurements(
        results=compute_results(tally, sentiment=sentiment is not None, rivals=rivals),
        rivals=rivals,
        spot_checks=tally.measure_spot_checks(),
        comparison=None if compared is None else compared.compare(),
        misread_names=misread.list_names(),
        weeks=weeks.list_weeks(),
    )


class FilePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What of a file is measured."""

    plan: ScanPlan
    answers: int
    are_rivals_chosen: bool
    """Whether nobody named the competitors, so that the most named brands are compared."""
    other_markets: OtherMarkets | None


def plan_file(
    path: Path,
    survey: FileSurvey,
    own: Brand,
    competitors: tuple[Brand, ...],
    *,
    choose_rivals: bool,
    on_analyzed: Callable[[], None] = lambda: None,
) -> FilePlan:
    """Decide what of a file is measured: the prompts of the market of the brand.

    With `choose_rivals`, a brand without competitors is compared with those that the answers of this market name most
    often. Both are found in an even sample of the answers to each prompt, and
    `on_analyzed` is called for each of them.
    """
    every = survey.build_plan(own, competitors)
    outline = _Outline()
    for answer in analyze_in_order(_read_sample(path, survey), every.tracked, None, processes=0):
        outline.add(answer)
        on_analyzed()
    counts: Counter[str] = Counter()
    for (prompt, _), number in survey.cells.items():
        counts[prompt] += number
    left_out, other_markets = find_other_markets(every, outline.answers, counts)
    is_market_known = other_markets is None or bool(left_out)
    chosen: tuple[Brand, ...] = ()
    if choose_rivals and not competitors and is_market_known:
        chosen = _choose_rivals(every, [answer for answer in outline.answers if answer.prompt.id not in left_out])
    return FilePlan(
        plan=survey.build_plan(own, competitors or chosen, left_out=left_out),
        answers=survey.answers - (other_markets.answers if other_markets else 0),
        are_rivals_chosen=bool(chosen),
        other_markets=other_markets,
    )


def _read_sample(path: Path, survey: FileSurvey) -> Iterator[ScanAnswer]:
    """Yield the first of every few answers to each prompt."""
    every = -(-survey.answers // max(_SAMPLE, len(survey.prompts)))
    seen: Counter[str] = Counter()
    for answer in _read_scan_answers(path, survey, array("l")):
        if seen[answer.prompt.id] % every == 0:
            yield answer
        seen[answer.prompt.id] += 1


def _choose_rivals(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> tuple[Brand, ...]:
    """Return the most named brands, with the names of their lines: they would be counted as brands of their own."""
    found = sorted(find_rivals(plan, answers), key=lambda rival: -rival.candidate.answers)
    return tuple(
        Brand(
            each.candidate.name,
            tuple(line for line in each.candidate.lines if not is_ordinary(line)),
            (each.candidate.domain,) if each.candidate.domain else (),
        )
        for each in found[:MAX_CHOSEN_RIVALS]
    )


def to_scan_answer(answer: FileAnswer, prompt: ScanPrompt) -> ScanAnswer:
    """Return the answer as a scan has it. A text that is too short to be an answer is a failed one, as in a scan."""
    fault = None
    if len(answer.text.strip()) < MIN_CHARACTERS:
        fault = Fault("blank", f"the answer has fewer than {MIN_CHARACTERS} characters")
    return ScanAnswer(
        id=answer.id,
        prompt=prompt,
        platform=answer.platform,
        status="failed" if fault else "ok",
        text=answer.text,
        cited=answer.sources or (),
        queries=answer.queries,
        fault=fault,
        provenance=_PROVENANCE,
    )


def _read_scan_answers(
    path: Path, survey: FileSurvey, answered_on: "array[int]", prompts: Collection[str] | None = None
) -> Iterator[ScanAnswer]:
    """Yield the answers to these prompts, or all; append the day of each as its ordinal, 0 where it is unknown."""
    found = 0
    for answer in read_answers(path, survey.layout):
        number = answer.number if isinstance(answer, BadLine) else answer.line
        if number in survey.left_out:
            continue
        if isinstance(answer, BadLine) or answer.platform not in survey.platforms:
            raise FileChanged
        try:
            prompt = survey.find_prompt(answer)
        except KeyError as error:
            raise FileChanged from error
        found += 1
        if prompts is not None and prompt.id not in prompts:
            continue
        answered_on.append(answer.answered_at.date().toordinal() if answer.answered_at else 0)
        yield to_scan_answer(answer, prompt)
    if found != survey.answers:
        raise FileChanged


class _WeekTally:
    """The answers of each of the latest weeks that have any, added up by the Monday of the week."""

    def __init__(self, plan: ScanPlan, days: Mapping[date, int]) -> None:
        last_days: dict[date, date] = {}
        for day in sorted(days):
            last_days[day - timedelta(days=day.weekday())] = day
        self._last_days = dict(list(last_days.items())[-MAX_WEEKS:])
        self._tallies = {monday.toordinal(): ScanTally(plan) for monday in self._last_days}

    def add(self, answer: ScanAnswer, day: int) -> None:
        if (tally := self._tallies.get(day - (day - 1) % 7)) is not None:
            tally.add(answer)

    def list_weeks(self) -> tuple[FileWeek, ...]:
        return tuple(
            FileWeek(
                first_day=date.fromordinal(monday),
                last_day=self._last_days[date.fromordinal(monday)],
                platforms=tuple(key for key, found in tally.platforms.items() if found.statuses),
                headline=measure_headline(tally.observations()),
            )
            for monday, tally in self._tallies.items()
        )


class _Outline:
    """The analyzed answers without what finding rivals does not need. Equal parts of two answers are one object."""

    def __init__(self) -> None:
        self.answers: list[ScanAnswer] = []
        self._candidates: dict[Candidate, Candidate] = {}
        self._citations: dict[Citation, Citation] = {}
        self._brands: dict[str, BrandAnalysis] = {}

    def add(self, answer: ScanAnswer) -> None:
        if answer.analysis is None:
            return
        sites = (Citation("", citation.host, citation.domain) for citation in answer.analysis.citations)
        citations = tuple(dict.fromkeys(self._citations.setdefault(site, site) for site in sites))
        # Only that they are mentioned counts, so one analysis of each brand stands for all.
        brands = tuple(self._brands.setdefault(each.name, each) for each in answer.analysis.brands if each.mentioned)
        self.answers.append(
            msgspec.structs.replace(
                answer,
                text="",
                cited=(),
                candidates=tuple(self._candidates.setdefault(each, each) for each in answer.candidates),
                analysis=msgspec.structs.replace(answer.analysis, brands=brands, citations=citations),
            )
        )


def _settle(
    spool: IO[bytes], plan: ScanPlan, rivals: tuple[CompetitorSuggestion, ...], makers: Mapping[str, str]
) -> Iterator[ScanAnswer]:
    spool.seek(0)
    answers = _read(spool)
    while batch := list(islice(answers, _SETTLED_AT_ONCE)):
        yield from finalize_ranks(plan, batch, rivals=rivals, makers=makers)


def _write(spool: IO[bytes], answer: ScanAnswer) -> None:
    record = _encode(answer)
    spool.write(len(record).to_bytes(8))
    spool.write(record)


def _read(spool: IO[bytes]) -> Iterator[ScanAnswer]:
    while size := spool.read(8):
        yield _decode(spool.read(int.from_bytes(size)))
