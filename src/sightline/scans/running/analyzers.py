"""Where answers are analyzed: in child processes or, when none are configured, in the worker itself."""

import asyncio
import itertools
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import msgspec
import structlog

from sightline.answers.scorers import DEFAULT_SCORER, ScorerName
from sightline.kit.child_environment import build_child_environment
from sightline.platforms.models import Outcome
from sightline.scans.models import ScanPlan
from sightline.scans.renamed import Rename
from sightline.scans.running.analysis import (
    AnalyzedAnswer,
    AnswerAnalyzer,
    ScanContext,
    ScanSummary,
    mark_unanalyzable,
    summarize_answers,
)
from sightline.scans.running.analyzer_process import (
    HEADER_SIZE,
    AnalyzeRequest,
    AnalyzerRequest,
    AnalyzerResponse,
    SummarizeRequest,
    frame_length,
    to_frame,
)
from sightline.scans.stored import AnswerRow

log = structlog.get_logger()

_MAX_TRIES = 2
_RESTART_SECONDS = 0.5
_decode_response = msgspec.msgpack.Decoder(AnalyzerResponse).decode


class AnalysisFailed(Exception):
    """The analyzer raised an error, or its process died."""


class InProcessAnalyzer:
    """Analyzes in the worker's own process. A huge answer blocks everything else while it is analyzed.

    `key` identifies the scan of an answer.
    """

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._analyzer = AnswerAnalyzer(scorer)

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        return self._analyzer.analyze(key, plan, prompt_index, answer_id, outcome)

    async def summarize(
        self,
        plan: ScanPlan,
        rows: Sequence[AnswerRow],
        context: ScanContext,
        *,
        reanalyze: bool = False,
        rename: Rename | None = None,
    ) -> ScanSummary:
        try:
            return await asyncio.to_thread(
                summarize_answers,
                plan,
                rows,
                context,
                reanalyze=reanalyze,
                rename=rename,
                scorer=self._scorer,
            )
        except Exception as error:
            raise AnalysisFailed(type(error).__name__) from error


class SubprocessAnalyzer:
    """Analyzes in one child process. A child that dies is replaced, and open requests are sent to the new one."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._child: asyncio.subprocess.Process | None = None
        self._requests: dict[int, tuple[AnalyzerRequest, asyncio.Future[AnalyzerResponse]]] = {}
        self._tries: Counter[int] = Counter()
        self._numbers = itertools.count(1)

    @property
    def open_requests(self) -> int:
        return len(self._requests)

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        own_prompt = msgspec.structs.replace(plan, prompts=(plan.prompts[prompt_index],))
        without_payload = msgspec.structs.replace(outcome, raw=b"")  # analysis does not read the payload
        try:
            response = await self._request(
                AnalyzeRequest(next(self._numbers), key, own_prompt, answer_id, without_payload)
            )
        except AnalysisFailed:
            return mark_unanalyzable(without_payload, plan, prompt_index, answer_id)
        assert response.analyzed is not None
        return response.analyzed

    async def summarize(
        self,
        plan: ScanPlan,
        rows: Sequence[AnswerRow],
        context: ScanContext,
        *,
        reanalyze: bool = False,
        rename: Rename | None = None,
    ) -> ScanSummary:
        response = await self._request(
            SummarizeRequest(next(self._numbers), plan, list(rows), context, reanalyze, rename)
        )
        assert response.summary is not None
        return response.summary

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
            env=build_child_environment(),
            start_new_session=True,  # Ctrl-C is meant for the worker, which still needs its analyzers
        )
        self._child = child
        try:
            self._resend()
            await self._read_responses(child)
        finally:
            self._child = None
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    def _resend(self) -> None:
        pending = [(request, future) for request, future in self._requests.values() if not future.done()]
        # Requests are handled in order: the child that died was working on the first one. The others are not to blame.
        if pending:
            suspect, future = pending[0]
            self._tries[suspect.number] += 1
            if self._tries[suspect.number] > _MAX_TRIES:
                future.set_exception(AnalysisFailed("the analyzer process died while handling it"))
                del pending[0]
        for request, _ in pending:
            self._send(request)

    async def _read_responses(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None
        with suppress(asyncio.IncompleteReadError):  # the child has died
            while header := await child.stdout.readexactly(HEADER_SIZE):
                response = _decode_response(await child.stdout.readexactly(frame_length(header)))
                _, future = self._requests.get(response.number, (None, None))
                if future is not None and not future.done():
                    future.set_result(response)


class AnalyzerPool:
    """Analyzes in several child processes. Each request goes to the one with the fewest open requests."""

    def __init__(self, analyzers: Sequence[SubprocessAnalyzer]) -> None:
        self.analyzers = analyzers

    async def analyze(
        self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome
    ) -> AnalyzedAnswer:
        return await self._find_idlest().analyze(key, plan, prompt_index, answer_id, outcome)

    async def summarize(
        self,
        plan: ScanPlan,
        rows: Sequence[AnswerRow],
        context: ScanContext,
        *,
        reanalyze: bool = False,
        rename: Rename | None = None,
    ) -> ScanSummary:
        return await self._find_idlest().summarize(plan, rows, context, reanalyze=reanalyze, rename=rename)

    def _find_idlest(self) -> SubprocessAnalyzer:
        return min(self.analyzers, key=lambda analyzer: analyzer.open_requests)


Analyzer = InProcessAnalyzer | SubprocessAnalyzer | AnalyzerPool
"""Analyzes single answers and summarizes whole scans."""


@asynccontextmanager
async def open_analyzer(processes: int, scorer: ScorerName | None = DEFAULT_SCORER) -> AsyncIterator[Analyzer]:
    """Yield the analyzer of a worker, with this many child processes; with 0 it analyzes in this process."""
    if processes == 0:
        yield InProcessAnalyzer(scorer)
        return
    analyzers = [SubprocessAnalyzer(scorer) for _ in range(processes)]
    running = [asyncio.create_task(analyzer.run()) for analyzer in analyzers]
    try:
        yield AnalyzerPool(analyzers)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
