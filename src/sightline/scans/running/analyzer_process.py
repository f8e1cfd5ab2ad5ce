"""The analyzer process: reads requests from its standard input and writes responses to its standard output.

A worker starts it as `python -m sightline.scans.running.analyzer_process SCORER`, where SCORER names the sentiment
scorer. It has no database, no network and no secrets. It ends when its input ends, so a worker that is killed takes
its analyzers with it.
"""

import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from sightline.answers.scorers import DEFAULT_SCORER, ScorerName, parse_scorer_name
from sightline.kit.crash import crash_point
from sightline.kit.garbage_collection import collect_rarely
from sightline.platforms.models import Outcome
from sightline.scans.models import ScanPlan
from sightline.scans.renamed import Rename
from sightline.scans.running.analysis import (
    AnalyzedAnswer,
    AnswerAnalyzer,
    ScanContext,
    ScanSummary,
    summarize_answers,
)
from sightline.scans.stored import AnswerRow

_LENGTH = struct.Struct("!I")
HEADER_SIZE = _LENGTH.size
_NICENESS = 10


class AnalyzeRequest(msgspec.Struct, frozen=True, tag=True):
    """Asks for the analysis of one answer. The plan has only the prompt of this answer; `key` identifies its scan."""

    number: int
    key: str
    plan: ScanPlan
    answer_id: str
    outcome: Outcome


class SummarizeRequest(msgspec.Struct, frozen=True, tag=True):
    """Asks for the summary of all answers of a scan."""

    number: int
    plan: ScanPlan
    rows: list[AnswerRow]
    context: ScanContext
    reanalyze: bool = False
    """Analyze the answers again first, because the brands have other names than when they were analyzed."""
    rename: Rename | None = None


class AnalyzerResponse(msgspec.Struct, frozen=True):
    """The answer to the request of the same number."""

    number: int
    analyzed: AnalyzedAnswer | None = None
    summary: ScanSummary | None = None
    error: str | None = None


AnalyzerRequest = AnalyzeRequest | SummarizeRequest
_encoder = msgspec.msgpack.Encoder()
_decode_request = msgspec.msgpack.Decoder(AnalyzerRequest).decode


def to_frame(message: msgspec.Struct) -> bytes:
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def frame_length(header: bytes) -> int:
    (length,) = _LENGTH.unpack(header)
    return int(length)


def serve(source: BinaryIO, out: BinaryIO, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
    """Answer requests until the input ends."""
    analyzer = AnswerAnalyzer(scorer)
    while header := source.read(HEADER_SIZE):
        request = _decode_request(source.read(frame_length(header)))
        out.write(to_frame(_respond(request, analyzer, scorer)))
        out.flush()


def _respond(request: AnalyzerRequest, analyzer: AnswerAnalyzer, scorer: ScorerName | None) -> AnalyzerResponse:
    try:
        if isinstance(request, SummarizeRequest):
            summary = summarize_answers(
                request.plan,
                request.rows,
                request.context,
                reanalyze=request.reanalyze,
                rename=request.rename,
                scorer=scorer,
            )
            return AnalyzerResponse(request.number, summary=summary)
        crash_point("while_analyzing")
        analyzed = analyzer.analyze(request.key, request.plan, 0, request.answer_id, request.outcome)
        return AnalyzerResponse(request.number, analyzed=analyzed)
    except Exception as error:  # noqa: BLE001 - the caller decides; the next request has done nothing wrong
        return AnalyzerResponse(request.number, error=type(error).__name__)


def _lower_priority() -> None:
    """Let the worker run first.

    A slot at a platform stays empty until the worker has asked the next question; analysis can wait.
    """
    os.nice(_NICENESS)
    with suppress(OSError):  # Linux may weigh whole sessions against each other, and this process has its own
        Path("/proc/self/autogroup").write_text(str(_NICENESS))


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the worker, which closes our input when it is done
        signal.signal(number, signal.SIG_IGN)
    collect_rarely()
    _lower_priority()
    serve(sys.stdin.buffer, sys.stdout.buffer, parse_scorer_name(*sys.argv[1:2]))
