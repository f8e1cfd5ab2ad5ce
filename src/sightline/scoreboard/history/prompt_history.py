"""The history of one prompt, and the checks next to one of its answers. Costs the same however long the history is."""

import uuid
from collections.abc import Iterable

import msgspec

from sightline.db.engine import Reader
from sightline.scans.stored import ScanRow, Scope
from sightline.scoreboard.history import queries
from sightline.scoreboard.models import CellFacts, PromptCheckRow, decode_facts
from sightline.scoreboard.queries import find_latest_source

# A platform that was switched off for longer than so many checks has no neighbour worth a comparison.
_FURTHEST = 30


class SeenAnswer(msgspec.Struct, frozen=True):
    """What one check found in one cell."""

    check: PromptCheckRow
    facts: CellFacts


class Neighbors(msgspec.Struct, frozen=True):
    """The same cell in the check before and in the one after."""

    here: SeenAnswer | None
    before: SeenAnswer | None
    after: SeenAnswer | None


async def read_prompt_history(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_id: uuid.UUID,
    *,
    limit: int,
    scope: Scope | None = None,
) -> list[PromptCheckRow]:
    """The latest checks that asked the prompt, oldest first. Made-up answers and real ones never stand together."""
    source = await find_latest_source(db, workspace_id, domain_id)
    if source is None:
        return []
    found = await queries.list_latest_checks(db, workspace_id, domain_id, prompt_id, source, scope=scope, limit=limit)
    return found[::-1]


async def find_neighbors(db: Reader, scan: ScanRow, prompt_id: uuid.UUID, platform: str) -> Neighbors:
    """Of a check that has not completed, or left no trace, nothing is known."""
    if scan.completed_at is None:
        return Neighbors(None, None, None)
    about = (scan.workspace_id, scan.domain_id, prompt_id, scan.answers_source)
    at = (scan.completed_at, scan.id)
    before = await queries.list_checks_before(db, *about, at, limit=_FURTHEST)
    later = await queries.list_checks_from(db, *about, at, limit=_FURTHEST)
    here = [check for check in later if check.scan_id == scan.id]
    after = [check for check in later if check.scan_id != scan.id]
    return Neighbors(_first_of(here, platform), _first_of(before, platform), _first_of(after, platform))


def _first_of(checks: Iterable[PromptCheckRow], platform: str) -> SeenAnswer | None:
    for check in checks:
        for facts in decode_facts(check.cells):
            if facts.platform == platform:
                return SeenAnswer(check, facts)
    return None
