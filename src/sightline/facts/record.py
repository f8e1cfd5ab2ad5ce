"""What people say about facts: entering, changing and removing them, and answering what seems wrong."""

import uuid
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

import msgspec
from babel import Locale

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.domains.tracking.read import lock_domain
from sightline.errors import FaultCollector, Problem, invalid_field
from sightline.facts import queries
from sightline.facts.models import YES_OR_NO, Fact, FactRow, FormerValue
from sightline.facts.schemas import ClaimAnswer, FactChanges, FactInput
from sightline.kit.ids import new_id

MAX_FACTS = 200
_MAX_FORMER = 10
_EARLIEST_YEAR, _LATEST_YEAR = 1000, 2100
_LARGEST = Decimal(1_000_000_000)
_NEEDS_SUBJECT = frozenset({"price", "product", "certification", "ability"})


async def list_facts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, page_size: int
) -> Slice[FactRow]:
    """Return the facts of a domain, proposals first, then by kind and subject."""
    rows = await queries.list_facts(db, workspace_id, domain_id)
    ids = [str(row.id) for row in rows]
    start = 0 if after is None else ids.index(after[0]) + 1 if after[0] in ids else len(ids)
    return cut_page(rows[start : start + page_size + 1], page_size, lambda row: (str(row.id),))


async def enter_fact(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, entered: FactInput, *, now: datetime
) -> FactRow:
    """Store a fact. Refused: one that cannot be compared, a second one of the same kind and subject, too many (422)."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    if len(await queries.list_facts(tx, actor.workspace_id, domain_id)) >= MAX_FACTS:
        raise invalid_field("kind", f"a domain has at most {MAX_FACTS} facts", "too_many")
    row = build_fact(entered, now=now)
    if not await queries.insert_fact(tx, actor.workspace_id, domain_id, row, actor.user_id):
        raise invalid_field("subject", "is already the subject of a fact of this kind. Change that one", "duplicate")
    await record_audit(tx, actor.workspace_id, "fact_entered", row.subject, domain_id=domain_id, kind=row.kind)
    return await _find(tx, actor, domain_id, row.id)


async def change_fact(
    tx: Transaction,
    actor: Actor,
    domain_id: uuid.UUID,
    fact_id: uuid.UUID | None,
    changes: FactChanges,
    *,
    now: datetime,
) -> FactRow:
    """Change or confirm a fact. With a new value and its day, the value before becomes a former one."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    row = await _find(tx, actor, domain_id, fact_id)
    value = row.value if changes.value is msgspec.UNSET else changes.value
    valid_from = row.valid_from if changes.valid_from is msgspec.UNSET else changes.valid_from
    if changes.former is msgspec.UNSET:
        former = row.former
        if value != row.value and changes.valid_from and row.status == "confirmed":
            former = (FormerValue(row.value, valid_from), *(each for each in former if each.value != row.value))
    else:
        former = tuple(changes.former)
    changed = _check(
        msgspec.structs.replace(
            row,
            value=value,
            valid_from=valid_from,
            former=former[:_MAX_FORMER],
            accepted=row.accepted if value == row.value else (),
            status="confirmed",
            updated_at=now,
        )
    )
    await queries.update_fact(tx, actor.workspace_id, domain_id, changed, actor.user_id)
    await record_audit(tx, actor.workspace_id, "fact_changed", row.subject, domain_id=domain_id, kind=row.kind)
    return await _find(tx, actor, domain_id, row.id)


async def remove_fact(tx: Transaction, actor: Actor, domain_id: uuid.UUID, fact_id: uuid.UUID | None) -> FactRow:
    """Remove a fact or a proposal, with what answers claim about it."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    row = await _find(tx, actor, domain_id, fact_id)
    await queries.delete_fact(tx, actor.workspace_id, domain_id, row.id)
    await record_audit(tx, actor.workspace_id, "fact_removed", row.subject, domain_id=domain_id, kind=row.kind)
    return row


async def answer_claim(
    tx: Transaction,
    actor: Actor,
    domain_id: uuid.UUID,
    fact_id: uuid.UUID | None,
    answer: ClaimAnswer,
    *,
    now: datetime,
) -> FactRow:
    """Say that a statement is right after all, or was until a day. It counts for all answers, now and later.

    Refused: a statement that no answer of the fact has (404), and a change without a day, or with a later one (422).
    """
    await lock_domain(tx, actor.workspace_id, domain_id)
    row = await _find(tx, actor, domain_id, fact_id)
    if answer.answer == "right":
        changed = msgspec.structs.replace(row, accepted=tuple(dict.fromkeys((*row.accepted, answer.stated))))
    else:
        if answer.on is None or answer.on > now.date():
            raise invalid_field("on", "must be the day of the change, today at the latest", "format")
        former = FormerValue(read_stated(row, answer.stated), answer.on)
        kept = (each for each in row.former if each.value != former.value)
        changed = msgspec.structs.replace(row, former=(former, *kept)[:_MAX_FORMER], valid_from=answer.on)
    verdict = "agrees" if answer.answer == "right" else "outdated"
    if not await queries.judge_claims(tx, actor.workspace_id, domain_id, row.id, answer.stated, verdict):
        raise Problem("not_found")
    await queries.update_fact(
        tx, actor.workspace_id, domain_id, _check(msgspec.structs.replace(changed, updated_at=now)), actor.user_id
    )
    await record_audit(
        tx, actor.workspace_id, "claim_answered", row.subject, domain_id=domain_id, kind=row.kind, answer=answer.answer
    )
    return await _find(tx, actor, domain_id, row.id)


async def store_proposals(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    found: Sequence[tuple[FactInput, str]],
    *,
    now: datetime,
) -> int:
    """Store what a site declares, each with its page, and return how many are new. What is known stays as it is."""
    await lock_domain(tx, workspace_id, domain_id)
    free = MAX_FACTS - len(await queries.list_facts(tx, workspace_id, domain_id))
    stored = 0
    for entered, page in found:
        if stored >= free:
            break
        row = msgspec.structs.replace(build_fact(entered, now=now), status="proposed", source=page)
        stored += await queries.insert_fact(tx, workspace_id, domain_id, row, None)
    return stored


async def _find(db: Reader, actor: Actor, domain_id: uuid.UUID, fact_id: uuid.UUID | None) -> FactRow:
    rows = await queries.list_facts(db, actor.workspace_id, domain_id)
    found = next((row for row in rows if row.id == fact_id), None)
    if found is None:
        raise Problem("not_found")
    return found


def build_fact(entered: FactInput, *, now: datetime) -> FactRow:
    """Build a fact from what was entered. Refused: what cannot be compared with an answer (422)."""
    return _check(
        FactRow(
            id=new_id(),
            kind=entered.kind,
            subject=" ".join(entered.subject.split()),
            value=entered.value,
            currency=entered.currency,
            unit=entered.unit,
            country=entered.country,
            valid_from=entered.valid_from,
            former=tuple(entered.former),
            updated_at=now,
        )
    )


def _check(row: FactRow) -> FactRow:
    """Return a fact with its values in one form, or raise a problem that names each field that cannot be right."""
    faults = FaultCollector()
    if not row.subject and row.kind in _NEEDS_SUBJECT:
        faults.add("subject", "must name what the fact is about", "required")
    if row.kind == "price" and (row.currency is None or row.currency not in Locale("en").currencies):
        faults.add("currency", "must be the ISO 4217 code of the price, such as EUR", "required")
    if row.kind != "price" and (row.currency or row.unit):
        faults.add("currency" if row.currency else "unit", "belongs only to a price", "format")
    if row.country is None and row.kind == "availability":
        faults.add("country", "must be the country that the fact is about", "required")
    if row.country is not None and row.country not in Locale("en").territories:
        faults.add("country", "must be a two-letter ISO code, such as DE", "format")
    value = _clean(row, row.value)
    if value is None:
        faults.add("value", _WANTED[row.kind], "format")
    former = []
    for place, each in enumerate(row.former):
        cleaned = _clean(row, each.value)
        if cleaned is None or cleaned == value:
            faults.add(f"former[{place}].value", f"{_WANTED[row.kind]}, and another one than now", "format")
        else:
            former.append(FormerValue(cleaned, each.until or _end(row.valid_from)))
    faults.raise_if_any()
    assert value is not None
    return msgspec.structs.replace(row, value=value, former=tuple(former))


_WANTED = {
    "price": "must be an amount in digits, with a point before cents, such as 19.99",
    "founded": "must be a year, such as 1976",
    "place": "must be a place, such as Aarhus, Denmark",
    **dict.fromkeys(YES_OR_NO, "must be yes or no"),
}


def _end(valid_from: date | None) -> date | None:
    """Return the day on which a former value ended, if nobody said: when the present one began."""
    return valid_from


def _clean(fact: Fact, value: str) -> str | None:
    """Return a value in the form in which it is compared; None if it has none."""
    text = " ".join(value.split())
    if fact.kind == "price":
        try:
            amount = Decimal(text)
        except InvalidOperation:
            return None
        return f"{amount.normalize():f}" if amount.is_finite() and 0 <= amount <= _LARGEST else None
    if fact.kind == "founded":
        return text if text.isascii() and text.isdigit() and _EARLIEST_YEAR <= int(text) <= _LATEST_YEAR else None
    if fact.kind == "place":
        return text if any(map(str.isalpha, text)) else None
    return text.lower() if text.lower() in ("yes", "no") else None


def read_stated(fact: Fact, stated: str) -> str:
    """Return the value of a statement: of `USD 20 month`, the amount."""
    parts = stated.split(" ")
    return parts[1] if fact.kind == "price" and len(parts) > 1 else stated


def write_truth(fact: Fact) -> str:
    """Return what is true in the form of a statement."""
    return " ".join(filter(None, (fact.currency, fact.value, fact.unit)))
