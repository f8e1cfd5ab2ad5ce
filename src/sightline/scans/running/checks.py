"""Scans that this worker has in hand: their plan, ready to ask and to read with, and the calls that are under way."""

import asyncio
import uuid
from collections import OrderedDict
from typing import Any

import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.platforms.models import Outcome, Question
from sightline.scans.here import Desk
from sightline.scans.models import Plan
from sightline.scans.queries import find_scan
from sightline.scans.running.desks import Desks
from sightline.scans.running.queries import find_ended_any_workspace
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow, decode_measured, decode_prompts

log = structlog.get_logger()

_MOST_IN_HAND = 256
_LOOK_SECONDS = 0.4  # a cancelled scan stops within a second


def plan_of(scan: ScanRow, uncited: frozenset[str]) -> Plan:
    measured = decode_measured(scan.brand)
    assert scan.prompts is not None  # known from the moment it runs
    return Plan(
        domain=scan.domain,
        brand=measured.brand,
        competitors=measured.competitors,
        prompts=decode_prompts(scan.prompts),
        platforms=tuple(scan.selected_platforms),
        uncited=uncited & frozenset(scan.selected_platforms),
        scored=scan.measurement_scope == "full_check",
    )


class Check:
    """One running scan."""

    def __init__(self, scan: ScanRow, desk: Desk, judge: str | None = None) -> None:
        self.plan = plan_of(scan, desk.uncited)
        self.desk = desk
        # The sandbox has no opinion, and only what is scored can be left unscored.
        self.judge = judge if desk.source == "live" and self.plan.scored else None
        self._stopped = False
        self._calls: set[asyncio.Task[Any]] = set()

    async def ask(self, platform: str, question: Question) -> Outcome | None:
        """None when the scan was stopped meanwhile: nobody wants the answer any more."""
        if self.is_stopped():
            return None
        caller = asyncio.current_task()
        assert caller is not None
        self._calls.add(caller)
        try:
            return await self.desk.ask(platform, question)
        except asyncio.CancelledError:
            # Taken back is only what `stop` did: a worker that gives its jobs back has cancelled the caller as well.
            if self.is_stopped() and caller.uncancel() == 0:
                return None
            raise
        finally:
            self._calls.discard(caller)

    def is_busy(self) -> bool:
        return bool(self._calls)

    def is_stopped(self) -> bool:
        return self._stopped

    def stop(self) -> None:
        self._stopped = True
        for call in self._calls:
            call.cancel()


class Checks:
    def __init__(self, db: Database, desks: Desks) -> None:
        self._db = db
        self._desks = desks
        self._in_hand: OrderedDict[uuid.UUID, Check] = OrderedDict()
        self._opening: dict[uuid.UUID, asyncio.Task[Check | None]] = {}

    async def find(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> Check | None:
        """The scan if it runs; None when it has ended or was never there. Many who ask at once open it once."""
        if (known := self._in_hand.get(scan_id)) is not None:
            self._in_hand.move_to_end(scan_id)
            return known
        opening = self._opening.get(scan_id)
        if opening is None:
            opening = self._opening[scan_id] = asyncio.create_task(self._open(workspace_id, scan_id))
            opening.add_done_callback(lambda _: self._opening.pop(scan_id, None))
        return await asyncio.shield(opening)

    async def _open(self, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> Check | None:
        scan = await find_scan(self._db, workspace_id, scan_id)
        if scan is None or scan.status is not ScanStatus.RUNNING:
            return None
        check = Check(scan, self._desks.open(scan), self._desks.judge)
        self._in_hand[scan_id] = check
        if len(self._in_hand) > _MOST_IN_HAND:  # one that has calls under way stays: it could not be stopped any more
            idle = next((key for key, each in self._in_hand.items() if each is not check and not each.is_busy()), None)
            if idle is not None:
                del self._in_hand[idle]
        return check

    async def watch(self) -> None:
        """Lets go of scans that have ended, and stops the calls of those that were cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if not self._in_hand:
                continue
            try:
                for scan_id in await find_ended_any_workspace(self._db, list(self._in_hand)):
                    if (check := self._in_hand.pop(scan_id, None)) is not None:
                        check.stop()
            except DatabaseUnavailable:
                continue
            except Exception:
                log.exception("checks_not_looked_at")
