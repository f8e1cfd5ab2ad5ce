"""The answers that prove a finding, for a list of them."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from sightline.answers.candidates import merge_key
from sightline.answers.makers import assign_makers
from sightline.competitors.queries import find_competitor
from sightline.db.engine import Reader
from sightline.errors import Problem
from sightline.insights import queries
from sightline.insights.alerts.models import decode_evidence
from sightline.insights.alerts.queries import find_alert
from sightline.insights.models import ProvingAnswer, StoredOpportunity
from sightline.insights.read import read_themes
from sightline.insights.recommendations.tasks import read_tasks
from sightline.insights.schemas.themes import Theme
from sightline.kit.ids import parse_id
from sightline.scans.queries import find_scan
from sightline.scans.stored import AnswerRow, decode_record
from sightline.scoreboard.answer_list.read import AnswerRefs
from sightline.scoreboard.queries import read_answers_without_text

_Part = TypeVar("_Part")


class _Proven(msgspec.Struct, frozen=True):
    proofs: tuple[ProvingAnswer, ...] = ()


class _ReportFindings(msgspec.Struct, frozen=True):
    """What this module reads of the document of a report."""

    themes: tuple[_Proven, ...] = ()
    tasks: tuple[_Proven, ...] = ()


_decode_opportunity = msgspec.json.Decoder(StoredOpportunity).decode
_decode_report = msgspec.json.Decoder(_ReportFindings).decode


async def read_evidence(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, evidence: str) -> AnswerRefs | None:
    """Return the answers of a finding such as `alert:` and its id; None without one.

    Refused with 404: a finding that the domain does not have, or no longer has.
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
    found, _, part = key.partition(":")
    finding_id = parse_id(found)
    if finding_id is None:
        return None
    if kind == "report":
        return await _find_reported(db, workspace_id, domain_id, finding_id, part)
    if kind == "suggestion":
        return await _find_presenting(db, workspace_id, domain_id, finding_id, parse_id(part))
    if kind == "theme":
        themes = await read_themes(db, workspace_id, domain_id)
        theme = next((each for each in themes if each.id == finding_id), None)
        return None if theme is None else [(theme.scan_id, answer_id) for answer_id in _list_ids(theme, part)]
    opportunity = await queries.find_opportunity(db, workspace_id, domain_id, finding_id)
    if opportunity is None:
        return None
    scan_id, stored = opportunity
    answer_ids = _find_part(_decode_opportunity(stored), part)
    return None if answer_ids is None else [(scan_id, answer_id) for answer_id in answer_ids]


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


def _list_ids(theme: Theme, opinion: str) -> list[uuid.UUID]:
    """Return the answers of a theme, or those of one opinion."""
    if not opinion:
        return list(theme.answer_ids)
    return [answer_id for answer_id, said in zip(theme.answer_ids, theme.opinions, strict=False) if said == opinion]


def _find_part(found: StoredOpportunity, part: str) -> Sequence[uuid.UUID] | None:
    """Return the answers of an opportunity, or of one of its parts, such as `page:0`; None without such a part."""
    if not part:
        return found.answer_ids
    if part == "best":
        return None if found.best_rival is None else found.best_rival.answer_ids
    parts = {
        "competitor": [each.answer_ids for each in found.competitors],
        "source": [each.answer_ids for each in found.sources],
        "page": [each.answer_ids for each in found.pages],
    }
    return _select_part(parts, part)


def _select_part(parts: Mapping[str, Sequence[_Part]], part: str) -> _Part | None:
    """Return one of the parts by its name and number, such as `page:0`."""
    name, _, number = part.partition(":")
    named = parts.get(name, ())
    return named[int(number)] if number.isascii() and number.isdigit() and int(number) < len(named) else None


async def _find_reported(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, part: str
) -> AnswerRefs | None:
    """Return the answers of a theme or task of the report of a scan, which outlives the finding itself."""
    document = await queries.find_report_document(db, workspace_id, domain_id, scan_id)
    if document is None:
        return None
    found = _decode_report(document)
    line = _select_part({"theme": found.themes, "task": found.tasks}, part)
    return None if line is None else [(proof.scan_id, proof.answer_id) for proof in line.proofs]


async def _find_presenting(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID, scan_id: uuid.UUID | None
) -> AnswerRefs | None:
    """Return the answers of a check that present a suggested competitor, counted as `find_makers` does."""
    row = await find_competitor(db, workspace_id, domain_id, competitor_id)
    scan = scan_id and await find_scan(db, workspace_id, scan_id)
    if row is None or row.found_as is None or not scan or scan.domain_id != domain_id:
        return None
    answers = await read_answers_without_text(db, workspace_id, scan.id)
    ids = await asyncio.to_thread(_select_presenting, answers, row.found_as)
    return [(scan.id, answer_id) for answer_id in ids]


def _select_presenting(answers: Sequence[AnswerRow], name: str) -> list[uuid.UUID]:
    records = [(row.id, decode_record(row.record)) for row in answers]
    read = [(answer_id, record.candidates) for answer_id, record in records if record.analysis is not None]
    makers = assign_makers(candidate for _, candidates in read for candidate in candidates)
    wanted = {each for each, maker in makers.items() if merge_key(maker) == merge_key(name)}
    return [answer_id for answer_id, candidates in read if any(each.name in wanted for each in candidates)]
