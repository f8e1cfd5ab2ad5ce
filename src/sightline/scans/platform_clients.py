"""Clients for the AI platforms: everything that is needed to ask them, opened once for a scan."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date
from functools import partial

import msgspec

from sightline.answers.models import Brand
from sightline.domains.home_page import FetchPage, fetch_home_page
from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms import access
from sightline.platforms.ask import OnFault, PlatformClient, ask
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.gate import Gate
from sightline.platforms.models import (
    BuildRequest,
    Connector,
    Fault,
    OnCall,
    Outcome,
    ParseReply,
    PlatformConnection,
    Question,
    TaskMode,
    Transport,
)
from sightline.platforms.policy import Policy
from sightline.platforms.redirects import ResolveRedirect
from sightline.platforms.sandbox.market import SandboxRival, Subject
from sightline.platforms.sandbox.transport import SandboxTransport, sandbox_connection, sandbox_connector
from sightline.platforms.transport import NetworkTransport
from sightline.scans.models import AnswersSource
from sightline.scans.stored import ScanRow, decode_measured
from sightline.settings import Settings

_SANDBOX = {each.key: (sandbox_connector(each.key), sandbox_connection(each.key)) for each in PLATFORMS}
# Platforms that search rather than converse, also where the sandbox imitates them.
_SEARCH_ENGINES = frozenset({"google_ai_overviews", "google_ai_mode", "copilot"})


class PlatformClients(msgspec.Struct, frozen=True):
    """The connectors, transport and gates with which a scan asks its platforms."""

    source: AnswersSource
    connectors: Mapping[str, tuple[Connector, PlatformConnection]]
    transport: Transport
    gates: Mapping[str, Gate]
    policy: Policy
    resolve: ResolveRedirect | None = None
    fetch_page: FetchPage | None = None
    """Reads the home page of a site, through the guard. None in a sandbox: no site is contacted."""
    on_call: OnCall | None = None
    """Counts the calls, for what they cost. None in a sandbox: nobody is called."""

    def find_task_mode(self, platform: str) -> TaskMode | None:
        """Return how questions are posted as tasks, if the platform has that mode."""
        way = self.connectors.get(platform)
        return way and way[0].tasks

    def posts_tasks(self, platform: str) -> bool:
        """Return whether the operator wants questions to be posted as tasks."""
        way = self.connectors.get(platform)
        return way is not None and way[1].uses_tasks

    async def ask(
        self,
        platform: str,
        question: Question,
        *,
        on_fault: OnFault | None = None,
        request: BuildRequest | None = None,
        parse: ParseReply | None = None,
        is_repeated: bool = True,
    ) -> Outcome:
        """Ask a platform. The question fails if the operator has removed its credentials in the meantime.

        `request` and `parse` take the place of the connector's own, for one step of a task. Unless `is_repeated`, the
        request is sent once, whatever happens. Raises `AnswerLater` for a task that is accepted or not done.
        """
        if platform not in self.connectors:
            fault = Fault("unauthorised", "the platform is no longer connected")
            return Outcome.build_failed(platform, question, fault)
        connector, connection = self.connectors[platform]
        if request is not None:
            connector = msgspec.structs.replace(connector, request=request, parse=parse or connector.parse)
        client = PlatformClient(
            connector=connector,
            connection=connection,
            transport=self.transport,
            gate=self.gates[platform],
            policy=self.policy if is_repeated else msgspec.structs.replace(self.policy, attempts=1),
            resolve_redirect=self.resolve,
            on_fault=on_fault,
            on_call=self.on_call,
        )
        return await ask(client, question)

    @property
    def uncited(self) -> frozenset[str]:
        return frozenset(platform for platform, (connector, _) in self.connectors.items() if not connector.cites)


def list_advisors(connectors: access.Access) -> list[str]:
    """Return the platforms that can do a task on a text: language models, and the sandbox's imitations of them."""
    # DataForSEO accepts at most 500 characters, too few for such a text.
    return [
        key
        for key, (connector, _) in connectors.items()
        if connector.surface != "serp" and connector.vendor != "dataforseo" and key not in _SEARCH_ENGINES
    ]


def build_subject(domain: str, brand: Brand, competitors: Sequence[Brand]) -> Subject:
    """Return the company whose simulated market the sandbox answers from."""
    rivals = tuple(SandboxRival(each.name, each.domains[0] if each.domains else None) for each in competitors)
    return Subject(domain, brand.name, rivals, brand.aliases)


@asynccontextmanager
async def open_platform_clients(settings: Settings, subject: Subject, day: date) -> AsyncIterator[PlatformClients]:
    """Open the clients for one check. Raise `SettingsError` where the settings make no sense.

    In a sandbox nothing is opened and nothing is contacted.
    """
    connected, gates, policy = (
        access.find_connections(settings),
        access.build_gates(settings),
        access.build_policy(settings),
    )
    enabled = access.find_enabled_platforms(settings)
    if not connected:
        connectors = {key: (sandbox_connector(key), sandbox_connection(key)) for key in gates if key in enabled}
        transport = SandboxTransport(subject, day, latency_ms=settings.sandbox_latency_ms, sleep=asyncio.sleep)
        yield PlatformClients("sandbox", connectors, transport, gates, policy)
        return
    guard = EgressGuard()
    connectors = {key: connector for key, connector in connected.items() if key in enabled}
    async with open_session() as session, open_guarded_session(guard) as guarded:
        yield PlatformClients(
            "live",
            connectors,
            NetworkTransport(session),
            gates,
            policy,
            lambda url: resolve_redirect(guarded, guard, url),
            partial(fetch_home_page, guarded, guard),
        )


def open_sandbox_clients(
    scan: ScanRow, gates: Mapping[str, Gate], policy: Policy, *, latency_ms: int
) -> PlatformClients:
    """Return clients that answer from the made-up market of a scan."""
    measured = decode_measured(scan.brand)
    transport = SandboxTransport(
        build_subject(scan.domain, measured.brand, measured.competitors),
        scan.created_at.date(),  # the day of the scan, also for an answer that is asked again after midnight
        latency_ms=latency_ms,
        sleep=asyncio.sleep,
    )
    return PlatformClients("sandbox", _SANDBOX, transport, gates, policy)
