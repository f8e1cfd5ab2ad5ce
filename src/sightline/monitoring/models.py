"""What the status page and its figures are made of."""

import uuid
from datetime import datetime

import msgspec


class WorkerState(msgspec.Struct, frozen=True):
    """A worker that is alive."""

    id: uuid.UUID
    version: str | None
    """None for a release that does not report it."""
    started_at: datetime
    seen_at: datetime
    jobs: int


class TableSize(msgspec.Struct, frozen=True):
    name: str
    size: int
    rows: int | None
    """An estimate of PostgreSQL; None before the first one."""


class QueueRow(msgspec.Struct, frozen=True):
    """The jobs of one kind."""

    kind: str
    waiting: int
    scheduled: int
    running: int
    held: int
    oldest_seconds: float


class Schedule(msgspec.Struct, frozen=True):
    """Domains that are checked on a schedule."""

    domains: int
    within_a_day: int
    next_check_at: datetime | None
    lag_seconds: float


class Failures(msgspec.Struct, frozen=True):
    """What failed for good in the last day, by reason."""

    scans: list[tuple[str, int]]
    deliveries: list[tuple[str, int]]


class Storage(msgspec.Struct, frozen=True):
    """What the database holds, and how fast it grows."""

    size: int
    tables: list[TableSize]
    answers_in_week: int

    @property
    def daily_growth(self) -> int | None:
        """Return the bytes that answers add in a day, from those of the last week. None without an estimate."""
        sizes = {table.name: table for table in self.tables}
        answers = sizes["answers"].rows if "answers" in sizes else None
        if not answers:
            return None
        size = sum(sizes[name].size for name in ("answers", "answer_payloads", "answer_facts") if name in sizes)
        return round(size / answers * self.answers_in_week / 7)
