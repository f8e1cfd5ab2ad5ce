"""The color theme of pages: light, dark, or the system's. A cookie remembers it, so pages render in it at once."""

from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie

from starlette.requests import Request

_THEME_COOKIE = "sightline_theme"
THEMES = ("system", "light", "dark")
_YEAR_SECONDS = 31_536_000
_theme: ContextVar[str] = ContextVar("theme", default="system")


async def load_theme(request: Request) -> None:
    """Set the theme of the page about to be rendered; an unknown value counts as the system's theme."""
    name = _cookie_name(https=request.app.state.app_context.settings.is_https)
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")).get(name)
    except CookieError:
        cookie = None
    _theme.set(cookie.value if cookie is not None and cookie.value in THEMES else "system")


def current_theme() -> str:
    return _theme.get()


def theme_cookie(theme: str, *, https: bool) -> str:
    """Return the `Set-Cookie` header for a theme; the system's theme, which is the default, deletes the cookie."""
    name, secure = _cookie_name(https=https), "; Secure" if https else ""
    seconds = 0 if theme == "system" else _YEAR_SECONDS
    return f"{name}={theme}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _cookie_name(*, https: bool) -> str:
    return f"__Host-{_THEME_COOKIE}" if https else _THEME_COOKIE
