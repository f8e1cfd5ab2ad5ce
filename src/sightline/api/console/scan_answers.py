"""The stored answers of a scan: what its results are computed from."""

from sightline.api.edge.envelope import One, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.kit.ids import parse_id
from sightline.scans import read_scans
from sightline.scans.schemas.answer import Answer


@operation(
    "console",
    "GET",
    "/scans/{scan_id}/answers",
    tag="Scans",
    summary="List the answers of a scan",
    paged=True,
    page_size=True,
    problems=("scan_not_found",),
)
async def list_scan_answers(exchange: Exchange, scan_id: str) -> Page[Answer]:
    """Prompt by prompt, and each prompt's platforms as they were chosen. A running scan lists those that it has."""
    paging = exchange.paging(f"console.scans.{scan_id}.answers")
    rows = await read_scans.list_answers(
        exchange.db, exchange.actor, parse_id(scan_id), after=paging.after, page_size=paging.size
    )
    return paging.page(rows)


@operation(
    "console",
    "GET",
    "/scans/{scan_id}/answers/{answer_id}",
    tag="Scans",
    summary="Read an answer of a scan",
    problems=("scan_not_found", "not_found"),
)
async def read_scan_answer(exchange: Exchange, scan_id: str, answer_id: str) -> One[Answer]:
    """The whole text, its sources, and what was read in it."""
    return One(await read_scans.read_answer(exchange.db, exchange.actor, parse_id(scan_id), parse_id(answer_id)))
