"""Cross-site requests: a browser sends our cookie from any page, so a write by session must prove its origin."""

import hmac

from sightline.accounts.sign_in.sessions import build_csrf_token
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.same_origin import is_same_origin
from sightline.errors import Problem

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def require_same_site(exchange: Exchange, session_digest: bytes) -> None:
    """Refuse with 403 unless the method is safe, the origin is ours, or the session's CSRF token is sent."""
    if exchange.scope["method"] in _SAFE_METHODS or _is_same_origin(exchange) is True:
        return
    sent = (exchange.header(b"x-csrf-token") or "").encode()
    for key in exchange.app_context.settings.signing_keys:
        if hmac.compare_digest(build_csrf_token(session_digest, key).encode(), sent):
            return
    raise Problem("csrf_failed")


def refuse_foreign_site(exchange: Exchange) -> None:
    """Refuse a sign-in from another site. There is no session yet, but another site must not start one either."""
    if _is_same_origin(exchange) is False:
        raise Problem("csrf_failed", "Sign in from this site's own pages.")


def _is_same_origin(exchange: Exchange) -> bool | None:
    return is_same_origin(
        fetch_site=exchange.header(b"sec-fetch-site"),
        origin=exchange.header(b"origin"),
        host=exchange.header(b"host"),
        public_url=exchange.app_context.settings.public_url,
    )
