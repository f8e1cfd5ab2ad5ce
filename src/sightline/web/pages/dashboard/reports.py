"""Weekly reports: the list, and each as a page and as a PDF."""

from litestar import Response
from litestar.enums import MediaType
from litestar.params import FromPath

from sightline.db.engine import Reader
from sightline.kit.ids import parse_id
from sightline.reports.weekly import read
from sightline.reports.weekly.html import CONTENT_SECURITY_POLICY
from sightline.reports.weekly.models import ReportRow
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.paging import read_list_paging
from sightline.web.routing import page

_PAGE_SIZE = 25
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


@page("/w/{workspace:str}/d/{domain:str}/reports")
async def reports_page(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
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
    return render_page(
        ctx,
        "app/reports.html",
        section="reports",
        title="Reports",
        rows=found.rows,
        sandbox_ended=sandbox_ended,
        with_sandbox=with_sandbox,
        filters=filters,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        freshness=describe_freshness(ctx.domain, ctx.now),
    )


@page("/w/{workspace:str}/d/{domain:str}/reports/{report:str}")
async def report_page(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], report: FromPath[str]
) -> Response[bytes]:
    """Serve a stored report under its own content policy, without scripts; a `.pdf` suffix serves the PDF."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db = ctx.db
    found = await read.read_report(db, ctx.actor.workspace_id, ctx.domain.id, parse_id(report.removesuffix(".pdf")))
    return await serve_report(db, found, ctx.domain.domain, as_pdf=report.endswith(".pdf"))


async def serve_report(
    db: Reader, found: ReportRow, domain: str, *, as_pdf: bool, headers: dict[str, str] | None = None
) -> Response[bytes]:
    response_headers = _HEADERS | (headers or {})
    if as_pdf:
        name = f"sightline-{domain}-{found.period_end:%Y-%m-%d}.pdf"
        response_headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return Response(await read.read_pdf(db, found), media_type="application/pdf", headers=response_headers)
    response_headers["Content-Security-Policy"] = f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'"
    return Response(await read.read_html(db, found), media_type=MediaType.HTML, headers=response_headers)


PAGES = (reports_page, report_page)
