"""Choosing the light, dark or system color theme."""

from urllib.parse import urlsplit

from starlette.responses import Response

from sightline.api.app_context import AppContext
from sightline.errors import invalid_field
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, redirect
from sightline.web.theme import THEMES, theme_cookie


@form_action("/theme")
async def choose_theme(request: PageRequest) -> Response:
    """Store the theme in the browser and return to the page it was chosen on. Nobody has to be signed in."""
    theme = str((await request.form()).get("theme", ""))
    if theme not in THEMES:
        raise invalid_field("theme", f"must be one of {', '.join(THEMES)}")
    app_context: AppContext = request.app.state.app_context
    return redirect(_referring_path(request), theme_cookie(theme, https=app_context.settings.is_https))


def _referring_path(request: PageRequest) -> str:
    """Return the path and query of the referring page, or `/` if it is not one of this host."""
    parts = urlsplit(request.headers.get("referer", ""))
    if parts.netloc != request.headers.get("host") or not parts.path.startswith("/") or parts.path.startswith("//"):
        return "/"
    return parts.path + (f"?{parts.query}" if parts.query else "")
