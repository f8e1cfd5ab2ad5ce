"""The scans that a worker is running: their plans, their platform clients, and the calls under way."""

import asyncio
import uuid
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.platforms.fault_log import FaultLog
from sightline.platforms.models import Outcome, Question
from sightline.scans.models import ScanPlan
from sightline.scans.platform_clients import PlatformClients
from sightline.scans.queries import find_scan
from sightline.scans.running.client_pool import ClientPool
from sightline.scans.running.queries import find_ended_any_workspace
from sightline.scans.states import PATIENT, ScanStatus
from sightline.scans.stored import ScanRow, decode_measured, decode_prompts

_POLL_SECONDS = 0.4  # a cancelled scan stops within a second


def build_plan(scan: ScanRow, uncited: frozenset[str]) -> ScanPlan:
    measured = decode_measured(scan.brand)
    assert scan.prompts is not None  # a scan has prompts before it has cells
    return ScanPlan(
        domain=scan.domain,
        brand=measured.brand,
        competitors=measured.competitors,
        prompts=decode_prompts(scan.prompts),
        platforms=tuple(scan.selected_platforms),
        uncited=uncited & frozenset(scan.selected_platforms),
        scored=scan.measurement_scope == "full_check",
        corrections=measured.corrections,
    )


class RunningScan:
    """One running scan. Stopping it cancels its calls."""

    def __init__(
        self,
        scan: ScanRow,
        clients: PlatformClients,
        *,
        patience: timedelta = timedelta(0),
        faults: FaultLog,
    ) -> None:
        self.plan = build_plan(scan, clients.uncited)
        self.clients = clients
        self._patient_until = scan.started_at + patience if scan.priority in PATIENT and scan.started_at else None
        self._note_fault = partial(faults.note, workspace_id=scan.workspace_id, scan_id=scan.id)
        self._is_stopped = False
        self._calls: set[asyncio.Task[Any]] = set()

    async def ask(self, platform: str, question: Question, **how: Any) -> Outcome | None:
        """Ask a platform. Return None when the scan is stopped: the answer is no longer needed.

        `how` is one step of a task, as `PlatformClients.ask` takes it.
        """
        if self.is_stopped():
            return None
        caller = asyncio.current_task()
        assert caller is not None
        self._calls.add(caller)
        try:
            return await self.clients.ask(platform, question, on_fault=partial(self._note_fault, platform), **how)
        except asyncio.CancelledError:
            # Undo only the cancellation by `stop`: a worker that gives its jobs back has cancelled the caller as well.
            if self.is_stopped() and caller.uncancel() == 0:
                return None
            raise
        finally:
            self._calls.discard(caller)

    def is_patient(self, now: datetime) -> bool:
        """Return whether the scan still waits for a platform that is down."""
        return self._patient_until is not None and now < self._patient_until

    def is_stopped(self) -> bool:
        return self._is_stopped

    def stop(self) -> None:
        self._is_stopped = True
        for call in self._calls:
            call.cancel()


class RunningScans:
    """The running scans that a worker knows, opened when their first cell is asked."""

    def __init__(self, db: Database, clients: ClientPool, *, patience: timedelta) -> None:
        self._db = db
        self._clients = clients
        self._patience = patience
        self._faults = FaultLog()
        self._open_scans: dict[uuid.UUID, RunningScan] = {}
        self._opening: dict[uuid.UUID, asyncio.Task[RunningScan | None]] = {}

    async def find(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> RunningScan | None:
        """Return the scan if it runs; None when it has ended or never existed. Concurrent calls open it once."""
        if (known := self._open_scans.get(scan_id)) is not None:
            return known
        opening = self._opening.get(scan_id)
        if opening is None:
            opening = self._opening[scan_id] = asyncio.create_task(self._open(workspace_id, scan_id))
            opening.add_done_callback(lambda _: self._opening.pop(scan_id, None))
        return await asyncio.shield(opening)

    async def _open(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> RunningScan | None:
        row = await find_scan(self._db, workspace_id, scan_id)
        if row is None or row.status is not ScanStatus.RUNNING:
            return None
        scan = self._open_scans[scan_id] = RunningScan(
            row, self._clients.open(row), patience=self._patience, faults=self._faults
        )
        return scan

    async def watch(self) -> None:
        """Forget scans that have ended, and stop the calls of those that were cancelled."""
        await run_forever(
            self._stop_ended, every=_POLL_SECONDS, failure_event="running_scans_not_polled", wait_first=True
        )

    async def _stop_ended(self) -> None:
        if not self._open_scans:
            return
        for scan_id in await find_ended_any_workspace(self._db, list(self._open_scans)):
            if (scan := self._open_scans.pop(scan_id, None)) is not None:
                scan.stop()
