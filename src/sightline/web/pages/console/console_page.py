"""How Console pages are routed, opened and rendered. Every page exists twice: live, and in test mode."""

from typing import Any

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem, console_disabled
from sightline.presentation.language import choose_text
from sightline.web.forms import Form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, read_notices
from sightline.web.page_requests import PageRequest, require_role, require_signed_in
from sightline.web.pages.console.phrases import DONE
from sightline.web.routing import RouteDecorator, form_action, page, stream

PageResponse = Response
# Fifty prompts of 500 characters, whose characters form encoding may turn into nine bytes each, and some reserve.
_MAX_FORM_BYTES = 262_144


def _in_both_modes(path: str) -> list[str]:
    return [f"/w/{{workspace}}/console{mode}{path}" for mode in ("", "/test")]


def console_page(path: str = "") -> RouteDecorator:
    """Route a page by its path below the Console, in both modes."""
    return page(_in_both_modes(path))


def console_stream(path: str) -> RouteDecorator:
    """Route a streamed response by its path below the Console, in both modes."""
    return stream(_in_both_modes(path))


def console_form_action(path: str, *, form_page: str | None = None, recent: bool = False) -> RouteDecorator:
    """Route a form action by its path below the Console, in both modes."""
    return form_action(_in_both_modes(path), max_bytes=_MAX_FORM_BYTES, form_page=form_page, recent=recent)


async def open_console(request: PageRequest, workspace: str, *, needs: Role = Role.VIEWER) -> PageContext:
    """Return the context of a Console page.

    Refused: non-members, a Console that the operator has switched off, and roles below the needed one.
    """
    signed_in = await require_signed_in(request)
    membership, actor = signed_in.select_workspace(workspace, livemode=not is_test_path(request.url.path))
    if not signed_in.console_enabled:
        raise console_disabled()
    require_role(actor, needs)
    return PageContext(signed_in, membership, actor, area="console", notices=await read_notices(signed_in, membership))


async def receive_console_form(request: PageRequest, workspace: str, *, needs: Role) -> tuple[PageContext, Form]:
    """Return the context and the form of a sender who may do this."""
    ctx = await open_console(request, workspace, needs=needs)
    return ctx, await read_form(request)


def is_test_path(path: str) -> bool:
    """Return whether a path is `/w/{workspace}/console/test` or below it."""
    return path.split("/")[4:5] == ["test"]


def render_console_page(
    ctx: PageContext,
    request: PageRequest,
    template: str,
    *,
    section: str,
    title: str,
    problem: Problem | None = None,
    **context: Any,
) -> PageResponse:
    """Render a Console page, with the result of the last form or its refusal at the top."""
    done = choose_text(DONE, request.query_params.get("done", "")) if problem is None else None
    return render_page(
        ctx,
        f"app/console/{template}",
        section=section,
        title=title,
        problem=problem,
        done=done,
        **context,
    )
