"""The session cookie: how it is named, read and set."""

SESSION_COOKIE = "sightline_session"
SECURE_SESSION_COOKIE = "__Host-sightline_session"


def find_session_token(cookies: str, *, https: bool) -> str | None:
    """Return the session's token from the value of a `Cookie` header."""
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == _cookie_name(https=https) and value:
            return value
    return None


def format_session_cookie(token: str, seconds: int, *, https: bool) -> str:
    """Return the value of a `Set-Cookie` header. An empty token deletes the cookie."""
    secure = "; Secure" if https else ""
    return f"{_cookie_name(https=https)}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _cookie_name(*, https: bool) -> str:
    return SECURE_SESSION_COOKIE if https else SESSION_COOKIE
