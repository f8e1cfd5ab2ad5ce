"""The insights of a Full Check, read from where they are stored.

An entry that cannot be decoded is left out and logged, so that it does not cost the whole report.
"""

import uuid
from typing import TypeVar

import msgspec
import structlog

from sightline.db.engine import Reader
from sightline.insights.editor.read import read_edition
from sightline.insights.models import StoredOpportunity, StoredTheme
from sightline.insights.queries import find_plan, list_ranked
from sightline.insights.read import read_unread_languages
from sightline.insights.recommendations.done_actions import DoneAction, list_watched_actions
from sightline.insights.recommendations.tasks import RecommendationTask, read_tasks
from sightline.metrics.themes import MAX_THEMES
from sightline.plans.table import has_themes
from sightline.reports.weekly import queries
from sightline.scans.stored import ScanRow

log = structlog.get_logger()

_MAX_OPPORTUNITIES = 5
_MAX_DONE = 100
Entry = TypeVar("Entry", bound=msgspec.Struct)


class CheckInsights(msgspec.Struct, frozen=True, kw_only=True):
    """The insights that a report shows."""

    themed: bool = True
    """Whether the plan includes Brand Themes."""
    themes: tuple[StoredTheme, ...] = ()
    unread_themes: tuple[str, ...] = ()
    """Languages of answers about the brand in which themes are not available, most answers first."""
    edited_by: str | None = None
    """The platform and model that edited them; None if rules did."""
    tasks: tuple[RecommendationTask, ...] = ()
    """The open recommendations of this check, by rank."""
    watched: tuple[DoneAction, ...] = ()
    """The done actions whose effect this check adds to, the latest first."""
    opportunities: tuple[StoredOpportunity, ...] = ()
    """The highest-scored ones, best first."""


async def read_check_insights(db: Reader, scan: ScanRow) -> CheckInsights:
    """Return the insights of this Full Check."""
    assert scan.completed_at is not None
    of_check = (scan.workspace_id, scan.domain_id, scan.id)
    themes = await list_ranked(db, scan.workspace_id, scan.domain_id, "theme", after=None, limit=MAX_THEMES)
    unread = await read_unread_languages(db, scan.workspace_id, scan.domain_id, scan_id=scan.id)
    edition = await read_edition(db, scan.workspace_id, scan.domain_id)
    tasks = await read_tasks(db, scan.workspace_id, scan.domain_id)
    watched = await list_watched_actions(
        db, scan.workspace_id, scan.domain_id, scan_id=scan.id, until=scan.completed_at, limit=_MAX_DONE
    )
    opportunities = await queries.list_best_opportunities(db, *of_check, limit=_MAX_OPPORTUNITIES)
    return CheckInsights(
        themed=has_themes(await find_plan(db, scan.workspace_id)),
        themes=_decode(StoredTheme, [each.found for each in themes if each.scan_id == scan.id], scan.id),
        unread_themes=tuple(each.language_code for each in unread),
        edited_by=edition.editor if edition.scan_id == scan.id else None,
        tasks=tuple(task for task in tasks.open if task.scan_id == scan.id),
        watched=tuple(watched),
        opportunities=_decode(StoredOpportunity, opportunities, scan.id),
    )


def _decode(kind: type[Entry], stored: list[bytes], scan_id: uuid.UUID) -> tuple[Entry, ...]:
    found = []
    for each in stored:
        try:
            found.append(msgspec.json.decode(each, type=kind))
        except msgspec.DecodeError as error:
            log.warning("insight_left_out", kind=kind.__name__, scan_id=str(scan_id), reason=str(error))
    return tuple(found)
