"""Starting a purchase: the attempt is recorded first, then the provider's page is created and linked to it."""

import secrets
import string
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.credits.checkout import queries
from sightline.credits.checkout.attempts import move_attempt, provider_unreachable
from sightline.credits.checkout.cancel import cancel_open_checkouts
from sightline.credits.checkout.states import AttemptRow, AttemptStatus
from sightline.credits.ledger import CreditAccount, CreditRules, build_credit_rules, lock_balance
from sightline.credits.models import Pack, Spend
from sightline.credits.packs import find_pack
from sightline.credits.providers.models import NewOrder, Provider, ProviderUnavailable, StartedOrder
from sightline.credits.providers.payments import Payments
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.credits.spend import read_cap_left, read_spend, sum_open_attempts
from sightline.db.engine import Database, Transaction
from sightline.db.installation import read_fact, store_fact
from sightline.errors import Problem, invalid_field, retry_later
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.settings import Settings

_ALPHABET = string.ascii_letters + string.digits
_PAUSED_SECONDS = 3_600


class CheckoutRules(msgspec.Struct, frozen=True):
    """The operator's rules for checkouts."""

    lifetime: int
    spend_cap_cents: int
    public_url: str
    credit_rules: CreditRules


class StartedCheckout(msgspec.Struct, frozen=True):
    attempt: AttemptRow
    order: StartedOrder


def build_checkout_rules(settings: Settings) -> CheckoutRules:
    return CheckoutRules(
        lifetime=settings.checkout_lifetime,
        spend_cap_cents=settings.spend_cap_cents,
        public_url=settings.public_url,
        credit_rules=build_credit_rules(settings),
    )


async def start_checkout(
    db: Database, actor: Actor, pricing_id: int, payments: Payments, rules: CheckoutRules, *, now: datetime
) -> StartedCheckout:
    """Start a checkout, and cancel the unpaid ones of the workspace. The provider is never asked inside a transaction.

    Refused: purchases that are paused or that no provider can take (503), an unknown or retired pack (422), and
    exceeding the spend cap (409). A pack that cannot fit under the cap is refused before anything is cancelled.

    If the process dies after the attempt was recorded, the attempt has no page: nobody can pay it, and the next
    checkout replaces it.
    """
    provider = await _require_provider(db, actor, payments)
    pack = await find_pack(db, pricing_id)
    if pack is None or not pack.active:
        raise invalid_field("pricing_id", "is not a pack that is on sale", "unknown")
    await _require_price_below_cap(db, actor, pack.price_cents, rules, now=now)
    await cancel_open_checkouts(db, payments, actor, rules=rules.credit_rules, now=now)
    attempt = await _record_attempt(db, actor, pack, provider, rules, now=now)
    crash_point("after_attempt_committed")
    order = NewOrder(
        reference=attempt.reference,
        workspace_id=str(actor.workspace_id),
        livemode=attempt.livemode,
        amount_cents=attempt.amount_cents,
        currency=attempt.currency,
        description=pack.name,
        return_url=f"{rules.public_url}/checkout/{attempt.reference}/return",
        cancel_url=f"{rules.public_url}/checkout/{attempt.reference}/cancel",
        expires_at=attempt.expires_at,
    )
    try:
        started = StartedCheckout(attempt, await provider.start_order(order, now=now))
        crash_point("after_provider_session")
        return started
    except ProviderUnavailable as failure:
        await _expire_unstarted(db, attempt, now=now)
        raise provider_unreachable() from failure


async def finish_checkout(tx: Transaction, started: StartedCheckout) -> None:
    """Store the provider's session with the attempt. Only then is the address of the page revealed."""
    attempt, order = started.attempt, started.order
    await queries.save_session(tx, attempt.workspace_id, attempt.id, order.session, order.url)
    await record_audit(
        tx,
        attempt.workspace_id,
        "checkout_started",
        attempt_id=attempt.id,
        livemode=attempt.livemode,
        amount_cents=attempt.amount_cents,
        currency=attempt.currency,
        credits=attempt.credits,
    )


async def set_purchases_enabled(tx: Transaction, *, enabled: bool) -> None:
    """Pause or resume new purchases. Checkouts that were started can still be paid and recovered."""
    await store_fact(tx, "purchases_enabled", enabled)
    await record_audit(tx, None, "purchases_switched", enabled=enabled)


async def _require_provider(db: Database, actor: Actor, payments: Payments) -> Provider:
    if not await read_fact(db, "purchases_enabled"):
        raise retry_later("service_unavailable", _PAUSED_SECONDS, "New purchases are paused. Try again later.")
    provider = payments.provider_for(livemode=actor.livemode)
    if provider is payments.local and actor.livemode and await has_sandbox_ended(db):
        provider = None
    if provider is None:
        detail = "This installation cannot take payments" + (" yet." if actor.livemode else " in test mode.")
        raise retry_later("service_unavailable", _PAUSED_SECONDS, detail)
    return provider


async def _record_attempt(
    db: Database, actor: Actor, pack: Pack, provider: Provider, rules: CheckoutRules, *, now: datetime
) -> AttemptRow:
    attempt = AttemptRow(
        workspace_id=actor.workspace_id,
        id=new_id(),
        reference=f"co_{''.join(secrets.choice(_ALPHABET) for _ in range(32))}",
        livemode=actor.livemode,
        pricing_id=pack.pricing_id,
        credits=pack.credits,
        amount_cents=pack.price_cents,
        currency=pack.currency,
        provider=provider.name,
        provider_session=None,
        status=AttemptStatus.UNPAID,
        reason=None,
        payment_reference=None,
        refunded_cents=0,
        refunded_credits=0,
        credited_at=None,
        cancelled_at=None,
        expires_at=provider.expiry_for(now, rules.lifetime),
        created_at=now,
        updated_at=now,
    )
    async with db.transaction() as tx:
        await _require_within_cap(tx, actor, pack.price_cents, rules, now=now)
        await queries.insert_attempt(tx, attempt, actor.user_id)
    return attempt


async def _require_price_below_cap(
    db: Database, actor: Actor, price_cents: int, rules: CheckoutRules, *, now: datetime
) -> None:
    """Refuse a purchase that would exceed the cap even if all unpaid checkouts were cancelled."""
    workspace_id, livemode, cap = actor.workspace_id, actor.livemode, rules.spend_cap_cents
    if price_cents > await read_cap_left(db, workspace_id, livemode=livemode, now=now, default_cap=cap):
        spend = await read_spend(db, workspace_id, livemode=livemode, now=now, default_cap=cap)
        raise _above_cap(spend, price_cents, "")


async def _require_within_cap(
    tx: Transaction, actor: Actor, price_cents: int, rules: CheckoutRules, *, now: datetime
) -> None:
    """Refuse a purchase beyond the cap. The account's lock makes concurrent checkouts see each other."""
    workspace_id, livemode = actor.workspace_id, actor.livemode
    await lock_balance(tx, CreditAccount(workspace_id, livemode, rules.credit_rules), now=now)
    spend = await read_spend(tx, workspace_id, livemode=livemode, now=now, default_cap=rules.spend_cap_cents)
    waiting = await sum_open_attempts(tx, workspace_id, livemode=livemode, now=now)
    if spend.current_month_spend_cents + waiting + price_cents > spend.spend_cap_cents:
        held = f"; unpaid checkouts count for {waiting} cents of it" if waiting else ""
        raise _above_cap(spend, price_cents, held)


def _above_cap(spend: Spend, price_cents: int, held: str) -> Problem:
    return Problem(
        "spend_cap_exceeded",
        f"{price_cents} cents more would exceed the monthly spending limit of {spend.spend_cap_cents} cents{held}.",
        spend_cap_cents=spend.spend_cap_cents,
        current_month_spend_cents=spend.current_month_spend_cents,
    )


async def _expire_unstarted(db: Database, attempt: AttemptRow, *, now: datetime) -> None:
    """Expire the attempt: nobody can pay it, so it must not count against the cap for a day."""
    async with db.transaction() as tx:
        locked = await queries.lock_attempt(tx, attempt.workspace_id, attempt.id)
        if locked.status is AttemptStatus.UNPAID:
            await move_attempt(tx, locked, AttemptStatus.EXPIRED, reason="The provider was not reachable.", now=now)
