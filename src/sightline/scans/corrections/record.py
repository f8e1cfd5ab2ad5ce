"""Correcting an answer, and undoing a correction. Like a new alias, both request a recomputation and cost nothing."""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.corrections import Span, find_exclusion, find_prose_span
from sightline.answers.prepare import prepare
from sightline.audit.record import record_audit
from sightline.competitors.names import name_key, tidy_name
from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.recomputations.queries import read_recomputation
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.schemas import MAX_ALIASES
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id, parse_id
from sightline.scans.brands import MeasuredBrands
from sightline.scans.console_scans import read_answer_row
from sightline.scans.corrections import queries
from sightline.scans.corrections.models import MAX_CORRECTIONS, MAX_WORDS_LENGTH, CorrectionRow
from sightline.scans.corrections.names import is_longer_phrase, is_name_of, is_name_of_any, is_plausible_name
from sightline.scans.corrections.schemas import CorrectionInput
from sightline.scans.stored import AnswerRow, decode_prompts, decode_record
from sightline.scans.tracked_brands import read_tracked_brands
from sightline.scans.tracked_scans import read_tracked_scan


class _Place(msgspec.Struct, frozen=True):
    """The corrected words, in the answer and in its prose."""

    answer: AnswerRow
    prepared: PreparedAnswer
    span: Span

    @property
    def words(self) -> str:
        """Return the words as they are read, without marks such as `**` inside them."""
        return self.prepared.prose[self.span[0] : self.span[1]]


async def correct_answer(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, payload: CorrectionInput, *, now: datetime
) -> CorrectionRow:
    """Store a correction and request a recomputation. A repeated correction is stored once.

    Repeating it replaces the earlier choice. Refused: an answer of another domain (404); words that are not at that
    place, are not prose, or are marked or unmarked already (422); a place that another correction covers, and more
    corrections than a domain can have (409).
    """
    place = await _find_place(tx, actor, domain_id, payload)
    domain = await lock_domain(tx, actor.workspace_id, domain_id)
    known = await queries.list_answer_corrections(tx, actor.workspace_id, place.answer.scan_id, place.answer.id)
    same = _find_same(known, payload)
    if same is None:
        await _require_capacity(tx, actor.workspace_id, domain_id)
        await _require_marked(tx, actor.workspace_id, domain_id, place.answer, payload)
    brands = await read_tracked_brands(tx, actor.workspace_id, domain)
    phrase = _clean_phrase(payload, place, brands) if payload.kind == "not_this_brand" else None
    name = None
    if payload.kind == "missing" and payload.add_name:
        name = await _find_new_name(tx, actor.workspace_id, domain, place.words, brands, same)
    row = CorrectionRow(
        id=same.id if same else new_id(),
        domain_id=domain_id,
        scan_id=place.answer.scan_id,
        answer_id=place.answer.id,
        kind=payload.kind,
        span_start=payload.start,
        span_end=payload.end,
        words=payload.text,
        phrase=phrase,
        name=name,
        created_by=actor.user_id,
        api_key_id=actor.key_id,
        created_at=now,
    )
    if same is not None and (same.phrase, same.name) == (phrase, name):
        return same
    if same is not None:
        await queries.update_effects(tx, actor.workspace_id, row)
        await _drop_unused_name(tx, actor.workspace_id, domain, same.name, now=now)
    else:
        await queries.insert_correction(tx, actor.workspace_id, row)
    if name is not None:
        await _add_name(tx, actor.workspace_id, domain_id, name, now=now)
    await request_recompute(tx, actor.workspace_id, domain_id, "answer_corrected", now=now)
    ids = {"domain_id": domain_id, "answer_id": row.answer_id, "correction_id": row.id}
    await record_audit(tx, actor.workspace_id, "answer_corrected", domain.domain, kind=row.kind, **ids)
    return row


async def undo_correction(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, correction_id: uuid.UUID | None, *, now: datetime
) -> CorrectionRow:
    """Remove a correction and the name that it alone gave the brand, and request a recomputation.

    Return what was removed. Refused: a correction that the domain does not have (404).
    """
    domain = await lock_domain(tx, actor.workspace_id, domain_id)
    removed = correction_id and await queries.delete_correction(tx, actor.workspace_id, domain_id, correction_id)
    if not removed:
        raise Problem("not_found", "This domain has no such correction.")
    await _drop_unused_name(tx, actor.workspace_id, domain, removed.name, now=now)
    await request_recompute(tx, actor.workspace_id, domain_id, "answer_corrected", now=now)
    ids = {"domain_id": domain_id, "answer_id": removed.answer_id, "correction_id": removed.id}
    await record_audit(tx, actor.workspace_id, "correction_undone", domain.domain, kind=removed.kind, **ids)
    return removed


async def _find_place(tx: Transaction, actor: Actor, domain_id: uuid.UUID, payload: CorrectionInput) -> _Place:
    """Return the words in their answer. Refused: an unknown answer (404), and words that are not there (422)."""
    scan = await read_tracked_scan(tx, actor, parse_id(payload.scan_id))
    if scan.domain_id != domain_id:
        raise Problem("scan_not_found")
    if scan.is_sealed:
        raise Problem("answers_sealed")
    answer = await read_answer_row(tx, scan, parse_id(payload.answer_id))
    start, end = payload.start, payload.end
    if not start < end <= len(answer.text):
        raise invalid_field("end", f"must be after start and at most {len(answer.text)}, the length of the answer")
    if end - start > MAX_WORDS_LENGTH:
        raise invalid_field("end", f"a correction covers at most {MAX_WORDS_LENGTH} characters", "too_long")
    if answer.text[start:end] != payload.text:
        raise invalid_field("text", f"the answer says “{answer.text[start:end]}” at this place", "mismatch")
    prompt = decode_prompts(scan.prompts or "[]")[answer.prompt_index].text
    prepared = await asyncio.to_thread(prepare, answer.text, prompt)  # a long answer takes seconds
    span = find_prose_span(prepared, start, end)
    place = span and _Place(answer, prepared, span)
    if not place or not place.words.strip():
        message = "these words are not read as prose: they are code, an address, a source list or the repeated question"
        raise invalid_field("text", message, "not_prose")
    return place


def _find_same(known: Sequence[CorrectionRow], payload: CorrectionInput) -> CorrectionRow | None:
    """Return the same correction, if it was made before. Refused: another one at this place (409)."""
    for row in known:
        if not row.overlaps(payload.start, payload.end):
            continue
        if (row.kind, row.span_start, row.span_end) == (payload.kind, payload.start, payload.end):
            return row
        raise Problem("correction_conflict", correction_id=str(row.id))
    return None


async def _require_capacity(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    current = await queries.count_corrections(tx, workspace_id, domain_id)
    if current >= MAX_CORRECTIONS:
        raise Problem("correction_limit_reached", current=current, limit=MAX_CORRECTIONS)


async def _require_marked(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, answer: AnswerRow, payload: CorrectionInput
) -> None:
    """Refuse to unmark what is not marked, and to mark what is (422), unless the marks are about to change anyway."""
    analysis = decode_record(answer.record).analysis
    occurrences = analysis.brands[0].occurrences if analysis else ()
    is_marked = any(each.start < payload.end and payload.start < each.end for each in occurrences)
    if is_marked is (payload.kind == "not_this_brand") or await read_recomputation(tx, workspace_id, domain_id):
        return
    message = "these words are marked as the brand already" if is_marked else "the brand is not marked at this place"
    raise invalid_field("text", message, "marked" if is_marked else "not_marked")


def _clean_phrase(payload: CorrectionInput, place: _Place, brands: MeasuredBrands) -> str | None:
    """Return the phrase in one line. Refused: one that does not contain the words, or is a name (422)."""
    if payload.phrase is None:
        return None
    phrase = tidy_name(payload.phrase)
    if phrase is None:
        raise invalid_field("phrase", f"must be a phrase of 1 to {MAX_WORDS_LENGTH} characters")
    if not is_longer_phrase(phrase, place.words):
        raise invalid_field("phrase", "must contain the name and at least one more word next to it", "too_short")
    if find_exclusion(place.prepared.folded, phrase, place.span) is None:
        raise invalid_field("phrase", "must occur in the answer and contain the corrected words", "mismatch")
    if is_name_of(brands.brand, phrase):
        raise invalid_field("phrase", "is a name of the brand; remove that name in the settings instead", "name")
    return phrase


async def _find_new_name(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain: TrackedDomainRow,
    words: str,
    brands: MeasuredBrands,
    same: CorrectionRow | None,
) -> str | None:
    """Return the name that this correction gives the brand, or None. Refused: more names than it can have (422)."""
    if same is not None and same.name is not None:
        return same.name
    name = tidy_name(words)
    if name is None or not is_plausible_name(name) or is_name_of_any(brands.competitors, name):
        return None
    if is_name_of(brands.brand, name):
        is_shared = await queries.has_correction_with_name(tx, workspace_id, domain.id, name)
        return name if is_shared else None
    if len(domain.aliases) >= MAX_ALIASES:
        message = (
            f"the brand has {MAX_ALIASES} other names, which is the limit; remove one, or correct only this answer"
        )
        raise invalid_field("add_name", message, "limit")
    return name


async def _add_name(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, name: str, *, now: datetime
) -> None:
    domain = await lock_domain(tx, workspace_id, domain_id)
    if name_key(name) not in map(name_key, (domain.brand_name, *domain.aliases)):
        changes = BrandChanges(aliases=[*domain.aliases, name])
        await change_tracked_domain(tx, workspace_id, domain_id, changes, now=now)


async def _drop_unused_name(
    tx: Transaction, workspace_id: uuid.UUID, domain: TrackedDomainRow, name: str | None, *, now: datetime
) -> None:
    """Remove a name that no correction gives any longer."""
    if name is None or await queries.has_correction_with_name(tx, workspace_id, domain.id, name):
        return
    kept = [alias for alias in domain.aliases if name_key(alias) != name_key(name)]
    await change_tracked_domain(tx, workspace_id, domain.id, BrandChanges(aliases=kept), now=now)
