"""Spot checks of a prompt: how likely one look at each platform is to find the brand, from the stored repeats.

Repeats are all scans of the last ninety days that asked this prompt on the platform, of whatever scope. Made-up answers
and real ones are never mixed, nor are surfaces, and a new name updates the facts of all of them.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Reader
from sightline.kit.clock import start_of_day, to_iso
from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.spot_check import measure_spot_check
from sightline.platforms.catalog import PLATFORMS
from sightline.presentation.phrases import describe_spot_check
from sightline.scoreboard.history.prompt_history import read_prompt_history
from sightline.scoreboard.models import LatestScans, PromptScanRow, decode_comparable_facts
from sightline.scoreboard.schemas import PromptSpotChecks, SpotCheckResult

PERIOD = timedelta(days=90)
_MAX_SCANS = 400  # more than the schedule can start in this time


class PlatformSpotCheck(msgspec.Struct, frozen=True):
    """The chance to see the brand on one platform, in percent."""

    platform: str
    chance: Figure
    first_asked_at: datetime
    """When the first check that asked it completed."""
    last_asked_at: datetime


async def read_spot_checks(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID, *, now: datetime
) -> list[PlatformSpotCheck]:
    """Return a spot check of every platform that was asked in the period, in the order of the catalog."""
    first_day = start_of_day(now - PERIOD)  # lists of answers begin with a day
    scans = await read_prompt_history(db, workspace_id, domain_id, prompt_id, LatestScans(_MAX_SCANS, since=first_day))
    return summarize_spot_checks(scans)


def summarize_spot_checks(scans: Sequence[PromptScanRow]) -> list[PlatformSpotCheck]:
    """Return a spot check of every platform. The scans are of one prompt, oldest first."""
    repeats: dict[str, list[tuple[datetime, bool]]] = {}
    for scan, cells in zip(scans, decode_comparable_facts([scan.cells for scan in scans]), strict=True):
        for facts in cells:
            if facts.status != "failed":
                repeats.setdefault(facts.platform, []).append((scan.completed_at, facts.mentioned))
    return [
        PlatformSpotCheck(
            platform.key,
            to_figure(measure_spot_check(sum(named for _, named in found), len(found))),
            found[0][0],
            found[-1][0],
        )
        for platform in PLATFORMS
        if (found := repeats.get(platform.key))
    ]


def to_prompt_spot_checks(
    domain_id: uuid.UUID, brand: str, prompt_id: uuid.UUID, found: Sequence[PlatformSpotCheck]
) -> PromptSpotChecks:
    """Build the spot checks as the API returns them."""
    return PromptSpotChecks(
        prompt_id=prompt_id,
        domain_id=domain_id,
        period_days=PERIOD.days,
        platforms=tuple(
            SpotCheckResult(
                platform=each.platform,
                chance=each.chance,
                summary=describe_spot_check(brand, each.chance),
                first_asked_at=to_iso(each.first_asked_at),
                last_asked_at=to_iso(each.last_asked_at),
            )
            for each in found
        ),
    )
