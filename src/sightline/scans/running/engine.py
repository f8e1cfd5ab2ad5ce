"""The scan engine, assembled: what a worker does for scans, and the loops that have to run while it does."""

import uuid
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from sightline.answers.scorers import parse_scorer_name
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.jobs.queue import Job, WorkerShare
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock
from sightline.platforms.gate import Gate, GateClosed
from sightline.scans.jobs import ScanJob
from sightline.scans.running.admission import Admission
from sightline.scans.running.analyzers import Analyzer, open_analyzer
from sightline.scans.running.answer import answer_cell
from sightline.scans.running.cells import CellJob
from sightline.scans.running.client_pool import ClientPool, open_client_pool
from sightline.scans.running.finish import FinishDependencies, finish_scan
from sightline.scans.running.leases.platform_leases import PlatformLeases
from sightline.scans.running.running_scans import RunningScans
from sightline.scans.running.start import start_scan
from sightline.scans.running.store import AnswerStore
from sightline.scans.running.sweep import sweep_scans
from sightline.settings import Settings

_SWEEP_SECONDS = 5.0
# Jobs claimed per slot. The second one begins the moment the slot is free; the third is capacity for the jobs of other
# workspaces, which arrive while a huge scan has all that it may have. For express jobs there is always one more.
_CLAIMED_PER_SLOT = 3


def worker_share(gate: Gate, all_slots: int, *, express: bool) -> WorkerShare | None:
    """Return how many jobs the worker with this gate may claim; None when it has all slots of the platform.

    Express jobs do not stay in the queue because others wait at the gate: the gate lets them through first.
    """
    own = gate.window.upper
    if own >= all_slots:
        return None
    fraction = own / all_slots
    if express:
        free = max(0, int(gate.window.limit) - gate.in_flight - gate.admissible_waiting)
        return WorkerShare(fraction=fraction, free=free)
    free = max(0, gate.max_per_party - gate.in_flight - gate.waiting)
    return WorkerShare(fraction=fraction, slots=gate.max_per_party, waiting=gate.waiting, free=free)


class ScanEngine:
    """Starts scans, asks their cells and finishes them."""

    def __init__(
        self, settings: Settings, db: Database, clients: ClientPool, analyzer: Analyzer, *, clock: Clock
    ) -> None:
        self._settings = settings
        self._db = db
        self._clients = clients
        self.analyzer = analyzer
        self._clock = clock
        limit = settings.platform_concurrency
        self._admission = Admission(db, dict.fromkeys(clients.gates, limit), clock=clock)
        self._store = AnswerStore(db, when_stored=self._admission.request)
        self._running = RunningScans(db, clients)
        self._finish = FinishDependencies(build_credit_rules(settings), settings.public_url, clients, analyzer)

    @property
    def lanes(self) -> list[str]:
        return list(self._clients.gates)

    def loops(self, worker_id: uuid.UUID) -> list[Coroutine[Any, Any, None]]:
        """Return the loops that have to run as long as the worker with this id."""
        leases = PlatformLeases(self._db, worker_id, self._clients.gates, self._settings.platform_concurrency)
        return [
            self._admission.run(),
            self._store.run(),
            self._running.watch(),
            leases.run(),
            run_forever(self._sweep, every=_SWEEP_SECONDS, failure_event="sweep_failed"),
        ]

    def stop(self) -> None:
        """Turn away the calls that wait for a slot; calls under way go on."""
        for gate in self._clients.gates.values():
            gate.close()

    def cell_capacity(self, lane: str, *, express: bool) -> int:
        """Return how many more cells of a lane this worker would claim now."""
        gate = self._clients.gates[lane]
        return gate.window.upper * (_CLAIMED_PER_SLOT + express) - gate.unfinished.total()

    def cell_share(self, lane: str, *, express: bool) -> WorkerShare | None:
        return worker_share(self._clients.gates[lane], self._settings.platform_concurrency, express=express)

    async def answer(self, lane: str, job: Job, cell: CellJob) -> None:
        """Ask, analyze and store one cell, counted as claimed meanwhile."""
        unfinished = self._clients.gates[lane].unfinished
        unfinished[cell.workspace_id] += 1
        try:
            await answer_cell(self._db, self._running, self.analyzer, self._store, job, cell, clock=self._clock)
        finally:
            unfinished[cell.workspace_id] -= 1
            if not unfinished[cell.workspace_id]:
                del unfinished[cell.workspace_id]

    async def start(self, job: ScanJob) -> None:
        try:
            started = await start_scan(self._db, self._clients, job, clock=self._clock)
        except GateClosed:
            raise Retry from None  # this worker stops while it waits to ask for prompts; another one asks
        if started:
            self._admission.request()

    async def finish(self, job: ScanJob) -> None:
        await finish_scan(self._db, job, self._finish, clock=self._clock)

    async def _sweep(self) -> None:
        await sweep_scans(self._db, deadline=self._settings.scan_deadline, clock=self._clock)
        self._admission.request()


@asynccontextmanager
async def open_engine(settings: Settings, db: Database, *, clock: Clock) -> AsyncIterator[ScanEngine]:
    scorer = parse_scorer_name(settings.sentiment)
    async with open_client_pool(settings) as clients, open_analyzer(settings.analyzer_processes, scorer) as analyzer:
        yield ScanEngine(settings, db, clients, analyzer, clock=clock)
