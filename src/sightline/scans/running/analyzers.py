"""Where answers are analyzed: in child processes or, when none are configured, in the worker itself."""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import msgspec
import structlog
from cachetools import LRUCache

from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName
from sightline.platforms.models import Outcome
from sightline.scans.models import ScanPlan
from sightline.scans.running.analysis import (
    AnalyzedAnswer,
    ScanContext,
    ScanSummary,
    analyze_cell,
    mark_unanalyzable,
    reanalyze_answers,
    summarize_answers,
)
from sightline.scans.running.analyzer_process import (
    AnalyzeRequest,
    AnalyzerRequest,
    AnalyzerResponse,
    ClosePlan,
    OpenPlan,
    SummarizeRequest,
    take_frames,
    to_frame,
)
from sightline.scans.stored import AnswerRow

log = structlog.get_logger()

_MAX_PLANS = 256
_MAX_LEAD = 16  # requests that an analyzer may have more than the idlest one, and still gets those of its scans
_MAX_TRIES = 2
_RESTART_SECONDS = 0.5
_CHUNK = 1 << 16
_decode_response = msgspec.msgpack.Decoder(AnalyzerResponse).decode


class AnalysisFailed(Exception):
    """The analyzer raised an error, or its process died."""


class Analyzer(Protocol):
    """Analyzes single answers and summarizes whole scans. `key` identifies the scan of an answer."""

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer: ...
    async def summarize(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary: ...
    async def reanalyze(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary: ...


class InProcessAnalyzer:
    """Analyzes in the worker's own process. A huge answer blocks everything else while it is analyzed."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._lexicons: LRUCache[str, Lexicon] = LRUCache(_MAX_PLANS)

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        lexicon = self._lexicons.get(key)
        if lexicon is None:
            lexicon = self._lexicons[key] = Lexicon(plan.tracked)
        return analyze_cell(outcome, plan, prompt_index, lexicon, answer_id, self._scorer)

    async def summarize(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        try:
            return await asyncio.to_thread(summarize_answers, plan, rows, context)
        except Exception as error:
            raise AnalysisFailed(type(error).__name__) from error

    async def reanalyze(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        return await asyncio.to_thread(reanalyze_answers, plan, rows, context, self._scorer)


class SubprocessAnalyzer:
    """Analyzes in one child process. A child that dies is replaced, and open requests are sent to the new one."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._child: asyncio.subprocess.Process | None = None
        self._plans: OrderedDict[str, ScanPlan] = OrderedDict()
        self._requests: dict[int, tuple[AnalyzerRequest, asyncio.Future[AnalyzerResponse]]] = {}
        self._tries: dict[int, int] = {}
        self._number = 0

    @property
    def open_requests(self) -> int:
        return len(self._requests)

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        if key not in self._plans:
            self._plans[key] = plan
            self._send(OpenPlan(key, plan))
            if len(self._plans) > _MAX_PLANS:
                oldest, _ = self._plans.popitem(last=False)
                self._send(ClosePlan(oldest))
        without_payload = msgspec.structs.replace(outcome, raw=b"")  # analysis does not read the payload
        request = AnalyzeRequest(self._next_number(), key, prompt_index, answer_id, without_payload)
        try:
            response = await self._request(request)
        except AnalysisFailed:
            return mark_unanalyzable(without_payload, plan, prompt_index, answer_id)
        assert response.analyzed is not None
        return response.analyzed

    async def summarize(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        return await self._summarize(SummarizeRequest(self._next_number(), plan, list(rows), context))

    async def reanalyze(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        return await self._summarize(SummarizeRequest(self._next_number(), plan, list(rows), context, reanalyze=True))

    async def _summarize(self, request: SummarizeRequest) -> ScanSummary:
        response = await self._request(request)
        assert response.summary is not None
        return response.summary

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    async def _request(self, request: AnalyzerRequest) -> AnalyzerResponse:
        future: asyncio.Future[AnalyzerResponse] = asyncio.get_running_loop().create_future()
        self._requests[request.number] = (request, future)
        self._send(request)
        try:
            response = await future
        finally:
            self._requests.pop(request.number, None)
            self._tries.pop(request.number, None)
        if response.error is not None:
            raise AnalysisFailed(response.error)
        return response

    def _send(self, message: msgspec.Struct) -> None:
        """Send a message to the child. Without a child it waits: the next one is sent everything that is open."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.write(to_frame(message))

    async def run(self) -> None:
        """Keep a child running until cancelled."""
        while True:
            try:
                await self._run_child()
                log.error("analyzer_died", open=len(self._requests))
            except OSError as error:
                log.error("analyzer_not_started", reason=str(error))  # noqa: TRY400 - the reason says it all
            await asyncio.sleep(_RESTART_SECONDS)

    async def _run_child(self) -> None:
        """Start a child and read its responses until it dies."""
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sightline.scans.running.analyzer_process",
            self._scorer or "off",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is meant for the worker, which still needs its analyzers
        )
        self._child = child
        try:
            self._resend()
            await self._read_responses(child)
        finally:
            self._child = None
            await _end(child)

    def _resend(self) -> None:
        for key, plan in self._plans.items():
            self._send(OpenPlan(key, plan))
        pending = [(request, future) for request, future in self._requests.values() if not future.done()]
        # Requests are handled in order: the child that died was working on the first one. The others are not to blame.
        if pending:
            suspect, future = pending[0]
            self._tries[suspect.number] = self._tries.get(suspect.number, 0) + 1
            if self._tries[suspect.number] > _MAX_TRIES:
                future.set_exception(AnalysisFailed("the analyzer process died while handling it"))
                del pending[0]
        for request, _ in pending:
            self._send(request)

    async def _read_responses(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None
        buffer = bytearray()
        while chunk := await child.stdout.read(_CHUNK):
            buffer += chunk
            for body in take_frames(buffer):
                response = _decode_response(body)
                _, future = self._requests.get(response.number, (None, None))
                if future is not None and not future.done():
                    future.set_result(response)


class AnalyzerPool:
    """Analyzes in several child processes.

    All answers of a scan go to the same child, which still has them cached when the scan is summarized. When that
    child has much more to do than another, because answers of one scan often arrive together, the other one helps.
    """

    def __init__(self, analyzers: Sequence[SubprocessAnalyzer]) -> None:
        self._analyzers = analyzers
        self._assigned: LRUCache[str, SubprocessAnalyzer] = LRUCache(_MAX_PLANS)

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        analyzer, idlest = self._analyzer_for(key), self._find_idlest()
        if analyzer.open_requests > idlest.open_requests + _MAX_LEAD:
            analyzer = idlest
        return await analyzer.analyze(key, plan, prompt_index, answer_id, outcome)

    async def summarize(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        analyzer = self._analyzer_for(str(rows[0].scan_id)) if rows else self._find_idlest()
        return await analyzer.summarize(plan, rows, context)

    async def reanalyze(self, plan: ScanPlan, rows: Sequence[AnswerRow], context: ScanContext) -> ScanSummary:
        return await self._find_idlest().reanalyze(plan, rows, context)

    def _analyzer_for(self, key: str) -> SubprocessAnalyzer:
        analyzer = self._assigned.get(key)
        if analyzer is None:
            analyzer = self._assigned[key] = self._find_idlest()
        return analyzer

    def _find_idlest(self) -> SubprocessAnalyzer:
        return min(self._analyzers, key=lambda analyzer: analyzer.open_requests)


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.stdin is not None:
        child.stdin.close()
    with suppress(ProcessLookupError):
        child.kill()
    await child.wait()


@asynccontextmanager
async def open_analyzer(processes: int, scorer: ScorerName | None = DEFAULT_SCORER) -> AsyncIterator[Analyzer]:
    """Yield the analyzer of a worker, with this many child processes; with 0 it analyzes in this process."""
    if processes == 0:
        yield InProcessAnalyzer(scorer)
        return
    analyzers = [SubprocessAnalyzer(scorer) for _ in range(processes)]
    running = [asyncio.create_task(analyzer.run()) for analyzer in analyzers]
    try:
        yield analyzers[0] if processes == 1 else AnalyzerPool(analyzers)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
