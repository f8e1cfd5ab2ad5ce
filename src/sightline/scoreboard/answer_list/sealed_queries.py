"""SQL of lists of sealed answers, in DuckDB's words: the same selections as in `queries.py`."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sightline.db.engine import Reader
from sightline.scans.outcome.queries import SPACELESS
from sightline.scans.sealed.queries import list_sealed_scans_of_domain
from sightline.scans.sealed.read import to_moment
from sightline.scans.sealed.store import SealedMonths
from sightline.scoreboard.answer_list.queries import ListedRow, Selection

AnswerKey = tuple[uuid.UUID, uuid.UUID]
"""Ids of a scan and of its answer."""


class SealedSelection(msgspec.Struct, frozen=True, kw_only=True):
    """The sealed part of a selection: its scans, newest first, and what PostgreSQL knows of the rest."""

    selection: Selection
    scan_ids: Sequence[uuid.UUID]
    shown: Sequence[AnswerKey] | None = None
    """Only these answers: those that the cells of the scoreboard show."""
    words: Sequence[Sequence[str]] | None = None
    """An answer has all words of one of these."""


async def split_selection(
    db: Reader, sealed: SealedMonths, selection: Selection
) -> tuple[Selection, SealedSelection | None]:
    """Return what PostgreSQL selects, and the sealed part of a selection, or None if it has none."""
    scan_ids = selection.scan_ids
    if selection.answers is not None:
        scan_ids = [scan_id for scan_id, _ in selection.answers]
    workspace_id, domain_id, against = selection.workspace_id, selection.domain_id, selection.against
    found = await list_sealed_scans_of_domain(db, workspace_id, domain_id, scan_ids)
    if against is not None:
        is_sealed = bool(await list_sealed_scans_of_domain(db, workspace_id, domain_id, [against]))
        if found or is_sealed:
            cells = await _list_against(db, sealed, selection, against, is_sealed=is_sealed)
            selection = msgspec.structs.replace(selection, against_cells=cells)
    if not found:
        return selection, None
    shown = await _list_shown(db, selection) if selection.is_latest else None
    words = await _list_words(db, selection) if selection.words else None
    return selection, SealedSelection(selection=selection, scan_ids=found, shown=shown, words=words)


async def _list_shown(db: Reader, selection: Selection) -> list[AnswerKey]:
    rows = await db.fetch(
        """SELECT scan_id, answer_id FROM cells WHERE workspace_id = $1 AND domain_id = $2 AND (base OR NOT $3)
             AND ($4::uuid IS NULL OR scan_id = $4 AND seen_at = checked_at)""",
        selection.workspace_id,
        selection.domain_id,
        selection.base_only,
        selection.untouched_in,
    )
    return [(row[0], row[1]) for row in rows]


async def _list_against(
    db: Reader, sealed: SealedMonths, selection: Selection, against: uuid.UUID, *, is_sealed: bool
) -> Sequence[tuple[str, str]]:
    """Return the cells whose answer in the other check has the labels, wherever that check is stored."""
    workspace_id, domain_id = selection.workspace_id, selection.domain_id
    labels, without = list(selection.against_labels), list(selection.against_without)
    if is_sealed:
        rows = await sealed.fetch(
            db,
            workspace_id,
            [against],
            ["facts"],
            """SELECT prompt_id, platform FROM facts
               WHERE domain_id = ? AND scan_id = ? AND list_has_all(labels, ?::text[])
                 AND NOT list_has_any(labels, ?::text[])""",
            [str(domain_id), str(against), labels, without],
        )
    else:
        rows = await db.fetch(
            """SELECT prompt_id::text, platform FROM answer_facts
               WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3 AND labels @> $4::text[]
                 AND NOT labels && $5::text[]""",
            workspace_id,
            domain_id,
            against,
            labels,
            without,
        )
    return [(row[0], row[1]) for row in rows]


async def _list_words(db: Reader, selection: Selection) -> list[list[str]]:
    """Return the searched words as each configuration reads them. Words that are in every text select nothing."""
    rows = await db.fetch(
        rf"""SELECT tsvector_to_array(to_tsvector(name::regconfig, regexp_replace($1, '{SPACELESS}', ' \1 ', 'g')))
             FROM unnest($2::text[]) AS name""",
        selection.words,
        list(selection.configurations),
    )
    return [row[0] for row in rows if row[0]]


def _build_conditions(part: SealedSelection, scan_ids: Sequence[uuid.UUID]) -> tuple[str, list[Any]]:
    """Return the conditions of a part in some of its scans, with their parameters."""
    selection = part.selection
    parts = ["f.domain_id = ?", "list_contains(?::text[], f.scan_id)"]
    values: list[Any] = [str(selection.domain_id), [str(each) for each in scan_ids]]

    def require(condition: str, *parameters: object) -> None:
        parts.append(condition)
        values.extend(parameters)

    for answers in (selection.answers, part.shown):
        if answers is not None:
            wanted = {str(scan_id) for scan_id in scan_ids}
            ids = [str(answer_id) for scan_id, answer_id in answers if str(scan_id) in wanted]
            require("list_contains(?::text[], f.answer_id)", ids)
    if selection.labels:
        require("list_has_all(f.labels, ?::text[])", list(selection.labels))
    for group in selection.any_labels:
        require("list_has_any(f.labels, ?::text[])", list(group))
    if selection.without:
        require("NOT list_has_any(f.labels, ?::text[])", list(selection.without))
    if selection.any_pairs is not None:
        pair = "(list_contains(f.labels, ?) AND list_has_any(f.labels, ?::text[]))"
        pairs = selection.any_pairs
        require(
            f"({' OR '.join([pair] * len(pairs)) or 'false'})",
            *[value for label, others in pairs for value in (label, list(others))],
        )
    if selection.against_cells is not None:
        cells = [" ".join(each) for each in selection.against_cells]
        require("list_contains(?::text[], f.prompt_id || ' ' || f.platform)", cells)
    if part.words is not None:
        found = " OR ".join(["list_has_all(f.words, ?::text[])"] * len(part.words))
        require(f"({found or 'false'})", *[list(each) for each in part.words])
    return " AND ".join(parts), values


async def list_selected(
    db: Reader,
    sealed: SealedMonths,
    part: SealedSelection,
    *,
    since: uuid.UUID | None,
    after: AnswerKey | None,
    limit: int,
) -> list[ListedRow]:
    """Return the sealed answers of the check `since` and of later ones, those of the newest check first."""
    scan_ids = [
        each for each in part.scan_ids if (since is None or each >= since) and (after is None or each <= after[0])
    ]
    if not scan_ids:
        return []
    conditions, values = _build_conditions(part, scan_ids)
    if after is not None:
        conditions += " AND (f.scan_id, f.answer_id) < (?, ?)"
        values += map(str, after)
    workspace_id = part.selection.workspace_id
    rows = await sealed.fetch(
        db,
        workspace_id,
        scan_ids,
        ["facts", "answers"],
        f"""WITH page AS MATERIALIZED (
                SELECT scan_id, answer_id, prompt_id, platform, labels FROM facts f WHERE {conditions}
                ORDER BY scan_id DESC, answer_id DESC LIMIT ?)
            SELECT page.*, a.prompt, a.scope, a.status, a.text, a.record, epoch_us(a.answered_at)
            FROM page JOIN answers a ON a.scan_id = page.scan_id AND a.answer_id = page.answer_id
            WHERE list_contains(?::text[], a.scan_id)
            ORDER BY page.scan_id DESC, page.answer_id DESC""",
        [*values, limit, [str(each) for each in scan_ids]],
    )
    prompts = await _list_prompts(db, workspace_id, {uuid.UUID(row[2]) for row in rows})
    return [_to_row(row, prompts) for row in rows if uuid.UUID(row[2]) in prompts]


def _to_row(row: Sequence[Any], prompts: Mapping[uuid.UUID, tuple[str, str | None, str | None]]) -> ListedRow:
    scan_id, answer_id, prompt_id, platform, labels, _, scope, status, text, record, answered_at = row
    prompt, country, language = prompts[uuid.UUID(prompt_id)]
    return ListedRow(
        scan_id=uuid.UUID(scan_id),
        id=uuid.UUID(answer_id),
        prompt_id=uuid.UUID(prompt_id),
        platform=platform,
        labels=labels,
        prompt=prompt,
        country=country,
        language=language,
        scope=scope,
        status=status,
        text=text,
        record=record.encode(),
        answered_at=to_moment(answered_at),
    )


async def _list_prompts(
    db: Reader, workspace_id: uuid.UUID, prompt_ids: set[uuid.UUID]
) -> dict[uuid.UUID, tuple[str, str | None, str | None]]:
    rows = await db.fetch(
        "SELECT id, prompt, country_iso_2, language_code FROM prompts WHERE workspace_id = $1 AND id = ANY($2::uuid[])",
        workspace_id,
        list(prompt_ids),
    )
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


async def count_selected(db: Reader, sealed: SealedMonths, part: SealedSelection, *, limit: int | None) -> int:
    """Count the sealed answers, up to a limit."""
    conditions, values = _build_conditions(part, part.scan_ids)
    rows = await sealed.fetch(
        db,
        part.selection.workspace_id,
        part.scan_ids,
        ["facts"],
        f"SELECT count(*) FROM (SELECT 1 FROM facts f WHERE {conditions} LIMIT ?)",
        [*values, _NO_LIMIT if limit is None else limit],
    )
    return int(rows[0][0])


_NO_LIMIT = 2**62


async def count_labels(db: Reader, sealed: SealedMonths, part: SealedSelection) -> dict[str, int]:
    """Return how many of the sealed answers have each label, without searches."""
    conditions, values = _build_conditions(part, part.scan_ids)
    rows = await sealed.fetch(
        db,
        part.selection.workspace_id,
        part.scan_ids,
        ["facts"],
        f"""SELECT label, count(*) FROM (SELECT unnest(f.labels) AS label FROM facts f WHERE {conditions})
            WHERE NOT starts_with(label, 'search:') GROUP BY label""",
        values,
    )
    return dict(rows)
