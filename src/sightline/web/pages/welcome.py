"""The first page of a new installation: whoever holds the printed token creates the first owner here."""

import re
from typing import Any

from litestar import Response, route
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.params import FromQuery

from sightline.web.render import page, render

# The page prints the token inside a command to copy, so it shows nothing that a shell would read as more than a word.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}")


@route("/welcome", http_method=[HttpMethod.GET, HttpMethod.HEAD], sync_to_thread=False)
def welcome(state: State, token: FromQuery[str] = "") -> Response[str]:
    """Never stored by a browser or proxy: the address and the page hold the token, and later the keys."""
    settings: Any = state.wiring.settings
    known = token if _TOKEN.fullmatch(token) else None
    html = render("welcome.html", token=known, garbled=bool(token) and known is None, base_url=settings.public_url)
    return page(html, cache="no-store")
