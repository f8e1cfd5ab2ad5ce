"""Weekly reports: the list, and each as its own page and as a PDF."""

from litestar import Response
from litestar.enums import MediaType
from litestar.params import FromPath

from sightline.db.engine import Reader
from sightline.kit.ids import parse_id
from sightline.reports.weekly import read
from sightline.reports.weekly.html import POLICY
from sightline.reports.weekly.models import ReportRow
from sightline.reports.weekly.sayings import say_day, say_period
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.paging import page_through
from sightline.web.visits import Asked

_PAGE = 25
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


@reading("/w/{workspace:str}/d/{domain:str}/reports")
async def reports(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    paging = page_through(request, place, "reports")
    found = await read.list_reports(
        place.visit.app_context.db,
        place.actor.workspace_id,
        place.domain.id,
        after=paging.after_time_and_id,
        page_size=_PAGE,
    )
    return show(
        place,
        "app/reports.html",
        here="reports",
        title="Reports",
        rows=found.rows,
        say_day=say_day,
        say_period=say_period,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        freshness=say_freshness(place.domain, place.visit.now),
    )


@reading("/w/{workspace:str}/d/{domain:str}/reports/{report:str}")
async def report(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], report: FromPath[str]
) -> Response[bytes]:
    """The stored page under a policy of its own: no script, nothing loaded. With `.pdf` at its end, the PDF."""
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    db = place.visit.app_context.db
    found = await read.read_report(db, place.actor.workspace_id, place.domain.id, parse_id(report.removesuffix(".pdf")))
    return await serve_report(db, found, place.domain.domain, as_pdf=report.endswith(".pdf"))


async def serve_report(
    db: Reader, found: ReportRow, domain: str, *, as_pdf: bool, headers: dict[str, str] | None = None
) -> Response[bytes]:
    kept = _HEADERS | (headers or {})
    if as_pdf:
        name = f"sightline-{domain}-{found.period_end:%Y-%m-%d}.pdf"
        kept["Content-Disposition"] = f'attachment; filename="{name}"'
        return Response(await read.read_pdf(db, found), media_type="application/pdf", headers=kept)
    kept["Content-Security-Policy"] = f"{POLICY}; frame-ancestors 'none'"
    return Response(await read.read_html(db, found), media_type=MediaType.HTML, headers=kept)


PAGES = (reports, report)
