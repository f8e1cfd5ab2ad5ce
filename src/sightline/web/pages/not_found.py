"""The page for a URL that does not exist."""

from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from sightline.presentation.language import find_language, write_in
from sightline.web.render import html_response, render


def not_found_response(path: str) -> Response[str]:
    return html_response(render("not_found.html", path=path), status=404)


def show_not_found(request: Request[Any, Any, State], _failure: Exception) -> Response[str]:
    """Show the same page for a missing address and for one that this reader may not open."""
    return not_found_response(request.url.path)


def handle_not_found(request: Request[Any, Any, State], failure: Exception) -> Response[str]:
    """Handle a path that no page has. The APIs handle their own unknown paths."""
    write_in(find_language(request.headers.get("accept-language", "")))
    return show_not_found(request, failure)
