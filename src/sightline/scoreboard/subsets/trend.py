"""The trend of a part of the cells over the Full Checks of a period, from the stored facts of their answers."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.engine import Reader
from sightline.metrics.coverage import count_mentions, measure_coverage
from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.observation import Observation, Status
from sightline.metrics.panel import Observations
from sightline.metrics.visibility import measure_visibility
from sightline.scans.analyze_answer import names_brand
from sightline.scans.stored import ScanRow, decode_measured
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.subsets import queries
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period
from sightline.scoreboard.subsets.queries import PromptFactsRow


class PartPoint(msgspec.Struct, frozen=True, kw_only=True):
    """What one Full Check measured for the brand in a part of its cells. Stored facts do not cover competitors."""

    completed_at: datetime
    visibility_score: Figure
    brand_coverage_pct: Figure
    ai_mentions: Figure


class _PartFacts(msgspec.Struct, frozen=True):
    """The fields of `CellFacts` that a point is made of. Decoding only these halves the time of a long trend."""

    platform: str
    status: Status
    mentioned: bool = False
    cited: bool = False
    rank: int | None = None


_decode_part = msgspec.json.Decoder(tuple[_PartFacts, ...]).decode


async def read_part_trend(
    db: Reader, scan: ScanRow, wanted: MeasurementFilter, period: Period, *, uncited: UncitedPlatforms
) -> list[PartPoint]:
    """Return a point for each Full Check of the period that asked the part, oldest first.

    They are checks of the domain and the source of this scan, whose brand says which prompts are branded.
    """
    rows = await queries.list_prompt_facts(db, scan, wanted, period)
    brand = decode_measured(scan.brand).brand
    return measure_part_trend(rows, wanted.platform, brand=brand, uncited=uncited[scan.answers_source])


def measure_part_trend(
    rows: Iterable[PromptFactsRow], platform: str, *, brand: Brand, uncited: frozenset[str]
) -> list[PartPoint]:
    """Measure each check. The rows of one are adjacent; `platform` is the chosen one, or empty. Pure."""
    lexicon = Lexicon([brand])
    branded: dict[str, bool] = {}
    points = []
    for (completed_at, _), found in groupby(rows, key=lambda row: (row.completed_at, row.scan_id)):
        seen = Observations(
            observation
            for row in found
            for observation in _observe(row, platform, uncited, _recall_branded(branded, row.prompt, lexicon))
        )
        if seen:
            points.append(
                PartPoint(
                    completed_at=completed_at,
                    visibility_score=to_figure(measure_visibility(seen)),
                    brand_coverage_pct=to_figure(measure_coverage(seen)),
                    ai_mentions=to_figure(count_mentions(seen)),
                )
            )
    return points


def _recall_branded(known: dict[str, bool], prompt: str, lexicon: Lexicon) -> bool:
    if prompt not in known:
        known[prompt] = names_brand(prompt, lexicon)
    return known[prompt]


def _observe(row: PromptFactsRow, platform: str, uncited: frozenset[str], branded: bool) -> Iterable[Observation]:
    prompt_id = str(row.prompt_id)
    for facts in _decode_part(row.cells):
        if platform in ("", facts.platform):
            yield Observation(
                prompt_id=prompt_id,
                platform=facts.platform,
                country=row.country_iso_2,
                status=facts.status,
                branded=branded,
                platform_cites=facts.platform not in uncited,
                mentioned=facts.mentioned,
                occurrences=int(facts.mentioned),
                rank=facts.rank,
                cited=facts.cited,
                has_sources=facts.cited,
            )
