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


class SearchRow(msgspec.Struct, frozen=True):
    """A search for one prompt, with the newest scan that has it and the number of its answers in that scan."""

    last_scan_id: uuid.UUID
    last_answers: int
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
    last_answers: int
    search: str
    prompt_id: uuid.UUID


async def list_searches(db: Reader, selection: Selection, *, after: SearchPlace | None, limit: int) -> list[SearchRow]:
    """Return searches by prompt: those of the newest scan first, then by their number of answers in that scan."""
    conditions = Conditions(selection)
    rest = "true"
    if after is not None:
        last, answers = conditions.add(after.last_scan_id), conditions.add(after.last_answers)
        search, prompt = conditions.add(after.search), conditions.add(after.prompt_id)
        rest = f"""(scan_id < {last} OR scan_id = {last} AND (answers < {answers} OR answers = {answers}
                    AND (search COLLATE "C", prompt_id) > ({search}, {prompt})))"""
    rows = await db.fetch(
        f"""WITH made AS (
                SELECT label, f.prompt_id, f.scan_id, count(*) AS answers
                FROM {conditions.table}, unnest(f.labels) AS label WHERE {conditions.sql} AND {_MADE}
                GROUP BY label, f.prompt_id, f.scan_id),
            newest AS (
                SELECT DISTINCT ON (label, prompt_id) scan_id, answers, substr(label, {len(_SEARCH) + 1}) AS search,
                       prompt_id FROM made ORDER BY label, prompt_id, scan_id DESC),
            page AS (
                SELECT * FROM newest WHERE {rest}
                ORDER BY scan_id DESC, answers DESC, search COLLATE "C", prompt_id LIMIT {conditions.add(limit)})
            SELECT page.*, p.prompt, p.country_iso_2, p.language_code, s.completed_at FROM page
            JOIN prompts p ON p.workspace_id = $1 AND p.id = page.prompt_id
            JOIN scans s ON s.workspace_id = $1 AND s.id = page.scan_id
            ORDER BY page.scan_id DESC, page.answers DESC, page.search COLLATE "C", page.prompt_id""",
        *conditions.parameters,
    )
    return to_rows(SearchRow, rows)


async def count_labels_with(
    db: Reader, selection: Selection, searches: Sequence[SearchRow]
) -> dict[tuple[uuid.UUID, str], dict[str, int]]:
    """Count the answers based on each search, by platform and by cited site."""
    conditions = Conditions(selection)
    prompts = conditions.add([each.prompt_id for each in searches])
    texts = conditions.add([each.search for each in searches])
    # The index of labels finds the few answers that matter, whatever the number of scans.
    conditions.require(f"f.labels && {conditions.add([_SEARCH + each.search for each in searches])}::text[]")
    # In FROM, `unnest` would store the labels of each answer separately. Numbers and bytes group faster than words.
    rows = await db.fetch(
        f"""WITH found AS MATERIALIZED (
                SELECT f.prompt_id, f.platform, f.labels FROM {conditions.table}
                WHERE {conditions.sql} AND f.prompt_id = ANY({prompts}::uuid[])),
            resting AS MATERIALIZED (
                SELECT made.place, found.platform, found.labels
                FROM unnest({prompts}::uuid[], {texts}::text[]) WITH ORDINALITY AS made (prompt_id, search, place)
                JOIN found ON found.prompt_id = made.prompt_id AND '{_SEARCH}' || made.search = ANY(found.labels))
            SELECT place, label, count(*)
            FROM (SELECT place, unnest(labels) COLLATE "C" AS label FROM resting) AS labeled
            WHERE starts_with(label, 'site:') GROUP BY place, label
            UNION ALL SELECT place, 'platform:' || platform, count(*) FROM resting GROUP BY place, platform""",
        *conditions.parameters,
    )
    labels: dict[tuple[uuid.UUID, str], dict[str, int]] = {}
    for place, label, counted in rows:
        labels.setdefault(searches[place - 1].key, {})[label] = counted
    return labels
