"""From an address to a place in the Console, and back to a page. Every page is there twice: live, and in test mode."""

from typing import Any

from litestar import Response, post, route
from litestar.enums import HttpMethod

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.usage.queries import recognize_session
from sightline.web.frame import FAULTS, Decorator, Place, show
from sightline.web.pages.console.forms import Form, read_form
from sightline.web.pages.console.words import DONE
from sightline.web.theme import note_theme
from sightline.web.visits import Asked, read_visit, require_own_form, require_role

Shown = Response[str]
# Fifty prompts of 500 characters, each of which a form may write as nine, and then some.
_LARGEST_FORM = 262_144


def _in_both_modes(path: str) -> list[str]:
    return [f"/w/{{workspace:str}}/console{mode}{path}" for mode in ("", "/test")]


def looking(path: str = "") -> Decorator:
    """A page to look at, by its address below the Console's."""
    return route(
        _in_both_modes(path),
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        exception_handlers=FAULTS,
        before_request=note_theme,
    )


def streaming(path: str) -> Decorator:
    """What is sent as it is made."""
    return route(_in_both_modes(path), http_method=[HttpMethod.GET], exception_handlers=FAULTS)


def sending(path: str) -> Decorator:
    """A form: it acts and leads to a page."""
    return post(
        _in_both_modes(path),
        status_code=303,
        request_max_body_size=_LARGEST_FORM,
        exception_handlers=FAULTS,
        before_request=note_theme,
    )


async def enter(request: Asked, workspace: str, *, needs: Role = Role.VIEWER) -> Place:
    """Refuses who is no member, a Console that the operator has switched off, and a role that does not suffice."""
    visit = await read_visit(request)
    membership, actor = visit.enter(workspace, livemode=not is_test_path(request.url.path))
    known = await recognize_session(visit.app_context.db, visit.session_digest, actor.workspace_id, now=visit.now)
    if known is not None and not known.console_enabled:
        raise Problem("service_disabled")
    require_role(actor, needs)
    return Place(visit, membership, actor, area="console")


async def enter_by_form(request: Asked, workspace: str, *, needs: Role) -> Place:
    require_own_form(request)
    return await enter(request, workspace, needs=needs)


async def open_form(request: Asked, workspace: str, *, needs: Role) -> tuple[Place, Form]:
    """Who sends it is looked at before what is in it."""
    place = await enter_by_form(request, workspace, needs=needs)
    return place, await read_form(request)


def is_test_path(path: str) -> bool:
    """`/w/{workspace}/console/test` and what is below it."""
    return path.split("/")[4:5] == ["test"]


def show_page(
    place: Place,
    request: Asked,
    template: str,
    *,
    here: str,
    title: str,
    problem: Problem | None = None,
    **context: Any,
) -> Shown:
    """With what was just done, or what was refused, said at the top."""
    done = DONE.get(request.query_params.get("done", "")) if problem is None else None
    shown = show(place, f"app/console/{template}", here=here, title=title, problem=problem, done=done, **context)
    if problem is not None:
        shown.status_code = problem.kind.status
    return shown
