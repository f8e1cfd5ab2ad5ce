"""A check inside of this process, without a database: all cells at once, as many as the gates let through.

Sandbox or live is decided once for the whole check, by whether any platform is connected: the two never mix.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date

import msgspec

from sightline.answers.judge import Judge, judge_measured_brand
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.scorers import ScorerName
from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms import access
from sightline.platforms.ask import ask
from sightline.platforms.gate import Entrance
from sightline.platforms.models import Connection, Connector, Outcome, Question, Transport
from sightline.platforms.policy import Policy
from sightline.platforms.redirects import ResolveRedirect
from sightline.platforms.sandbox.connector import sandbox_connection, sandbox_connector
from sightline.platforms.sandbox.market import Rival, Subject
from sightline.platforms.sandbox.transport import SandboxTransport
from sightline.platforms.transport import NetworkTransport
from sightline.scans.models import AnswersSource, Plan, Prompt, ScanAnswer
from sightline.scans.read import read_outcome
from sightline.settings import Settings


class Desk(msgspec.Struct, frozen=True):
    """Everything that is needed to ask, opened once for a check."""

    source: AnswersSource
    ways: Mapping[str, tuple[Connector, Connection]]
    transport: Transport
    gates: Mapping[str, Entrance]
    policy: Policy
    resolve: ResolveRedirect | None = None

    async def ask(self, platform: str, question: Question) -> Outcome:
        connector, connection = self.ways[platform]
        return await ask(
            connector,
            connection,
            question,
            transport=self.transport,
            gate=self.gates[platform],
            policy=self.policy,
            resolve_redirect=self.resolve,
        )

    @property
    def uncited(self) -> frozenset[str]:
        return frozenset(platform for platform, (connector, _) in self.ways.items() if not connector.cites)

    def find_advisor(self, preferred: Sequence[str]) -> str | None:
        """The platform to ask for a favour (prompts, a verdict on a text): the first one that is a model itself."""
        # DataForSEO takes no more than 500 characters, too few for a text to judge.
        able = [
            key
            for key, (connector, _) in self.ways.items()
            if connector.surface == "api" and connector.vendor != "dataforseo"
        ]
        return next((key for key in (*preferred, *able) if key in able), None)


def subject_of(domain: str, brand: Brand, competitors: Sequence[Brand]) -> Subject:
    """Whose made-up market the sandbox answers from."""
    rivals = tuple(Rival(each.name, each.domains[0] if each.domains else None) for each in competitors)
    return Subject(domain, brand.name, rivals, brand.aliases)


@asynccontextmanager
async def open_desk(settings: Settings, subject: Subject, day: date) -> AsyncIterator[Desk]:
    """Raises `SettingsError` where the settings make no sense. In a sandbox nothing is opened, nothing contacted."""
    connected, gates, policy = access.connections(settings), access.gates(settings), access.policy(settings)
    enabled = access.enabled(settings)
    if not connected:
        ways = {key: (sandbox_connector(key), sandbox_connection(key)) for key in gates if key in enabled}
        transport = SandboxTransport(subject, day, latency_ms=settings.sandbox_latency_ms, sleep=asyncio.sleep)
        yield Desk("sandbox", ways, transport, gates, policy)
        return
    guard = EgressGuard()
    ways = {key: way for key, way in connected.items() if key in enabled}
    async with open_session() as session, open_guarded_session(guard) as guarded:
        yield Desk(
            "live",
            ways,
            NetworkTransport(session),
            gates,
            policy,
            lambda url: resolve_redirect(guarded, guard, url),
        )


async def run_check(
    plan: Plan,
    desk: Desk,
    *,
    new_id: Callable[[], str],
    stop: asyncio.Event,
    sentiment: ScorerName | None = None,
    judge: Judge | None = None,
) -> AsyncGenerator[ScanAnswer, None]:
    """Every answer as it comes, each cell once.

    Once `stop` is set, what is under way is cancelled; what had come by then is still given, and then it ends. A cell
    that was cancelled gives nothing. Closing the generator cancels everything and waits for its end.
    """
    if stop.is_set():
        return
    lexicon = Lexicon(plan.tracked)
    done: asyncio.Queue[ScanAnswer | None] = asyncio.Queue()

    async def check(prompt: Prompt, platform: str) -> None:
        question = Question(prompt.text, prompt.country, prompt.language)
        outcome = await desk.ask(platform, question)
        answer = read_outcome(outcome, prompt, lexicon, answer_id=new_id(), sentiment=sentiment)
        try:
            if judge is not None and sentiment is not None:
                answer = await _judge(answer, judge)
        finally:
            done.put_nowait(answer)  # also when it is cancelled while it is judged: the answer itself has come

    async def watch() -> None:
        everything = asyncio.ensure_future(asyncio.gather(*cells, return_exceptions=True))
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({everything, stopped}, return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        finally:
            stopped.cancel()
            await _end(cells)
            done.put_nowait(None)

    # Prompt by prompt, so that every platform has something to do from the first moment.
    cells = [asyncio.create_task(check(prompt, platform)) for prompt in plan.prompts for platform in plan.platforms]
    watcher = asyncio.create_task(watch())
    try:
        while (answer := await done.get()) is not None:
            yield answer
        for cell in cells:
            if not cell.cancelled() and (error := cell.exception()) is not None:
                raise error
    finally:
        watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watcher


async def _end(cells: list[asyncio.Task[None]]) -> None:
    for cell in cells:
        cell.cancel()
    await asyncio.gather(*cells, return_exceptions=True)


async def _judge(answer: ScanAnswer, judge: Judge) -> ScanAnswer:
    """Only of the measured brand, and only where the offline scorer did not dare to say."""
    if answer.reading is None:
        return answer
    reading = await judge_measured_brand(answer.text, answer.reading, ask=judge)
    return msgspec.structs.replace(answer, reading=reading)
