"""The last good copy of what was read, and of who read it, on disk: what reads are answered from while the database
is away.

A copy is never shared between callers who might see different things: it is keyed by workspace, mode, plan, role,
path and query. Files are private to the service's user. Nothing secret is ever copied.
"""

import asyncio
import hashlib
import os
import secrets
from collections import OrderedDict
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec
import structlog

from sightline.accounts.models import Actor
from sightline.kit.clock import to_iso

log = structlog.get_logger()

_CAPACITY = 2_000
# An unchanged copy is written again after this long, so that its time stays honest.
_REFRESH = timedelta(seconds=60)


class SavedCopy(msgspec.Struct, frozen=True):
    saved_at: datetime
    content: bytes


class SavedActor(msgspec.Struct, frozen=True):
    actor: Actor
    per_minute: int


class SavedCopies:
    """A bounded folder of files; written behind the response, read only when the database is away."""

    def __init__(self, folder: Path, *, actor_age: int) -> None:
        self._folder = folder
        self._actor_age = timedelta(seconds=actor_age)
        self._known: OrderedDict[str, tuple[int, datetime]] = OrderedDict()
        self._waiting: dict[str, SavedCopy] = {}
        self._being_written: dict[str, SavedCopy] = {}
        self._writer: asyncio.Task[None] | None = None

    def open(self, *, now: datetime) -> None:
        """Makes the folder and forgets what an earlier run left too long ago to be of use."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        oldest = (now - max(self._actor_age, timedelta(days=1))).timestamp()
        files = []
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process tidies up as well
                files.append((file.stat().st_mtime, file))
        for place, (written, file) in enumerate(sorted(files, reverse=True)):
            if written < oldest or place >= _CAPACITY:
                file.unlink(missing_ok=True)

    async def close(self) -> None:
        if self._writer is not None:
            await self._writer

    def keep(self, name: str, content: bytes, *, now: datetime) -> None:
        """Remembers the copy; cheap when nothing has changed. The writing happens behind the response."""
        fingerprint = hash(content)  # of this process alone; a collision would only delay a copy by a minute
        known = self._known.get(name)
        if known is not None and known[0] == fingerprint and now - known[1] < _REFRESH:
            return
        self._known[name] = (fingerprint, now)
        self._known.move_to_end(name)
        self._waiting[name] = SavedCopy(now, content)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())

    async def find(self, name: str) -> SavedCopy | None:
        on_its_way = self._waiting.get(name) or self._being_written.get(name)
        return on_its_way or await asyncio.to_thread(self._read, name)

    def keep_actor(self, name: str, saved: SavedActor, *, now: datetime) -> None:
        self.keep(name, msgspec.json.encode(saved), now=now)

    async def find_actor(self, name: str, *, now: datetime) -> SavedActor | None:
        copy = await self.find(name)
        if copy is None or now - copy.saved_at > self._actor_age:
            return None
        try:
            return msgspec.json.decode(copy.content, type=SavedActor)
        except (msgspec.MsgspecError, UnicodeDecodeError):  # damaged, or written by another version
            return None

    def end_credential(self, credential: bytes, *, now: datetime) -> None:
        """A revoked key or an ended session must not read on from copies."""
        self.keep(name_of_actor(credential, "ended"), b"", now=now)

    async def has_ended(self, credential: bytes) -> bool:
        return await self.find(name_of_actor(credential, "ended")) is not None

    async def _write_waiting(self) -> None:
        while self._waiting:
            self._being_written, self._waiting = self._waiting, {}
            surplus = [self._known.popitem(last=False)[0] for _ in range(max(0, len(self._known) - _CAPACITY))]
            try:
                await asyncio.to_thread(self._write_batch, self._being_written, surplus)
            except OSError:
                log.exception("saved_copies_not_written", folder=str(self._folder))
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


@lru_cache(_CAPACITY)
def name_of_copy(actor: Actor, path: str, query: str) -> str:
    parts = ("copy", str(actor.workspace_id), actor.livemode, actor.plan, actor.role, path, query)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@lru_cache(_CAPACITY)
def name_of_actor(credential: bytes, *context: str) -> str:
    """From the digest of the key or the session, never from the credential itself."""
    return hashlib.sha256(b"actor\0" + credential + "\0".join(context).encode()).hexdigest()
