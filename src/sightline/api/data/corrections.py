"""Corrections of answers: list, make, undo."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.scans.corrections import read, record
from sightline.scans.corrections.schemas import AnswerCorrection, CorrectionInput, to_answer_correction

RESOURCE = Resource(
    "data",
    "Corrections",
    "Manual corrections: names wrongly counted as the brand, and mentions that were missed.",
    {"corrections": "Corrections of answers"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/corrections",
    summary="List corrections",
    sdk="corrections.list",
    paged=True,
    data_api="read",
    problems=("domain_not_found",),
)
async def list_corrections(exchange: Exchange, domain_id: str) -> Page[AnswerCorrection]:
    """List the corrections of a tracked domain, newest first, 50 per page."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.corrections:{domain.id}")
    rows = await read.list_corrections(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_answer_correction))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/corrections",
    summary="Correct an answer",
    sdk="corrections.create",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=CorrectionInput,
    idempotency="required",
    success_status=201,
    problems=(
        "domain_not_found",
        "scan_not_found",
        "not_found",
        "answers_expired",
        "answers_sealed",
        "correction_conflict",
        "correction_limit_reached",
    ),
)
async def correct_answer(exchange: Exchange, domain_id: str) -> Envelope[AnswerCorrection]:
    """Mark a name that is not the brand, or a name of the brand that the analysis missed.

    The correction applies to this place in this answer, and stays in force when the analyzer is updated. With `phrase`,
    the words do not count as the brand wherever the phrase occurs, in all answers. Missed words also become a name of
    the brand, unless `add_name` is false. Sightline then analyzes the stored answers again in the background, free of
    charge. Market Position and Share of Voice change with the next Full Check. Sending a correction twice creates it
    only once.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    payload = exchange.decode_body(CorrectionInput)
    row = await record.correct_answer(exchange.tx, exchange.actor, domain.id, payload, now=exchange.now)
    return Envelope(to_answer_correction(row))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}/corrections/{correction_id}",
    summary="Undo a correction",
    sdk="corrections.undo",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def undo_correction(exchange: Exchange, domain_id: str, correction_id: str) -> Envelope[Removed]:
    """Remove a correction, the phrase that it excludes and the name that it added to the brand.

    The name stays if another correction also adds it, or if it was entered in the settings. Sightline then analyzes the
    stored answers again in the background.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    removed = await record.undo_correction(
        exchange.tx, exchange.actor, domain.id, parse_id(correction_id), now=exchange.now
    )
    return Envelope(Removed(id=removed.id, deleted=True))
