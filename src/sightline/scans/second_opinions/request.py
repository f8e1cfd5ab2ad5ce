"""Requesting a second opinion: upload a file, confirm its columns, and delete what is stored of it."""

import shutil
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

import msgspec

from sightline.accounts.models import Actor
from sightline.answers.models import Brand
from sightline.db.engine import Transaction
from sightline.jobs.queue import NewJob, drop_job, enqueue
from sightline.kit.ids import new_id
from sightline.presentation.language import gettext
from sightline.scans.answer_files.columns import find_layout
from sightline.scans.answer_files.records import read_samples
from sightline.scans.brands import clean_brand_name, read_named_brand
from sightline.scans.second_opinions import queries
from sightline.scans.second_opinions.models import (
    JOB,
    MAX_A_DAY,
    MAX_COMPETITORS,
    MAX_WAITING,
    FileHead,
    OpinionJob,
    OpinionRequest,
    OpinionRow,
)

_KEPT = timedelta(hours=24)
_MAX_NAME = 200


class OpinionLimit(Exception):
    """The workspace has as many files as it may have. `waiting` says that some of them are not measured yet."""

    def __init__(self, *, waiting: bool) -> None:
        super().__init__()
        self.waiting = waiting


class InvalidBrands(ValueError):
    """A sentence that says what is wrong with the brands, and the field that it is about."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def build_request(brand: str, domain: str, aliases: Sequence[str], competitors: Sequence[str]) -> OpinionRequest:
    """Return the brands to measure. A competitor is NAME, NAME=domain or a domain. Raises `InvalidBrands`."""
    field = "brand"
    try:
        name = clean_brand_name(brand)
        field = "domain" if domain else "brand"
        own = read_named_brand(f"{name}={domain}" if domain else name, livemode=False)
        field = "aliases"
        own = msgspec.structs.replace(own, aliases=(*own.aliases, *map(clean_brand_name, aliases)))
        field = "competitors"
        rivals = _read_competitors(competitors, own)
    except ValueError as error:
        text = str(error).rstrip(".") + "."
        raise InvalidBrands(field, text[:1].upper() + text[1:]) from error
    return OpinionRequest(brand=own, competitors=rivals)


def _read_competitors(competitors: Sequence[str], own: Brand) -> tuple[Brand, ...]:
    found: dict[str, Brand] = {}
    for text in competitors:
        each = read_named_brand(text, livemode=False)
        found.setdefault(each.name.casefold(), each)
    if {name.casefold() for name in (own.name, *own.aliases)} & set(found):
        raise ValueError(gettext("The brand itself cannot be one of its competitors."))
    if len(found) > MAX_COMPETITORS:
        raise ValueError(gettext("Enter at most %(most)s competitors.", most=MAX_COMPETITORS))
    return tuple(found.values())


def inspect_file(file: IO[bytes], name: str) -> tuple[FileHead, bytes]:
    """Return the beginning of a file and its compressed content. Raises `UnreadableFile`."""
    with NamedTemporaryFile() as copy:
        file.seek(0)
        shutil.copyfileobj(file, copy)
        copy.flush()
        path = Path(copy.name)
        layout = find_layout(path, name)
        return FileHead(layout=layout, samples=read_samples(path, layout)), _compress_file(path)


def _compress_file(path: Path) -> bytes:
    """Return the content compressed, in a few parts in memory."""
    packer = zlib.compressobj(1)
    parts = []
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            parts.append(packer.compress(chunk))
    return b"".join([*parts, packer.flush()])


async def save_upload(
    tx: Transaction,
    actor: Actor,
    *,
    file_name: str,
    head: FileHead,
    content: bytes,
    request: OpinionRequest,
    now: datetime,
) -> OpinionRow:
    """Store an uploaded file until its columns are confirmed. Raises `OpinionLimit`."""
    await queries.lock_uploads(tx, actor.workspace_id)
    stored, waiting = await queries.count_opinions(tx, actor.workspace_id, now=now)
    if waiting >= MAX_WAITING or stored >= MAX_A_DAY:
        raise OpinionLimit(waiting=waiting >= MAX_WAITING)
    row = OpinionRow(
        workspace_id=actor.workspace_id,
        id=new_id(),
        file_name=" ".join(file_name.split())[:_MAX_NAME] or "file",
        state="uploaded",
        request=msgspec.json.encode(request),
        head=msgspec.json.encode(head),
        fault=None,
        created_at=now,
        expires_at=now + _KEPT,
    )
    await queries.insert_opinion(tx, row, content)
    return row


async def start_opinion(tx: Transaction, row: OpinionRow, columns: Mapping[str, str]) -> None:
    """Let a worker measure the file by these columns. Starting it twice changes nothing.

    Raises `UnreadableFile` if no column holds the answers, or if one is chosen twice.
    """
    head = row.read_head()
    layout = head.layout.choose(columns)
    layout.require_text()
    chosen = msgspec.json.encode(msgspec.structs.replace(head, layout=layout))
    if await queries.queue_opinion(tx, row.workspace_id, row.id, head=chosen):
        job = OpinionJob(row.workspace_id, row.id)
        await enqueue(tx, NewJob(kind=JOB, payload=job, key=job.key))


async def delete_opinion(tx: Transaction, row: OpinionRow) -> None:
    """Delete the file and everything that was found in it. A file that is being measured is left to its end."""
    await queries.delete_opinion(tx, row.workspace_id, row.id)
    await drop_job(tx, OpinionJob(row.workspace_id, row.id).key)
