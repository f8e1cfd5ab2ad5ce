"""One real sentence about the brand, chosen by code: the same on the Overview and in the report.

It is the newest criticism. If no answer criticizes the brand, it is from the newest answer that names the brand first,
or else from the newest that names it.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from sightline.answers.decisive_sentence import SentencePart, cut_decisive_sentence, cut_quote
from sightline.db.engine import Reader
from sightline.insights.models import StoredTheme
from sightline.kit.clock import Timestamp, to_iso
from sightline.scans.stored import decode_record
from sightline.scoreboard.answer_list.queries import ListedRow, Selection, list_selected
from sightline.scoreboard.schemas import Board, BoardCell

QuoteKind = Literal["criticism", "first_place", "mention"]
_Ref = tuple[uuid.UUID, uuid.UUID]  # ids of a scan and of an answer: both grow with time


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of an answer, word for word and without Markdown."""

    kind: QuoteKind
    scan_id: uuid.UUID
    answer_id: uuid.UUID
    sentence: tuple[SentencePart, ...]
    platform: str
    prompt: str
    answered_at: Timestamp


async def read_quote(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    board: Board,
    *,
    scan_id: uuid.UUID,
    themes: Sequence[StoredTheme] = (),
) -> Quote | None:
    """Return the quote from the answers that a board shows; None if none of them names the brand, or all are deleted.

    `scan_id` is the check of the board, and `themes` are those of that check. Their passages that criticize the brand
    are criticisms, and so is a sentence that advises against it.
    """
    named = _list_named(board, scan_id)
    if not named:
        return None
    everything = Selection(workspace_id=workspace_id, domain_id=domain_id, answers=list(named))
    against = msgspec.structs.replace(everything, labels=["stance:discouraged"])
    discouraged = await list_selected(db, against, since=None, after=None, limit=1)
    passages = _find_critical_passages(themes)
    kind, refs = _choose(named, {(row.scan_id, row.id) for row in discouraged}, passages)
    chosen = msgspec.structs.replace(everything, answers=[max(refs)])
    rows = await list_selected(db, chosen, since=None, after=None, limit=1)
    return _build_quote(rows[0], kind, passages.get(rows[0].id, "")) if rows else None


def _list_named(board: Board, scan_id: uuid.UUID) -> Mapping[_Ref, BoardCell]:
    """Return the answers that name the brand. Those to branded prompts count only if there are no others."""
    return {
        (cell.scan_id or scan_id, cell.answer_id): cell
        for prompt in board.prompts
        if board.only_branded or not prompt.branded
        for cell in prompt.cells
        if cell.state == "named" and cell.answer_id is not None
    }


def _find_critical_passages(themes: Sequence[StoredTheme]) -> dict[uuid.UUID, str]:
    """Return the passages of themes that criticize the brand, by answer."""
    return {
        quote.answer_id: quote.text
        for theme in themes
        for opinions in (dict(zip(theme.answer_ids, theme.opinions, strict=False)),)
        for quote in theme.quotes
        if opinions.get(quote.answer_id, theme.polarity_label) == "negative"
    }


def _choose(
    named: Mapping[_Ref, BoardCell], discouraged: set[_Ref], passages: Mapping[uuid.UUID, str]
) -> tuple[QuoteKind, Sequence[_Ref]]:
    if critical := [ref for ref in named if ref in discouraged or ref[1] in passages]:
        return "criticism", critical
    if first := [ref for ref, cell in named.items() if cell.position == 1]:
        return "first_place", first
    return "mention", list(named)


def _build_quote(row: ListedRow, kind: QuoteKind, passage: str) -> Quote:
    analysis = decode_record(row.record).analysis
    cut = () if analysis is None else cut_quote(row.text, analysis, passage)
    return Quote(
        kind=kind,
        scan_id=row.scan_id,
        answer_id=row.id,
        sentence=cut or cut_decisive_sentence(row.text, analysis),
        platform=row.platform,
        prompt=row.prompt,
        answered_at=to_iso(row.answered_at),
    )
