"""Weekly reports: the list, and each as a page and as a PDF."""

from urllib.parse import urlencode

from starlette.responses import Response

from sightline.clients.manage import read_domain_look
from sightline.db.engine import Database
from sightline.kit.ids import parse_id
from sightline.presentation.language import LANGUAGES, current_language, gettext
from sightline.reports.weekly import read
from sightline.reports.weekly.models import ReportRow
from sightline.reports.weekly.render import CONTENT_SECURITY_POLICY, add_toolbar
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.paging import read_list_paging
from sightline.web.routing import page

_PAGE_SIZE = 25
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


@page("/w/{workspace}/d/{domain}/reports")
async def reports_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    sandbox_ended = ctx.app_context.settings.sandbox_ended
    with_sandbox = sandbox_ended and request.query_params.get("sandbox") == "yes"
    filters = {"sandbox": "yes"} if with_sandbox else {}
    paging = read_list_paging(request, ctx, "reports", **filters)
    found = await read.list_reports(
        ctx.db,
        ctx.actor.workspace_id,
        ctx.domain.id,
        after=paging.after_time_and_id,
        page_size=_PAGE_SIZE,
        live_only=sandbox_ended and not with_sandbox,
    )
    shown = await read.describe_rows(ctx.db, found.rows)
    return render_page(
        ctx,
        "app/reports.html",
        section="reports",
        title=gettext("Reports"),
        rows=shown,
        in_english={row.id for row, stored in zip(shown, found.rows, strict=True) if row is stored},
        sandbox_ended=sandbox_ended,
        with_sandbox=with_sandbox,
        filters=filters,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
    )


@page("/w/{workspace}/d/{domain}/reports/{report}")
async def report_page(request: PageRequest, workspace: str, domain: str, report: str) -> Response:
    """Serve a stored report under its own content policy, without scripts; a `.pdf` suffix serves the PDF.

    `?appendix=yes` adds the appendix to either, and `?lang=de` chooses another language than the reader's.
    """
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, with_appendix = ctx.db, wants_appendix(request)
    found = await read.read_report(db, ctx.actor.workspace_id, ctx.domain.id, parse_id(report.removesuffix(".pdf")))
    language = choose_report_language(request)
    if report.endswith(".pdf"):
        return await serve_pdf(
            db, found, ctx.domain.domain, with_appendix=with_appendix, language=language, for_members=True
        )
    own = ctx.path("reports", str(found.id))
    html = await read.read_html(db, found, with_appendix=with_appendix, language=language, for_members=True)
    links = [
        (gettext("Back to reports"), ctx.path("reports")),
        *list_report_links(own, with_appendix=with_appendix, language=language),
        (gettext("Share"), f"{own}/share"),
    ]
    return serve_html(add_toolbar(html, links))


def choose_report_language(request: PageRequest) -> str:
    """Return the language of `?lang=`, so that a link can fix it; otherwise that of the reader."""
    wanted = request.query_params.get("lang", "")
    return wanted if wanted in LANGUAGES else current_language()


def wants_appendix(request: PageRequest) -> bool:
    return request.query_params.get("appendix") == "yes"


def list_report_links(path: str, *, with_appendix: bool, language: str) -> list[tuple[str, str]]:
    """Return the labels and paths of a report's other forms: as a PDF, with or without appendix, by language."""

    def find(suffix: str = "", *, appendix: bool = with_appendix, lang: str = language) -> str:
        fields = {"appendix": "yes"} if appendix else {}
        if lang != current_language():
            fields["lang"] = lang
        return f"{path}{suffix}{'?' if fields else ''}{urlencode(fields)}"

    others = [(name, find(lang=key)) for key, name in LANGUAGES.items() if key != language]
    if with_appendix:
        return [
            (gettext("PDF with appendix"), find(".pdf")),
            (gettext("Without appendix"), find(appendix=False)),
            *others,
        ]
    return [(gettext("PDF"), find(".pdf")), (gettext("With appendix"), find(appendix=True)), *others]


async def serve_pdf(
    db: Database,
    found: ReportRow,
    domain: str,
    *,
    with_appendix: bool,
    language: str,
    for_members: bool = False,
    headers: dict[str, str] | None = None,
) -> Response:
    look = await read_domain_look(db, found.workspace_id, found.domain_id)
    maker = "" if look.is_own else "sightline-"
    name = f"{maker}{domain}-{found.period_end:%Y-%m-%d}{'-appendix' if with_appendix else ''}.pdf"
    response_headers = _HEADERS | (headers or {}) | {"Content-Disposition": f'attachment; filename="{name}"'}
    content = await read.read_pdf(db, found, with_appendix=with_appendix, language=language, for_members=for_members)
    return Response(content, media_type="application/pdf", headers=response_headers)


def serve_html(html: str, headers: dict[str, str] | None = None) -> Response:
    policy = {"Content-Security-Policy": f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'"}
    return Response(html.encode(), media_type="text/html", headers=_HEADERS | (headers or {}) | policy)
