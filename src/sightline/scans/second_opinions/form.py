"""Forming the second opinion on an uploaded file: the handler of the job `opinion.form`."""

import asyncio
import threading
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from sightline.db.engine import Database
from sightline.kit.clock import Clock
from sightline.kit.counting import count
from sightline.scans.answer_files.measure import FileChanged, measure_file, plan_file
from sightline.scans.answer_files.opinion import build_file_record
from sightline.scans.answer_files.survey import survey_file
from sightline.scans.models import ScanAnswer
from sightline.scans.record import ScanRecord
from sightline.scans.second_opinions import queries
from sightline.scans.second_opinions.models import MAX_ANSWERS, OpinionJob, OpinionRow

_encode = msgspec.msgpack.Encoder().encode
_CHUNK = 1 << 20


class _Unusable(Exception):
    """The file cannot be measured, with a sentence that says why."""


class _Stopped(Exception):
    """The worker stops. Another one begins again."""


async def form_opinion(db: Database, job: OpinionJob, *, processes: int, clock: Clock) -> None:
    """Measure the file and save the result. A file that is measured, deleted or expired is left alone.

    No text of an answer is saved, except for the sentences with names that are easily misread.
    """
    row = await queries.find_opinion(db, job.workspace_id, job.opinion_id, now=clock())
    content = await queries.find_content(db, job.workspace_id, job.opinion_id)
    if row is None or content is None:
        return
    stopped = threading.Event()
    try:
        record = await asyncio.to_thread(_measure, row, content, processes, stopped, clock)
    except asyncio.CancelledError:
        stopped.set()  # the thread cannot be cancelled: it ends at its next answer
        raise
    except _Unusable as error:
        await queries.end_opinion(db, row.workspace_id, row.id, record=None, fault=str(error))
        return
    saved = zlib.compress(_encode(record), 6)
    await queries.end_opinion(db, row.workspace_id, row.id, record=saved, fault=None)


def _measure(row: OpinionRow, content: bytes, processes: int, stopped: threading.Event, clock: Clock) -> ScanRecord:
    started_at = clock()
    request, layout = row.read_request(), row.read_head().layout

    def pause(_: ScanAnswer | None = None) -> None:
        if stopped.is_set():
            raise _Stopped

    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers"
        unpack_file(content, path)
        survey = survey_file(path, layout, most=MAX_ANSWERS)
        if not survey.is_usable:
            first = "; ".join(f"{layout.unit} {bad.number}: {bad}" for bad in survey.bad_lines[:3])
            last = f" The last one read: {survey.bad_lines[-1]}" if survey.is_cut_short and survey.bad_lines else ""
            raise _Unusable(
                f"{count(survey.bad_count, layout.unit)} of the file cannot be used, so nothing was measured. "
                f"{first}.{last}"
                if survey.bad_count
                else "The file contains no answers."
            )
        try:
            planned = plan_file(path, survey, request.brand, request.competitors, choose_rivals=True, on_analyzed=pause)
            found = measure_file(
                path,
                survey,
                planned.plan,
                sentiment=None,
                processes=processes,
                on_analyzed=pause,
                on_settled=pause,
                by_week=True,
            )
        except FileChanged as error:  # pragma: no cover - the file is ours
            raise _Unusable("The file cannot be read twice.") from error
    return build_file_record(survey, planned, found, (), started_at)


def unpack_file(content: bytes, path: Path) -> None:
    """Write a compressed file in parts, so that it is never in memory as a whole."""
    unpacker = zlib.decompressobj()
    with path.open("wb") as file:
        rest = content
        while rest:
            file.write(unpacker.decompress(rest, _CHUNK))
            rest = unpacker.unconsumed_tail
        file.write(unpacker.flush())
