"""Callers who may no longer read saved copies: keys, sessions and memberships that ended before an outage.

Each process reads the records of the database every second, and writes a small file for each. So what was known before
an outage holds during it, in every process, and after a restart.
"""

import asyncio
import hashlib
import os
import uuid
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from cachetools import LRUCache

from sightline.accounts.ended_access import (
    EndedAccess,
    find_record_age,
    list_ended_any_workspace,
    name_credential,
    name_member,
)
from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.kit.clock import to_iso_or_none

log = structlog.get_logger()

_CAPACITY = 20_000
_FOLLOW_SECONDS = 1.0
# Longer than any transaction: a record has the time of its writing, and is visible only after the commit.
_OVERLAP = timedelta(minutes=5)


class EndedCallers:
    """The callers who have ended, in files that all processes of a data directory share."""

    def __init__(self, folder: Path, *, actor_age: int) -> None:
        self._folder = folder
        self._actor_age = timedelta(seconds=actor_age)
        self._known: LRUCache[str, EndedAccess] = LRUCache(_CAPACITY)
        self._has_read_all = False

    def open(self, *, now: datetime) -> None:
        """Create the folder, and delete files that are older than any caller whom copies remember."""
        oldest = now - find_record_age(self._actor_age)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process deletes old files as well
                if file.stat().st_mtime < oldest.timestamp():
                    file.unlink()

    async def run(self, db: Database) -> None:
        """Follow the records until the process ends."""
        await run_forever(
            lambda: self.follow(db), every=_FOLLOW_SECONDS, failure_event="ended_callers_not_followed", failure_delay=5
        )

    async def follow(self, db: Database) -> None:
        """Store what was recorded since the last time; after a start and after an outage, everything on record."""
        recorded_within = _OVERLAP if self._has_read_all else None
        self._has_read_all = False
        found = await list_ended_any_workspace(db, recorded_within=recorded_within)
        self._has_read_all = True
        news = {each.subject: each for each in found if self._known.get(each.subject) != each}
        self._known.update(news)
        if news:
            await asyncio.to_thread(self._write_all, list(news.values()))

    async def has_ended(self, digest: bytes, workspace_id: uuid.UUID, user_id: uuid.UUID, *, now: datetime) -> bool:
        """Return whether the credential or the membership of its owner has ended."""
        for subject in (name_credential(digest), name_member(workspace_id, user_id)):
            ended = self._known.get(subject) or await asyncio.to_thread(self._read, subject)
            if ended is not None and ended.is_over and (ended.ends_at is None or ended.ends_at <= now):
                return True
        return False

    def _write_all(self, found: list[EndedAccess]) -> None:
        for each in found:
            self._write(each)

    def _write(self, ended: EndedAccess) -> None:
        file = self._find_file(ended.subject)
        try:
            if not ended.is_over:
                file.unlink(missing_ok=True)
                return
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as written:
                written.write(to_iso_or_none(ended.ends_at) or "")
        except OSError as error:  # such as on a full disk
            log.warning("ended_caller_not_stored", folder=str(self._folder), reason=str(error))

    def _read(self, subject: str) -> EndedAccess | None:
        """Read the file of a subject. A file that cannot be read counts as ended access."""
        try:
            text = self._find_file(subject).read_text()
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return EndedAccess(subject, is_over=True, ends_at=None)
        try:
            return EndedAccess(subject, is_over=True, ends_at=datetime.fromisoformat(text))
        except ValueError:
            return EndedAccess(subject, is_over=True, ends_at=None)

    def _find_file(self, subject: str) -> Path:
        return self._folder / hashlib.sha256(subject.encode()).hexdigest()
