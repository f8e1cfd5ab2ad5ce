"""SQL of searches: what platforms searched for, counted over the answers that a selection has."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from sightline.db.engine import Reader, to_rows
from sightline.scoreboard.answer_list.queries import Conditions, Selection

_SEARCH = "search:"
_MADE = f"starts_with(label, '{_SEARCH}')"


class SearchCount(msgspec.Struct, frozen=True):
    """How many answers to one prompt rest on one search, and the newest of their scans."""

    last_scan_id: uuid.UUID
    answers: int
    search: str
    prompt_id: uuid.UUID
    prompt: str
    country: str | None
    language: str | None
    last_seen_at: datetime

    @property
    def key(self) -> tuple[uuid.UUID, str]:
        return (self.prompt_id, self.search)


class SearchPlace(NamedTuple):
    """Where the next page of searches begins: the sort key of the last row before it."""

    last_scan_id: uuid.UUID
    answers: int
    search: str
    prompt_id: uuid.UUID


async def count_searches(
    db: Reader, selection: Selection, *, newest: uuid.UUID | None, after: SearchPlace | None, limit: int
) -> list[SearchCount]:
    """Return searches by prompt: those of the newest scan first, then by the number of answers.

    `newest` is the newest scan when the first page was read: later ones would change the order between two pages.
    """
    conditions = Conditions(selection)
    if newest is not None:
        conditions.require(f"f.scan_id <= {conditions.add(newest)}")
    rest = "true"
    if after is not None:
        last, answers = conditions.add(after.last_scan_id), conditions.add(after.answers)
        search, prompt = conditions.add(after.search), conditions.add(after.prompt_id)
        rest = f"""(last_scan_id < {last} OR last_scan_id = {last} AND (answers < {answers} OR answers = {answers}
                    AND (search COLLATE "C", prompt_id) > ({search}, {prompt})))"""
    rows = await db.fetch(
        f"""WITH made AS (
                SELECT max(f.scan_id::text)::uuid AS last_scan_id, count(*) AS answers,
                       substr(label, {len(_SEARCH) + 1}) AS search, f.prompt_id
                FROM {conditions.table}, unnest(f.labels) AS label WHERE {conditions.sql} AND {_MADE}
                GROUP BY label, f.prompt_id)
            SELECT made.*, p.prompt, p.country_iso_2, p.language_code, s.completed_at FROM made
            JOIN prompts p ON p.workspace_id = $1 AND p.id = made.prompt_id
            JOIN scans s ON s.workspace_id = $1 AND s.id = made.last_scan_id
            WHERE {rest}
            ORDER BY last_scan_id DESC, answers DESC, search COLLATE "C", prompt_id LIMIT {conditions.add(limit)}""",
        *conditions.parameters,
    )
    return to_rows(SearchCount, rows)


async def count_labels_with(
    db: Reader, selection: Selection, searches: Sequence[SearchCount], *, newest: uuid.UUID | None
) -> dict[tuple[uuid.UUID, str], dict[str, int]]:
    """Return how many of the answers that rest on each search have which platform, and cite which site."""
    conditions = Conditions(selection)
    if newest is not None:
        conditions.require(f"f.scan_id <= {conditions.add(newest)}")
    prompts = conditions.add([each.prompt_id for each in searches])
    texts = conditions.add([each.search for each in searches])
    rows = await db.fetch(
        f"""WITH found AS MATERIALIZED (
                SELECT f.prompt_id, f.labels FROM {conditions.table}
                WHERE {conditions.sql} AND f.prompt_id = ANY({prompts}::uuid[]))
            SELECT made.prompt_id, made.search, label, count(*)
            FROM unnest({prompts}::uuid[], {texts}::text[]) AS made (prompt_id, search)
            JOIN found ON found.prompt_id = made.prompt_id AND '{_SEARCH}' || made.search = ANY(found.labels),
                 unnest(found.labels) AS label
            WHERE starts_with(label, 'site:') OR starts_with(label, 'platform:')
            GROUP BY made.prompt_id, made.search, label""",
        *conditions.parameters,
    )
    labels: dict[tuple[uuid.UUID, str], dict[str, int]] = {}
    for prompt_id, search, label, counted in rows:
        labels.setdefault((prompt_id, search), {})[label] = counted
    return labels


async def find_newest_scan(db: Reader, selection: Selection) -> uuid.UUID | None:
    """Return the newest scan of a selection."""
    conditions = Conditions(selection)
    newest: uuid.UUID | None = await db.fetchval(
        f"SELECT max(f.scan_id::text)::uuid FROM {conditions.table} WHERE {conditions.sql}", *conditions.parameters
    )
    return newest
