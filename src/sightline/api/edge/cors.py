"""CORS: pages of other origins may call the APIs only if the operator lists the origin, and never with cookies."""

from collections.abc import Mapping

from sightline.api.edge.responses import ApiResponse, Header

_EXPOSED_HEADERS = (
    b"X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Limit-Month, "
    b"X-RateLimit-Remaining-Month, Retry-After, X-Idempotent-Replay, X-Data-Degraded, X-Data-Stale-At, Location, "
    b"X-Next-Cursor"
)
_ALLOWED_HEADERS = b"Content-Type, X-API-Key, Idempotency-Key, X-Request-Id"


class Cors:
    def __init__(self, origins: str) -> None:
        self._origins = {origin.strip().rstrip("/").encode() for origin in origins.split(",") if origin.strip()}

    def build_headers(self, request_headers: Mapping[bytes, bytes]) -> list[Header]:
        origin = request_headers.get(b"origin")
        if origin is None or origin not in self._origins:
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED_HEADERS),
            (b"vary", b"Origin"),
        ]

    def preflight(self, method: str, request_headers: Mapping[bytes, bytes]) -> ApiResponse | None:
        """Return the response to a preflight request from a listed origin; None for every other request."""
        requested_method = request_headers.get(b"access-control-request-method")
        if method != "OPTIONS" or requested_method is None or request_headers.get(b"origin") not in self._origins:
            return None
        return ApiResponse(
            204,
            [
                (b"access-control-allow-methods", b"GET, HEAD, POST, PATCH, DELETE"),
                (b"access-control-allow-headers", _ALLOWED_HEADERS),
                (b"access-control-max-age", b"600"),
            ],
            b"",
        )
