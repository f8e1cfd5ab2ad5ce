"""Checkout attempts: reading them, and moving them between states."""

import re
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.credits.checkout import queries
from sightline.credits.checkout.states import TRANSITIONS, AttemptRow, AttemptStatus
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, retry_later
from sightline.kit.clock import to_iso

_REFERENCE = re.compile(r"co_[A-Za-z0-9]{32}")
_UNREACHABLE_SECONDS = 30


def is_reference(text: str) -> bool:
    """Return whether the text has the form of a reference."""
    return _REFERENCE.fullmatch(text) is not None


def provider_unreachable() -> Problem:
    """Return the refusal of what needs an answer of the payment provider."""
    detail = "The payment provider cannot be reached now. Nothing was charged or lost; try again."
    return retry_later("service_unavailable", _UNREACHABLE_SECONDS, detail)


async def list_attempts(
    db: Reader, actor: Actor, *, after: queries.SortKey | None, page_size: int
) -> Slice[AttemptRow]:
    """List the attempts of the workspace and mode, newest first."""
    rows = await queries.list_attempts(
        db, actor.workspace_id, livemode=actor.livemode, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_attempt(db: Reader, actor: Actor, reference: str) -> AttemptRow:
    """Return an attempt. Refused: an unknown one, and one of another workspace or mode (404)."""
    found = None
    if is_reference(reference):
        found = await queries.find_attempt(db, actor.workspace_id, reference, livemode=actor.livemode)
    if found is None:
        raise Problem("not_found", "No checkout of this workspace has this reference.")
    return found


async def move_attempt(
    tx: Transaction,
    attempt: AttemptRow,
    becomes: AttemptStatus,
    *,
    reason: str | None = None,
    payment_reference: str | None = None,
    now: datetime,
) -> AttemptRow:
    """Move an attempt to another state. The caller holds its lock, so an invalid transition is a bug."""
    assert becomes in TRANSITIONS[attempt.status], f"{attempt.status} cannot become {becomes}"
    first_credit = becomes is AttemptStatus.CREDITED and attempt.credited_at is None
    moved = await queries.change_status(
        tx,
        attempt.workspace_id,
        attempt.id,
        was=attempt.status,
        becomes=becomes,
        reason=reason,
        payment_reference=payment_reference,
        credited_at=now if first_credit else None,
        now=now,
    )
    assert moved is not None, "the attempt was not locked"
    await record_audit(
        tx,
        attempt.workspace_id,
        "payment_moved",
        attempt_id=attempt.id,
        livemode=attempt.livemode,
        was=attempt.status,
        becomes=becomes,
        credits=attempt.credits,
    )
    return moved
