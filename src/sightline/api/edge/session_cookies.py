"""The cookies of a browser that signs in: its session, and that it is known to the account."""

from litestar.datastructures import Cookie

from sightline.accounts.sign_in.devices import LIFETIME

SESSION_COOKIE = "sightline_session"
SECURE_SESSION_COOKIE = "__Host-sightline_session"
DEVICE_COOKIE = "sightline_device"


def find_session_token(cookies: str, *, https: bool) -> str | None:
    """Return the session's token from the value of a `Cookie` header."""
    return _find(cookies, _cookie_name(https=https))


def find_device_token(cookies: str, *, https: bool) -> str | None:
    """Return the token of a browser that signed in before, from the value of a `Cookie` header."""
    return _find(cookies, _device_cookie_name(https=https))


def format_session_cookie(token: str, seconds: int, *, https: bool) -> str:
    """Return the value of a `Set-Cookie` header. An empty token deletes the cookie."""
    secure = "; Secure" if https else ""
    return f"{_cookie_name(https=https)}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def build_device_cookie(token: str, *, https: bool) -> Cookie:
    return Cookie(
        key=_device_cookie_name(https=https),
        value=token,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=https,
    )


def _find(cookies: str, wanted: str) -> str | None:
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and value:
            return value
    return None


def _cookie_name(*, https: bool) -> str:
    return SECURE_SESSION_COOKIE if https else SESSION_COOKIE


def _device_cookie_name(*, https: bool) -> str:
    return f"__Host-{DEVICE_COOKIE}" if https else DEVICE_COOKIE
