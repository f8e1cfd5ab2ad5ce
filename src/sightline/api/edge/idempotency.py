"""The HTTP side of idempotency keys: the request header, and how responses are stored and replayed."""

import re

import msgspec

from sightline.api.edge.responses import ApiResponse
from sightline.errors import Problem, invalid_field
from sightline.idempotency.models import StoredResponse

_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]{1,255}")


def read_idempotency_key(value: str | None, *, required: bool) -> str | None:
    """Return the idempotency key, or None when there is none. Refused: a missing one that is required (400)."""
    if not value:
        if required:
            raise Problem("idempotency_required")
        return None
    if not _VISIBLE_ASCII.fullmatch(value):
        raise invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters", "invalid")
    return value


def to_stored_response(
    response: ApiResponse, *, request_id: str, secret_members: tuple[str, ...] = ()
) -> StoredResponse:
    """Return the response as it is stored: with its request id, and null in place of members that are shown once."""
    headers = [(name.decode(), value.decode()) for name, value in response.headers]
    headers.append(("x-request-id", request_id))
    body = _without_secrets(response.body, secret_members) if secret_members else response.body
    return StoredResponse(response.status, headers, body)


def to_replay(stored: StoredResponse) -> ApiResponse:
    headers = [(name.encode(), value.encode()) for name, value in stored.headers]
    return ApiResponse(stored.status, [*headers, (b"x-idempotent-replay", b"true")], stored.body)


def _without_secrets(body: bytes, names: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(_null_members(msgspec.json.decode(body), names))


def _null_members(value: object, names: tuple[str, ...]) -> object:
    if isinstance(value, dict):
        return {name: None if name in names else _null_members(member, names) for name, member in value.items()}
    if isinstance(value, list):
        return [_null_members(member, names) for member in value]
    return value
