"""The stored answers of a Console scan, which its results are computed from."""

from sightline.api.console.scans import RESOURCE
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.kit.ids import parse_id
from sightline.scans import console_scans
from sightline.scans.schemas.answer import Answer
from sightline.scans.sealed.store import SEALED_PROBLEMS


@RESOURCE.operation(
    "GET",
    "/scans/{scan_id}/answers",
    summary="List the answers of a scan",
    sdk="scans.answers",
    paged=True,
    page_size=True,
    problems=("scan_not_found", "answers_expired", *SEALED_PROBLEMS),
)
async def list_scan_answers(exchange: Exchange, scan_id: str) -> Page[Answer]:
    """List the answers of a scan, sorted by prompt and then by platform.

    While the scan is running, the list contains the answers received so far.
    """
    paging = exchange.paging(f"console.scans.{scan_id}.answers")
    rows = await console_scans.list_answers(
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
    summary="Read an answer of a scan",
    sdk="scans.answer",
    problems=("scan_not_found", "not_found", "answers_expired", *SEALED_PROBLEMS),
)
async def read_scan_answer(exchange: Exchange, scan_id: str, answer_id: str) -> Envelope[Answer]:
    """Return one answer with its full text, its sources and the results of its analysis."""
    return Envelope(
        await console_scans.read_answer(
            exchange.db, exchange.app_context.sealed, exchange.actor, parse_id(scan_id), parse_id(answer_id)
        )
    )
