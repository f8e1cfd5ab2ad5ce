"""What the answers cite (metrics 1.5, 1.9, 1.10).

URLs arrive normalized; counts are never averaged over platforms.
"""

import math
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from sightline.metrics.intervals import ratio_interval
from sightline.metrics.measure import Measure, build_measure, measure_count, measure_share
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all

MAX_CO_MENTIONED = 5


class CoMention(msgspec.Struct, frozen=True):
    """A domain that is cited together with the brand."""

    domain: str
    answers: int
    lift: float
    """How much likelier the domain is together with the brand than in any answer."""


def count_citations(observations: Sequence[Observation]) -> Measure:
    """Sum the distinct owned URLs of each answer: the same page cited by two answers is two citations."""
    panel = select_all(observations)
    return measure_count(panel, sum(len(answer.cited_urls) for answer in panel.answers))


def count_cited_answers(observations: Sequence[Observation]) -> Measure:
    panel = select_all(observations)
    return measure_count(panel, sum(answer.cited for answer in panel.answers))


def measure_citation_rate(observations: Sequence[Observation]) -> Measure:
    """Measure how many of the answers with sources cite the brand.

    Null if no answer has any: then nothing could be won or lost.
    """
    panel = select_all(observations)
    sourced = [answer for answer in panel.answers if answer.has_sources]
    return measure_share(panel, sum(answer.cited for answer in sourced), len(sourced))


def measure_citation_share(observations: Sequence[Observation]) -> Measure:
    """Measure the share of owned URLs among all URLs cited.

    This makes a platform with many sources and one with few comparable.
    """
    panel = select_all(observations)
    sourced = [answer for answer in panel.answers if answer.source_urls]
    owned = [len(answer.cited_urls) for answer in sourced]
    cited = [answer.source_urls for answer in sourced]
    found = ratio_interval(owned, cited)
    return build_measure(
        panel,
        value=100 * sum(owned) / sum(cited) if sourced else None,
        numerator=sum(owned),
        denominator=sum(cited),
        n=len(sourced),
        interval=found.scaled(100) if found else None,
    )


def count_consecutive_uncited(scans: Sequence[Sequence[Observation]]) -> int:
    """Count the newest scans in a row that tested the prompt and did not cite the brand.

    `scans` run from old to new. A scan without a valid answer neither adds nor ends the run. An answer without sources
    does not cite.
    """
    run = 0
    for scan in reversed(scans):
        valid = [answer for answer in scan if answer.is_valid]
        if any(answer.cited for answer in valid):
            break
        run += bool(valid)
    return run


def rank_co_mentioned(observations: Sequence[Observation], excluded: AbstractSet[str]) -> tuple[CoMention, ...]:
    """Rank the domains cited together with the brand, by answers, then lift, then name.

    If the brand is never named, answers that cite it are used. `excluded` are owned domains, redirect wrappers and
    search engines, which say nothing about what the brand is associated with.
    """
    answers = select_all(observations).answers
    with_brand = [answer for answer in answers if answer.mentioned] or [answer for answer in answers if answer.cited]
    counts = Counter(domain for answer in answers for domain in answer.source_domains)
    found = [
        CoMention(domain, count, (count / len(with_brand)) / (counts[domain] / len(answers)))
        for domain, count in Counter(domain for answer in with_brand for domain in answer.source_domains).items()
        if domain not in excluded
    ]
    # Lifts that differ only by rounding errors count as equal, or the order of names would depend on them.
    found.sort(key=lambda row: (-row.answers, -math.floor(row.lift * 1e9 + 0.5), row.domain))
    return tuple(found[:MAX_CO_MENTIONED])
