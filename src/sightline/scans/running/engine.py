"""The scan engine, assembled: what a worker does for scans, and the loops that have to run while it does."""

import uuid
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from sightline.answers.scorers import parse_scorer_name
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.jobs.queue import Job
from sightline.jobs.retry import Retry
from sightline.jobs.worker import Worker
from sightline.kit.clock import Clock
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.gate import GateClosed
from sightline.scans.jobs import ScanJob
from sightline.scans.payloads.object_store import IN_DATABASE, PayloadStores
from sightline.scans.payloads.write import PayloadWriter
from sightline.scans.running.admission import admit
from sightline.scans.running.analyzers import Analyzer, open_analyzer
from sightline.scans.running.answer import AnswerStore, answer_cell
from sightline.scans.running.cells import CellJob, cell_job_kind
from sightline.scans.running.client_pool import ClientPool, open_client_pool
from sightline.scans.running.finish import FinishDependencies, finish_scan
from sightline.scans.running.leases.platform_leases import PlatformLeases
from sightline.scans.running.running_scans import RunningScans
from sightline.scans.running.start import SuggestPrompts, start_scan
from sightline.scans.running.sweeping.sweep import sweep_scans
from sightline.settings import Settings

SWEEP_SECONDS = 5.0
AHEAD = 0.2
"""Cells per slot that wait at the gate, so that the next question is at hand when an answer arrives."""
_UNFINISHED_PER_SLOT = 3
"""A bound on answers that wait to be analyzed and stored."""


class ScanEngine:
    """Starts scans, asks their cells and finishes them."""

    def __init__(
        self,
        settings: Settings,
        db: Database,
        clients: ClientPool,
        analyzer: Analyzer,
        payloads: PayloadStores,
        *,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._db = db
        self.clients = clients
        self.lanes = list(clients.gates)
        self.analyzer = analyzer
        self._clock = clock
        self._store = AnswerStore(db, clients.calls, PayloadWriter(payloads.current))
        self._patience = timedelta(seconds=settings.scan_patience)
        self._running = RunningScans(db, clients, patience=self._patience)
        self._opening: Counter[str] = Counter()
        """Claimed cells by lane that have not come to their gate yet."""
        self._unfinished: Counter[str] = Counter()
        """Claimed cells by lane whose answers are not stored yet."""
        self._finish = FinishDependencies(build_credit_rules(settings), settings.public_url, clients, analyzer)

    def loops(self, worker: Worker) -> list[Coroutine[Any, Any, None]]:
        """Return the loops that have to run as long as the worker. It is notified when a slot becomes free."""
        for gate in self.clients.gates.values():
            gate.on_free = worker.note_capacity
        leases = PlatformLeases(
            self._db,
            worker.id,
            self.clients.gates,
            self._settings.platform_concurrency,
            lifetime=self._settings.worker_timeout * 0.8,  # a lease ends before others consider this worker dead
        )
        return [
            self._store.run(),
            self.clients.calls.run(),
            self._running.watch(),
            leases.run(),
            run_forever(self._sweep, every=SWEEP_SECONDS, failure_event="sweep_failed"),
        ]

    def stop(self) -> None:
        """Turn away the calls that wait for a slot; calls under way go on."""
        for gate in self.clients.gates.values():
            gate.close()

    def free_slots(self, lane: str) -> int:
        """Return how many more cells of a lane this worker could ask now.

        When all its slots are in use, it takes a few ahead: not before, because another worker may have free slots.
        """
        gate = self.clients.gates[lane]
        now, ahead = (gate.room(share) - self._opening[lane] for share in (0, AHEAD))
        return min(now if now > 0 else ahead, gate.window.upper * _UNFINISHED_PER_SLOT - self._unfinished[lane])

    async def admit(self, worker_id: uuid.UUID, capacities: Mapping[str, int]) -> list[Job]:
        """Return new jobs for a worker that has capacity for so many of each kind."""
        free = {lane: count for lane in self.lanes if (count := capacities.get(cell_job_kind(lane), 0)) > 0}
        return await admit(self._db, worker_id, free, clock=self._clock) if free else []

    async def answer(self, lane: str, job: Job, cell: CellJob) -> None:
        """Ask, analyze and store one cell."""
        self._unfinished[lane] += 1
        self._opening[lane] += 1
        try:
            try:
                scan = await self._running.find(cell.workspace_id, cell.scan_id)
            finally:
                self._opening[lane] -= 1
            await answer_cell(self._db, scan, self.analyzer, self._store, job, cell, clock=self._clock)
        finally:
            self._unfinished[lane] -= 1

    async def start(self, job: ScanJob, suggest: SuggestPrompts) -> None:
        try:
            await start_scan(self._db, suggest, job, clock=self._clock)
        except GateClosed:
            raise Retry from None  # this worker stops while it waits to ask for prompts; another one asks

    async def finish(self, job: ScanJob) -> None:
        await finish_scan(self._db, job, self._finish, clock=self._clock)

    async def _sweep(self) -> None:
        deadline = timedelta(seconds=self._settings.scan_deadline)
        await sweep_scans(self._db, deadline=deadline, patience=self._patience, clock=self._clock)


@asynccontextmanager
async def open_engine(
    settings: Settings, db: Database, payloads: PayloadStores = IN_DATABASE, *, clock: Clock
) -> AsyncIterator[ScanEngine]:
    """Open the engine of a worker. Payloads go to the database unless another store is given."""
    scorer = parse_scorer_name(settings.sentiment)
    calls = CallLog(db, clock=clock)
    async with (
        open_client_pool(settings, calls) as clients,
        open_analyzer(settings.analyzer_processes, scorer) as analyzer,
    ):
        yield ScanEngine(settings, db, clients, analyzer, payloads, clock=clock)
