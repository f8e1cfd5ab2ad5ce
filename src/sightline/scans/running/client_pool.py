"""The platform clients of a worker: one HTTP session and one gate per lane for all scans, and clients for each scan."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import get_args

import structlog

from sightline.answers.judge import Judge
from sightline.domains.home_page import FetchPage, fetch_home_page
from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms import access
from sightline.platforms.call_metrics import watch_gate
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.gate import Gate
from sightline.platforms.models import Question, Transport
from sightline.platforms.policy import Policy
from sightline.platforms.redirects import ResolveRedirect
from sightline.platforms.sandbox.transport import SandboxTransport, sandbox_connection, sandbox_connector
from sightline.platforms.transport import NetworkTransport
from sightline.scans.models import AnswersSource
from sightline.scans.platform_clients import PlatformClients, build_subject, choose_advisor
from sightline.scans.stored import ScanRow, build_lane_key, decode_measured
from sightline.settings import Settings

log = structlog.get_logger()


class ClientPool:
    """What the scans of a worker share to ask platforms, and the clients of each scan made from it."""

    def __init__(
        self,
        settings: Settings,
        network: Transport,
        resolve: ResolveRedirect,
        fetch_page: FetchPage,
        *,
        gates: Mapping[str, Gate],
        calls: CallLog,
    ) -> None:
        self.gates = gates
        self.calls = calls
        self._settings = settings
        self._network = network
        self._resolve = resolve
        self._fetch_page = fetch_page
        self._connected = access.CurrentConnections(settings)
        self._sandbox = {each.key: (sandbox_connector(each.key), sandbox_connection(each.key)) for each in PLATFORMS}
        self._warn_unless_connected(settings.sentiment_judge, "sentiment_judge_not_connected")
        self._warn_unless_connected(settings.theme_judge, "theme_judge_not_connected")

    def _warn_unless_connected(self, platform: str, failure_event: str) -> None:
        if platform and not self._can_judge(platform):
            log.warning(failure_event, platform=platform)

    @property
    def judge(self) -> str | None:
        """Return the platform that scores answers, if it is connected."""
        platform = self._settings.sentiment_judge
        return platform if self._can_judge(platform) else None

    @property
    def theme_judge(self) -> str | None:
        """Return the platform that finds themes, if it is connected."""
        platform = self._settings.theme_judge
        return platform if self._can_judge(platform) else None

    @property
    def _policy(self) -> Policy:
        return access.build_policy(self._settings)  # prices may have changed

    def _can_judge(self, platform: str) -> bool:
        return bool(platform) and choose_advisor(self._connected, [platform]) == platform

    def open_theme_judge(self, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Judge | None:
        """Return a function that asks the platform outside any scan. It waits for a slot like all others."""
        platform = self.theme_judge
        if platform is None:
            return None
        clients = self.open_live(workspace_id, domain_id, [platform])

        async def ask(question: str) -> str | None:
            outcome = await clients.ask(platform, Question(question))
            return outcome.answer.text if outcome.status == "ok" else None

        return ask

    def open(self, scan: ScanRow) -> PlatformClients:
        """Return the clients of a scan. Paused platforms are included: the scan was accepted before the pause."""
        platforms = [*scan.selected_platforms, *([self.judge] if self.judge else [])]
        if scan.answers_source == "live":
            return self.open_live(scan.workspace_id, scan.domain_id, platforms)
        measured = decode_measured(scan.brand)
        transport = SandboxTransport(
            build_subject(scan.domain, measured.brand, measured.competitors),
            scan.created_at.date(),  # the day of the scan, also for an answer that is asked again after midnight
            latency_ms=self._settings.sandbox_latency_ms,
            sleep=asyncio.sleep,
        )
        return PlatformClients(
            "sandbox", self._sandbox, transport, self._find_gates("sandbox", platforms), self._policy
        )

    def open_live(self, workspace_id: uuid.UUID, domain_id: uuid.UUID, platforms: Sequence[str]) -> PlatformClients:
        """Return clients for these platforms. Their calls wait for slots, and are counted for the domain."""
        return PlatformClients(
            "live",
            self._connected,
            self._network,
            self._find_gates("live", platforms),
            self._policy,
            self._resolve,
            self._fetch_page,
            self.calls.recorder(workspace_id, domain_id),
        )

    def _find_gates(self, source: AnswersSource, platforms: Sequence[str]) -> dict[str, Gate]:
        return {platform: self.gates[build_lane_key(source, platform)] for platform in platforms}


def list_lanes() -> list[str]:
    """Return every lane that a scan can have, also live ones whose platform was disconnected while the scan waited."""
    return [build_lane_key(source, platform.key) for source in get_args(AnswersSource) for platform in PLATFORMS]


@asynccontextmanager
async def open_client_pool(settings: Settings, calls: CallLog) -> AsyncIterator[ClientPool]:
    """Open the HTTP sessions. The gates stay shut until the worker has leased its share of each platform's calls."""
    gates = {lane: Gate(1, 1) for lane in list_lanes()}
    for lane, gate in gates.items():
        gate.window.resize(0)
        watch_gate(lane, gate)
    guard = EgressGuard()
    async with open_session() as session, open_guarded_session(guard) as guarded:
        network = NetworkTransport(session)
        yield ClientPool(
            settings,
            network,
            lambda url: resolve_redirect(guarded, guard, url),
            partial(fetch_home_page, guarded, guard),
            gates=gates,
            calls=calls,
        )
