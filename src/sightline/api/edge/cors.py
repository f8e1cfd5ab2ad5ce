"""Browsers of other origins: refused by default, allowed for the origins that the operator lists; never cookies."""

from collections.abc import Mapping

from sightline.api.edge.reply import Header, Reply

_EXPOSED = (
    b"X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Limit-Month, "
    b"X-RateLimit-Remaining-Month, Retry-After, X-Idempotent-Replay, X-Data-Degraded, X-Data-Stale-At, Location"
)
_ALLOWED_HEADERS = b"Content-Type, X-API-Key, Idempotency-Key, X-Request-Id"


class Cors:
    def __init__(self, origins: str) -> None:
        self._origins = {origin.strip().rstrip("/").encode() for origin in origins.split(",") if origin.strip()}

    def headers_for(self, request_headers: Mapping[bytes, bytes]) -> list[Header]:
        origin = request_headers.get(b"origin")
        if origin is None or origin not in self._origins:
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED),
            (b"vary", b"Origin"),
        ]

    def preflight(self, method: str, request_headers: Mapping[bytes, bytes]) -> Reply | None:
        """The answer to a browser's question before the request itself; None when it is no such question of ours."""
        asked = request_headers.get(b"access-control-request-method")
        if method != "OPTIONS" or asked is None or request_headers.get(b"origin") not in self._origins:
            return None
        return Reply(
            204,
            [
                (b"access-control-allow-methods", b"GET, HEAD, POST, PATCH, DELETE"),
                (b"access-control-allow-headers", _ALLOWED_HEADERS),
                (b"access-control-max-age", b"600"),
            ],
            b"",
        )
