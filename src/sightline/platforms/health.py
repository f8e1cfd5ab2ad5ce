"""Which platforms fail: those whose latest calls all failed, as every process saw them.

One row for each failing platform says since when. A process writes what it has seen once a second; a process that is
killed loses its last second, and the next call makes up for it.
"""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from sightline.db.engine import Database, Reader
from sightline.kit.clock import Clock
from sightline.platforms import queries
from sightline.platforms.models import FaultKind, PlatformCall

MIN_FAILED_CALLS = 3
"""Fewer failed calls in a row may be chance."""


class FailingPlatform(msgspec.Struct, frozen=True):
    """A platform whose calls have all failed for a while."""

    platform: str
    failing_since: datetime
    calls: int
    """How many calls have failed since then."""
    fault: FaultKind
    """Why the last one failed."""


class HealthLog:
    """The calls of this process that are not written yet, by platform: whether any succeeded, and what failed since."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._succeeded: set[str] = set()
        self._failing: dict[str, FailingPlatform] = {}

    def note(self, call: PlatformCall) -> None:
        """Note the outcome of a call. One that was cancelled says nothing about the platform."""
        if not call.failed:
            self._succeeded.add(call.platform)
            self._failing.pop(call.platform, None)
        elif call.fault is not None:
            seen = self._failing.get(call.platform)
            since, calls = (seen.failing_since, seen.calls) if seen else (self._clock(), 0)
            self._failing[call.platform] = FailingPlatform(call.platform, since, calls + 1, call.fault)

    async def write(self, db: Database) -> None:
        """Write what was noted. Each row is written on its own, so that two processes never wait for each other."""
        succeeded, self._succeeded = self._succeeded, set()
        failing, self._failing = self._failing, {}
        for platform in succeeded:
            await clear_failures(db, platform)
        for each in failing.values():
            await queries.add_failures(db, each.platform, each.failing_since, each.calls, each.fault)


async def clear_failures(db: Database, platform: str) -> None:
    """Record that a call has succeeded."""
    await queries.delete_failures(db, platform)


async def read_failing(db: Reader) -> Mapping[str, FailingPlatform]:
    """Return the platforms that fail, by key."""
    rows = await queries.list_failures(db, min_calls=MIN_FAILED_CALLS)
    return {row[0]: FailingPlatform(row[0], row[1], row[2], row[3]) for row in rows}
