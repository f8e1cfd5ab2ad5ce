"""The export of a workspace: a ZIP file with everything that it owns, made by the worker and stored for a day.

The file is written in parts of the database, which every process can read. A part is stored as soon as it is complete,
so memory stays bounded. A worker that dies leaves parts behind; the next one starts again with the first. The rows are
read in batches, each with a statement of its own: rows that are written meanwhile may be missing.
"""

import asyncio
import base64
import csv
import io
import uuid
import zipfile
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec

from sightline.accounts.members import lock_and_read_member
from sightline.accounts.models import Actor, Role, build_operator_actor
from sightline.audit import read as audit
from sightline.audit.models import AuditFilter
from sightline.audit.record import record_audit
from sightline.credits.export import ledger_csv
from sightline.db.engine import Database, Reader, Transaction
from sightline.domains.tracking.read import list_tracked_domains
from sightline.errors import Problem
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import to_iso
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.kit.text import guard_formula
from sightline.offboarding import queries
from sightline.offboarding.emails import enqueue_export_ready
from sightline.offboarding.models import EXPORT_JOB, EXPORT_LIFETIME, ExportJob, WorkspaceExport
from sightline.offboarding.owned_tables import LEFT_OUT_COLUMNS, LEFT_OUT_TABLES, OwnedTable
from sightline.scans.payloads.object_store import PayloadStores
from sightline.scans.payloads.read import list_payloads
from sightline.scans.sealed.queries import list_sealed_months
from sightline.scans.sealed.read import read_sealed_rows
from sightline.scans.sealed.store import SealedMonths, build_path
from sightline.settings import Settings
from sightline.tables.catalog import TABLES
from sightline.tables.models import Extent, TableRead, TableSource
from sightline.tables.read import stream_lines

_BATCH = 200
_MAX_DOMAINS = 100_000
PART_BYTES = 4 * 1024 * 1024
_README = """This file has everything that the workspace owns in Sightline.

workspace.json   the workspace
people.csv       its members and guests
data/            every table of the database as JSON Lines, one row on each line
sealed/          answers of months that left the database, as Parquet
payloads.jsonl   the raw responses of AI platforms, as far as they are still stored
tables/          the tables for analysts as CSV, in a folder for each tracked domain
ledger-*.csv     the credit ledger of live and test mode
audit.csv        the audit log
manifest.json    the number of rows of each file, and what was left out, with the reason

Secrets are left out: passwords, keys, and secrets of webhooks and links, of which Sightline stores only hashes or
encrypted values.
"""


async def request_export(tx: Transaction, actor: Actor, *, now: datetime) -> uuid.UUID | None:
    """Let the worker make an export. Refused: anyone but an owner (403). None while another one is under way."""
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    export_id = new_id()
    if not await queries.insert_export(tx, actor.workspace_id, export_id, actor.user_id, now=now):
        return None
    await record_audit(tx, actor.workspace_id, "export_requested", export_id=export_id)
    job = ExportJob(actor.workspace_id, export_id)
    await enqueue(tx, NewJob(kind=EXPORT_JOB, payload=job, key=f"export:{export_id}"))
    return export_id


async def make_export(
    db: Database, settings: Settings, stores: PayloadStores, sealed: SealedMonths, job: ExportJob, *, now: datetime
) -> None:
    """Make the file, and send its link to the person who asked for it. A complete export is made once."""
    wanted = await queries.find_export(db, job.workspace_id, job.export_id)
    if wanted is None or wanted.completed_at is not None:
        return
    async with db.transaction() as tx:
        await queries.delete_parts(tx, job.workspace_id, job.export_id)
    size, number = 0, 0
    async for part in _write_zip(db, stores, sealed, job.workspace_id, now=now):
        await queries.insert_part(db, job.workspace_id, job.export_id, number, part)
        size, number = size + len(part), number + 1
        crash_point("after_export_part")
    async with db.transaction() as tx:
        await queries.complete_export(
            tx, job.workspace_id, job.export_id, size=size, now=now, expires_at=now + EXPORT_LIFETIME
        )
        await enqueue_export_ready(tx, settings, job.workspace_id, wanted, now=now)


async def delete_expired_exports_any_workspace(tx: Transaction, *, now: datetime) -> None:
    """Delete exports whose day is over. One that was not completed within a day can be requested again."""
    await queries.delete_expired_exports_any_workspace(tx, now=now, stuck_before=now - EXPORT_LIFETIME)


async def list_exports(db: Reader, actor: Actor) -> list[WorkspaceExport]:
    return await queries.list_exports(db, actor.workspace_id)


async def open_export(
    db: Database, actor: Actor, export_id: uuid.UUID | None, *, now: datetime
) -> AsyncIterator[bytes]:
    """Return the content of a complete export. Refused: one that has expired, or is of another workspace (404)."""
    found = export_id and await queries.find_export(db, actor.workspace_id, export_id)
    if not found or found.expires_at is None or found.expires_at <= now:
        raise Problem("not_found", "This export does not exist, or its day is over. Request a new one.")
    async with db.transaction() as tx:
        await record_audit(tx, actor.workspace_id, "export_downloaded", export_id=found.id)
    return _stream_parts(db, actor.workspace_id, found.id)


async def _stream_parts(db: Reader, workspace_id: uuid.UUID, export_id: uuid.UUID) -> AsyncIterator[bytes]:
    number = 0
    while (part := await queries.find_part(db, workspace_id, export_id, number)) is not None:
        yield part
        number += 1


class _Sink(io.RawIOBase):
    """Where the ZIP file is written: it is taken from here in parts, and never read back."""

    def __init__(self) -> None:
        super().__init__()
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written += data
        return len(data)

    def take(self, at_least: int) -> bytes | None:
        if len(self._written) < at_least:
            return None
        taken, self._written = bytes(self._written), bytearray()
        return taken


async def _write_zip(
    db: Database, stores: PayloadStores, sealed: SealedMonths, workspace_id: uuid.UUID, *, now: datetime
) -> AsyncIterator[bytes]:
    """Yield the file in parts. Compressing runs in a thread, because it takes longer than reading."""
    sink, counts = _Sink(), dict[str, int]()
    archive = zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED)
    async for name, batches in _list_files(db, stores, sealed, workspace_id):
        with archive.open(zipfile.ZipInfo(name, now.timetuple()[:6]), "w", force_zip64=True) as member:
            counts[name] = 0
            async for rows, content in batches:
                counts[name] += rows
                await asyncio.to_thread(member.write, content)
                if part := sink.take(PART_BYTES):
                    yield part
        if part := sink.take(PART_BYTES):
            yield part
    archive.writestr("manifest.json", _write_manifest(workspace_id, counts, now))
    archive.writestr("README.txt", _README)
    archive.close()
    if part := sink.take(1):
        yield part


Batches = AsyncIterator[tuple[int, bytes]]


async def _list_files(
    db: Database, stores: PayloadStores, sealed: SealedMonths, workspace_id: uuid.UUID
) -> AsyncIterator[tuple[str, Batches]]:
    """Yield the name of each file, and its content in batches with their number of rows."""
    yield "workspace.json", _read_workspace(db, workspace_id)
    yield "people.csv", _read_people(db, workspace_id)
    for table in await queries.list_owned_tables(db):
        if table.name not in LEFT_OUT_TABLES:
            yield f"data/{table.name}.jsonl", _read_table(db, table, workspace_id)
    yield "payloads.jsonl", _read_payloads(db, stores, workspace_id)
    for month in await list_sealed_months(db, workspace_id):
        for kind, file in month.files.items():
            path = build_path(month, kind)
            yield path.partition("/")[2], _count_rows(file.rows, sealed.read_file(path))
    operator = build_operator_actor(workspace_id)
    domains = await list_tracked_domains(db, operator, after=None, page_size=_MAX_DOMAINS)
    for domain in domains.rows:
        for name, flat_table in TABLES.items():
            read_sealed = read_sealed_rows(db, sealed, workspace_id)
            source = TableSource(workspace_id=workspace_id, domain_id=domain.id, read_sealed=read_sealed)
            read = TableRead(table=flat_table, source=source, extent=Extent(text=True), since=None)
            yield f"tables/{domain.domain}/{name}.csv", _count_lines(stream_lines(db, read, "csv"))
    for livemode in (True, False):
        entries = ledger_csv(db, workspace_id, livemode=livemode)
        yield f"ledger-{'live' if livemode else 'test'}.csv", _count_lines(entries)
    yield "audit.csv", _count_lines(audit.write_csv(db, workspace_id, AuditFilter()))


async def _count_rows(rows: int, chunks: AsyncIterator[bytes]) -> Batches:
    async for chunk in chunks:
        yield rows, chunk
        rows = 0


async def _count_lines(chunks: AsyncIterator[bytes]) -> Batches:
    async for chunk in chunks:
        yield chunk.count(b"\n"), chunk


async def _read_workspace(db: Reader, workspace_id: uuid.UUID) -> Batches:
    row = await queries.find_workspace_row(db, workspace_id)
    assert row is not None
    yield 1, row.encode() + b"\n"


async def _read_people(db: Reader, workspace_id: uuid.UUID) -> Batches:
    file = io.StringIO()
    writer, rows = csv.writer(file), await queries.list_people(db, workspace_id)
    writer.writerow(("user_id", "name", "email", "role"))
    writer.writerows([guard_formula(str(cell)) for cell in row] for row in rows)
    yield len(rows), file.getvalue().encode()


async def _read_table(db: Reader, table: OwnedTable, workspace_id: uuid.UUID) -> Batches:
    without = LEFT_OUT_COLUMNS.get(table.name, ())
    binary = [name for name in table.binary_columns if name not in without]
    after: Sequence[Any] | None = None
    while True:
        rows = await queries.list_rows(
            db, table, workspace_id, without=without, binary=binary, after=after, limit=_BATCH
        )
        if rows:
            yield len(rows), await asyncio.to_thread(_to_lines, rows, binary)
        if len(rows) < _BATCH:
            return
        after = list(rows[-1])[1 + len(binary) :]


def _to_lines(rows: Sequence[Any], binary: Sequence[str]) -> bytes:
    lines = []
    for row in rows:
        if not binary:
            lines.append(row[0].encode())
            continue
        document = msgspec.json.decode(row[0], type=dict[str, Any])
        for name, content in zip(binary, list(row)[1:], strict=False):
            document[name] = None if content is None else decode_binary(content)
        lines.append(msgspec.json.encode(document))
    return b"\n".join(lines) + b"\n"


def decode_binary(content: bytes) -> Any:
    """Return what a binary column holds: JSON, text, or Base64 of other bytes. Pure."""
    with suppress(zlib.error):
        content = zlib.decompress(content)
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        msgspec.json.decode(content)
        return msgspec.Raw(content)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return base64.b64encode(content).decode()


async def _read_payloads(db: Reader, stores: PayloadStores, workspace_id: uuid.UUID) -> Batches:
    async for (_, scan_id, answer_id), stored in list_payloads(db, stores, workspace_id):
        row = {"scan_id": str(scan_id), "answer_id": str(answer_id), "payload": decode_binary(stored)}
        yield 1, await asyncio.to_thread(msgspec.json.encode, row) + b"\n"


def _write_manifest(workspace_id: uuid.UUID, counts: dict[str, int], now: datetime) -> bytes:
    manifest = {
        "workspace_id": str(workspace_id),
        "made_at": to_iso(now),
        "rows": counts,
        "left_out": {"tables": LEFT_OUT_TABLES, "columns": LEFT_OUT_COLUMNS},
    }
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2)
