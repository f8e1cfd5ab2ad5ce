"""SQL of breakdowns: how many of the selected answers have some labels, by platform, prompt or check."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Literal

from sightline.db.engine import Reader
from sightline.scoreboard.answer_list.queries import Conditions, Selection

Group = Literal["platform", "prompt_id", "scan_id"]


async def count_groups(
    db: Reader, selection: Selection, group: Group, label_sets: Sequence[Sequence[str]]
) -> dict[str, list[int]]:
    """Return for each group how many answers it has, and how many of them have all labels of each set."""
    conditions = Conditions(selection)
    counts = "".join(
        f", count(*) FILTER (WHERE f.labels @> {conditions.add(list(labels))}::text[])" for labels in label_sets
    )
    rows = await db.fetch(
        f"SELECT f.{group}, count(*){counts} FROM {conditions.table} WHERE {conditions.sql} GROUP BY f.{group}",
        *conditions.parameters,
    )
    return {str(row[0]): list(row)[1:] for row in rows}


async def count_sites(db: Reader, selection: Selection) -> dict[str, dict[str, int]]:
    """Return for each cited site how many answers of each scan cite it."""
    conditions = Conditions(selection)
    rows = await db.fetch(
        f"""SELECT substr(label, 6), f.scan_id, count(*) FROM {conditions.table}, unnest(f.labels) label
            WHERE {conditions.sql} AND label LIKE 'site:%' GROUP BY 1, 2""",
        *conditions.parameters,
    )
    found: dict[str, dict[str, int]] = {}
    for site, scan_id, answers in rows:
        found.setdefault(site, {})[str(scan_id)] = answers
    return found


async def list_records(db: Reader, selection: Selection) -> list[bytes]:
    """Return the stored record of each answer."""
    conditions = Conditions(selection)
    rows = await db.fetch(
        f"""SELECT a.record FROM {conditions.table}
            JOIN answers a ON a.workspace_id = f.workspace_id AND a.scan_id = f.scan_id AND a.id = f.answer_id
            WHERE {conditions.sql}""",
        *conditions.parameters,
    )
    return [row[0] for row in rows]


async def has_any(db: Reader, selection: Selection) -> bool:
    """Return whether any answer is selected."""
    conditions = Conditions(selection)
    found = await db.fetchval(
        f"SELECT true FROM {conditions.table} WHERE {conditions.sql} LIMIT 1", *conditions.parameters
    )
    return bool(found)


async def list_prompt_texts(
    db: Reader, workspace_id: uuid.UUID, prompt_ids: Sequence[str]
) -> Mapping[str, tuple[str, str | None]]:
    """Return the text and the country of each prompt, also of those that are no longer tracked."""
    rows = await db.fetch(
        "SELECT id, prompt, country_iso_2 FROM prompts WHERE workspace_id = $1 AND id = ANY($2::uuid[])",
        workspace_id,
        list(prompt_ids),
    )
    return {str(row[0]): (row[1], row[2]) for row in rows}
