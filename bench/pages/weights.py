"""The size of a page: its HTML, and what it loads the first time."""

import gzip
import re

import msgspec

from bench.comparison import Aborted
from bench.pages.brand import Visited
from bench.process import Server

_PAGES = (
    "",
    "/prompts",
    "/competitors",
    "/sources",
    "/sentiment",
    "/opportunities",
    "/recommendations",
    "/alerts",
    "/checks",
    "/reports",
    "/settings",
)
_ASSETS = re.compile(r'(?:href|src)="(/static/[^"]+)"')


class Weight(msgspec.Struct, frozen=True):
    name: str
    kb: float
    gzip_kb: float
    """As a proxy in front would send it."""


def weigh(server: Server, visited: Visited) -> list[Weight]:
    """Measure the pages of the domain, then everything that the Overview loads."""
    bodies = {name or "/": _get(server, visited, visited.base + name) for name in _PAGES}
    assets = dict.fromkeys(_ASSETS.findall(bodies["/"].decode()))
    bodies |= {path: _get(server, visited, path) for path in assets}
    return [Weight(name, len(body) / 1000, len(gzip.compress(body)) / 1000) for name, body in bodies.items()]


def _get(server: Server, visited: Visited, path: str) -> bytes:
    status, _, body = server.get(path, visited.ask(path).headers[0])
    if status != 200:
        raise Aborted(f"GET {path} was answered with {status}")
    return body
