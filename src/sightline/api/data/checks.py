"""Checks of tracked domains, and their answers. Checks are scheduled; no operation starts one."""

from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.scans import tracked_scans
from sightline.scans.schemas.answer import Answer
from sightline.scans.schemas.scan import Scan, to_scan
from sightline.scans.sealed.store import SEALED_PROBLEMS

RESOURCE = Resource(
    "data",
    "Checks",
    "The scheduled checks of tracked domains, with their answers. A Full Check asks all prompts once a "
    "week. A Daily Check asks some of them on each of the other days. The Free plan has one Free Audit "
    "instead. `scan_id` is the id of a check.",
    {
        "checks": "Scheduled checks of a tracked domain, and their answers",
        "answers": "Answers of a tracked domain over all its checks",
        "searches": "What platforms searched for to answer the prompts of a tracked domain",
    },
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/scans",
    summary="List the checks of a domain",
    sdk="checks.list",
    paged=True,
    data_api="read",
    problems=("domain_not_found",),
)
async def list_checks(exchange: Exchange, domain_id: str) -> Page[Scan]:
    """List the checks of a tracked domain, most recently started first, 50 per page."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.domains.{domain.id}.scans")
    rows = await tracked_scans.list_tracked_scans(
        exchange.db, exchange.actor, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_scan))


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}",
    summary="Read a check",
    sdk="checks.retrieve",
    data_api="read",
    problems=("scan_not_found",),
)
async def read_check(exchange: Exchange, scan_id: str) -> Envelope[Scan]:
    """Return one check of a tracked domain. Returns 404 for a scan of the Console API."""
    return Envelope(to_scan(await tracked_scans.read_tracked_scan(exchange.db, exchange.actor, parse_id(scan_id))))


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}/answers",
    summary="List the answers of a check",
    sdk="checks.answers",
    paged=True,
    data_api="read",
    problems=("scan_not_found", "answers_expired", *SEALED_PROBLEMS),
)
async def list_check_answers(exchange: Exchange, scan_id: str) -> Page[Answer]:
    """List the answers of a check, sorted by prompt and then by platform.

    All figures of the check are computed from these answers.
    """
    paging = exchange.paging(f"data.scans.{scan_id}.answers")
    rows = await tracked_scans.list_answers(
        exchange.db,
        exchange.app_context.sealed,
        exchange.actor,
        parse_id(scan_id),
        after=paging.after,
        page_size=paging.size,
    )
    return paging.page(rows)


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}/answers/{answer_id}",
    summary="Read an answer of a check",
    sdk="checks.answer",
    data_api="read",
    problems=("scan_not_found", "not_found", "answers_expired", *SEALED_PROBLEMS),
)
async def read_check_answer(exchange: Exchange, scan_id: str, answer_id: str) -> Envelope[Answer]:
    """Return one answer with its full text, its sources and the results of its analysis."""
    return Envelope(
        await tracked_scans.read_answer(
            exchange.db, exchange.app_context.sealed, exchange.actor, parse_id(scan_id), parse_id(answer_id)
        )
    )
