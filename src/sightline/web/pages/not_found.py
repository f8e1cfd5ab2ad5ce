"""The page for a URL that does not exist."""

from starlette.requests import Request
from starlette.responses import Response

from sightline.presentation.language import find_language, gettext, write_in
from sightline.web.render import html_response, link_start_page, render_message


class PageNotFound(Exception):
    """There is no such page for this reader."""


def not_found_response(path: str) -> Response:
    text = gettext("There is no page at the address %(address)s.", address=f"`{path}`")
    return html_response(render_message(gettext("Page not found"), text, link=link_start_page()), status=404)


def show_not_found(request: Request, _failure: Exception) -> Response:
    """Show the same page for a missing address and for one that this reader may not open."""
    return not_found_response(request.url.path)


async def handle_not_found(request: Request, failure: Exception) -> Response:
    """Handle a path that no page has. The APIs handle their own unknown paths."""
    write_in(find_language(request.headers.get("accept-language", "")))
    return show_not_found(request, failure)
