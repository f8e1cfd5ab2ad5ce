"""What browsers send and keep: the cookies of a sign-in, and the proof that one of our own pages sent a request."""

from urllib.parse import urlsplit

from sightline.accounts.sign_in.devices import LIFETIME
from sightline.accounts.sign_in.models import Browser
from sightline.accounts.sign_in.sessions import PENDING_LIFETIME, is_csrf_token
from sightline.accounts.single_sign_on.sign_in import LIFETIME as JOURNEY_LIFETIME
from sightline.api.edge.exchange import Exchange
from sightline.errors import Problem

SESSION_COOKIE = "sightline_session"
SECURE_SESSION_COOKIE = "__Host-sightline_session"
DEVICE_COOKIE = "sightline_device"
FACTOR_COOKIE = "sightline_factor"
SINGLE_SIGN_ON_COOKIE = "sightline_sso"
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def read_browser(exchange: Exchange) -> Browser:
    """Return what the request says of its browser. The cookies may be no longer valid, or made up."""
    https, cookies = exchange.app_context.settings.is_https, exchange.header(b"cookie") or ""
    return Browser(
        exchange.client_address,
        exchange.header(b"user-agent"),
        _find_cookie(cookies, _session_cookie_name(https=https)),
        _find_cookie(cookies, _host_cookie_name(DEVICE_COOKIE, https=https)),
        _find_cookie(cookies, _host_cookie_name(FACTOR_COOKIE, https=https)),
        _find_cookie(cookies, _host_cookie_name(SINGLE_SIGN_ON_COOKIE, https=https)),
    )


def is_same_origin(exchange: Exchange) -> bool | None:
    """Return whether the browser's headers say that one of our pages sent the request; None without such headers.

    `Sec-Fetch-Site` is decisive where it is sent; older browsers send `Origin` alone.
    """
    fetch_site, origin = exchange.header(b"sec-fetch-site"), exchange.header(b"origin")
    if fetch_site is not None:
        return fetch_site in {"same-origin", "none"}
    if origin is None:
        return None
    own = urlsplit(exchange.app_context.settings.public_url)
    return origin in {f"{own.scheme}://{own.netloc}", f"{own.scheme}://{exchange.header(b'host')}"}


def require_same_site(exchange: Exchange, session_digest: bytes) -> None:
    """Refuse with 403 unless the method is safe, the origin is ours, or the session's CSRF token is sent.

    A browser sends our cookie from any page, so a write by session must prove its origin.
    """
    if exchange.scope["method"] in _SAFE_METHODS or is_same_origin(exchange) is True:
        return
    sent = exchange.header(b"x-csrf-token") or ""
    if not is_csrf_token(sent, session_digest, *exchange.app_context.settings.signing_keys):
        raise Problem("csrf_failed")


def refuse_foreign_site(exchange: Exchange) -> None:
    """Refuse a sign-in from another site. There is no session yet, but another site must not start one either."""
    if is_same_origin(exchange) is False:
        raise Problem("csrf_failed", "Sign in from this site's own pages.")


def format_session_cookie(token: str, seconds: int, *, https: bool) -> str:
    """Return the value of a `Set-Cookie` header. An empty token deletes the cookie."""
    return _format_cookie(_session_cookie_name(https=https), token, seconds, https=https)


def format_device_cookie(token: str, *, https: bool) -> str:
    """Return the value of a `Set-Cookie` header."""
    name = _host_cookie_name(DEVICE_COOKIE, https=https)
    return _format_cookie(name, token, int(LIFETIME.total_seconds()), https=https)


def format_factor_cookie(token: str, *, https: bool) -> str:
    """Return the cookie of a sign-in that waits for its second factor. An empty token deletes it."""
    seconds = int(PENDING_LIFETIME.total_seconds()) if token else 0
    return _format_cookie(_host_cookie_name(FACTOR_COOKIE, https=https), token, seconds, https=https)


def format_single_sign_on_cookie(sealed: str, *, https: bool) -> str:
    """Return the cookie of a sign-in that has left for its provider. An empty one deletes the cookie."""
    seconds = int(JOURNEY_LIFETIME.total_seconds()) if sealed else 0
    return _format_cookie(_host_cookie_name(SINGLE_SIGN_ON_COOKIE, https=https), sealed, seconds, https=https)


def _format_cookie(name: str, value: str, seconds: int, *, https: bool) -> str:
    secure = "; Secure" if https else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _find_cookie(cookies: str, wanted: str) -> str | None:
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and value:
            return value
    return None


def _session_cookie_name(*, https: bool) -> str:
    return SECURE_SESSION_COOKIE if https else SESSION_COOKIE


def _host_cookie_name(name: str, *, https: bool) -> str:
    return f"__Host-{name}" if https else name
