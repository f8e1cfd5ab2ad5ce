"""Reading the alerts, themes, recommendations and opportunities of a tracked domain, page by page."""

import uuid
from collections.abc import Collection, Sequence

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.errors import Problem
from sightline.insights import queries
from sightline.insights.alerts import queries as alert_queries
from sightline.insights.alerts.models import decode_evidence
from sightline.insights.alerts.schemas import Alert, to_alert
from sightline.insights.alerts.states import AlertState
from sightline.insights.editor.queries import list_themes as list_codebook
from sightline.insights.editor.sorting import MAX_THEMES
from sightline.insights.models import OpportunityRow
from sightline.insights.recommendations.done_actions import list_done_actions
from sightline.insights.recommendations.effects import read_effects
from sightline.insights.recommendations.schemas import (
    DoneRecommendation,
    Recommendation,
    to_done_recommendation,
    to_recommendation,
)
from sightline.insights.recommendations.tasks import read_tasks
from sightline.insights.schemas.opportunities import Opportunity, to_opportunity
from sightline.insights.schemas.themes import Theme, UnreadLanguage, to_theme
from sightline.kit.clock import to_iso
from sightline.scoreboard.subsets.filter import ALL_ANSWERS, MeasurementFilter

OPPORTUNITIES = "opportunities_by_score"
"""The name of the list in cursors. An earlier order had the name `opportunities`; its cursors are refused."""


async def list_alerts(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    brand: str,
    *,
    after: alert_queries.SortKey | None,
    page_size: int,
    states: Collection[AlertState] = tuple(AlertState),
) -> Slice[Alert]:
    """Return alerts, newest first, including unconfirmed ones; with `states`, only those in them."""
    rows = await alert_queries.list_alerts(db, workspace_id, domain_id, after=after, limit=page_size + 1, states=states)
    page = cut_page(rows, page_size, lambda row: (to_iso(row.watched_at), str(row.id)))
    return page.map(lambda row: to_alert(row, brand))


async def list_counted_figures(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, alert_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, frozenset[str]]:
    """Return for each alert the figures whose answers are stored with it."""
    evidence = await alert_queries.list_evidence(db, workspace_id, domain_id, alert_ids)
    return {alert_id: frozenset[str](decode_evidence(found).counted) for alert_id, found in evidence.items()}


async def read_alert(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, brand: str, alert_id: uuid.UUID | None
) -> Alert:
    """Return an alert. Refused with 404: one that the domain does not have."""
    found = alert_id and await alert_queries.find_alert(db, workspace_id, domain_id, alert_id)
    if not found:
        raise Problem("not_found")
    return to_alert(found, brand)


async def read_themes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[Theme]:
    """Return all themes, as people named and ordered them since; there are 30 at most.

    A theme that was hidden or merged into another one is left out.
    """
    rows = await queries.list_ranked(db, workspace_id, domain_id, "theme", after=None, limit=MAX_THEMES)
    codebook = {theme.id: theme for theme in await list_codebook(db, workspace_id, domain_id)}
    found: list[tuple[bool, Theme]] = []
    for theme in map(to_theme, rows):
        own = codebook.get(theme.theme_key or "")
        if own is None:
            found.append((False, theme))
        elif not own.hidden and own.merged_into is None:
            found.append((own.pinned, msgspec.structs.replace(theme, descriptor=own.label)))
    return [theme for _, theme in sorted(found, key=lambda each: not each[0])]


async def read_unread_languages(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, scan_id: uuid.UUID | None = None
) -> list[UnreadLanguage]:
    """Return the languages of answers about the brand in which themes are not available, most answers first.

    With `scan_id`, only if that is the Full Check that the themes were found in.
    """
    found = await queries.find_theme_trace(db, workspace_id, domain_id)
    if found is None or scan_id not in {None, found.scan_id}:
        return []
    unread = found.trace.unread
    ordered = sorted(unread, key=lambda code: (-unread[code], code))
    return [UnreadLanguage(code, unread[code]) for code in ordered]


async def list_themes(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, page_size: int
) -> Slice[Theme]:
    """Return themes: pinned ones, what sets the brand apart, then criticism, then the most frequent."""
    themes = list(enumerate(await read_themes(db, workspace_id, domain_id)))
    passed = -1 if after is None else int(after[0])
    page = cut_page(themes[passed + 1 : passed + page_size + 2], page_size, lambda each: (str(each[0]),))
    return page.map(lambda each: each[1])


async def list_recommendations(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, brand: str, *, after: SortKey | None, page_size: int
) -> Slice[Recommendation]:
    """Return recommendations by rank, open and done ones."""
    passed = 0 if after is None else int(after[0])
    left = [task for task in (await read_tasks(db, workspace_id, domain_id)).rows if task.rank > passed]
    page = cut_page(left[: page_size + 1], page_size, lambda task: (str(task.rank),))
    marks = {task.done.subject: task.done for task in page.rows if task.done is not None}
    effects = await read_effects(db, workspace_id, domain_id, list(marks.values()))
    return page.map(lambda task: to_recommendation(task, brand, effects[task.done.subject] if task.done else None))


async def list_done_recommendations(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, brand: str, *, after: SortKey | None, page_size: int
) -> Slice[DoneRecommendation]:
    """Return done actions, the latest first, also those that the latest Full Check no longer recommends."""
    page = await list_done_actions(db, workspace_id, domain_id, after=after, page_size=page_size)
    return page.map(lambda done: to_done_recommendation(done, brand))


async def list_opportunities(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None,
    page_size: int,
    part: MeasurementFilter = ALL_ANSWERS,
) -> Slice[Opportunity]:
    """Return opportunities, highest score first. Only country, language and tag of `part` apply."""
    start = None if after is None else (float(after[0]), uuid.UUID(after[1]))
    rows = await queries.list_opportunities(db, workspace_id, domain_id, after=start, limit=page_size + 1, part=part)
    return cut_page(rows, page_size, _by_score).map(to_opportunity)


async def count_waiting(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> dict[str, int]:
    """Return how much waits for a person, by the page where it waits: alerts, and suggested competitors."""
    alerts, competitors = await queries.count_waiting(db, workspace_id, domain_id)
    return {"alerts": alerts, "competitors": competitors}


async def has_insights(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    """Return whether a check has suggested competitors. That is a few seconds after the first one is complete."""
    return await queries.find_source_scan(db, workspace_id, domain_id, "competitors") is not None


def _by_score(row: OpportunityRow) -> SortKey:
    return (repr(row.opportunity_score), str(row.id))
