"""How pages and form actions are routed, and how their failures become pages."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import structlog
from litestar import Response, post, route
from litestar.datastructures import Cookie
from litestar.enums import HttpMethod, MediaType
from litestar.exceptions import HTTPException, NotFoundException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers import HTTPRouteHandler
from litestar.types import ExceptionHandlersMap

from sightline.api.edge.request_id import make_request_id
from sightline.api.edge.session_cookies import build_device_cookie, format_session_cookie
from sightline.db.engine import DatabaseUnavailable, SchemaMissing
from sightline.errors import Problem, retry_later, schema_missing
from sightline.kit.text import has_control_characters
from sightline.presentation.language import gettext
from sightline.web.fault_texts import list_faults, refuse_input
from sightline.web.form_parsing import FormRequest
from sightline.web.page_requests import PageRequest, SignInRequired
from sightline.web.pages.not_found import show_not_found
from sightline.web.problem_texts import explain_problem
from sightline.web.reader import prepare_for_reader
from sightline.web.render import HEADERS, private_html_response, render
from sightline.web.returned_forms import SentForm, fill_next_page, list_fields, note_sent_form
from sightline.web.sign_in_form import FORM_PAGE, ask_to_sign_in

log = structlog.get_logger()

_READ_METHODS = [HttpMethod.GET, HttpMethod.HEAD]
_DEFAULT_MAX_FORM_BYTES = 65_536
_MAX_QUERY_FIELDS = 500  # the framework keeps the last thousand queries in memory
RouteDecorator = Callable[[Callable[..., Any]], HTTPRouteHandler]


def _show_problem(_: PageRequest, problem: Problem) -> Response[str]:
    return _render_problem(problem, make_request_id())


def _show_internal_error(request: PageRequest, error: Exception) -> Response[str]:
    """Log an unexpected error and show a page with the request id under which the log has it."""
    if isinstance(error, HTTPException):
        raise error  # the framework's own refusals, such as a method that a page does not have
    request_id = make_request_id()
    # Not the path: it may hold the token of a share link.
    log.error("page_failed", route=request.scope["path_template"], request_id=request_id, exc_info=error)
    return _render_problem(Problem("internal_error"), request_id)


def _render_problem(problem: Problem, request_id: str, text: str | None = None) -> Response[str]:
    title, usual = explain_problem(problem)
    sentences = [text] if text else list_faults(problem) or [usual]
    html = render("app/problem.html", title=title, sentences=sentences, code=problem.code, request_id=request_id)
    return _without_referrer(private_html_response(html, problem=problem))


def _show_too_large(_: PageRequest, __: Exception) -> Response[str]:
    return _render_problem(Problem("payload_too_large"), make_request_id())


def _show_unavailable(_: PageRequest, __: Exception) -> Response[str]:
    unavailable = retry_later("service_unavailable", 5)
    return _without_referrer(private_html_response(render("app/unavailable.html"), problem=unavailable))


def _show_schema_missing(_: PageRequest, __: Exception) -> Response[str]:
    text = gettext("The database is not set up. The operator has to run: %(command)s", command="`sightline migrate`")
    return _render_problem(schema_missing(), make_request_id(), text)


def _without_referrer(response: Response[str]) -> Response[str]:
    """Send no referrer from a page without a form: its path may hold the token of a share link."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    SignInRequired: ask_to_sign_in,
    Problem: _show_problem,
    DatabaseUnavailable: _show_unavailable,
    SchemaMissing: _show_schema_missing,
    NotFoundException: show_not_found,
    RequestEntityTooLarge: _show_too_large,
    Exception: _show_internal_error,
}


async def _prepare_page(request: PageRequest) -> None:
    await prepare_for_reader(request)
    fill_next_page(None)
    note_sent_form(None)
    if request.scope["query_string"].count(b"&") >= _MAX_QUERY_FIELDS:
        raise Problem("payload_too_large")
    _refuse_control_characters(request.query_params.multi_items())


async def _prepare_form(request: PageRequest) -> None:
    await _prepare_page(request)
    request.state.form = await request.form()
    request.state.sent_form = SentForm(request.url.path, list_fields(request.state.form))
    note_sent_form(request.state.sent_form)
    _refuse_control_characters(request.state.form.multi_items())


def _refuse_control_characters(fields: Iterable[tuple[str, object]]) -> None:
    """Refuse text that no field may contain, for all pages and forms in one place, before anything looks it up."""
    for name, value in fields:
        if has_control_characters(name):
            raise refuse_input("form", gettext("The form contains control characters. Nothing was saved."))
        if isinstance(value, str) and has_control_characters(value):
            raise refuse_input(
                name,
                gettext(
                    "The field “%(field)s” contains control characters. Go back, remove them and send the form again.",
                    field=name,
                ),
            )


def page(path: str | list[str]) -> RouteDecorator:
    """Route GET and HEAD of a path, or of several, to a handler that renders a page."""
    return route(path, http_method=_READ_METHODS, exception_handlers=EXCEPTION_HANDLERS, before_request=_prepare_page)


def form_action(
    path: str | list[str], *, max_bytes: int = _DEFAULT_MAX_FORM_BYTES, form_page: str | None = None
) -> RouteDecorator:
    """Route POST of a path, or of several, to a handler that acts on a form and redirects to a page.

    `form_page` is the page with the form, relative to the path. Left out, it is the nearest page above the path.
    """
    return post(
        path,
        status_code=303,
        request_max_body_size=max_bytes,
        exception_handlers=EXCEPTION_HANDLERS,
        before_request=_prepare_form,
        request_class=FormRequest,
        opt={FORM_PAGE: form_page},
    )


def redirect(path: str, *, cookie: str | None = None, device: Cookie | None = None) -> Response[str]:
    """Return a 303 to a path of this host, whichever name the browser knows it by."""
    headers: Mapping[str, str] = {**HEADERS, "Cache-Control": "no-store", "Location": path}
    if cookie is not None:
        headers = {**headers, "Set-Cookie": cookie}
    return Response(
        "", status_code=303, media_type=MediaType.TEXT, headers=headers, cookies=[device] if device else None
    )


def redirect_signed_in(request: PageRequest, path: str, token: str, device: str) -> Response[str]:
    """Return a 303 that gives the browser a new session, and marks it as known to the account."""
    settings = request.app.state.app_context.settings
    return redirect(
        path,
        cookie=format_session_cookie(token, settings.session_lifetime, https=settings.is_https),
        device=build_device_cookie(device, https=settings.is_https),
    )
