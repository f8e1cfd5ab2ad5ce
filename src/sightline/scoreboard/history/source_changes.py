"""New and lost sources of one prompt on each platform, with dates, from the stored facts of its answers.

Sources come and go from answer to answer. A site is new or lost only if several answers agree, because one answer
proves nothing.
"""

import uuid
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec

from sightline.db.engine import Reader
from sightline.kit.clock import start_of_day, to_iso
from sightline.kit.structs import convert_struct
from sightline.platforms.catalog import PLATFORMS
from sightline.presentation.dates import to_utc_day
from sightline.scoreboard.check_changes.schemas import SiteChange
from sightline.scoreboard.history.prompt_history import read_prompt_history
from sightline.scoreboard.models import LatestScans, PromptScanRow, decode_comparable_facts
from sightline.scoreboard.schemas import PromptSourceChange, PromptSourceChanges

PERIOD = timedelta(days=90)
_MAX_SCANS = 400  # more than the schedule can start in this time
_RECENT = timedelta(days=30)
_SEEN = 2  # so many answers cite a site, and so many others do not, before it is new or lost
_MAX_LISTED = 10  # of one platform, new and lost each

_Cited = tuple[datetime, frozenset[str]]


class SourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A site that a platform began to cite, or stopped citing."""

    platform: str
    site: str
    change: SiteChange
    at: datetime
    """When it was cited for the first time if it is new, for the last time if it is lost."""
    cited: int
    answers: int
    """Answers with sources since `at` if it is new, until `at` if it is lost; `cited` of them cite it."""
    days: tuple[date, date] | None = None
    """The first and the last day of these answers. None if others with sources are of the same days."""


async def read_source_changes(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID, *, now: datetime
) -> list[SourceChange]:
    """Return the changes of the last thirty days, by platform in the order of the catalog, newest first."""
    first_day = start_of_day(now - PERIOD)  # lists of answers begin with a day
    scans = await read_prompt_history(db, workspace_id, domain_id, prompt_id, LatestScans(_MAX_SCANS, since=first_day))
    return find_source_changes(scans, since=now - _RECENT)


def find_source_changes(scans: Sequence[PromptScanRow], *, since: datetime) -> list[SourceChange]:
    """Find the changes since a time. The scans are of one prompt, oldest first.

    A site is new if two or more answers came before its first citation, and at least half of the answers since then
    cite it, at least two. A site is lost if two or more answers came after its last citation, and at least half of the
    four answers up to then cite it, at least two.
    """
    cited: dict[str, list[_Cited]] = {}
    for scan, cells in zip(scans, decode_comparable_facts([scan.cells for scan in scans]), strict=True):
        for facts in cells:
            if facts.status == "ok" and facts.has_sources:
                cited.setdefault(facts.platform, []).append((scan.completed_at, frozenset(facts.source_domains)))
    found = []
    for platform in PLATFORMS:
        answers = cited.get(platform.key, [])
        changes = [
            change
            for site in sorted({site for _, sites in answers for site in sites})
            for change in (_find_new(platform.key, site, answers), _find_lost(platform.key, site, answers))
            if change is not None and change.at >= since
        ]
        for kind in ("new", "lost"):
            own = sorted((each for each in changes if each.change == kind), key=lambda each: each.at, reverse=True)
            found += own[:_MAX_LISTED]
    return found


def _find_new(platform: str, site: str, answers: Sequence[_Cited]) -> SourceChange | None:
    first = next(place for place, (_, sites) in enumerate(answers) if site in sites)
    later = [site in sites for _, sites in answers[first:]]
    if first < _SEEN or sum(later) < max(_SEEN, len(later) / 2):
        return None
    return SourceChange(
        platform=platform,
        site=site,
        change="new",
        at=answers[first][0],
        cited=sum(later),
        answers=len(later),
        days=_find_days(answers, first, len(answers) - 1),
    )


def _find_lost(platform: str, site: str, answers: Sequence[_Cited]) -> SourceChange | None:
    last = max(place for place, (_, sites) in enumerate(answers) if site in sites)
    earlier = [site in sites for _, sites in answers[: last + 1]][-2 * _SEEN :]
    if len(answers) - 1 - last < _SEEN or sum(earlier) < max(_SEEN, len(earlier) / 2):
        return None
    return SourceChange(
        platform=platform,
        site=site,
        change="lost",
        at=answers[last][0],
        cited=sum(earlier),
        answers=len(earlier),
        days=_find_days(answers, last + 1 - len(earlier), last),
    )


def _find_days(answers: Sequence[_Cited], first: int, last: int) -> tuple[date, date] | None:
    days = [to_utc_day(at) for at, _ in answers]
    is_shared = days[first] in days[:first] or days[last] in days[last + 1 :]
    return None if is_shared else (days[first], days[last])


def to_prompt_source_changes(
    domain_id: uuid.UUID, prompt_id: uuid.UUID, found: Sequence[SourceChange]
) -> PromptSourceChanges:
    """Build the changes as the API returns them."""
    return PromptSourceChanges(
        prompt_id=prompt_id,
        domain_id=domain_id,
        period_days=_RECENT.days,
        sources=tuple(convert_struct(PromptSourceChange, each, at=to_iso(each.at)) for each in found),
    )
