"""Reading what platform calls cost: page by page, or summed."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import TypeVar

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import FaultCollector, invalid_field
from sightline.platforms.costs import queries
from sightline.platforms.costs.models import CallTotals, CostRow

_MAX_ROWS = 100_000
Group = TypeVar("Group")


class CostPeriod(msgspec.Struct, frozen=True):
    """The first and the last day (UTC) of a report on costs, both included."""

    since: date
    until: date


def read_period(since: str | None, until: str | None, *, now: datetime) -> CostPeriod:
    """Return the period: by default this month so far. Refused: an invalid date, and an end before the start (422)."""
    last, first, faults = now.date(), None, FaultCollector()
    with faults.catch():
        last = _parse_day("until", until) if until else last
    with faults.catch():
        first = _parse_day("since", since) if since else None
    faults.raise_if_any()
    first = first or last.replace(day=1)
    if last < first:
        raise invalid_field("until", "must not be before since", "range")
    return CostPeriod(first, last)


def _parse_day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise invalid_field(name, "must be a date such as 2026-11-16", "format") from None


async def list_costs(
    db: Reader, actor: Actor, period: CostPeriod, *, after: Sequence[str] | None, page_size: int
) -> Slice[CostRow]:
    """List costs by day, domain and platform, newest day first. Test mode asks no platform, so it has none."""
    if not actor.livemode:
        return Slice([], None)
    start = after and (date.fromisoformat(after[0]), uuid.UUID(after[1]), after[2])
    rows = await queries.list_costs(
        db, actor.workspace_id, since=period.since, until=period.until, after=start or None, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (row.day.isoformat(), str(row.domain_id), row.platform))


async def read_costs(db: Reader, workspace_id: uuid.UUID, period: CostPeriod) -> list[CostRow]:
    """Return all costs of a workspace in a period, newest day first."""
    return await queries.list_costs(
        db, workspace_id, since=period.since, until=period.until, after=None, limit=_MAX_ROWS
    )


async def read_costs_any_workspace(db: Reader, period: CostPeriod) -> list[CostRow]:
    return await queries.list_costs_any_workspace(db, since=period.since, until=period.until)


def sum_costs(rows: Iterable[CostRow], group: Callable[[CostRow], Group]) -> dict[Group, CallTotals]:
    """Return the totals by group, in the order in which the groups first appear."""
    sums: dict[Group, CallTotals] = {}
    for row in rows:
        key = group(row)
        sums[key] = sums.get(key, CallTotals()).plus(row.totals)
    return sums
