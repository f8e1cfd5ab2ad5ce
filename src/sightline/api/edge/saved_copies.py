"""Copies of the last good responses and of their callers, on disk, for reads while the database is down.

A copy is never shared between callers who might see different things: its name is made from workspace, mode, plan,
role, path and query. The files are private to the service's user, and hold no credentials.
"""

import asyncio
import hashlib
import os
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec
import structlog
from cachetools import FIFOCache

from sightline.accounts.models import Actor
from sightline.kit.clock import to_iso

log = structlog.get_logger()

CAPACITY = 2_000
# An unchanged copy is written again after this long, so that its `saved_at` says how fresh it is.
_REWRITE_AFTER = timedelta(seconds=60)


class SavedCopy(msgspec.Struct, frozen=True):
    saved_at: datetime
    content: bytes


class SavedActor(msgspec.Struct, frozen=True):
    """A caller who was recognized, their rate limit, and what bounds their key."""

    actor: Actor
    per_minute: int
    ends_at: datetime | None = None
    allowed_addresses: tuple[str, ...] = ()


class _Fingerprints(FIFOCache[str, tuple[int, datetime]]):
    """What was written last under each name, and when. Remembers dropped names, whose files are deleted."""

    def __init__(self) -> None:
        super().__init__(CAPACITY)
        self._dropped: list[str] = []

    def popitem(self) -> tuple[str, tuple[int, datetime]]:
        name, fingerprint = super().popitem()
        self._dropped.append(name)
        return name, fingerprint

    def take_dropped(self) -> list[str]:
        dropped, self._dropped = self._dropped, []
        return [name for name in dropped if name not in self]


class SavedCopies:
    """A bounded folder of copies, written after the response was sent and read only while the database is down."""

    def __init__(self, folder: Path, *, actor_age: int) -> None:
        self._folder = folder
        self._actor_age = timedelta(seconds=actor_age)
        self._known = _Fingerprints()
        self._waiting: dict[str, SavedCopy] = {}
        self._being_written: dict[str, SavedCopy] = {}
        self._writer: asyncio.Task[None] | None = None

    def open(self, *, now: datetime) -> None:
        """Create the folder, and delete what earlier runs left that is too old or beyond the capacity."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        oldest = (now - max(self._actor_age, timedelta(days=1))).timestamp()
        files = []
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process deletes old files as well
                files.append((file.stat().st_mtime, file))
        for index, (written, file) in enumerate(sorted(files, reverse=True)):
            if written < oldest or index >= CAPACITY:
                file.unlink(missing_ok=True)

    async def close(self) -> None:
        if self._writer is not None:
            await self._writer

    def store(self, name: str, content: bytes, *, now: datetime) -> None:
        """Store a copy in the background. Storing an unchanged copy again is cheap."""
        fingerprint = hash(content)  # valid in this process alone; a collision would only delay a copy by a minute
        known = self._known.get(name)
        if known is not None and known[0] == fingerprint and now - known[1] < _REWRITE_AFTER:
            return
        self._known[name] = (fingerprint, now)
        self._waiting[name] = SavedCopy(now, content)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())

    async def find(self, name: str) -> SavedCopy | None:
        unwritten = self._waiting.get(name) or self._being_written.get(name)
        return unwritten or await asyncio.to_thread(self._read, name)

    def store_actor(self, name: str, saved: SavedActor, *, now: datetime) -> None:
        self.store(name, msgspec.json.encode(saved), now=now)

    async def find_actor(self, name: str, *, now: datetime) -> SavedActor | None:
        copy = await self.find(name)
        if copy is None or now - copy.saved_at > self._actor_age:
            return None
        try:
            return msgspec.json.decode(copy.content, type=SavedActor)
        except (msgspec.MsgspecError, UnicodeDecodeError):  # damaged, or written by another version
            return None

    async def _write_waiting(self) -> None:
        while self._waiting:
            self._being_written, self._waiting = self._waiting, {}
            surplus = self._known.take_dropped()
            try:
                await asyncio.to_thread(self._write_batch, self._being_written, surplus)
            except OSError as error:  # such as on a full disk
                log.warning("saved_copies_not_written", folder=str(self._folder), reason=str(error))
            finally:
                self._being_written = {}

    def _write_batch(self, batch: dict[str, SavedCopy], surplus: list[str]) -> None:
        for name, copy in batch.items():
            draft = self._folder / f"{name}.{secrets.token_hex(4)}"
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(to_iso(copy.saved_at).encode() + b"\n" + copy.content)
            draft.replace(self._folder / name)
        for name in surplus:
            (self._folder / name).unlink(missing_ok=True)

    def _read(self, name: str) -> SavedCopy | None:
        try:
            saved_at, _, content = (self._folder / name).read_bytes().partition(b"\n")
            moment = datetime.fromisoformat(saved_at.decode())
            return None if moment.tzinfo is None else SavedCopy(moment, content)
        except (OSError, ValueError):
            return None


@lru_cache(CAPACITY)
def build_copy_name(actor: Actor, path: str, query: str) -> str:
    parts = ("copy", str(actor.workspace_id), actor.livemode, actor.plan, actor.role, path, query)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@lru_cache(CAPACITY)
def build_actor_name(credential: bytes, *context: str) -> str:
    """Build a name from the digest of a key or session, never from the credential itself."""
    return hashlib.sha256(b"actor\0" + credential + "\0".join(context).encode()).hexdigest()
