"""Turn stored recommendations into one row for each action, and carry marks over where kind and subject agree.

`KINDS` maps former kinds to present kinds. Former keys of marks contain the prompt;
they are computed again from the stored rows and from the reports, because a key is a hash. What cannot be found out,
and what has no present kind, is removed.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from alembic import op
from sqlalchemy import text

from sightline.db.migrations.steps import run_sql

revision = "0010"
down_revision = "0009"

KINDS = {
    "get_listed": "get_listed",
    "publish_page": "answer_question",
    "fix_source": "fix_claim",
    "platform_access": "open_door",
    "nothing_significant": "nothing_significant",
}
# A mark on a page for one prompt says nothing about a page for several prompts.
CARRIED = {"get_listed", "fix_source", "platform_access"}
PLATFORMS = (
    "chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot", "grok", "mistral", "deepseek",
    "google_ai_mode", "local",
)  # fmt: skip
# How reports of before say what a recommendation is about.
REPORTED = {
    "get_listed": ("Get listed or reviewed on ", ""),
    "fix_source": ("Correct where \u201c", "\u201d comes from"),
}

Row = dict[str, Any]


def old_key(kind: str, prompt_id: str | None, subject: str | None) -> str:
    encoded = json.dumps([prompt_id, subject], separators=(",", ":"), ensure_ascii=False).encode()
    return f"{kind}-{hashlib.sha256(encoded).hexdigest()[:32]}"


def new_key(kind: str, subject: str | None) -> str:
    return f"{kind}-{hashlib.sha256((subject or '').encode()).hexdigest()[:32]}"


def convert_rows(rows: Sequence[Row], platforms: Mapping[str, str]) -> list[Row]:
    """Return the rows of a domain in their present shape. `platforms` has the platform of each answer."""
    groups: dict[tuple[str, str | None], list[Row]] = {}
    for row in rows:
        kind = KINDS.get(row["kind"])
        if kind is not None:
            subject = "page" if kind == "answer_question" else row["subject"]
            groups.setdefault((kind, subject), []).append(row)
    listed = {subject for kind, subject in groups if kind == "get_listed"}
    found, taken = [], set(listed)
    for (kind, subject), grouped in groups.items():
        if kind == "get_listed":
            pages = [subject or ""]
        else:
            pages = [
                page for page in dict.fromkeys(page for row in grouped for page in row["pages"]) if page not in taken
            ]
            taken.update(pages)
        found.append(_build_row(kind, subject, pages, grouped, platforms))
    tasks = [row for row in found if row["kind"] != "nothing_significant"]
    tasks.sort(key=lambda row: -len(row["proofs"]))
    return tasks or ([{"kind": "nothing_significant", "proofs": []}] if rows else [])


def _build_row(
    kind: str, subject: str | None, pages: Sequence[str], grouped: Sequence[Row], platforms: Mapping[str, str]
) -> Row:
    proofs = list({proof["answer_id"]: proof for row in grouped for proof in row["proofs"]}.values())
    prompts = {row["prompt_id"]: row["prompt"] for row in grouped if row["prompt_id"]}
    row: Row = {
        "kind": kind,
        "subject": subject,
        "pages": [{"url": page, "answers": len(proofs) if kind == "get_listed" else 0} for page in pages],
        "prompts": [{"id": prompt_id, "text": prompt} for prompt_id, prompt in prompts.items()],
        "platforms": sorted({platforms[each["answer_id"]] for each in proofs if each["answer_id"] in platforms}),
        "proofs": proofs,
    }
    if kind == "get_listed":
        row["site"] = (subject or "").partition("/")[0]
    if kind == "answer_question":
        row["page_kind"] = "page"
    return row


def list_known_tasks(
    rows: Iterable[Row], reported: Iterable[Row], prompt_ids: Mapping[str, Sequence[str]]
) -> set[tuple[str, str | None, str | None]]:
    """Return the kind, prompt and subject of every task that a mark may be about."""
    found = {(row["kind"], row["prompt_id"], row["subject"]) for row in rows}
    found |= {("platform_access", None, platform) for platform in PLATFORMS}
    for task in reported:
        before, after = REPORTED.get(task["kind"], ("", ""))
        if task["kind"] in REPORTED and task["action"].startswith(before) and task["action"].endswith(after):
            subject = task["action"][len(before) : len(task["action"]) - len(after)]
            asked: Sequence[str | None] = prompt_ids.get(task["prompt"] or "", ()) if task["prompt"] else (None,)
            found |= {(task["kind"], prompt_id, subject) for prompt_id in asked}
    return found


def carry_keys(tasks: Iterable[tuple[str, str | None, str | None]]) -> dict[str, str]:
    """Return the present key for each former key that is carried over."""
    return {
        old_key(kind, prompt_id, subject): new_key(KINDS[kind], subject)
        for kind, prompt_id, subject in tasks
        if kind in CARRIED
    }


def upgrade() -> None:
    run_sql("SELECT 1")  # sets the limits on waiting
    rows = _read("SELECT workspace_id, domain_id, scan_id, place, recommendation FROM recommendations ORDER BY place")
    by_domain: dict[tuple[uuid.UUID, uuid.UUID], list[Any]] = {}
    for row in rows:
        by_domain.setdefault((row.workspace_id, row.domain_id), []).append(row)
    marked = {(row.workspace_id, row.domain_id) for row in _read("SELECT * FROM recommendation_marks")}
    for workspace_id, domain_id in marked | by_domain.keys():
        of_domain = by_domain.get((workspace_id, domain_id), [])
        stored = [json.loads(row.recommendation) for row in of_domain]
        if (workspace_id, domain_id) in marked:
            _carry_marks(workspace_id, domain_id, stored)
        if stored:
            _rewrite_rows(workspace_id, domain_id, of_domain[0].scan_id, stored)


def _carry_marks(workspace_id: uuid.UUID, domain_id: uuid.UUID, stored: Sequence[Row]) -> None:
    at = {"workspace_id": workspace_id, "domain_id": domain_id}
    where = "WHERE workspace_id = :workspace_id AND domain_id = :domain_id"
    documents = [json.loads(row.document) for row in _read(f"SELECT document FROM reports {where}", **at)]
    prompt_ids: dict[str, list[str]] = {}
    for row in _read(f"SELECT id, prompt FROM prompts {where}", **at):
        prompt_ids.setdefault(row.prompt, []).append(str(row.id))
    reported = [task for document in documents for task in document.get("tasks", ())]
    keys = carry_keys(list_known_tasks(stored, reported, prompt_ids))
    marks = _read(f"SELECT subject, done_by, done_at FROM recommendation_marks {where} ORDER BY done_at, subject", **at)
    _read(f"DELETE FROM recommendation_marks {where} RETURNING 1", **at)
    for mark in marks:
        if mark.subject in keys:
            _read(
                """INSERT INTO recommendation_marks (workspace_id, domain_id, subject, done_by, done_at)
                   VALUES (:workspace_id, :domain_id, :subject, :done_by, :done_at)
                   ON CONFLICT DO NOTHING RETURNING 1""",
                **at,
                subject=keys[mark.subject],
                done_by=mark.done_by,
                done_at=mark.done_at,
            )


def _rewrite_rows(workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, stored: Sequence[Row]) -> None:
    at = {"workspace_id": workspace_id, "domain_id": domain_id}
    answers = {proof["answer_id"] for row in stored for proof in row["proofs"]}
    scans = {proof["scan_id"] for row in stored for proof in row["proofs"]}
    platforms = _read(
        """SELECT id, platform FROM answers WHERE workspace_id = :workspace_id
           AND scan_id = ANY(CAST(:scans AS uuid[])) AND id = ANY(CAST(:answers AS uuid[]))""",
        workspace_id=workspace_id,
        scans=[uuid.UUID(each) for each in scans],
        answers=[uuid.UUID(each) for each in answers],
    )
    found = convert_rows(stored, {str(row.id): row.platform for row in platforms})
    _read("DELETE FROM recommendations WHERE workspace_id = :workspace_id AND domain_id = :domain_id RETURNING 1", **at)
    for place, row in enumerate(found):
        _read(
            """INSERT INTO recommendations (workspace_id, id, domain_id, scan_id, place, recommendation)
               VALUES (:workspace_id, gen_random_uuid(), :domain_id, :scan_id, :place, :row) RETURNING 1""",
            **at,
            scan_id=scan_id,
            place=place,
            row=json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode(),
        )


def _read(query: str, **values: object) -> Sequence[Any]:
    return op.get_bind().execute(text(query), values).all()
