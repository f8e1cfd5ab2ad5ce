"""The scope of an idempotency key, the claim on it, and the response stored under it."""

import uuid

import msgspec


class KeyScope(msgspec.Struct, frozen=True):
    """What a key is unique within: the same key of another caller, path or method is another key.

    `subject` is the API key, the user or, before there is either, the caller's address.
    """

    workspace_id: uuid.UUID
    subject: uuid.UUID
    method: str
    path: str
    key: str


class IdempotencyClaim(msgspec.Struct, frozen=True):
    """The right to carry out one request. Its holder stores the response with the effect, or releases the claim."""

    scope: KeyScope
    id: uuid.UUID


class KeyRecord(msgspec.Struct, frozen=True):
    """A row of `idempotency_keys`; the response is None while the request is running."""

    body_hash: bytes
    status: int | None
    headers: str | None
    body: bytes | None


class StoredResponse(msgspec.Struct, frozen=True):
    status: int
    headers: list[tuple[str, str]]
    body: bytes
