"""Reports for people without an account: those of an e-mail, the latest of a client, and how to stop the e-mails."""

from typing import Any

from starlette.responses import Response

from sightline.accounts.page_paths import latest_reports_path, unsubscribe_path
from sightline.api.app_context import AppContext
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import DEFAULT_LANGUAGE, LANGUAGES, gettext, write_in
from sightline.reports.mailings import links
from sightline.reports.mailings.models import EmailRow, LinkRow
from sightline.reports.mailings.queries import list_latest_reports
from sightline.reports.weekly import read
from sightline.reports.weekly.models import ReportRow
from sightline.reports.weekly.render import add_toolbar
from sightline.web.fault_texts import list_faults
from sightline.web.forms import read_form
from sightline.web.page_requests import PageRequest, open_exchange
from sightline.web.pages.dashboard.reports import (
    choose_report_language,
    list_report_links,
    serve_html,
    serve_pdf,
    wants_appendix,
)
from sightline.web.problem_texts import explain_problem
from sightline.web.render import html_response, render, render_message
from sightline.web.routing import form_action, page, redirect

NO_INDEX_HEADERS = {"X-Robots-Tag": "noindex, nofollow, noarchive"}
_COOKIE = "sightline_reports"
_HOURS = 12
"""How long a browser keeps the proof that somebody knew the password."""


def explain_dead_link() -> Response:
    """Return the page for a link that opens nothing, whatever the reason, so that it reveals nothing."""
    text = gettext(
        "The link is incomplete, has expired or has been revoked. Ask the person who sent it to you for a new one."
    )
    response = html_response(
        render_message(gettext("This report is not available"), text), status=404, cache="no-store"
    )
    response.headers.update(NO_INDEX_HEADERS)
    return response


async def serve_report(request: PageRequest, report: ReportRow, path: str, *, as_pdf: bool) -> Response:
    """Serve a report to somebody without an account, without links into the workspace. `path` is its own."""
    db = _context(request).db
    with_appendix, language = wants_appendix(request), choose_report_language(request)
    if as_pdf:
        domain = await find_tracked_domain(db, report.workspace_id, report.domain_id)
        name = domain.domain if domain else "report"
        return await serve_pdf(
            db, report, name, with_appendix=with_appendix, language=language, headers=NO_INDEX_HEADERS
        )
    html = await read.read_html(db, report, with_appendix=with_appendix, language=language)
    shown = add_toolbar(html, list_report_links(path, with_appendix=with_appendix, language=language))
    return serve_html(shown, NO_INDEX_HEADERS)


@page("/shared/latest/{token}")
async def latest_reports(request: PageRequest, token: str) -> Response:
    """Serve the latest report of a client, or a list of them if it has several domains."""
    return await _open_latest(request, token, "")


@page("/shared/latest/{token}/{domain}")
async def latest_report(request: PageRequest, token: str, domain: str) -> Response:
    """Serve the latest report of one of the client's domains."""
    return await _open_latest(request, token, domain)


async def _open_latest(request: PageRequest, token: str, domain: str) -> Response:
    context = _context(request)
    try:
        link = await links.open_link(context.db, token, now=context.clock())
        await _write_for_client(request, link)
        if not links.is_unlocked(link, request.cookies.get(_COOKIE, "")):
            return await _ask_password(request, link, token)
        return await _serve_latest(request, link, token, domain)
    except Problem:
        return explain_dead_link()


@form_action("/shared/latest/{token}")
async def unlock_latest_reports(request: PageRequest, token: str) -> Response:
    """Open a link with its password. The browser keeps a proof of it for some hours."""
    context, form = _context(request), await read_form(request)
    try:
        link = await links.open_link(context.db, token, now=context.clock())
    except Problem:
        return explain_dead_link()
    await _write_for_client(request, link)
    path = latest_reports_path(token)
    if link.password_hash is None:
        return redirect(path)
    address = open_exchange(request).client_address
    try:
        shown = await links.unlock_link(context.db, link, form.password("link_password"), address, now=context.clock())
    except Problem as problem:
        return await _ask_password(request, link, token, problem=problem)
    secure = "; Secure" if context.settings.is_https else ""
    return redirect(path, f"{_COOKIE}={shown}; Path={path}; Max-Age={_HOURS * 3600}; HttpOnly; SameSite=Lax{secure}")


@page("/shared/emails/{token}/unsubscribe")
async def unsubscribe_page(request: PageRequest, token: str) -> Response:
    """Ask before anything changes: programs open links to look at them."""
    return await _show_choice(request, token, None)


@form_action("/shared/emails/{token}/unsubscribe", own_only=False)
async def unsubscribe(request: PageRequest, token: str) -> Response:
    """Stop the e-mails, or begin them again. Mail programs send this form on their own (RFC 8058)."""
    form = await read_form(request)
    return await _show_choice(request, token, form.text("wanted") == "yes")


@page("/shared/emails/{token}/{report}")
async def mailed_report(request: PageRequest, token: str, report: str) -> Response:
    """Serve a report of an e-mail to its recipient."""
    context = _context(request)
    try:
        wanted = parse_id(report.removesuffix(".pdf"))
        found = await links.open_mailed_report(context.db, token, wanted, now=context.clock())
        email = await links.open_email(context.db, token, now=context.clock())
    except Problem:
        return explain_dead_link()
    await _write_for_client(request, email)
    path = request.url.path.removesuffix(".pdf")
    return await serve_report(request, found, path, as_pdf=report.endswith(".pdf"))


async def _serve_latest(request: PageRequest, link: LinkRow, token: str, domain: str) -> Response:
    context = _context(request)
    live_only = context.settings.sandbox_ended
    reports = await list_latest_reports(context.db, link.workspace_id, link.client_id, live_only=live_only)
    if not reports:
        sentence = gettext("There is no report yet. The first one comes with the first Full Check.")
        return await _render_shared(request, link, title=gettext("Reports"), sentences=[sentence])
    wanted = parse_id(domain.removesuffix(".pdf"))
    found = next((each for each in reports if each.domain_id == wanted), None)
    if found is None and len(reports) > 1:
        listed = await read.describe_rows(context.db, reports)
        paths = [(each.title, latest_reports_path(token, str(each.domain_id))) for each in listed]
        return await _render_shared(request, link, title=gettext("Latest reports"), links=paths)
    found = found or reports[0]
    path = latest_reports_path(token, str(found.domain_id))
    return await serve_report(request, found, path, as_pdf=domain.endswith(".pdf"))


async def _ask_password(request: PageRequest, link: LinkRow, token: str, *, problem: Problem | None = None) -> Response:
    sentences = [] if problem is None else list_faults(problem) or [explain_problem(problem).text]
    return await _render_shared(
        request,
        link,
        title=gettext("These reports need a password"),
        sentences=sentences,
        asks_password=True,
        path=latest_reports_path(token),
        status=200 if problem is None else problem.kind.status,
    )


async def _show_choice(request: PageRequest, token: str, wanted: bool | None) -> Response:
    """Show whether the recipient of an e-mail gets more of them; `wanted` is what they have just chosen."""
    context = _context(request)
    try:
        email = await links.open_email(context.db, token, now=context.clock())
    except Problem:
        return explain_dead_link()
    await _write_for_client(request, email)
    if wanted is not None:
        async with context.db.transaction() as tx:
            await links.choose_emails(tx, email, wanted=wanted, now=context.clock())
    stop, again = (gettext("Stop these e-mails"), "no"), (gettext("Receive them again"), "yes")
    if email.due_at is None:
        title, sentence, choice = gettext("This was a test"), gettext("Nothing was changed."), None
    elif wanted is None:
        title, choice = stop[0], stop
        sentence = gettext("%(address)s will no longer receive these reports.", address=email.address)
    elif wanted:
        title, choice = gettext("You receive the reports again"), stop
        sentence = gettext("The next reports go to %(address)s.", address=email.address)
    else:
        title, choice = gettext("You will receive no more of these e-mails"), again
        sentence = gettext("Reports are no longer sent to %(address)s.", address=email.address)
    return await _render_shared(
        request, email, title=title, sentences=[sentence], choice=choice, path=unsubscribe_path(token)
    )


async def _write_for_client(request: PageRequest, place: LinkRow | EmailRow) -> None:
    """Write in the client's language, unless the address asks for another one."""
    client, _ = await links.read_place(_context(request).db, place)
    if request.query_params.get("lang") not in LANGUAGES:
        write_in(client.language or DEFAULT_LANGUAGE)


async def _render_shared(
    request: PageRequest, place: LinkRow | EmailRow, *, title: str, status: int = 200, **context: Any
) -> Response:
    """Render a page in the look of the client that a link or an e-mail belongs to."""
    client, look = await links.read_place(_context(request).db, place)
    shown = {"sentences": [], "links": [], "asks_password": False, "choice": None, "path": ""} | context
    html = render("shared.html", title=title, look=look, client=client.name, **shown)
    response = html_response(html, status=status, cache="no-store")
    response.headers.update(NO_INDEX_HEADERS)
    return response


def _context(request: PageRequest) -> AppContext:
    context: AppContext = request.app.state.app_context
    return context
