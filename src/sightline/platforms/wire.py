"""Builds the requests: address, credentials, body."""

from collections.abc import Mapping
from typing import Any

import msgspec

from sightline.platforms.models import HttpRequest, PlatformConnection, PlatformFault


def post_json(connection: PlatformConnection, path: str, body: Any, headers: Mapping[str, str]) -> HttpRequest:
    return HttpRequest(
        url=endpoint(connection, path),
        headers={"accept": "application/json", "content-type": "application/json", **headers},
        body=msgspec.json.encode(body),
    )


def endpoint(connection: PlatformConnection, path: str) -> str:
    """Return the address. The version is not repeated if the base ends in it (`…/v1`), as people often copy it."""
    base = connection.base_url.rstrip("/")
    version = "/" + path.split("/")[1]
    return base.removesuffix(version) + path if version.startswith("/v") else base + path


def bearer(connection: PlatformConnection) -> dict[str, str]:
    return {"authorization": f"Bearer {connection.secret}"} if connection.secret else {}


def require_model(connection: PlatformConnection) -> str:
    if not connection.model:
        raise PlatformFault("rejected", f"no model is set for {connection.platform} through {connection.vendor}")
    return connection.model
