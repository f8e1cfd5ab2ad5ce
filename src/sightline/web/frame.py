"""The frame around every page of the app: the rail, the switchers, the banners, and what went wrong in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import structlog
from litestar import Response, post, route
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from sightline.accounts.addresses import console_path, domain_path, workspace_path
from sightline.accounts.models import Actor, Membership, Role
from sightline.api.edge.request_id import make_request_id
from sightline.db.engine import DatabaseUnavailable
from sightline.domains.models import TrackedDomain
from sightline.errors import Problem
from sightline.platforms.access import is_sandbox
from sightline.web.render import HEADERS, app_page, render
from sightline.web.theme import note_theme
from sightline.web.visits import Asked, SignInNeeded, Visit, sign_in_path

log = structlog.get_logger()

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
    area: Literal["dashboard", "console"] = "dashboard"

    @property
    def may_edit(self) -> bool:
        return self.membership.role.covers(Role.EDITOR)

    @property
    def may_manage(self) -> bool:
        return self.membership.role.covers(Role.ADMIN)

    def console(self, *rest: str, livemode: bool | None = None) -> str:
        """Below the Console of the workspace, in the mode that the person is in unless another one is meant."""
        live = self.actor.livemode if livemode is None else livemode
        return console_path(self.membership.workspace_id, *rest, livemode=live)

    def path(self, *rest: str) -> str:
        """Below the domain, or below the workspace where there is none."""
        if self.domain is None:
            return workspace_path(self.membership.workspace_id, *rest)
        return domain_path(self.membership.workspace_id, self.domain.id, *rest)


# The pages of a domain in the order of the rail: key, title, and the address below the domain's.
_DASHBOARD: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("overview", "Overview", ()),
    ("prompts", "Prompts", ("prompts",)),
    ("competitors", "Competitors", ("competitors",)),
    ("sources", "Sources", ("sources",)),
    ("sentiment", "Sentiment and themes", ("sentiment",)),
    ("opportunities", "Opportunities", ("opportunities",)),
    ("recommendations", "Recommendations", ("recommendations",)),
    ("alerts", "Alerts", ("alerts",)),
    ("checks", "Checks", ("checks",)),
    ("reports", "Reports", ("reports",)),
    ("settings", "Settings", ("settings",)),
)


# The pages of the Console, and who may look at them.
_CONSOLE: tuple[tuple[str, str, tuple[str, ...], Role], ...] = (
    ("overview", "Overview", (), Role.VIEWER),
    ("scans", "Scans", ("scans",), Role.VIEWER),
    ("domains", "Domains", ("domains",), Role.VIEWER),
    ("credits", "Credits", ("credits",), Role.VIEWER),
    ("keys", "Keys", ("keys",), Role.ADMIN),
    ("webhooks", "Webhooks", ("webhooks",), Role.ADMIN),
    ("usage", "Usage", ("usage",), Role.VIEWER),
)

# What a phone has at its lower edge, of either area. Everything else is one touch further.
_BAR = frozenset({"overview", "prompts", "alerts", "checks", "scans", "credits", "keys"})


def show(place: Place, template: str, *, here: str, title: str, status: int = 200, **context: Any) -> Response[str]:
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
        rail=(rail := _rail(place)),
        bar=[link for link in rail if link.key in _BAR] or _ways_out(place),
        here=here,
        title=title,
        sandbox=is_sandbox(visit.app_context.settings),
        other_mode=_other_mode(place, here),
        **context,
    )
    return app_page(html, status=status)


def _rail(place: Place) -> list[Link]:
    if place.area == "console":
        return [
            Link(key, title, place.console(*rest))
            for key, title, rest, needed in _CONSOLE
            if place.membership.role.covers(needed)
        ]
    if place.domain is None:
        return []
    return [Link(key, title, place.path(*rest)) for key, title, rest in _DASHBOARD]


def _ways_out(place: Place) -> list[Link]:
    """From a page of the workspace that belongs to no domain."""
    return [Link("domains", "Domains", place._replace(domain=None).path()), Link("console", "Console", place.console())]


def _other_mode(place: Place, here: str) -> str:
    """The same page of the Console in the other mode: the list, where one thing of this mode is shown."""
    rest = next((rest for key, _, rest, _ in _CONSOLE if key == here), ())
    return place.console(*rest, livemode=not place.actor.livemode)


def _ask_to_sign_in(_: Asked, needed: SignInNeeded) -> Redirect:
    return Redirect(sign_in_path(needed.path), status_code=303, headers={**HEADERS, "Cache-Control": "no-store"})


def _explain(_: Asked, problem: Problem) -> Response[str]:
    return _show_problem(problem, make_request_id())


def _admit_fault(request: Asked, error: Exception) -> Response[str]:
    """A mistake of ours. The log knows where it happened; the page knows under which number to find it."""
    if isinstance(error, HTTPException):
        raise error  # the framework's own refusals, such as a method that a page does not have
    request_id = make_request_id()
    log.error("page_failed", path=request.url.path, request_id=request_id, exc_info=error)
    return _show_problem(Problem("internal_error"), request_id)


def _show_problem(problem: Problem, request_id: str) -> Response[str]:
    html = render(
        "app/problem.html",
        title=problem.kind.title,
        detail=problem.detail,
        code=problem.code,
        request_id=request_id,
    )
    return app_page(html, status=problem.kind.status)


def _say_away(_: Asked, __: Exception) -> Response[str]:
    return app_page(render("app/away.html"), status=503)


FAULTS: ExceptionHandlersMap = {
    SignInNeeded: _ask_to_sign_in,
    Problem: _explain,
    DatabaseUnavailable: _say_away,
    Exception: _admit_fault,
}


def reading(path: str) -> Decorator:
    """A page to look at."""
    return route(path, http_method=_READ, exception_handlers=FAULTS, before_request=note_theme)


def acting(path: str, *, largest: int = 65_536) -> Decorator:
    """A form of a page: it acts, and leads back to a page that can be looked at."""
    return post(
        path,
        status_code=303,
        request_max_body_size=largest,
        exception_handlers=FAULTS,
        before_request=note_theme,
    )


def go_to(path: str, *, cookie: str | None = None) -> Response[str]:
    headers: Mapping[str, str] = {**HEADERS, "Cache-Control": "no-store", "Location": path}
    if cookie is not None:
        headers = {**headers, "Set-Cookie": cookie}
    return Response("", status_code=303, headers=headers)
