"""Sends a request to the engine inside the process, with the delays and faults that a network would have.

Magic prompts work like test cards, alone or before a space and a question; `docs/reference/sandbox.md` lists them.
"""

from collections.abc import Awaitable, Callable
from datetime import date

import msgspec

from sightline.kit.structs import convert_struct
from sightline.platforms.assemble import country_honoured
from sightline.platforms.faults import read_fault
from sightline.platforms.models import (
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
)
from sightline.platforms.payload import read_reply
from sightline.platforms.sandbox.answers import AnswerPayload, AskPayload, answer_question
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.plan import NEVER_CITES
from sightline.platforms.sandbox.prompts import choose_language, suggest_prompts
from sightline.platforms.sandbox.seeded_random import uniform
from sightline.platforms.sandbox.writing import read_styles

MAGIC = ("sandbox:fail", "sandbox:slow", "sandbox:ratelimit", "sandbox:refuse", "sandbox:garbage")
SLOW_SECONDS = 20.0
VENDOR = "sandbox"
_RETRY_AFTER = "1"
_REFUSED_ATTEMPTS = 2
_JSON = {"content-type": "application/json"}
# A name that never resolves, in case such a request ever reaches the network.
_BASE_URL = "https://sandbox.invalid"

Sleep = Callable[[float], Awaitable[None]]


class SandboxTransport:
    """The transport for one subject and one day.

    The day is fixed: an answer that is retried after midnight is still that day's answer.
    """

    def __init__(self, subject: Subject, day: date, *, latency_ms: float, sleep: Sleep) -> None:
        self._subject = subject
        self._day = day
        self._latency_ms = latency_ms
        self._sleep = sleep

    async def send(self, request: HttpRequest, *, timeout: float, attempt: int) -> HttpReply:
        """Return the engine's reply. Raises `PlatformFault` "timeout" after `timeout` seconds if it takes longer."""
        asked = msgspec.json.decode(request.body or b"", type=AskPayload)
        magic, prompt = split_magic(asked.prompt)
        await self._wait(SLOW_SECONDS if magic == "sandbox:slow" else self._find_latency(asked), timeout)
        if magic == "sandbox:fail":
            return _error(500, "server_error", "The sandbox fails this prompt on purpose.")
        if magic == "sandbox:ratelimit" and attempt <= _REFUSED_ATTEMPTS:
            return _error(429, "rate_limited", "The sandbox refuses this attempt on purpose.", _RETRY_AFTER)
        if magic == "sandbox:garbage":
            return HttpReply(200, _JSON, b'{"id": "sbx_garbage", "text": "The best')
        if not prompt:  # a magic prompt alone is answered like a usual question of the market
            prompt = suggest_prompts(self._subject, choose_language(asked.language, asked.country, ""), 1)[0]
        question = Question(prompt, asked.country, asked.language)
        is_refused = magic == "sandbox:refuse"
        payload = answer_question(self._subject, question, asked.platform, self._day, refuse=is_refused)
        return HttpReply(200, _JSON, msgspec.json.encode(payload))

    def _find_latency(self, asked: AskPayload) -> float:
        """Return the latency in seconds: half to twice the setting, by platform and by cell."""
        cell = (self._subject.domain, asked.platform, asked.prompt, asked.country or "", self._day.toordinal())
        return self._latency_ms / 1000 * 2 ** (uniform("latency", asked.platform) + uniform("latency", *cell) - 1)

    async def _wait(self, seconds: float, timeout: float) -> None:
        if seconds > timeout:
            await self._sleep(max(timeout, 0))
            raise PlatformFault("timeout", f"no answer within {timeout:g} seconds")
        await self._sleep(seconds)  # also without latency, so that other tasks run between two answers


def split_magic(prompt: str) -> tuple[str | None, str]:
    """Return the magic word that the prompt is or starts with, if any, and the question that remains."""
    word, _, rest = prompt.strip().partition(" ")
    return (word.lower(), rest.strip()) if word.lower() in MAGIC else (None, prompt)


def _error(status: int, kind: str, message: str, retry_after: str | None = None) -> HttpReply:
    headers = _JSON | ({"retry-after": retry_after} if retry_after else {})
    return HttpReply(status, headers, msgspec.json.encode({"error": {"type": kind, "message": message}}))


def sandbox_connector(platform: str) -> Connector:
    """Build the connector. Raises KeyError for a platform that does not exist."""
    if platform not in read_styles():
        raise KeyError(platform)
    return Connector(
        platform=platform,
        vendor=VENDOR,
        surface="sandbox",
        request=_request,
        parse=_parse,
        cites=platform not in NEVER_CITES,
        fault=read_fault,
    )


def sandbox_connection(platform: str) -> PlatformConnection:
    return PlatformConnection(platform=platform, vendor=VENDOR, base_url=_BASE_URL, model=f"sandbox-{platform}")


def _request(question: Question, connection: PlatformConnection) -> HttpRequest:
    prompt = question.prompt.encode("utf-8", "replace").decode()  # JSON cannot carry a lone surrogate
    asked = AskPayload(connection.platform, prompt, question.country, question.language)
    return HttpRequest(url=f"{connection.base_url}/answers", headers=_JSON, body=msgspec.json.encode(asked))


def _parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:  # noqa: ARG001 - the port's
    payload = read_reply(reply, AnswerPayload)
    honoured = country_honoured(question, carries_country=True)
    return convert_struct(ProviderAnswer, payload, request_id=payload.id, country_honoured=honoured)
