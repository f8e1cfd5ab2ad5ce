"""Second opinions: files of answers from elsewhere, what they say, and the history that is kept of them."""

import asyncio
import uuid
from collections.abc import Sequence
from io import BytesIO

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.db.keyset import Slice
from sightline.domains.tracking.read import read_tracked_domain
from sightline.errors import Problem, invalid_fields
from sightline.kit.ids import parse_id
from sightline.reports.second_opinion import build_opinion_result
from sightline.scans.answer_files.columns import UnreadableFile
from sightline.scans.second_opinions.models import FileHead, OpinionRequest, OpinionRow
from sightline.scans.second_opinions.queries import list_opinions
from sightline.scans.second_opinions.read import read_opinion, read_record
from sightline.scans.second_opinions.request import (
    InvalidBrands,
    OpinionLimit,
    build_request,
    delete_opinion,
    inspect_file,
    save_upload,
    start_opinion,
)
from sightline.scans.second_opinions.schemas import (
    MAX_CONTENT_BYTES,
    HistoryInput,
    ImportedHistory,
    ImportedHistoryWeek,
    SecondOpinion,
    SecondOpinionInput,
    SecondOpinionResult,
    to_second_opinion,
)
from sightline.scoreboard.history.imported_weeks import keep_history, remove_history
from sightline.scoreboard.history.queries import list_imported_weeks
from sightline.scoreboard.models import ImportedWeek

RESOURCE = Resource(
    "data",
    "Second opinions",
    "Files of answers that you already have, such as the export of another tool: who is really ahead, which changes "
    "are chance, and which names are easily misread. Nothing of a file counts as a check. It is deleted after 24 "
    "hours, unless you keep its weeks as the history of a tracked domain.",
    {"second_opinions": "Files of answers from elsewhere, and imported histories"},
)


@RESOURCE.operation(
    "GET",
    "/second-opinions",
    summary="List second opinions",
    sdk="second_opinions.list",
    paged=True,
    data_api="read",
    saves_copy=False,
)
async def list_second_opinions(exchange: Exchange) -> Page[SecondOpinion]:
    """List the files of the last 24 hours, newest first. There are 20 at most."""
    rows = await list_opinions(exchange.db, exchange.actor.workspace_id, now=exchange.now)
    return exchange.paging("data.second_opinions").page(Slice([to_second_opinion(row) for row in rows], None))


async def _inspect(exchange: Exchange) -> tuple[SecondOpinionInput, OpinionRequest, FileHead, bytes]:
    """Read the beginning of the file, and compress it, before the transaction opens."""
    sent = exchange.decode_body(SecondOpinionInput)
    try:
        wanted = build_request(sent.brand_name, sent.domain or "", sent.aliases, sent.competitors)
    except InvalidBrands as error:
        field = "brand_name" if error.field == "brand" else error.field
        raise invalid_fields((field, str(error), "invalid")) from error
    try:
        head, packed = await asyncio.to_thread(inspect_file, BytesIO(sent.content.encode()), sent.file_name)
    except UnreadableFile as error:
        raise invalid_fields(("content", str(error), "invalid")) from error
    return sent, wanted, head, packed


@RESOURCE.operation(
    "POST",
    "/second-opinions",
    summary="Ask for a second opinion",
    sdk="second_opinions.create",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=SecondOpinionInput,
    body_limit=MAX_CONTENT_BYTES,
    prepare=_inspect,
    idempotency="required",
    success_status=201,
    problems=("second_opinion_limit_reached",),
)
async def create_second_opinion(exchange: Exchange) -> Envelope[SecondOpinion]:
    """Measure a file of answers. The response says which column is read as what; send `columns` to correct it.

    The page of the web app takes larger files, and `sightline analyze` any number of answers.
    """
    sent, wanted, head, packed = exchange.prepared
    tx, actor, now = exchange.tx, exchange.actor, exchange.now
    try:
        row = await save_upload(tx, actor, file_name=sent.file_name, head=head, content=packed, request=wanted, now=now)
        await start_opinion(tx, row, sent.columns)
    except OpinionLimit as limit:
        raise Problem("second_opinion_limit_reached") from limit
    except UnreadableFile as error:
        raise invalid_fields(("columns", str(error), "invalid")) from error
    return Envelope(to_second_opinion(await read_opinion(tx, actor.workspace_id, row.id, now)))


@RESOURCE.operation(
    "GET",
    "/second-opinions/{opinion_id}",
    summary="Read a second opinion",
    sdk="second_opinions.retrieve",
    data_api="read",
    saves_copy=False,
    problems=("not_found",),
)
async def read_second_opinion(exchange: Exchange, opinion_id: str) -> Envelope[SecondOpinion]:
    """Return the state of a file: whether it is measured, or why it cannot be."""
    return Envelope(to_second_opinion(await _read_row(exchange, opinion_id)))


@RESOURCE.operation(
    "GET",
    "/second-opinions/{opinion_id}/result",
    summary="Read the result of a second opinion",
    sdk="second_opinions.result",
    data_api="read",
    saves_copy=False,
    problems=("not_found", "second_opinion_not_ready"),
)
async def read_second_opinion_result(exchange: Exchange, opinion_id: str) -> Envelope[SecondOpinionResult]:
    """Return what the file says, as soon as its status is `done`."""
    record = await read_record(exchange.db, await _read_row(exchange, opinion_id))
    if record is None:
        raise Problem("second_opinion_not_ready")
    return Envelope(await asyncio.to_thread(build_opinion_result, record))


@RESOURCE.operation(
    "DELETE",
    "/second-opinions/{opinion_id}",
    summary="Delete a second opinion",
    sdk="second_opinions.remove",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("not_found",),
)
async def delete_second_opinion(exchange: Exchange, opinion_id: str) -> Envelope[Removed]:
    """Delete the file and its result at once. An imported history that was kept of it stays."""
    row = await read_opinion(exchange.tx, exchange.actor.workspace_id, parse_id(opinion_id), exchange.now)
    await delete_opinion(exchange.tx, row)
    return Envelope(Removed(row.id, deleted=True))


@RESOURCE.operation(
    "POST",
    "/second-opinions/{opinion_id}/history",
    summary="Keep a second opinion as history",
    sdk="second_opinions.keep",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=HistoryInput,
    idempotency="required",
    success_status=201,
    problems=("not_found", "domain_not_found", "second_opinion_not_ready", "imported_history_exists"),
)
async def keep_second_opinion(exchange: Exchange, opinion_id: str) -> Envelope[ImportedHistory]:
    """Keep the figures of each week before the domain's first check as its first weeks, on the surface `import`.

    They never count as checks, and nothing is compared with them. No text of an answer is kept.
    """
    tx, actor, now = exchange.tx, exchange.actor, exchange.now
    domain_id = parse_id(exchange.decode_body(HistoryInput).domain_id)
    row = await read_opinion(tx, actor.workspace_id, parse_id(opinion_id), now)
    weeks = await keep_history(tx, actor, row, domain_id, now=now)
    assert domain_id is not None  # it was found
    return Envelope(_to_history(domain_id, weeks))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/imported-history",
    summary="Read the imported history of a domain",
    sdk="second_opinions.history",
    data_api="read",
    problems=("domain_not_found",),
)
async def read_imported_history(exchange: Exchange, domain_id: str) -> Envelope[ImportedHistory]:
    """Return the imported weeks of a domain, which come before its first check."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    weeks = await list_imported_weeks(exchange.db, exchange.actor.workspace_id, domain.id)
    return Envelope(_to_history(domain.id, weeks))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}/imported-history",
    summary="Remove the imported history of a domain",
    sdk="second_opinions.remove_history",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found",),
)
async def remove_imported_history(exchange: Exchange, domain_id: str) -> Envelope[Removed]:
    """Remove all imported weeks of a domain."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    await remove_history(exchange.tx, exchange.actor, domain.id)
    return Envelope(Removed(domain.id, deleted=True))


async def _read_row(exchange: Exchange, opinion_id: str) -> OpinionRow:
    return await read_opinion(exchange.db, exchange.actor.workspace_id, parse_id(opinion_id), exchange.now)


def _to_history(domain_id: uuid.UUID, weeks: Sequence[ImportedWeek]) -> ImportedHistory:
    return ImportedHistory(
        domain_id=domain_id,
        weeks=[
            ImportedHistoryWeek(
                first_day=each.first_day,
                last_day=each.last_day,
                file_name=each.file_name,
                platforms=each.platforms,
                headline=each.headline,
            )
            for each in weeks
        ],
    )
