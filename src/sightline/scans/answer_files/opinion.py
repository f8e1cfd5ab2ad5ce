"""The second opinion on a file of answers: what a scan with these answers would have found, and what the file tells.

The terminal, the report, the page and the API all show the record that is built here.
"""

from collections.abc import Sequence
from datetime import datetime

from sightline.scans.answer_files.measure import FileMeasurements, FilePlan
from sightline.scans.answer_files.models import FileOpinion, FileReading
from sightline.scans.answer_files.survey import FileSurvey
from sightline.scans.models import ScanAnswer
from sightline.scans.record import ScanRecord


def build_file_record(
    survey: FileSurvey,
    measured: FilePlan,
    found: FileMeasurements,
    answers: Sequence[ScanAnswer],
    started_at: datetime,
) -> ScanRecord:
    """Build the record of a measured file. `answers` are those whose texts are shown."""
    first, last = survey.first_answered_at, survey.last_answered_at
    return ScanRecord(
        plan=measured.plan,
        answers_source="file",
        prompts_source="given",
        started_at=started_at,
        stopped=False,
        answers=tuple(answers),
        answered_at=None if first is None or last is None else (first, last),
        spot_checks=found.spot_checks,
        results=found.results,
        opinion=FileOpinion(
            reading=_summarize_reading(survey),
            comparison=found.comparison,
            misread_names=found.misread_names,
            are_rivals_chosen=measured.are_rivals_chosen,
            other_markets=measured.other_markets,
            weeks=found.weeks,
        ),
    )


def _summarize_reading(survey: FileSurvey) -> FileReading:
    layout = survey.layout
    return FileReading(
        unit=layout.unit,
        columns={str(field): name for field, name in layout.columns.items()},
        unused=layout.unused,
        missing=layout.missing,
        left_out=survey.bad_count,
        bad_lines=tuple((bad.number, str(bad)) for bad in survey.bad_lines),
        recoded=survey.recoded,
        cut=survey.cut,
        ambiguous_dates=survey.ambiguous_dates,
        days=len(survey.days),
    )
