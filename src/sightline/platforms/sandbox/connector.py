"""How the sandbox is asked: the same two pure functions as for every platform, in our own wire format."""

import msgspec

from sightline.platforms.models import (
    Connection,
    Connector,
    HttpReply,
    HttpRequest,
    PlatformFault,
    ProviderAnswer,
    Question,
)
from sightline.platforms.sandbox.plan import NEVER_CITES
from sightline.platforms.sandbox.voices import VOICES
from sightline.platforms.sandbox.wire import AnswerPayload, AskPayload, ErrorPayload

VENDOR = "sandbox"
# A name that no resolver answers: should such a request ever meet the network, it goes nowhere.
_BASE_URL = "https://sandbox.invalid"


def sandbox_connector(platform: str) -> Connector:
    """Raises KeyError for a platform that does not exist."""
    if platform not in VOICES:
        raise KeyError(platform)
    return Connector(
        platform=platform,
        vendor=VENDOR,
        surface="sandbox",
        request=_request,
        parse=_parse,
        cites=platform not in NEVER_CITES,
        fault=_fault,
    )


def sandbox_connection(platform: str) -> Connection:
    return Connection(platform=platform, vendor=VENDOR, base_url=_BASE_URL, model=f"sandbox-{platform}")


def _request(question: Question, connection: Connection) -> HttpRequest:
    prompt = question.prompt.encode("utf-8", "replace").decode()  # JSON cannot carry a lone surrogate
    asked = AskPayload(connection.platform, prompt, question.country, question.language)
    return HttpRequest(
        url=f"{connection.base_url}/answers",
        headers={"content-type": "application/json"},
        body=msgspec.json.encode(asked),
    )


def _parse(reply: HttpReply, question: Question, connection: Connection) -> ProviderAnswer:  # noqa: ARG001 - the port's
    try:
        payload = msgspec.json.decode(reply.body, type=AnswerPayload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PlatformFault("malformed", f"The sandbox's payload cannot be read: {error}") from error
    if payload.status not in {"ok", "no_surface"}:
        raise PlatformFault("malformed", "The sandbox's payload has an unknown status.")
    return ProviderAnswer(
        status="ok" if payload.status == "ok" else "no_surface",
        text=payload.text,
        cited=payload.cited,
        retrieved=payload.retrieved,
        queries=payload.queries,
        model=payload.model,
        request_id=payload.id,
        usage=payload.usage,
        country_honoured=None if question.country is None else True,
    )


def _fault(reply: HttpReply) -> PlatformFault:
    try:
        message = msgspec.json.decode(reply.body, type=ErrorPayload).error.message
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = f"The sandbox answered {reply.status}."
    if reply.status == 429:
        return PlatformFault("rate_limited", message, retry_after=_seconds(reply.headers.get("retry-after", "")))
    return PlatformFault("unavailable" if reply.status >= 500 else "rejected", message)


def _seconds(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdigit() else None
