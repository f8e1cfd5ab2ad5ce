"""Verifying without a question that a vendor accepts the key and knows the model.

The request costs nothing: it reads the model, or the account where the vendor has no models.
"""

import base64
from typing import Literal
from urllib.parse import quote

import msgspec

from sightline.platforms.models import HttpRequest, PlatformConnection, PlatformFault
from sightline.platforms.transport import NetworkTransport
from sightline.platforms.wire import bearer, endpoint

_TIMEOUT_SECONDS = 5.0
_NOT_FOUND = 404
# Google answers 400 to a key that it does not know.
_KEY_REFUSED = {"google": {400, 401, 403}}
_BEARER_MODELS = {"openai", "xai", "mistral"}


class ConnectionVerdict(msgspec.Struct, frozen=True):
    """Whether a connection works; `unknown` if the vendor did not answer or has no free request to test it."""

    state: Literal["works", "fails", "unknown"]
    text: str


async def verify_connection(connection: PlatformConnection, transport: NetworkTransport) -> ConnectionVerdict:
    if connection.vendor in {*_BEARER_MODELS, "anthropic", "google", "perplexity", "deepseek"} and not connection.model:
        return ConnectionVerdict("fails", "no model is set")
    if connection.platform == "local" and not connection.model:
        return ConnectionVerdict("fails", "no model is set: SIGHTLINE_LOCAL_MODEL")
    request = _build_request(connection)
    if request is None:
        return ConnectionVerdict("unknown", "not verified: the vendor has no free request for it")
    try:
        reply = await transport.send(request, timeout=_TIMEOUT_SECONDS, attempt=1)
    except PlatformFault as fault:
        return ConnectionVerdict("unknown", f"not verified: {fault.message}")
    return _judge(connection, reply.status)


def _judge(connection: PlatformConnection, status: int) -> ConnectionVerdict:
    if status in _KEY_REFUSED.get(connection.vendor, {401, 403}):
        return ConnectionVerdict("fails", "the vendor refuses the key")
    # A self-hosted server may have the model but no endpoint that describes it.
    if status == _NOT_FOUND and connection.platform != "local" and connection.model:
        return ConnectionVerdict("fails", f"the vendor does not know the model {connection.model}")
    if 200 <= status < 300:
        return ConnectionVerdict("works", "the vendor accepts the key" + (" and the model" if connection.model else ""))
    return ConnectionVerdict("unknown", f"not verified: the vendor answers with status {status}")


def _build_request(connection: PlatformConnection) -> HttpRequest | None:
    """Return a request that reads the model or the account, or None where the vendor has none."""
    model, secret = quote(connection.model or "", safe=""), connection.secret
    if connection.vendor in _BEARER_MODELS or connection.platform == "local":
        return _get(connection, f"/v1/models/{model}", bearer(connection))
    if connection.vendor == "anthropic":
        headers = {"x-api-key": secret, "anthropic-version": "2023-06-01"}
        return _get(connection, f"/v1/models/{model}", headers)
    if connection.vendor == "google":
        return _get(connection, f"/v1beta/models/{model}", {"x-goog-api-key": secret})
    if connection.vendor == "deepseek":
        return _get(connection, "/models", bearer(connection))
    if connection.vendor == "serpapi":
        return HttpRequest(method="GET", url=endpoint(connection, "/account.json"), params={"api_key": secret})
    if connection.vendor == "dataforseo":
        credentials = base64.b64encode(secret.encode()).decode()
        return _get(connection, "/v3/appendix/user_data", {"authorization": f"Basic {credentials}"})
    return None


def _get(connection: PlatformConnection, path: str, headers: dict[str, str]) -> HttpRequest:
    return HttpRequest(method="GET", url=endpoint(connection, path), headers={"accept": "application/json", **headers})
