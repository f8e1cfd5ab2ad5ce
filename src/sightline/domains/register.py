"""Registering, reading and changing Console domains. Names are validated, never contacted."""

import uuid
from datetime import datetime
from typing import TypeVar

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.domains import queries
from sightline.domains.models import BrandDetails, Competitor, ConsoleDomainRow
from sightline.domains.names import InvalidDomainName, clean_domain, first_label
from sightline.domains.schemas import CompetitorInput, DomainChanges, DomainInput
from sightline.errors import FaultCollector, Problem, invalid_field, invalid_fields
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id

T = TypeVar("T")


async def register_domain(tx: Transaction, actor: Actor, payload: DomainInput, *, now: datetime) -> ConsoleDomainRow:
    """Register the name, or restore the record of a removed domain.

    A restored record keeps its id, its history and every detail that is not given again. Refused: a domain that is
    active (409, with its id).
    """
    domain, faults = "", FaultCollector()
    with faults.catch():
        domain = _clean_own(payload.domain, livemode=actor.livemode)
    with faults.catch():
        defaults = BrandDetails(first_label(domain), aliases=[], owned_domains=[], competitors=[])
        details = merge_details(domain, defaults, payload, livemode=actor.livemode)
    faults.raise_if_any()
    if await queries.insert_console_domain(
        tx, actor.workspace_id, new_id(), domain, details, livemode=actor.livemode, now=now
    ):
        return await _read_by_name(tx, actor, domain)
    recorded = await _read_by_name(tx, actor, domain)
    if recorded.status != "removed":
        raise Problem("domain_exists", domain_id=str(recorded.id))
    await queries.update_domain(tx, actor.workspace_id, recorded.id, status="active", removed_at=None)
    return await change_domain(tx, actor, recorded, payload)


async def list_domains(
    db: Reader, actor: Actor, *, after: queries.SortKey | None, page_size: int
) -> Slice[ConsoleDomainRow]:
    """List Console domains, most recently created first."""
    rows = await queries.list_console_domains(
        db, actor.workspace_id, livemode=actor.livemode, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_domain(db: Reader, actor: Actor, domain_id: uuid.UUID | None, *, lock: bool = False) -> ConsoleDomainRow:
    """Return a Console domain. Refused: a removed or tracked one, and one of another mode or workspace (404)."""
    found = domain_id and await queries.find_console_domain(
        db, actor.workspace_id, domain_id, livemode=actor.livemode, lock=lock
    )
    if not found:
        raise Problem("domain_not_found")
    return found


async def change_domain(
    tx: Transaction, actor: Actor, current: ConsoleDomainRow, changes: DomainChanges
) -> ConsoleDomainRow:
    """Change the details of a domain that the caller has read with its lock, so that two changes cannot mix."""
    known = BrandDetails(current.brand_name, current.aliases, current.owned_domains, current.competitors)
    details = merge_details(current.domain, known, changes, livemode=actor.livemode)
    await queries.update_details(tx, actor.workspace_id, current.id, details)
    return await read_domain(tx, actor, current.id)


async def _read_by_name(tx: Transaction, actor: Actor, domain: str) -> ConsoleDomainRow:
    """Lock and return the record, removed or not. Records are never deleted."""
    recorded = await queries.lock_console_domain_by_name(tx, actor.workspace_id, domain, livemode=actor.livemode)
    assert recorded is not None
    return recorded


def merge_details(domain: str, known: BrandDetails, changes: DomainChanges, *, livemode: bool) -> BrandDetails:
    """Apply the changes to the known details, and clean them. Refused: invalid fields (422)."""
    return _clean_details(
        domain,
        _value_or(changes.brand_name, known.brand_name),
        _value_or(changes.aliases, known.aliases),
        _value_or(changes.owned_domains, known.owned_domains),
        _value_or(changes.competitors, [CompetitorInput(c.domain, c.name) for c in known.competitors]),
        livemode=livemode,
    )


def _value_or(change: T | msgspec.UnsetType, known: T) -> T:
    return known if isinstance(change, msgspec.UnsetType) else change


def _clean_details(
    domain: str,
    brand_name: str,
    aliases: list[str],
    owned_domains: list[str],
    competitors: list[str | CompetitorInput],
    *,
    livemode: bool,
) -> BrandDetails:
    faults = FaultCollector()
    brand_name = " ".join(brand_name.split())
    if not brand_name:
        faults.add("brand_name", "must not be empty", "required")
    owned = []
    for i, name in enumerate(owned_domains):
        with faults.catch():
            owned.append(_clean_listed(name, f"owned_domains[{i}]", livemode))
    rivals: dict[str, Competitor] = {}
    for i, entry in enumerate(competitors):
        with faults.catch():
            rival = _clean_competitor(entry, f"competitors[{i}]", {domain, *owned}, livemode=livemode)
            rivals.setdefault(rival.domain, rival)
    faults.raise_if_any()
    return BrandDetails(
        brand_name=brand_name,
        # An alias in lower case says that the brand writes itself so; a name that is only the domain's label does not.
        aliases=_distinct(
            [" ".join(alias.split()) for alias in aliases], excluding={brand_name} - {first_label(domain)}
        ),
        owned_domains=_distinct(owned, excluding={domain}),
        competitors=list(rivals.values()),
    )


def _clean_competitor(entry: str | CompetitorInput, field: str, own: set[str], *, livemode: bool) -> Competitor:
    """Return the competitor. Refused: an invalid domain, and one of the brand's own. `field` is its request field."""
    if isinstance(entry, str):
        named = CompetitorInput(entry)
    else:
        named, field = entry, f"{field}.domain"
    domain = _clean_listed(named.domain, field, livemode)
    if domain in own:
        raise invalid_field(field, f"{domain} is the brand's own domain", "own_domain")
    return Competitor(domain, (named.name or "").strip() or None)


def _clean_own(name: str, *, livemode: bool) -> str:
    try:
        return clean_domain(name, livemode=livemode)
    except InvalidDomainName as error:
        raise invalid_fields(("domain", str(error), "invalid_domain"), problem="invalid_domain") from error


def _clean_listed(name: str, field: str, livemode: bool) -> str:
    try:
        return clean_domain(name, livemode=livemode)
    except InvalidDomainName as error:
        raise invalid_field(field, str(error), "invalid_domain") from error


def _distinct(names: list[str], *, excluding: set[str]) -> list[str]:
    """Remove blanks, excluded names and, ignoring case, duplicates. Keep the order."""
    seen: set[str] = set()
    kept = []
    for name in names:
        if name and name not in excluding and name.casefold() not in seen:
            seen.add(name.casefold())
            kept.append(name)
    return kept
