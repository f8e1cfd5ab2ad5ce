"""The type of an example, and the ids and envelopes that examples share."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from sightline.api.edge.envelope import Envelope, Meta, Page, PageMeta


class Example(NamedTuple):
    """One request and its response.

    `other_responses` are successes with another status: what happened, and the response.
    """

    response: msgspec.Struct | str  # text for a stream
    request: Mapping[str, Any] | None = None
    other_responses: Mapping[int, tuple[str, msgspec.Struct | str]] = {}


REQUEST_ID = "01990f6b-7d12-7c44-8a3e-52f1c09b6d80"
WORKSPACE_ID = "01990f64-10aa-7e02-b6c8-93d4f1a7250e"
USER_ID = UUID("01990f64-10a9-7b11-8f27-0c5be6a4d913")
CONSOLE_DOMAIN_ID = UUID("01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17")
TRACKED_DOMAIN_ID = UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d")


def envelope(resource: msgspec.Struct) -> Envelope[msgspec.Struct]:
    return Envelope(resource, Meta(REQUEST_ID))


def page(*rows: msgspec.Struct, next_cursor: str | None = None) -> Page[msgspec.Struct]:
    return Page(list(rows), PageMeta(next_cursor is not None, next_cursor, REQUEST_ID))
