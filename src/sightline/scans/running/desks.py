"""Where a worker asks from: one HTTP session and one gate per lane for all scans, and a desk for each scan."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import get_args

import structlog

from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.gate import Gate
from sightline.platforms.models import Transport
from sightline.platforms.redirects import ResolveRedirect
from sightline.platforms.sandbox.connector import sandbox_connection, sandbox_connector
from sightline.platforms.sandbox.transport import SandboxTransport
from sightline.platforms.transport import NetworkTransport
from sightline.scans.here import Desk, subject_of
from sightline.scans.models import AnswersSource
from sightline.scans.stored import ScanRow, decode_measured, lane_of
from sightline.settings import Settings

log = structlog.get_logger()

_SOURCES: tuple[AnswersSource, ...] = get_args(AnswersSource)


class Desks:
    def __init__(
        self, settings: Settings, network: Transport, resolve: ResolveRedirect, *, gates: Mapping[str, Gate]
    ) -> None:
        self.gates = gates
        self._settings = settings
        self._network = network
        self._resolve = resolve
        self._connected = access.connections(settings)
        self._sandbox = {each.key: (sandbox_connector(each.key), sandbox_connection(each.key)) for each in PLATFORMS}
        self._policy = access.policy(settings)
        self.judge = self._find_judge(settings.sentiment_judge)

    def _find_judge(self, wanted: str) -> str | None:
        if not wanted:
            return None
        desk = Desk("live", self._connected, self._network, {}, self._policy)
        if desk.find_advisor([wanted]) != wanted:
            log.warning("sentiment_judge_not_connected", platform=wanted)
            return None
        return wanted

    def open(self, scan: ScanRow) -> Desk:
        """Paused platforms are asked as well: the scan was accepted before."""
        doors = {
            platform: self.gates[lane_of(scan.answers_source, platform)].for_party(scan.workspace_id, scan.priority)
            for platform in (*scan.selected_platforms, *([self.judge] if self.judge else []))
        }
        if scan.answers_source == "live":
            return Desk("live", self._connected, self._network, doors, self._policy, self._resolve)
        measured = decode_measured(scan.brand)
        transport = SandboxTransport(
            subject_of(scan.domain, measured.brand, measured.competitors),
            scan.created_at.date(),  # the day of the scan, also for an answer that is asked again after midnight
            latency_ms=self._settings.sandbox_latency_ms,
            sleep=asyncio.sleep,
        )
        return Desk("sandbox", self._sandbox, transport, doors, self._policy)


def all_lanes() -> list[str]:
    """Every lane that a scan can have; also a live one whose platform was disconnected while the scan waited."""
    return [lane_of(source, platform.key) for source in _SOURCES for platform in PLATFORMS]


@asynccontextmanager
async def open_desks(settings: Settings) -> AsyncIterator[Desks]:
    """The gates are shut until the worker has its part of each platform's calls: see `leases`."""
    lower = min(settings.platform_concurrency_floor, settings.platform_concurrency)
    gates = {lane: Gate(lower, lower, share=settings.platform_share) for lane in all_lanes()}
    for gate in gates.values():
        gate.window.resize(0)
    guard = EgressGuard()
    async with open_session() as session, open_guarded_session(guard) as guarded:
        yield Desks(settings, NetworkTransport(session), lambda url: resolve_redirect(guarded, guard, url), gates=gates)
