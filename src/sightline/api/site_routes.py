"""How requests for everything but the two APIs reach their handlers: pages, monitors, Stripe's webhook."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from sightline.api.edge.body import read_body

MAX_BODY_BYTES = 65_536

Handler = Callable[..., Awaitable[Response]]
Serve = Callable[["SiteRequest"], Awaitable[Response]]


class SiteRequest(Request):
    """A request with the path of its route as it was declared, and a limit for its body."""

    route_path = ""
    form_page: str | None = None
    max_body_bytes = MAX_BODY_BYTES

    async def body(self) -> bytes:
        """Return the body, read once. Refused with 413: one above the limit."""
        if not hasattr(self, "_body"):
            self._body = await read_body(self.receive, self.headers.get("content-length"), self.max_body_bytes)
        return self._body


class SiteRoute(NamedTuple):
    """One handler, its paths and its methods."""

    paths: tuple[str, ...]
    methods: tuple[str, ...]
    serve: Serve
    form_page: str | None = None
    """Which page has the form that the handler receives, relative to its path."""
    max_body_bytes: int = MAX_BODY_BYTES
    request_class: type[SiteRequest] = SiteRequest


def read(path: str | list[str]) -> Callable[[Handler], SiteRoute]:
    """Route GET and HEAD of a path, or of several."""
    return lambda handler: SiteRoute(to_paths(path), ("GET", "HEAD"), bind_parameters(handler))


def to_paths(path: str | list[str]) -> tuple[str, ...]:
    return (path,) if isinstance(path, str) else tuple(path)


def bind_parameters(handler: Handler) -> Serve:
    """Return the handler with its arguments read from the request.

    The first is the request. Of the others, those with a default are fields of the query, and the rest parts of the
    path. All of them are text.
    """
    _, *parameters = inspect.signature(handler).parameters.values()
    in_path = [each.name for each in parameters if each.default is each.empty]
    in_query = {each.name: each.default for each in parameters if each.default is not each.empty}

    async def serve(request: SiteRequest) -> Response:
        values = {name: request.path_params[name] for name in in_path}
        values |= {name: request.query_params.get(name, default) for name, default in in_query.items()}
        return await handler(request, **values)

    return serve


def build_routes(declared: Iterable[SiteRoute]) -> list[Route]:
    """Return a route for each path, those with fewer parameters first: `/docs/api` before `/docs/{path:path}`."""
    by_path: dict[str, dict[str, SiteRoute]] = {}
    for route in declared:
        for path in route.paths:
            by_path.setdefault(path, {}).update(dict.fromkeys(route.methods, route))
    return [Route(path, _PathApp(path, by_path[path])) for path in sorted(by_path, key=_rank_parts)]


def _rank_parts(path: str) -> list[int]:
    return [2 if part.endswith(":path}") else int(part.startswith("{")) for part in path.split("/")]


class _PathApp:
    """Everything at one path."""

    def __init__(self, path: str, by_method: Mapping[str, SiteRoute]) -> None:
        self._path, self._by_method = path, by_method

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._by_method.get(scope["method"])
        if route is None:
            allowed = {"Allow": ", ".join(sorted(self._by_method))}
            response: Response = PlainTextResponse("Method Not Allowed", status_code=405, headers=allowed)
        else:
            request = route.request_class(scope, receive, send)
            request.route_path, request.form_page = self._path, route.form_page
            request.max_body_bytes = route.max_body_bytes
            response = await route.serve(request)
        await response(scope, receive, send)


class Site(Starlette):
    """Everything but the two APIs. `/docs/` is served like `/docs`, without a redirect."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith("/"):
            scope = {**scope, "path": scope["path"].rstrip("/") or "/"}
        await super().__call__(scope, receive, send)
