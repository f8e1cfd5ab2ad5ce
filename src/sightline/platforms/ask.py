"""Asks one platform one question: send, parse, retry where that can help, and record everything about it.

The connector decides what is sent and how it is parsed. This module decides how often, how long and how many at once.
"""

import asyncio
import random
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec
import structlog

from sightline.kit.tracing import mark_failed, start_span
from sightline.metrics.observation import Status
from sightline.platforms.assemble import is_blank
from sightline.platforms.call_metrics import count_call
from sightline.platforms.compression import compress_payload
from sightline.platforms.gate import Gate, Verdict
from sightline.platforms.models import (
    AnswerLater,
    Connector,
    Fault,
    FaultKind,
    FollowUp,
    HttpReply,
    HttpRequest,
    OnCall,
    Outcome,
    PlatformCall,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
    Transport,
)
from sightline.platforms.policy import Policy, is_overload, retry_delay, should_retry
from sightline.platforms.pricing import Prices, compute_cost
from sightline.platforms.redirects import ResolveRedirect, resolve_sources

log = structlog.get_logger()

_LONGEST_MESSAGE = 500
_NO_ANSWER = ProviderAnswer()
# Larger payloads are parsed and compressed in a thread, as that takes too long for the event loop.
_LARGE = 1_000_000

Monotonic = Callable[[], float]
Sleep = Callable[[float], Awaitable[object]]
OnFault = Callable[[FaultKind], None]
Result = TypeVar("Result")


class PlatformClient(msgspec.Struct, frozen=True, kw_only=True):
    """How questions reach one platform."""

    connector: Connector
    connection: PlatformConnection
    transport: Transport
    gate: Gate
    policy: Policy
    resolve_redirect: ResolveRedirect | None = None
    on_fault: OnFault | None = None
    """Called with each fault."""
    on_call: OnCall | None = None
    """Called with each attempt for which anything was sent."""

    @property
    def prices(self) -> Prices | None:
        return self.policy.prices.get(self.connection.platform)


async def ask(
    client: PlatformClient,
    question: Question,
    *,
    clock: Monotonic = time.monotonic,
    sleep: Sleep = asyncio.sleep,
    chance: Callable[[], float] = random.random,
) -> Outcome:
    """Ask the question and return its outcome. A fault is an outcome with the status `failed`, never an exception.

    Used-up quota, wrong credentials and refusals are not retried, an unreadable or blank answer once, everything else
    up to `policy.attempts` times and never beyond the deadline. Cancellation passes through at once, and so does
    `GateClosed`: nothing was learned, and another worker may ask. So does `AnswerLater`: the platform took a task.
    """
    call = _Call(client, question, clock)
    try:
        answer = await _ask_with_retries(call, call.build(), sleep, chance)
    except PlatformFault as fault:
        return await call.to_outcome(
            "failed", _NO_ANSWER, None, Fault(fault.kind, _clean_message(fault.message, client.connection))
        )
    await asyncio.sleep(0)  # the next question is sent before this answer is processed
    cost = _find_cost(answer, client.prices)
    if client.connector.redirect_hosts:
        answer = await resolve_sources(
            answer, client.connector.redirect_hosts, client.resolve_redirect, deadline=client.policy.redirect_deadline
        )
    return await call.to_outcome(answer.status, answer, cost, None)


class _Call:
    """The state of one question: its last reply, how long that took, how often it was asked."""

    __slots__ = (
        "attempts",
        "client",
        "clock",
        "connection",
        "connector",
        "latency",
        "question",
        "reply",
        "sent",
    )

    def __init__(self, client: PlatformClient, question: Question, clock: Monotonic) -> None:
        self.client = client
        self.connector = client.connector
        self.connection = client.connection
        self.question = question
        self.clock = clock
        self.attempts = 0
        self.sent = 0  # requests of the last attempt
        self.latency = 0.0
        self.reply: HttpReply | None = None

    @property
    def status(self) -> int | None:
        return None if self.reply is None else self.reply.status

    def build(self) -> HttpRequest:
        try:
            return self.connector.request(self.question, self.connection)
        except PlatformFault:
            raise
        except Exception as error:  # noqa: BLE001 - a connector's mistake costs one answer, not the worker
            self._log_mistake("platform_request_not_built", error)
            raise PlatformFault("rejected", f"the request could not be built ({type(error).__name__})") from None

    async def attempt(self, request: HttpRequest, timeout: float) -> ProviderAnswer:
        began = self.clock()
        self.attempts += 1
        self.sent = 0
        self.reply = None
        answer, kind, later = None, None, None
        with start_span(f"ask {self.connector.platform}", "client", attributes=self._describe()) as span:
            try:
                answer = await self._ask_and_follow_up(request, timeout)
            except PlatformFault as fault:
                kind = fault.kind
                mark_failed(span, kind)
                raise
            except AnswerLater as accepted:
                later = accepted
                raise
            finally:
                self.latency = self.clock() - began
                self._report(answer, kind, later)
        if self._is_blank(answer):
            raise PlatformFault("blank", "the answer is empty or too short")
        return answer

    def _is_blank(self, answer: ProviderAnswer) -> bool:
        return answer.status == "ok" and is_blank(answer.text, self.question)

    def _describe(self) -> dict[str, str | int]:
        about = self.connector
        return {
            "sightline.platform": about.platform,
            "sightline.vendor": about.vendor,
            "sightline.model": self.connection.model or "",
            "sightline.attempt": self.attempts,
        }

    def _report(self, answer: ProviderAnswer | None, fault: FaultKind | None, later: AnswerLater | None = None) -> None:
        if not self.sent:
            return
        platform = self.connector.platform
        if later is not None:
            count_call(self.connector, self.latency, "later", cost_usd=later.cost_usd)
            if self.client.on_call is not None:
                self.client.on_call(
                    PlatformCall(
                        platform=platform,
                        requests=self.sent,
                        failed=False,
                        is_answer=False,
                        cost_usd=later.cost_usd or 0.0,
                    )
                )
            return
        cost = None if answer is None else _find_cost(answer, self.client.prices)
        outcome = fault or "cancelled" if answer is None else "blank" if self._is_blank(answer) else answer.status
        count_call(self.connector, self.latency, outcome, cost_usd=cost)
        on_call = self.client.on_call
        if on_call is None:
            return
        if answer is None:
            on_call(PlatformCall(platform=platform, requests=self.sent, failed=True, fault=fault))
            return
        on_call(
            PlatformCall(
                platform=platform,
                requests=self.sent,
                failed=self._is_blank(answer),
                fault="blank" if self._is_blank(answer) else None,
                usage=answer.usage,
                cost_usd=cost,
            )
        )

    async def _ask_and_follow_up(self, request: HttpRequest, timeout: float) -> ProviderAnswer:
        began = self.clock()
        found = await self._ask_once(request, timeout)
        if isinstance(found, FollowUp):
            found = await self._ask_once(found.request, timeout - (self.clock() - began))
            if isinstance(found, FollowUp):
                raise PlatformFault("malformed", "the platform postponed the answer twice")
        return found

    async def _ask_once(self, request: HttpRequest, timeout: float) -> ProviderAnswer | FollowUp:
        reply = await self._send(request, timeout)
        return await _run_off_loop_if_large(len(reply.body), partial(self._read, reply))

    async def _send(self, request: HttpRequest, timeout: float) -> HttpReply:
        self.sent += 1
        try:
            self.reply = reply = await self.client.transport.send(request, timeout=timeout, attempt=self.attempts)
        except PlatformFault:
            raise
        except Exception as error:  # noqa: BLE001 - as in `build`
            self._log_mistake("platform_not_reached", error)
            raise PlatformFault("unavailable", f"the request could not be sent ({type(error).__name__})") from None
        return reply

    def _read(self, reply: HttpReply) -> ProviderAnswer | FollowUp:
        fault = None
        try:
            if _is_success(reply):
                return self.connector.parse(reply, self.question, self.connection)
            fault = self.connector.fault(reply)
        except (PlatformFault, AnswerLater):
            raise
        except Exception as error:  # noqa: BLE001 - as in `build`
            self._log_mistake("platform_payload_not_read", error)
        raise fault or PlatformFault("malformed", "the answer cannot be read")

    async def to_outcome(
        self, status: Status, answer: ProviderAnswer, cost: float | None, fault: Fault | None
    ) -> Outcome:
        # Of an error reply only the message is kept: the rest may repeat what was sent, including the key.
        return Outcome(
            platform=self.connector.platform,
            surface=self.connector.surface,
            vendor=self.connector.vendor,
            question=self.question,
            status=status,
            answer=answer,
            model_asked=self.connection.model,
            cost_usd=cost,
            latency_ms=round(self.latency * 1000),
            attempts=self.attempts,
            raw=await self._pack_payload(),
            fault=fault,
        )

    async def _pack_payload(self) -> bytes:
        if self.reply is None or not _is_success(self.reply):
            return b""
        body = self.reply.body
        return await _run_off_loop_if_large(len(body), partial(compress_payload, body))

    def _log_mistake(self, event: str, error: Exception) -> None:
        """Log where an error happened, without a traceback: that may show a request, whose headers hold the key."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = at and f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}"
        about = self.connector
        log.error(event, platform=about.platform, vendor=about.vendor, error=type(error).__name__, where=where)


async def _ask_with_retries(
    call: _Call, request: HttpRequest, sleep: Sleep, chance: Callable[[], float]
) -> ProviderAnswer:
    """Return the first valid answer, or raise the fault after which a retry makes no sense."""
    clock, gate, policy, on_fault = call.clock, call.client.gate, call.client.policy, call.client.on_fault
    faults: list[PlatformFault] = []
    entered = await gate.enter()
    deadline = clock() + policy.deadline
    while True:
        verdict: Verdict = "unsure"
        retry_after = None
        try:
            answer = await call.attempt(request, min(policy.timeout, deadline - clock()))
            verdict = "fine"
            return answer
        except PlatformFault as fault:
            faults.append(fault)
            if on_fault is not None:
                on_fault(fault.kind)
            retry_after = policy.cap(fault.retry_after)
            if is_overload(fault, call.status):
                verdict = "overloaded"
        except AnswerLater:
            verdict = "fine"
            raise
        finally:
            gate.leave(entered, verdict, retry_after)
        pause = retry_delay(call.attempts + 1, policy, retry_after, chance())
        if not should_retry(faults, policy) or clock() + pause >= deadline:
            raise faults[-1]
        await sleep(pause)
        place = await _enter_before_deadline(gate, deadline, clock)
        if place is None:
            raise faults[-1]
        entered = place


async def _enter_before_deadline(gate: Gate, deadline: float, clock: Monotonic) -> int | None:
    """Return a place at the gate, or None if there is none before the deadline."""
    try:
        async with asyncio.timeout(deadline - clock()):
            entered = await gate.enter()
    except TimeoutError:
        return None
    if clock() < deadline:
        return entered
    gate.leave(entered, "unsure")
    return None


def _find_cost(answer: ProviderAnswer, prices: Prices | None) -> float | None:
    """Return the cost that the platform reports, else the cost by the operator's prices."""
    if answer.cost_usd is not None or prices is None:
        return answer.cost_usd
    return compute_cost(answer.usage, prices)


def _is_success(reply: HttpReply) -> bool:
    return 200 <= reply.status < 300


async def _run_off_loop_if_large(size: int, work: Callable[[], Result]) -> Result:
    return work() if size < _LARGE else await asyncio.to_thread(work)


def _clean_message(message: str, connection: PlatformConnection) -> str:
    """Remove the key, which some platforms repeat in their errors, and characters that no database accepts."""
    if secret := connection.secret:
        for spelling in (secret, b64encode(secret.encode()).decode(), *secret.split(":")):
            if len(spelling) > 3:  # shorter ones would match inside words
                message = message.replace(spelling, "[hidden]")
    return "".join(each if each.isprintable() else " " for each in message[:_LONGEST_MESSAGE])
