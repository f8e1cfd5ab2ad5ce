"""Choosing light, dark or the system's colours."""

from urllib.parse import urlsplit

from litestar import Response

from sightline.api.app_context import AppContext
from sightline.errors import invalid_field
from sightline.web.page_requests import PageRequest, require_same_origin
from sightline.web.routing import form_action, redirect
from sightline.web.theme import THEMES, theme_cookie


@form_action("/theme")
async def choose_theme(request: PageRequest) -> Response[str]:
    """Back to the page it was chosen on, filters and all. Asks nobody who they are: it is the browser's choice."""
    require_same_origin(request)
    theme = str((await request.form()).get("theme", ""))
    if theme not in THEMES:
        raise invalid_field("theme", f"must be one of {', '.join(THEMES)}")
    app_context: AppContext = request.app.state.app_context
    return redirect(_where_from(request), cookie=theme_cookie(theme, https=app_context.settings.is_https))


def _where_from(request: PageRequest) -> str:
    """Only a path of this host: nobody is led elsewhere."""
    parts = urlsplit(request.headers.get("referer", ""))
    if parts.netloc != request.headers.get("host") or not parts.path.startswith("/") or parts.path.startswith("//"):
        return "/"
    return parts.path + (f"?{parts.query}" if parts.query else "")


PAGES = (choose_theme,)
