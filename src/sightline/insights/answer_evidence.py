"""The answers that prove a finding, for a list of them."""

import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.errors import Problem
from sightline.insights import queries
from sightline.insights.alerts.models import decode_evidence
from sightline.insights.alerts.queries import find_alert
from sightline.insights.models import StoredOpportunity
from sightline.insights.read import read_themes
from sightline.insights.recommendations.tasks import read_tasks
from sightline.kit.ids import parse_id
from sightline.scoreboard.answer_list.read import AnswerRefs

_decode_opportunity = msgspec.json.Decoder(StoredOpportunity).decode


async def read_evidence(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, evidence: str) -> AnswerRefs | None:
    """Return the answers of a finding such as `alert:` and its id; None without one.

    Refused with 404: a finding that the domain does not have, or has no more.
    """
    if not evidence:
        return None
    kind, _, key = evidence.partition(":")
    found = await _find_refs(db, workspace_id, domain_id, kind, key)
    if found is None:
        raise Problem("not_found", "This finding no longer exists: a later check has replaced it.")
    return list(dict.fromkeys(found))


async def _find_refs(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, kind: str, key: str
) -> AnswerRefs | None:
    if kind == "recommendation":
        tasks = (await read_tasks(db, workspace_id, domain_id)).rows
        task = next((each for each in tasks if each.key == key), None)
        return None if task is None else [(proof.scan_id, proof.answer_id) for proof in task.found.proofs]
    if kind == "alert":
        return await _find_alert_refs(db, workspace_id, domain_id, key)
    finding_id = parse_id(key)
    if finding_id is None:
        return None
    if kind == "theme":
        themes = await read_themes(db, workspace_id, domain_id)
        theme = next((each for each in themes if each.id == finding_id), None)
        return None if theme is None else [(theme.scan_id, answer_id) for answer_id in theme.answer_ids]
    opportunity = await queries.find_opportunity(db, workspace_id, domain_id, finding_id)
    if opportunity is None:
        return None
    scan_id, stored = opportunity
    return [(scan_id, answer_id) for answer_id in _decode_opportunity(stored).answer_ids]


async def _find_alert_refs(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, key: str) -> AnswerRefs | None:
    """Return the answers of an alert, or those that one of its figures counts: its id, a colon and the figure."""
    text, _, part = key.partition(":")
    alert_id = parse_id(text)
    alert = None if alert_id is None else await find_alert(db, workspace_id, domain_id, alert_id)
    if alert is None:
        return None
    evidence = decode_evidence(alert.evidence)
    figures = {"": evidence.proofs} | {str(name): proofs for name, proofs in evidence.counted.items()}
    return [(proof.scan_id, proof.answer_id) for proof in figures[part]] if part in figures else None
