"""The page for a URL that does not exist."""

from litestar import Request, Response
from litestar.datastructures import State

from sightline.web.render import html_response, render


def not_found_response(path: str) -> Response[str]:
    return html_response(render("not_found.html", path=path), status=404)


def handle_not_found(request: Request[object, object, State], _failure: Exception) -> Response[str]:
    """Handle a 404 of the application; the APIs answer theirs before it gets here."""
    return not_found_response(request.url.path)
