"""The engine, put together: what a worker does for scans, and what has to run beside it."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
import structlog

from sightline.answers.scorers import parse_scorer_name
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs.queue import Job, Part
from sightline.jobs.retry import Retry
from sightline.jobs.worker import Work
from sightline.kit.clock import Clock
from sightline.platforms.gate import Gate, GateClosed
from sightline.scans.running.admission import Admission
from sightline.scans.running.answer import answer_cell
from sightline.scans.running.cells import CellJob, kind_of
from sightline.scans.running.checks import Checks
from sightline.scans.running.desks import Desks, open_desks
from sightline.scans.running.finish import Ending, finish_scan
from sightline.scans.running.leases import Leases
from sightline.scans.running.readers import Reader, open_reader
from sightline.scans.running.start import start_scan
from sightline.scans.running.store import FINISH_JOB, AnswerStore
from sightline.scans.running.sweep import sweep_scans
from sightline.scans.stored import ScanJob
from sightline.scans.submit import START_JOB
from sightline.settings import Settings

log = structlog.get_logger()

_SWEEP_SECONDS = 5.0
# Jobs in hand per place. The second one begins in the moment in which the place is free; the third is room for those of
# others, who come while a huge check has all that it may have. For express ones there is always room for one more.
_IN_HAND = 3
_read_cell = msgspec.json.Decoder(CellJob).decode
_read_scan = msgspec.json.Decoder(ScanJob).decode


def part_of(gate: Gate, all_places: int, *, express: bool) -> Part | None:
    """What a worker whose gate this is may have in hand; None when it has all places of the platform.

    Express jobs do not stay in the queue because others wait before the gate: it is the gate that lets them go first.
    """
    own = gate.window.upper
    if own >= all_places:
        return None
    share = own / all_places
    if express:
        free = max(0, int(gate.window.limit) - gate.in_flight - gate.pressing)
        return Part(share=share, free=free)
    free = max(0, gate.most_of_one - gate.in_flight - gate.waiting)
    return Part(share=share, places=gate.most_of_one, waiting=gate.waiting, free=free)


class Engine:
    def __init__(self, settings: Settings, db: Database, desks: Desks, reader: Reader, *, clock: Clock) -> None:
        self._settings = settings
        self._db = db
        self._desks = desks
        self.reader = reader
        self._clock = clock
        limit = settings.platform_concurrency
        self._admission = Admission(db, dict.fromkeys(desks.gates, limit), clock=clock)
        self._store = AnswerStore(db, when_stored=self._admission.want)
        self._checks = Checks(db, desks)
        self._ending = Ending(build_credit_rules(settings), settings.public_url, desks, reader)

    def works(self) -> Mapping[str, Work]:
        cells = {
            kind_of(lane, express=express): Work(
                handle=partial(self._answer, lane),
                room=partial(self._room, lane, express),
                part=partial(self._part, lane, express),
                settles=True,
            )
            for lane in self._desks.gates
            for express in (True, False)
        }
        return {**cells, START_JOB: Work(handle=self._start), FINISH_JOB: Work(handle=self._finish)}

    def tasks(self, worker_id: uuid.UUID) -> list[Coroutine[Any, Any, None]]:
        leases = Leases(self._db, worker_id, self._desks.gates, self._settings.platform_concurrency)
        return [self._admission.run(), self._store.run(), self._checks.watch(), leases.run(), self._sweep()]

    def stop(self) -> None:
        """Sends away what waits for a place; calls that are under way go on."""
        for gate in self._desks.gates.values():
            gate.close()

    def _room(self, lane: str, express: bool) -> int:
        gate = self._desks.gates[lane]
        return gate.window.upper * (_IN_HAND + express) - gate.in_hand.total()

    def _part(self, lane: str, express: bool) -> Part | None:
        return part_of(self._desks.gates[lane], self._settings.platform_concurrency, express=express)

    async def _answer(self, lane: str, job: Job) -> None:
        cell = _read_cell(job.payload)
        in_hand = self._desks.gates[lane].in_hand
        in_hand[cell.workspace_id] += 1
        try:
            await answer_cell(self._db, self._checks, self.reader, self._store, job, cell, clock=self._clock)
        finally:
            in_hand[cell.workspace_id] -= 1
            if not in_hand[cell.workspace_id]:
                del in_hand[cell.workspace_id]

    async def _start(self, job: Job) -> None:
        try:
            begun = await start_scan(self._db, self._desks, _read_scan(job.payload), clock=self._clock)
        except GateClosed:
            raise Retry from None  # this worker stops while it waits to ask for prompts; another one asks
        if begun:
            self._admission.want()

    async def _finish(self, job: Job) -> None:
        await finish_scan(self._db, _read_scan(job.payload), self._ending, clock=self._clock)

    async def _sweep(self) -> None:
        while True:
            try:
                await sweep_scans(self._db, deadline=self._settings.scan_deadline, clock=self._clock)
                self._admission.want()
            except DatabaseUnavailable:
                pass
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(_SWEEP_SECONDS)


@asynccontextmanager
async def open_engine(settings: Settings, db: Database, *, clock: Clock) -> AsyncIterator[Engine]:
    scorer = parse_scorer_name(settings.sentiment)
    async with open_desks(settings) as desks, open_reader(settings.reader_processes, scorer) as reader:
        yield Engine(settings, db, desks, reader, clock=clock)
