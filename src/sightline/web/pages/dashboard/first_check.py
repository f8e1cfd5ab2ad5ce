"""The first check of a domain, for an Overview without figures: its map fills while it runs, or it can be retried."""

import uuid
from collections.abc import Sequence

import msgspec

from sightline.competitors.models import CompetitorRow
from sightline.competitors.queries import list_all_competitors
from sightline.insights.read import has_insights
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.language import gettext
from sightline.scans.name_mentions import NameMentions, find_name_mentions
from sightline.scans.stored import ScanRow
from sightline.scans.tracked_scans import list_tracked_scans
from sightline.scoreboard.running_check import FirstMention, RunningCheck, read_running_check
from sightline.web.page_context import PageContext
from sightline.web.pages.dashboard.checks import is_retry_offered
from sightline.web.pages.dashboard.heat_strips import Square, build_facts_square
from sightline.web.pages.dashboard.prompt_map import MapColumn, MapRow, PromptMap

_MOST_PROMPTS = 20
_MOST_SUGGESTIONS = 8
_LIKELY = 5


class FirstCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The latest check of a domain that has no figures yet; None before it is started."""

    scan: ScanRow | None
    may_retry: bool = False
    map: PromptMap | None = None
    first_mention: FirstMention | None = None


class Suggestion(msgspec.Struct, frozen=True):
    """A brand that answers present as a competitor, and the answers of the scoreboard's check that name it."""

    row: CompetitorRow
    naming: NameMentions | None

    @property
    def answers(self) -> int:
        return self.naming.counted.answers if self.naming and self.naming.counted else 0


async def read_first_check(ctx: PageContext) -> FirstCheck | None:
    """Return the first check; None once a check has given figures."""
    domain = ctx.domain
    assert domain is not None
    if domain.last_full_check_at or domain.last_daily_check_at or domain.last_audit_at:
        return None
    found = await list_tracked_scans(
        ctx.db, ctx.actor, domain.id, after=None, page_size=1, live_only=ctx.app_context.settings.sandbox_ended
    )
    scan = found.rows[0] if found.rows else None
    if scan is None or scan.prompts is None:
        return FirstCheck(scan=scan)
    if scan.status == "failed":
        return FirstCheck(scan=scan, may_retry=await is_retry_offered(ctx))
    check = await read_running_check(ctx.db, scan, most_prompts=_MOST_PROMPTS)
    return FirstCheck(scan=scan, map=_build_map(scan, check), first_mention=check.first)


def _build_map(scan: ScanRow, check: RunningCheck) -> PromptMap:
    """Build the map of the answers so far, in the order of the prompts. Cells that are still open are empty."""
    columns = [MapColumn(key, platform_name(key), short_platform_name(key)) for key in scan.selected_platforms]
    rows = []
    for place, prompt in enumerate(check.prompts):
        cells = [(column, check.cells.get((place, column.key))) for column in columns]
        squares = [
            Square("", gettext("%(platform)s: no answer yet", platform=column.name), "unasked", None)
            if facts is None
            else build_facts_square(facts, scan.id)
            for column, facts in cells
        ]
        named = sum(facts is not None and facts.mentioned for _, facts in cells)
        rows.append(MapRow(uuid.UUID(prompt.id), prompt.text, squares, named, None))
    return PromptMap(columns, rows, len(rows))


async def find_suggestions(
    ctx: PageContext, rows: Sequence[CompetitorRow], scan_id: uuid.UUID | None
) -> list[Suggestion]:
    """Return each suggested competitor with the answers that name it."""
    names = [row.found_as for row in rows if row.found_as]
    if scan_id is None or not names:
        return [Suggestion(row, None) for row in rows]
    found = await find_name_mentions(ctx.db, ctx.actor.workspace_id, scan_id, names)
    return [Suggestion(row, found.get(row.found_as or "")) for row in rows]


async def offer_competitors(ctx: PageContext, scan_id: uuid.UUID | None) -> list[tuple[Suggestion, bool]] | None:
    """Return brands to track for a domain without competitors, the most named first, and whether each is likely.

    None while the answers of the first check are still searched for brands.
    """
    assert ctx.domain is not None
    if scan_id is None or ctx.domain.competitor_count or not ctx.may_edit:
        return []
    if not await has_insights(ctx.db, ctx.actor.workspace_id, ctx.domain.id):
        return None
    rows = await list_all_competitors(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    suggested = await find_suggestions(ctx, [row for row in rows if row.status == "suggested"], scan_id)
    suggested.sort(key=lambda each: -each.answers)
    shown = suggested[:_MOST_SUGGESTIONS]
    return [(each, place < _LIKELY and each.row.competitor_domain is not None) for place, each in enumerate(shown)]
