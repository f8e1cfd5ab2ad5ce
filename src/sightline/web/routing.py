"""How pages and form actions are routed, and how their failures become pages."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote

import structlog
from starlette.responses import Response

from sightline.accounts.page_paths import is_local_path
from sightline.accounts.sign_in.models import NewSession
from sightline.api.edge.browsers import (
    format_device_cookie,
    format_factor_cookie,
    format_session_cookie,
    is_same_origin,
    read_browser,
)
from sightline.api.edge.request_id import make_request_id
from sightline.api.site_routes import MAX_BODY_BYTES, Handler, Serve, SiteRequest, SiteRoute, bind_parameters, to_paths
from sightline.db.engine import DatabaseUnavailable, SchemaMissing
from sightline.errors import Problem, retry_later, schema_missing
from sightline.kit.security_log import identify_caller
from sightline.kit.text import has_control_characters
from sightline.presentation.language import gettext
from sightline.web.fault_texts import list_faults, refuse_input
from sightline.web.form_parsing import PageRequest
from sightline.web.page_requests import (
    CONFIRM_PREFIX,
    ConfirmationRequired,
    SignInRequired,
    open_exchange,
)
from sightline.web.pages.not_found import PageNotFound, show_not_found
from sightline.web.problem_texts import explain_problem
from sightline.web.reader import prepare_for_reader
from sightline.web.render import HEADERS, link_start_page, private_html_response, render, render_message
from sightline.web.returned_forms import SentForm, list_fields, note_sent_form
from sightline.web.sign_in_form import ask_to_sign_in, find_form_page

log = structlog.get_logger()

_MAX_QUERY_FIELDS = 500
RouteDecorator = Callable[[Handler], SiteRoute]
FailureHandlers = Mapping[type[Exception], Callable[[PageRequest, Any], Response]]


def _show_problem(request: PageRequest, problem: Problem) -> Response:
    if problem.code == "second_factor_required":
        return _ask_for_factor(request, problem)
    return _render_problem(problem, make_request_id())


def _ask_for_factor(request: PageRequest, problem: Problem) -> Response:
    """Redirect a sign-in that waits for the second factor to its page, and from there to where it leads."""
    settings = request.app.state.app_context.settings
    sent = getattr(request.state, "sent_form", None)
    next_path = sent.fields.get("next", [""])[-1] if sent else ""
    path = f"/sign-in/factor?next={quote(next_path, safe='')}" if is_local_path(next_path) else "/sign-in/factor"
    return redirect(path, format_factor_cookie(problem.members["factor_token"], https=settings.is_https))


def _ask_to_confirm(request: PageRequest, required: ConfirmationRequired) -> Response:
    """Ask who it is in place of the page or the form, and go on with it: the form is sent again with the proof."""
    sent = request.state.sent_form.fields if request.method == "POST" else {}
    fields = [(name, value) for name, values in sent.items() if not name.startswith(CONFIRM_PREFIX) for value in values]
    query = f"?{request.url.query}" if request.url.query else ""
    path = request.url.path + query
    if request.method != "POST":
        path, fields = "/account/confirm", [("next", path)]
    note_sent_form(None)
    html = render(
        "app/confirm.html",
        action=path,
        fields=fields,
        prefix=CONFIRM_PREFIX,
        question=required.question,
        back=request.url.path + query if request.method != "POST" else find_form_page(request),
        email=required.email,
        problem=required.problem,
    )
    return private_html_response(html, problem=required.problem or Problem("reauthentication_required"))


def _show_internal_error(request: PageRequest, error: Exception) -> Response:
    """Log an unexpected error and show a page with the request id under which the log has it."""
    request_id = make_request_id()
    # Not the path: it may hold the token of a share link.
    log.error("page_failed", route=request.route_path, request_id=request_id, exc_info=error)
    return _render_problem(Problem("internal_error"), request_id)


def _render_problem(problem: Problem, request_id: str, text: str | None = None) -> Response:
    title, usual = explain_problem(problem)
    sentences = [text] if text else list_faults(problem) or [usual]
    link = link_start_page()
    if problem.code == "second_factor_setup_required":
        link = "/account/factors", gettext("Add a second factor")
    if problem.code == "single_sign_on_required":
        link = "/sign-in", gettext("Sign in")
    html = render_message(title, *sentences, link=link, code=problem.code, request_id=request_id)
    return _without_referrer(private_html_response(html, problem=problem))


def _show_unavailable(_: PageRequest, __: Exception) -> Response:
    unavailable = retry_later("service_unavailable", 5)
    html = render_message(
        gettext("Temporarily unavailable"),
        gettext(
            "The database is not responding. Nothing is lost: running checks keep their answers and continue as soon "
            "as it is back."
        ),
        link=("", gettext("Try again")),
    )
    return _without_referrer(private_html_response(html, problem=unavailable))


def _show_schema_missing(_: PageRequest, __: Exception) -> Response:
    text = gettext("The database is not set up. The operator has to run: %(command)s", command="`sightline migrate`")
    return _render_problem(schema_missing(), make_request_id(), text)


def _without_referrer(response: Response) -> Response:
    """Send no referrer from a page without a form: its path may hold the token of a share link."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


FAILURES: FailureHandlers = {
    SignInRequired: ask_to_sign_in,
    ConfirmationRequired: _ask_to_confirm,
    Problem: _show_problem,
    DatabaseUnavailable: _show_unavailable,
    SchemaMissing: _show_schema_missing,
    PageNotFound: show_not_found,
    Exception: _show_internal_error,
}


async def _prepare_page(request: PageRequest) -> None:
    await prepare_for_reader(request)
    note_sent_form(None)
    if request.scope["query_string"].count(b"&") >= _MAX_QUERY_FIELDS:
        raise Problem("payload_too_large")
    _refuse_control_characters(request.query_params.multi_items())


async def _prepare_form(request: PageRequest) -> None:
    """Prepare a form of one of our own pages. One from another site is refused, whatever cookie comes with it."""
    exchange = open_exchange(request)
    identify_caller(address=exchange.client_address)
    if not is_same_origin(exchange):
        await prepare_for_reader(request)
        raise Problem("csrf_failed")
    await _prepare_foreign_form(request)


async def _prepare_foreign_form(request: PageRequest) -> None:
    await _prepare_page(request)
    form = await request.form()
    request.state.sent_form = SentForm(request.url.path, list_fields(form))
    note_sent_form(request.state.sent_form)
    _refuse_control_characters(form.multi_items())


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


def page(path: str | list[str], *, recent: bool = False) -> RouteDecorator:
    """Route GET and HEAD of a path, or of several, to a handler that renders a page.

    With `recent`, people who last proved who they are more than 15 minutes ago have to prove it again.
    """
    return _route(path, ("GET", "HEAD"), _prepare_page, recent=recent)


def stream(path: str | list[str]) -> RouteDecorator:
    """Route GET of a path, or of several, to a handler that streams its response."""
    return _route(path, ("GET",))


def form_action(
    path: str | list[str],
    *,
    max_bytes: int = MAX_BODY_BYTES,
    form_page: str | None = None,
    own_only: bool = True,
    recent: bool = False,
) -> RouteDecorator:
    """Route POST of a path, or of several, to a handler that acts on a form and redirects to a page.

    `form_page` is the page with the form, relative to the path. Left out, it is the nearest page above the path. With
    `own_only`, forms of other sites are refused. `recent` is as for `page`; the form is then sent again with the proof.
    """
    prepare = _prepare_form if own_only else _prepare_foreign_form
    return _route(path, ("POST",), prepare, form_page=form_page, max_bytes=max_bytes, recent=recent)


def _route(
    path: str | list[str],
    methods: tuple[str, ...],
    prepare: Callable[[PageRequest], Awaitable[None]] | None = None,
    *,
    form_page: str | None = None,
    max_bytes: int = MAX_BODY_BYTES,
    recent: bool = False,
) -> RouteDecorator:
    def declare(handler: Handler) -> SiteRoute:
        serve = show_failures(bind_parameters(handler), FAILURES, prepare, recent=recent)
        return SiteRoute(to_paths(path), methods, serve, form_page, max_bytes, PageRequest)

    return declare


def show_failures(
    serve: Serve,
    handlers: FailureHandlers,
    prepare: Callable[[PageRequest], Awaitable[None]] | None = None,
    *,
    recent: bool = False,
) -> Serve:
    """Return a handler that prepares the request first, and whose failures become pages."""

    async def serve_or_explain(request: SiteRequest) -> Response:
        assert isinstance(request, PageRequest)
        request.needs_recent_sign_in = recent
        try:
            if prepare is not None:
                await prepare(request)
            return await serve(request)
        except Exception as error:
            show = next((handlers[kind] for kind in type(error).__mro__ if kind in handlers), None)
            if show is None:
                raise
            return show(request, error)
        finally:
            request.close_files()

    return serve_or_explain


def redirect(path: str, *cookies: str) -> Response:
    """Return a 303 to a path of this host, whichever name the browser knows it by."""
    headers = {**HEADERS, "Cache-Control": "no-store", "Location": path}
    response = Response(status_code=303, headers=headers, media_type="text/plain")
    for cookie in cookies:
        response.headers.append("Set-Cookie", cookie)
    return response


def redirect_signed_in(request: PageRequest, path: str, opened: NewSession) -> Response:
    """Return a 303 that gives the browser a new session, and marks it as known to the account."""
    settings = request.app.state.app_context.settings
    https, waited = settings.is_https, read_browser(open_exchange(request)).factor_token
    return redirect(
        path,
        format_session_cookie(opened.token, settings.session_lifetime, https=https),
        format_device_cookie(opened.device, https=https),
        *([format_factor_cookie("", https=https)] if waited else []),
    )
