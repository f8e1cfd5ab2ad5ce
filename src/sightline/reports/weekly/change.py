"""Changing what members add to a report: a paragraph in their own words, and the owners of the next actions."""

import uuid
from unicodedata import category

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Transaction
from sightline.errors import invalid_field
from sightline.reports.weekly import queries
from sightline.reports.weekly.models import MAX_NOTE, MAX_OWNER, MAX_TASKS, ReportRow
from sightline.reports.weekly.read import read_report
from sightline.reports.weekly.schemas import ReportChange


async def change_report(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, report_id: uuid.UUID | None, change: ReportChange
) -> ReportRow:
    """Change the report and return it. Texts lose spaces at their ends, and the paragraph its empty lines.

    Refused: an unknown report (404), and a text that is too long or has characters that cannot be shown (422).
    """
    report = await read_report(tx, actor.workspace_id, domain_id, report_id)
    note, owners = report.note, report.owners
    if change.note is not msgspec.UNSET:
        note = _clean_note(change.note or "") or None
    if change.owners is not msgspec.UNSET:
        owners = [_clean_owner(each) for each in change.owners]
        if len(owners) > MAX_TASKS:
            raise invalid_field("owners", f"must have at most {MAX_TASKS} items", "length")
        while owners and not owners[-1]:
            owners.pop()
    await queries.change_report(tx, actor.workspace_id, report.id, note, owners)
    return msgspec.structs.replace(report, note=note, owners=owners)


def _clean_note(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return _require("note", "\n".join(line for line in lines if line), MAX_NOTE)


def _clean_owner(text: str) -> str:
    return _require("owners", " ".join(text.split()), MAX_OWNER)


def _require(field: str, text: str, limit: int) -> str:
    if len(text) > limit:
        raise invalid_field(field, f"must not be longer than {limit} characters", "length")
    # Marks inside words and emoji are allowed, and so are those that change the direction: readers see the latter.
    if any(category(char) in ("Cc", "Cs") and char != "\n" for char in text):
        raise invalid_field(field, "must not contain control characters")
    return text
