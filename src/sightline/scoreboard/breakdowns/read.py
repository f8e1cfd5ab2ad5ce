"""Reading how often answers name a competitor next to the brand, how often they cite a site, and how they rate it.

All counts come from the facts of answers that lists of answers are filtered by, so each count can be opened.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Generic, TypeVar

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.metrics.compare import Verdict, compare_flips
from sightline.metrics.figure import Figure, round_value
from sightline.metrics.intervals import wilson_interval
from sightline.platforms.catalog import PLATFORMS
from sightline.scans.stored import decode_citations
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.queries import Selection
from sightline.scoreboard.answer_list.read import select_answers
from sightline.scoreboard.breakdowns import queries
from sightline.scoreboard.history.queries import list_latest_full_checks
from sightline.scoreboard.queries import find_latest_source
from sightline.scoreboard.subsets.filter import Period

_MAX_CHECKS = 60  # more than a year has
_MAX_SPARK = 12  # of a sparkline


class HeadToHead(msgspec.Struct, frozen=True):
    """How many answers name the brand and a competitor. Only answers that rank both say who is ahead."""

    answers: int
    ours: int
    theirs: int
    both: int
    ahead: int
    behind: int

    @property
    def only_ours(self) -> int:
        return self.ours - self.both

    @property
    def only_theirs(self) -> int:
        return self.theirs - self.both

    @property
    def neither(self) -> int:
        return self.answers - self.ours - self.only_theirs

    @property
    def verdict(self) -> Verdict:
        """Return `up` if the competitor is named in more answers, `down` if the brand is, by the paired test (3.3)."""
        if not self.answers:
            return "no_clear_change"
        return compare_flips(self.only_ours, self.only_theirs, self.answers).verdict


class CitedShare(msgspec.Struct, frozen=True):
    """How many answers there are, how many of them cite a site, and how many of these name the brand."""

    answers: int
    cited: int
    ours: int


class Ratings(msgspec.Struct, frozen=True):
    """How many answers there are, and how those rate the brand that name it."""

    answers: int
    positive: int
    neutral: int
    negative: int
    unscored: int

    @property
    def scored(self) -> int:
        return self.positive + self.neutral + self.negative


class DatedCheck(msgspec.Struct, frozen=True):
    scan_id: uuid.UUID
    completed_at: datetime


class AskedPrompt(msgspec.Struct, frozen=True):
    id: str
    text: str
    country: str | None


Counts = TypeVar("Counts", HeadToHead, CitedShare, Ratings)


class _Counted(msgspec.Struct, Generic[Counts], frozen=True):
    """What is counted of the answers of a period: the labels of each number."""

    kind: type[Counts]
    labels: Sequence[Sequence[str]]
    period: Period


class Breakdown(msgspec.Struct, Generic[Counts], frozen=True):
    """Counts of all answers, and by platform in the order of the catalog, by prompt, and by check, oldest first."""

    total: Counts
    platforms: list[tuple[str, Counts]]
    prompts: list[tuple[AskedPrompt, Counts]]
    checks: list[tuple[DatedCheck, Counts]]


def to_share_figure(part: int, whole: int) -> Figure:
    """Build the figure of a share in percent, with its range for these prompts."""
    found = wilson_interval(part, whole)
    interval = found.scaled(100) if found else None
    return Figure(
        value=round_value(100 * part / whole) if whole else None,
        low=round_value(interval.low) if interval else None,
        high=round_value(interval.high) if interval else None,
        n=whole,
        numerator=part,
        denominator=whole,
        early_reading=False,
        incomplete=False,
    )


async def read_head_to_head(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period, competitor: str
) -> Breakdown[HeadToHead]:
    """Read how often the selected answers name a competitor and the brand, and those of the Full Checks of a period."""
    theirs = f"competitor:{competitor}"
    labels = (
        ("named",),
        (theirs,),
        ("named", theirs),
        (f"ahead:{competitor}",),
        (f"behind:{competitor}",),
    )
    return await _read(db, workspace_id, domain, wanted, _Counted(HeadToHead, labels, period))


async def read_citations(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period, site: str
) -> Breakdown[CitedShare]:
    """Read how often the selected answers cite a site, and those of the Full Checks of a period."""
    labels = ((f"site:{site}",), (f"site:{site}", "named"))
    return await _read(db, workspace_id, domain, wanted, _Counted(CitedShare, labels, period))


async def read_ratings(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period
) -> list[tuple[DatedCheck, Ratings]]:
    """Read how the selected answers of each Full Check of a period rate the brand, oldest first."""
    labels = [(f"sentiment:{each}",) for each in ("positive", "neutral", "negative", "unscored")]
    return await _read_checks(db, workspace_id, domain, wanted, _Counted(Ratings, labels, period))


async def is_ever_cited(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, site: str) -> bool:
    """Return whether an answer of the domain, of any check, cites the site."""
    selection = Selection(workspace_id=workspace_id, domain_id=domain_id, labels=[f"site:{site}"])
    return await queries.has_any(db, selection)


async def _read(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, counted: _Counted[Counts]
) -> Breakdown[Counts]:
    counts, labels = counted.kind, counted.labels
    selection = await select_answers(db, workspace_id, domain, wanted, None)
    by_platform = await queries.count_groups(db, selection, "platform", labels)
    by_prompt = await queries.count_groups(db, selection, "prompt_id", labels)
    total = [sum(column) for column in zip(*by_platform.values(), strict=True)] or [0] * (1 + len(labels))
    texts = await queries.list_prompt_texts(db, workspace_id, list(by_prompt))
    prompts = [(AskedPrompt(key, *texts[key]), found) for key, found in by_prompt.items() if key in texts]
    return Breakdown(
        counts(*total),
        [(each.key, counts(*by_platform[each.key])) for each in PLATFORMS if each.key in by_platform],
        [(prompt, counts(*found)) for prompt, found in sorted(prompts, key=lambda row: row[0].text)],
        await _read_checks(db, workspace_id, domain, wanted, counted),
    )


async def _read_checks(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, counted: _Counted[Counts]
) -> list[tuple[DatedCheck, Counts]]:
    """Count the answers of each Full Check that fit the other filters, oldest first."""
    checks, selection = await _select_checks(db, workspace_id, domain, wanted, counted.period, limit=_MAX_CHECKS)
    found = await queries.count_groups(db, selection, "scan_id", counted.labels) if checks else {}
    return [(check, counted.kind(*found[str(check.scan_id)])) for check in checks if str(check.scan_id) in found]


async def _select_checks(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period, *, limit: int
) -> tuple[list[DatedCheck], Selection]:
    """Return the latest Full Checks of a period, oldest first, and their answers that fit the other filters."""
    source = await find_latest_source(db, workspace_id, domain.id) or "live"
    latest = await list_latest_full_checks(db, workspace_id, domain.id, source, limit=_MAX_CHECKS)
    checks = [DatedCheck(*each) for each in latest if period.start < each[1] <= period.end][limit - 1 :: -1]
    everywhere = msgspec.structs.replace(wanted, checks="all", check="", since="", until="", counted="")
    selection = msgspec.structs.replace(
        await select_answers(db, workspace_id, domain, everywhere, None),
        scan_ids=[check.scan_id for check in checks],
        without=["branded"] if wanted.counted == "headline" else (),
    )
    return checks, selection


async def read_site_trends(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period
) -> dict[str, list[float]]:
    """Return for each site the share of the answers that cite it, in percent, by Full Check, oldest first."""
    _, selection = await _select_checks(db, workspace_id, domain, wanted, period, limit=_MAX_SPARK)
    answers = await queries.count_groups(db, selection, "scan_id", ())
    order = sorted(answers)  # ids of scans are in the order of time
    found = await queries.count_sites(db, selection)
    return {site: [100 * by_scan.get(scan, 0) / answers[scan][0] for scan in order] for site, by_scan in found.items()}


class PageTrend(msgspec.Struct, frozen=True):
    """How many answers of each Full Check cite one page, oldest first."""

    url: str
    answers: list[int]


async def read_page_trends(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter, period: Period, site: str
) -> list[PageTrend]:
    """Return the pages of a site that Full Checks of a period cite, those most cited now first."""
    cited = msgspec.structs.replace(wanted, site=site)
    checks, selection = await _select_checks(db, workspace_id, domain, cited, period, limit=_MAX_SPARK)
    found: dict[str, Counter[uuid.UUID]] = {}
    for check in checks:  # one at a time, so that the answers of a quarter are never in memory
        one = msgspec.structs.replace(selection, scan_ids=[check.scan_id])
        for record in await queries.list_records(db, one):
            for page in decode_citations(record):
                if site in (page.domain, page.host):
                    found.setdefault(page.url, Counter())[check.scan_id] += 1
    trends = [PageTrend(url, [by_scan[each.scan_id] for each in checks]) for url, by_scan in found.items()]
    return sorted(trends, key=lambda each: (*(-number for number in reversed(each.answers)), each.url))
