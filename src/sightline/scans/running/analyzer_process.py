"""The analyzer process: reads requests from its standard input and writes responses to its standard output.

A worker starts it as `python -m sightline.scans.running.analyzer_process SCORER`, where SCORER names the sentiment
scorer. It has no database, no network and no secrets. It ends when its input ends, so a worker that is killed takes
its analyzers with it.
"""

import os
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName, parse_scorer_name
from sightline.kit.crash import crash_point
from sightline.kit.garbage_collection import collect_rarely
from sightline.platforms.models import Outcome
from sightline.scans.models import ScanPlan
from sightline.scans.running.analysis import (
    AnalyzedAnswer,
    ScanContext,
    ScanSummary,
    analyze_cell,
    reanalyze_answers,
    summarize_answers,
)
from sightline.scans.stored import AnswerRow

_LENGTH = struct.Struct("!I")
_NICENESS = 10


class OpenPlan(msgspec.Struct, frozen=True, tag=True):
    """Announces a plan that later requests name by its key."""

    key: str
    plan: ScanPlan


class ClosePlan(msgspec.Struct, frozen=True, tag=True):
    """Says that no later request names this plan."""

    key: str


class AnalyzeRequest(msgspec.Struct, frozen=True, tag=True):
    """Asks for the analysis of one answer."""

    number: int
    key: str
    prompt_index: int
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


class AnalyzerResponse(msgspec.Struct, frozen=True):
    """The answer to the request of the same number."""

    number: int
    analyzed: AnalyzedAnswer | None = None
    summary: ScanSummary | None = None
    error: str | None = None


AnalyzerRequest = AnalyzeRequest | SummarizeRequest
Message = OpenPlan | ClosePlan | AnalyzeRequest | SummarizeRequest
_encoder = msgspec.msgpack.Encoder()
_decode_message = msgspec.msgpack.Decoder(Message).decode


def to_frame(message: msgspec.Struct) -> bytes:
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def take_frames(buffer: bytearray) -> Iterator[bytes]:
    """Yield the complete messages at the front of the buffer, and remove them from it."""
    position = 0
    while (start := position + HEADER_SIZE) <= len(buffer):
        end = start + frame_length(buffer[position:start])
        if end > len(buffer):
            break
        yield bytes(buffer[start:end])
        position = end
    del buffer[:position]


def frame_length(header: bytes | bytearray) -> int:
    (length,) = _LENGTH.unpack(header)
    return int(length)


HEADER_SIZE = _LENGTH.size


def serve(source: BinaryIO, out: BinaryIO, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
    """Answer requests until the input ends."""
    plans: dict[str, tuple[ScanPlan, Lexicon]] = {}
    while header := source.read(HEADER_SIZE):
        message = _decode_message(source.read(frame_length(header)))
        if isinstance(message, OpenPlan):
            plans[message.key] = (message.plan, Lexicon(message.plan.tracked))
        elif isinstance(message, ClosePlan):
            plans.pop(message.key, None)
        else:
            out.write(to_frame(_respond(message, plans, scorer)))
            out.flush()


def _respond(
    request: AnalyzerRequest, plans: dict[str, tuple[ScanPlan, Lexicon]], scorer: ScorerName | None
) -> AnalyzerResponse:
    try:
        if isinstance(request, SummarizeRequest):
            return AnalyzerResponse(request.number, summary=_summarize(request, scorer))
        crash_point("while_analyzing")
        plan, lexicon = plans[request.key]
        analyzed = analyze_cell(request.outcome, plan, request.prompt_index, lexicon, request.answer_id, scorer)
        return AnalyzerResponse(request.number, analyzed=analyzed)
    except Exception as error:  # noqa: BLE001 - the caller decides; the next request has done nothing wrong
        return AnalyzerResponse(request.number, error=type(error).__name__)


def _summarize(request: SummarizeRequest, scorer: ScorerName | None) -> ScanSummary:
    if request.reanalyze:
        return reanalyze_answers(request.plan, request.rows, request.context, scorer)
    return summarize_answers(request.plan, request.rows, request.context)


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
