"""Packs: how many credits are sold at which price. The operator edits them for all workspaces.

A checkout keeps the credits and the price that it was started with, so a change applies to later ones only.
"""

from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.credits import queries
from sightline.credits.models import Pack, PackOffer
from sightline.credits.spend import read_cap_left
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.presentation.numbers import format_money

_MAX_INTEGER = 2**31 - 1


class PackChanges(msgspec.Struct, frozen=True):
    """Changes of a pack. A field that is left out stays; an empty badge removes it."""

    credits: int | None = None
    price_cents: int | None = None
    name: str | None = None
    description: str | None = None
    badge: str | None = None


async def list_offers(db: Reader, actor: Actor, *, default_cap: int, now: datetime) -> list[PackOffer]:
    """List the packs on sale, cheapest first. A pack above the rest of this month's spend cap is unavailable."""
    left = await read_cap_left(db, actor.workspace_id, livemode=actor.livemode, now=now, default_cap=default_cap)
    return [
        PackOffer(pack, None if pack.price_cents <= left else _explain_cap(pack, left))
        for pack in await queries.list_packs_any_workspace(db)
    ]


def _explain_cap(pack: Pack, left: int) -> str:
    price = format_money(pack.price_cents, pack.currency)
    return f"It costs {price}, but only {format_money(left, pack.currency)} of this month's spending limit is left."


async def find_pack(db: Reader, pricing_id: int) -> Pack | None:
    """Return the pack, retired or not."""
    return await queries.find_pack_any_workspace(db, pricing_id) if 0 < pricing_id <= _MAX_INTEGER else None


async def add_pack(
    tx: Transaction,
    *,
    credits: int,  # noqa: A002 - the product's term
    price_cents: int,
    name: str,
    description: str = "",
    badge: str | None = None,
) -> Pack:
    _require_valid(credits, price_cents, name)
    return await queries.insert_pack_any_workspace(
        tx, credits=credits, price_cents=price_cents, name=name.strip(), description=description.strip(), badge=badge
    )


async def change_pack(tx: Transaction, pricing_id: int, changes: PackChanges) -> Pack:
    pack = await _lock(tx, pricing_id)
    changed_fields = {
        field: value for field in changes.__struct_fields__ if (value := getattr(changes, field)) is not None
    }
    if "badge" in changed_fields:
        changed_fields["badge"] = changed_fields["badge"].strip() or None
    changed = msgspec.structs.replace(pack, **changed_fields)
    _require_valid(changed.credits, changed.price_cents, changed.name)
    await queries.update_pack_any_workspace(tx, changed)
    return changed


async def retire_pack(tx: Transaction, pricing_id: int) -> Pack:
    """Stop selling the pack. Retiring it twice changes nothing."""
    retired = msgspec.structs.replace(await _lock(tx, pricing_id), active=False)
    await queries.update_pack_any_workspace(tx, retired)
    return retired


async def _lock(tx: Transaction, pricing_id: int) -> Pack:
    pack = await queries.find_pack_any_workspace(tx, pricing_id, lock=True) if 0 < pricing_id <= _MAX_INTEGER else None
    if pack is None:
        raise Problem("not_found", f"There is no pack {pricing_id}.")
    return pack


def _require_valid(credits: int, price_cents: int, name: str) -> None:  # noqa: A002 - the product's term
    for field, value in (("credits", credits), ("price_cents", price_cents)):
        if not 0 < value <= _MAX_INTEGER:
            raise invalid_field(field, f"must be an integer from 1 to {_MAX_INTEGER}", "range")
    if not name.strip():
        raise invalid_field("name", "must not be empty", "required")
