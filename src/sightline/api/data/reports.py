"""Weekly reports of a tracked domain: the list, one report, and its HTML and PDF."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api.edge.responses import Stream, in_chunks
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.examples import Example
from sightline.kit.ids import parse_id
from sightline.presentation.language import DEFAULT_LANGUAGE, LANGUAGES
from sightline.reports.weekly import read
from sightline.reports.weekly.change import change_report
from sightline.reports.weekly.models import ReportRow
from sightline.reports.weekly.render import CONTENT_SECURITY_POLICY
from sightline.reports.weekly.schemas import Report, ReportChange, to_report

RESOURCE = Resource(
    "data",
    "Reports",
    "The weekly report of a tracked domain, created after each Full Check, as a page and as a PDF.",
    {"reports": "Weekly reports of a tracked domain"},
)

_LANGUAGE = Filter(
    "language",
    "Language of the report. English is the default. Quoted answers stay in their own language.",
    tuple(LANGUAGES),
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports",
    summary="List reports",
    sdk="reports.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_reports(exchange: Exchange, domain_id: str) -> Page[Report]:
    """List the reports of a domain, one for each Full Check, most recently created first, 50 per page."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.reports:{domain.id}")
    rows = await read.list_reports(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(lambda row: to_report(row, exchange.app_context.settings.public_url)))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports/{report_id}",
    summary="Read a report",
    sdk="reports.retrieve",
    data_api="insights",
    problems=("domain_not_found", "not_found"),
)
async def read_report(exchange: Exchange, domain_id: str, report_id: str) -> Envelope[Report]:
    """Return a report with its summary, and the addresses of its page and its PDF."""
    _, report = await _read_report(exchange, domain_id, report_id)
    return Envelope(to_report(report, exchange.app_context.settings.public_url))


@RESOURCE.operation(
    "PATCH",
    "/domains/{domain_id}/reports/{report_id}",
    summary="Change a report",
    sdk="reports.update",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=ReportChange,
    problems=("domain_not_found", "not_found"),
)
async def update_report(exchange: Exchange, domain_id: str, report_id: str) -> Envelope[Report]:
    """Write a paragraph above the verdict, or name who does each of the next actions.

    Both are part of the page and the PDF, also for everyone with a link to the report. They are shown as plain text.
    The figures of a report never change.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    change = exchange.decode_body(ReportChange)
    report = await change_report(exchange.tx, exchange.actor, domain.id, parse_id(report_id), change)
    return Envelope(to_report(report, exchange.app_context.settings.public_url))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports/{report_id}.html",
    summary="Read a report as a page",
    sdk="reports.html",
    data_api="insights",
    filters=(_LANGUAGE,),
    stream_media_type="text/html; charset=utf-8",
    saves_copy=False,
    problems=("domain_not_found", "not_found"),
)
async def read_report_html(exchange: Exchange, domain_id: str, report_id: str) -> Stream:
    """Return the report as one self-contained HTML file.

    It has no scripts and loads nothing, so it can be stored and printed.
    """
    return await _respond_html(exchange, domain_id, report_id, with_appendix=False)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports/{report_id}.pdf",
    summary="Read a report as a PDF",
    sdk="reports.pdf",
    data_api="insights",
    filters=(_LANGUAGE,),
    stream_media_type="application/pdf",
    saves_copy=False,
    problems=("domain_not_found", "not_found"),
)
async def read_report_pdf(exchange: Exchange, domain_id: str, report_id: str) -> Stream:
    """Return the report on one A4 page.

    If the server has no font for a writing system, boxes appear instead of its characters. The first page then names
    the writing system. The HTML file of the report has all characters.
    """
    return await _respond_pdf(exchange, domain_id, report_id, with_appendix=False)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports/{report_id}/appendix.html",
    summary="Read a report with its appendix as a page",
    sdk="reports.appendix_html",
    data_api="insights",
    filters=(_LANGUAGE,),
    stream_media_type="text/html; charset=utf-8",
    saves_copy=False,
    problems=("domain_not_found", "not_found"),
)
async def read_report_appendix_html(exchange: Exchange, domain_id: str, report_id: str) -> Stream:
    """Return the report with its appendix as one self-contained HTML file.

    The appendix contains tables by platform and country, of the tracked brands and of cited sites, and the quoted
    answers.
    """
    return await _respond_html(exchange, domain_id, report_id, with_appendix=True)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/reports/{report_id}/appendix.pdf",
    summary="Read a report with its appendix as a PDF",
    sdk="reports.appendix_pdf",
    data_api="insights",
    filters=(_LANGUAGE,),
    stream_media_type="application/pdf",
    saves_copy=False,
    problems=("domain_not_found", "not_found"),
)
async def read_report_appendix_pdf(exchange: Exchange, domain_id: str, report_id: str) -> Stream:
    """Return the report with its appendix on A4 pages."""
    return await _respond_pdf(exchange, domain_id, report_id, with_appendix=True)


async def _respond_html(exchange: Exchange, domain_id: str, report_id: str, *, with_appendix: bool) -> Stream:
    _, report = await _read_report(exchange, domain_id, report_id)
    html = await read.read_html(
        exchange.db, report, with_appendix=with_appendix, language=_choose_language(exchange), for_members=True
    )
    exchange.respond_with(
        content_security_policy=f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'", referrer_policy="no-referrer"
    )
    return Stream(in_chunks(html.encode()))


async def _respond_pdf(exchange: Exchange, domain_id: str, report_id: str, *, with_appendix: bool) -> Stream:
    domain, report = await _read_report(exchange, domain_id, report_id)
    content = await read.read_pdf(
        exchange.db, report, with_appendix=with_appendix, language=_choose_language(exchange), for_members=True
    )
    ending = "-appendix" if with_appendix else ""
    name = f"sightline-{domain.domain}-{report.period_end:%Y-%m-%d}{ending}.pdf"  # a domain is stored in ASCII
    exchange.respond_with(content_disposition=f'inline; filename="{name}"')
    return Stream(in_chunks(content))


def _choose_language(exchange: Exchange) -> str:
    return exchange.filters.get("language", DEFAULT_LANGUAGE)


async def _read_report(exchange: Exchange, domain_id: str, report_id: str) -> tuple[TrackedDomainRow, ReportRow]:
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    report = await read.read_report(exchange.db, exchange.actor.workspace_id, domain.id, parse_id(report_id))
    return domain, report


# Examples

EXAMPLES = {
    "read_report_html": Example('<!doctype html>\n<html lang="en">\u2026</html>'),
    "read_report_pdf": Example("%PDF-1.7\u2026"),
    "read_report_appendix_html": Example('<!doctype html>\n<html lang="en">\u2026</html>'),
    "read_report_appendix_pdf": Example("%PDF-1.7\u2026"),
}
