"""What the answers cite (metrics 1.5, 1.9, 1.10). URLs arrive normalised; counts are never averaged over platforms."""

import math
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from sightline.metrics.intervals import ratio_interval
from sightline.metrics.measure import Measure, describe, measure_count, measure_share
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all

MOST_CO_MENTIONED = 5


class CoMention(msgspec.Struct, frozen=True):
    domain: str
    answers: int
    lift: float
    """How much likelier the domain is beside the brand than in any answer."""


def count_citations(readings: Sequence[Observation]) -> Measure:
    """Distinct owned URLs per answer, summed: the same page cited by two answers is two citations."""
    panel = select_all(readings)
    return measure_count(panel, sum(len(answer.cited_urls) for answer in panel.answers))


def count_cited_answers(readings: Sequence[Observation]) -> Measure:
    panel = select_all(readings)
    return measure_count(panel, sum(answer.cited for answer in panel.answers))


def measure_citation_rate(readings: Sequence[Observation]) -> Measure:
    """Of the answers that cite anybody; null where none does, for then nothing could be won or lost."""
    panel = select_all(readings)
    sourced = [answer for answer in panel.answers if answer.has_sources]
    return measure_share(panel, sum(answer.cited for answer in sourced), len(sourced))


def measure_citation_share(readings: Sequence[Observation]) -> Measure:
    """Owned URLs of all URLs cited: a platform with many sources and one with few become comparable."""
    panel = select_all(readings)
    sourced = [answer for answer in panel.answers if answer.source_urls]
    owned = [len(answer.cited_urls) for answer in sourced]
    cited = [answer.source_urls for answer in sourced]
    found = ratio_interval(owned, cited)
    return describe(
        panel,
        value=100 * sum(owned) / sum(cited) if sourced else None,
        numerator=sum(owned),
        denominator=sum(cited),
        n=len(sourced),
        interval=found.scaled(100) if found else None,
    )


def count_consecutive_uncited(checks: Sequence[Sequence[Observation]]) -> int:
    """The newest checks running that tested the prompt and did not cite the brand. `checks` run from old to new.

    A check without a valid answer tells nothing: it neither adds nor ends the run. No sources is not cited.
    """
    run = 0
    for check in reversed(checks):
        valid = [answer for answer in check if answer.is_valid]
        if any(answer.cited for answer in valid):
            break
        run += bool(valid)
    return run


def rank_co_mentioned(readings: Sequence[Observation], excluded: AbstractSet[str]) -> tuple[CoMention, ...]:
    """Domains cited beside the brand, by answers, then lift, then name. Where it is never named: beside its citations.

    `excluded`: owned domains, redirect wrappers and search engines, which say nothing of the company one keeps.
    """
    answers = select_all(readings).answers
    beside = [answer for answer in answers if answer.mentioned] or [answer for answer in answers if answer.cited]
    everywhere = Counter(domain for answer in answers for domain in answer.source_domains)
    found = [
        CoMention(domain, count, (count / len(beside)) / (everywhere[domain] / len(answers)))
        for domain, count in Counter(domain for answer in beside for domain in answer.source_domains).items()
        if domain not in excluded
    ]
    # Lifts that differ only by the arithmetic are one, else the order of names would depend on it.
    found.sort(key=lambda row: (-row.answers, -math.floor(row.lift * 1e9 + 0.5), row.domain))
    return tuple(found[:MOST_CO_MENTIONED])
