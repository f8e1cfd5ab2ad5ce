"""The frame around every page of the app: the rail, the switchers, the banners, and what went wrong in words."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from litestar import Response, post, route
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from sightline.accounts.models import Actor, Membership, Role
from sightline.api.edge.request_id import make_request_id
from sightline.db.engine import DatabaseUnavailable
from sightline.domains.models import TrackedDomain
from sightline.errors import Problem
from sightline.platforms.access import is_sandbox
from sightline.web.render import HEADERS, page, render
from sightline.web.visits import Asked, SignInNeeded, Visit, domain_path, sign_in_path

_READ = [HttpMethod.GET, HttpMethod.HEAD]
Decorator = Callable[[Callable[..., Any]], HTTPRouteHandler]


class Link(NamedTuple):
    key: str
    title: str
    path: str


class Place(NamedTuple):
    """Where in the app a page is."""

    visit: Visit
    membership: Membership
    actor: Actor
    domain: TrackedDomain | None = None
    domains: Sequence[TrackedDomain] = ()

    @property
    def may_edit(self) -> bool:
        return self.membership.role.covers(Role.EDITOR)

    def path(self, *rest: str) -> str:
        """Below the domain, or below the workspace where there is none."""
        if self.domain is None:
            return "/".join((f"/w/{self.membership.workspace_id}", *rest))
        return domain_path(self.membership.workspace_id, self.domain.id, *rest)


# The pages of a domain in the order of the rail: key, title, and the address below the domain's.
_DASHBOARD: tuple[tuple[str, str, tuple[str, ...]], ...] = (("overview", "Overview", ()),)


def show(place: Place, template: str, *, here: str, title: str, **context: Any) -> Response[str]:
    """A page inside of the frame. Never kept by a proxy: it is one person's."""
    visit = place.visit
    html = render(
        template,
        place=place,
        user=visit.user,
        membership=place.membership,
        workspaces=visit.workspaces,
        domain=place.domain,
        domains=place.domains,
        rail=_rail(place),
        here=here,
        title=title,
        sandbox=is_sandbox(visit.wiring.settings),
        **context,
    )
    return page(html, cache="no-store")


def _rail(place: Place) -> list[Link]:
    if place.domain is None:
        return []
    return [Link(key, title, place.path(*rest)) for key, title, rest in _DASHBOARD]


def _ask_to_sign_in(_: Asked, needed: SignInNeeded) -> Redirect:
    return Redirect(sign_in_path(needed.path), status_code=303, headers={**HEADERS, "Cache-Control": "no-store"})


def _explain(_: Asked, problem: Problem) -> Response[str]:
    html = render(
        "app/problem.html",
        title=problem.kind.title,
        detail=problem.detail,
        code=problem.code,
        request_id=make_request_id(),
    )
    return page(html, status=problem.kind.status, cache="no-store")


def _say_away(_: Asked, __: Exception) -> Response[str]:
    return page(render("app/away.html"), status=503, cache="no-store")


FAULTS: ExceptionHandlersMap = {
    SignInNeeded: _ask_to_sign_in,
    Problem: _explain,
    DatabaseUnavailable: _say_away,
}


def reading(path: str) -> Decorator:
    """A page to look at."""
    return route(path, http_method=_READ, exception_handlers=FAULTS)


def acting(path: str) -> Decorator:
    """A form of a page: it acts, and leads back to a page that can be looked at."""
    return post(path, status_code=303, request_max_body_size=65_536, exception_handlers=FAULTS)


def go_to(path: str, *, cookie: str | None = None) -> Response[str]:
    headers: Mapping[str, str] = {**HEADERS, "Cache-Control": "no-store", "Location": path}
    if cookie is not None:
        headers = {**headers, "Set-Cookie": cookie}
    return Response("", status_code=303, headers=headers)


def workspace_path(workspace_id: uuid.UUID) -> str:
    return f"/w/{workspace_id}"
