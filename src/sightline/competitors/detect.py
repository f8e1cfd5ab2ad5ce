"""Suggesting the competitors that the answers of a scan name. Only people confirm them.

People's decisions are not changed: a confirmed, dismissed or hidden competitor stays so, even if it is found again by
another of its names.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.competitors import queries
from sightline.competitors.models import CompetitorRow
from sightline.competitors.names import is_own_domain, name_key, tidy_name
from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import InvalidDomainName, clean_domain
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.kit.ids import new_id


class DetectedCompetitor(msgspec.Struct, frozen=True):
    """A name that answers present as an alternative, and its domain if they mention it."""

    name: str
    domain: str | None
    score: float


class _KnownCompetitors:
    """The stored competitors, found by domain or by any of their names."""

    def __init__(self, rows: Sequence[CompetitorRow]) -> None:
        self._rows = {row.id: row for row in rows}

    def add(self, row: CompetitorRow) -> None:
        self._rows[row.id] = row

    def remove(self, row: CompetitorRow) -> None:
        del self._rows[row.id]

    def find_by_domain(self, domain: str | None) -> CompetitorRow | None:
        return next((row for row in self._rows.values() if domain and row.competitor_domain == domain), None)

    def find_by_name(self, name: str) -> CompetitorRow | None:
        """Find a competitor by name, preferring one that people have decided on."""
        named = [row for row in self._rows.values() if name_key(name) in _name_keys(row)]
        return min(named, key=lambda row: row.status == "suggested", default=None)


def _name_keys(row: CompetitorRow) -> set[str]:
    return {name_key(name) for name in (row.found_as, *row.all_names) if name}


async def suggest_competitors(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    found: Sequence[DetectedCompetitor],
    *,
    now: datetime,
) -> None:
    """Suggest competitors, leaving out the brand itself. A second run changes nothing."""
    tracked = await lock_tracked_domain(tx, workspace_id, domain_id)
    if tracked is None:
        return
    known = _KnownCompetitors(await queries.list_all_competitors(tx, workspace_id, domain_id))
    for each in _merge(found, tracked):
        await _suggest(tx, workspace_id, domain_id, each, known, now=now)


def _merge(found: Sequence[DetectedCompetitor], tracked: TrackedDomainRow) -> list[DetectedCompetitor]:
    """Return cleaned competitors, strongest first, each name once with the first domain found for it."""
    own = {name_key(name) for name in (tracked.brand_name, *tracked.aliases)}
    merged: dict[str, DetectedCompetitor] = {}
    for each in sorted(found, key=lambda each: -each.score):
        name, domain = tidy_name(each.name), _clean_domain(each.domain)
        if name is None or name_key(name) in own or (domain is not None and is_own_domain(domain, tracked)):
            continue
        first = merged.setdefault(name_key(name), DetectedCompetitor(name, domain, each.score))
        if first.domain is None and domain is not None:
            merged[name_key(name)] = DetectedCompetitor(first.name, domain, first.score)
    by_domain: dict[str, DetectedCompetitor] = {}
    for each in merged.values():  # two names with one domain are one competitor, with the stronger name
        by_domain.setdefault(each.domain or f"name:{each.name}", each)
    return list(by_domain.values())


def _clean_domain(domain: str | None) -> str | None:
    """Return the cleaned domain, or None for one that could not be confirmed later."""
    try:
        return clean_domain(domain, livemode=True) if domain else None
    except InvalidDomainName:
        return None


async def _suggest(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    found: DetectedCompetitor,
    known: _KnownCompetitors,
    *,
    now: datetime,
) -> None:
    by_domain, by_name = known.find_by_domain(found.domain), known.find_by_name(found.name)
    if any(row is not None and row.status != "suggested" for row in (by_domain, by_name)):
        return
    row = by_domain or by_name
    if row is None:
        made = await queries.insert_competitor(
            tx,
            workspace_id,
            domain_id,
            new_id(),
            found.domain,
            status="suggested",
            source="detected",
            found_as=found.name,
            score=found.score,
            now=now,
        )
        known.add(made)
        return
    if by_domain is not None and by_name is not None and by_name.competitor_domain is None:
        await queries.delete_without_domain(tx, workspace_id, by_name.id)
        known.remove(by_name)
    if row.competitor_domain is None and found.domain is not None:
        row = await queries.set_domain(tx, workspace_id, row.id, found.domain, now=now)
    if row.score != found.score:
        row = await queries.set_score(tx, workspace_id, row.id, found.score, now=now)
    known.add(row)
