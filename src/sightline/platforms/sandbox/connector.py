"""The connector of the sandbox: the same two pure functions as for every platform, in our own wire format."""

import msgspec

from sightline.platforms.assemble import country_honoured
from sightline.platforms.faults import read_fault
from sightline.platforms.models import Connector, HttpReply, HttpRequest, PlatformConnection, ProviderAnswer, Question
from sightline.platforms.payload import read_reply
from sightline.platforms.sandbox.plan import NEVER_CITES
from sightline.platforms.sandbox.wire import AnswerPayload, AskPayload
from sightline.platforms.sandbox.writing_styles import WRITING_STYLES

VENDOR = "sandbox"
# A name that never resolves, in case such a request ever reaches the network.
_BASE_URL = "https://sandbox.invalid"


def sandbox_connector(platform: str) -> Connector:
    """Build the connector. Raises KeyError for a platform that does not exist."""
    if platform not in WRITING_STYLES:
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
    return HttpRequest(
        url=f"{connection.base_url}/answers",
        headers={"content-type": "application/json"},
        body=msgspec.json.encode(asked),
    )


def _parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:  # noqa: ARG001 - the port's
    payload = read_reply(reply, AnswerPayload)
    return ProviderAnswer(
        status=payload.status,
        text=payload.text,
        cited=payload.cited,
        retrieved=payload.retrieved,
        queries=payload.queries,
        model=payload.model,
        request_id=payload.id,
        usage=payload.usage,
        country_honoured=country_honoured(question, carries_country=True),
    )
