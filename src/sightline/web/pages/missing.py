"""The page for an address that leads nowhere."""

from litestar import Request, Response
from litestar.datastructures import State

from sightline.web.render import page, render


def missing_page(path: str) -> Response[str]:
    return page(render("missing.html", path=path), status=404)


def page_not_found(request: Request[object, object, State], _failure: Exception) -> Response[str]:
    """For the application's table of exception handlers, under 404. The APIs never come here: their edge answers."""
    return missing_page(request.url.path)
