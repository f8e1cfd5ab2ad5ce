"""The platform clients of a worker: one HTTP session and one gate per lane for all scans, and clients for each scan."""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import get_args

import msgspec
import structlog

from sightline.domains.home_page import FetchPage, fetch_home_page
from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms import access
from sightline.platforms.call_metrics import watch_gate
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.gate import Gate
from sightline.platforms.models import Transport
from sightline.platforms.policy import Policy
from sightline.platforms.redirects import ResolveRedirect
from sightline.platforms.transport import NetworkTransport
from sightline.scans.editor_platform import EditorPlatform, choose_editor, read_editor_setting
from sightline.scans.models import AnswersSource
from sightline.scans.platform_clients import PlatformClients, list_advisors, open_sandbox_clients
from sightline.scans.stored import ScanRow, build_lane_key, decode_surfaces
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
        if (named := read_editor_setting(settings)) is not None and named.platform not in list_advisors(
            self._connected
        ):
            log.warning("editor_not_connected", platform=named.platform)

    @property
    def _policy(self) -> Policy:
        return access.build_policy(self._settings)  # prices may have changed

    def open(self, scan: ScanRow) -> PlatformClients:
        """Return the clients of a scan. Paused platforms are included: the scan was accepted before the pause."""
        if scan.answers_source == "live":
            clients = self.open_live(scan.workspace_id, scan.domain_id, scan.selected_platforms)
            if scan.surfaces is None:
                return clients
            kept = access.CurrentConnections(self._settings, decode_surfaces(scan.surfaces))
            return msgspec.structs.replace(clients, connectors=kept)
        return self._open_sandbox(scan, scan.selected_platforms)

    def open_editor(self, scan: ScanRow) -> EditorPlatform | None:
        """Return the platform that edits the insights of a scan; None if the operator wants or has none.

        In the sandbox, the sandbox edits.
        """
        if scan.answers_source == "live":
            return self.open_domain_editor(scan.workspace_id, scan.domain_id)
        return self._open_editor(self._open_sandbox(scan, [each.key for each in PLATFORMS]))

    def open_domain_editor(self, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> EditorPlatform | None:
        """Return the live platform that edits for a domain, outside any scan."""
        return self._open_editor(self.open_live(workspace_id, domain_id, list(self._connected), for_editor=True))

    def _open_editor(self, clients: PlatformClients) -> EditorPlatform | None:
        chosen = choose_editor(self._settings, clients.connectors)
        return None if chosen is None else EditorPlatform.open(clients, chosen)

    def _open_sandbox(self, scan: ScanRow, platforms: Sequence[str]) -> PlatformClients:
        gates = self._find_gates("sandbox", platforms)
        return open_sandbox_clients(scan, gates, self._policy, latency_ms=self._settings.sandbox_latency_ms)

    def open_live(
        self, workspace_id: uuid.UUID, domain_id: uuid.UUID, platforms: Sequence[str], *, for_editor: bool = False
    ) -> PlatformClients:
        """Return clients for these platforms. Their calls wait for slots, and are counted for the domain."""
        return PlatformClients(
            "live",
            self._connected,
            self._network,
            self._find_gates("live", platforms),
            self._policy,
            self._resolve,
            self._fetch_page,
            self.calls.recorder(workspace_id, domain_id, for_editor=for_editor),
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
