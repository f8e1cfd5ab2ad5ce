"""The page for an address that leads nowhere."""

from litestar import Request, Response
from litestar.datastructures import State

from sightline.web.render import html_response, render


def not_found_response(path: str) -> Response[str]:
    return html_response(render("not_found.html", path=path), status=404)


def handle_not_found(request: Request[object, object, State], _failure: Exception) -> Response[str]:
    """For the application's table of exception handlers, under 404. The APIs never come here: their edge answers."""
    return not_found_response(request.url.path)
