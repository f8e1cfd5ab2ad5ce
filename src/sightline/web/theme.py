"""Light, dark, or as the reader's system says: a cookie remembers the choice, and every page is made in it at once."""

from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie
from typing import Any

from litestar import Request
from litestar.datastructures import State

COOKIE = "sightline_theme"
THEMES = ("system", "light", "dark")
_YEAR = 31_536_000
_theme: ContextVar[str] = ContextVar("theme", default="system")


async def note_theme(request: Request[Any, Any, State]) -> None:
    """Before a page is made. What is no theme of ours is as if nothing had been chosen."""
    try:
        kept = SimpleCookie(request.headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        kept = None
    _theme.set(kept.value if kept is not None and kept.value in THEMES else "system")


def current_theme() -> str:
    return _theme.get()


def theme_cookie(theme: str, *, https: bool) -> str:
    """The header `Set-Cookie`. Nothing to remember takes the cookie away."""
    seconds = 0 if theme == "system" else _YEAR
    return f"{COOKIE}={theme}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{'; Secure' if https else ''}"
