"""What is wrong in answers, as one thing over time: since when, on which platforms, and which pages they cite."""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader
from sightline.facts import queries
from sightline.facts.models import SAID, WRONG, Claim, ClaimCount, Fact
from sightline.facts.record import write_truth
from sightline.facts.schemas import CitedPage, ClaimQuote, FactAccuracy, PlatformAccuracy, WrongStatement
from sightline.kit.clock import to_iso
from sightline.metrics.intervals import wilson_interval

_MAX_SOURCES, _MAX_QUOTES = 10, 20


async def read_accuracy(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, until: datetime | None = None
) -> FactAccuracy:
    """Return what the answers of the latest Full Check, or of the last one until a time, state about the facts."""
    checks = await queries.list_checks(db, workspace_id, domain_id, until=until)
    if not checks:
        return build_accuracy(domain_id, None, (), (), (), ())
    facts = await queries.list_facts(db, workspace_id, domain_id)
    (latest,) = await queries.list_claims(db, workspace_id, domain_id, [checks[0][0]])
    history = await queries.count_claims(db, workspace_id, domain_id, [scan_id for scan_id, _ in checks])
    return build_accuracy(domain_id, checks[0], latest.claims, facts, checks, history)


def build_accuracy(
    domain_id: uuid.UUID,
    check: tuple[uuid.UUID, datetime] | None,
    claims: Sequence[Claim],
    facts: Sequence[Fact],
    checks: Sequence[tuple[uuid.UUID, datetime]],
    history: Sequence[ClaimCount],
) -> FactAccuracy:
    verdicts = Counter(each.verdict for each in claims)
    return FactAccuracy(
        domain_id=domain_id,
        scan_id=check[0] if check else None,
        checked_at=to_iso(check[1]) if check else None,
        right=verdicts["agrees"],
        wrong=sum(verdicts[each] for each in WRONG),
        cannot_tell=verdicts["cannot_tell"],
        platforms=tuple(_count_platforms(claims)),
        statements=tuple(_list_statements(check, claims, facts, checks, history)) if check else (),
    )


def _count_platforms(claims: Sequence[Claim]) -> list[PlatformAccuracy]:
    """Return the accuracy by platform, the one with most wrong statements first."""
    stated = Counter(each.platform for each in claims if each.verdict in SAID)
    right = Counter(each.platform for each in claims if each.verdict == "agrees")
    found = []
    for platform, number in stated.items():
        interval = wilson_interval(right[platform], number)
        assert interval is not None
        found.append(
            PlatformAccuracy(
                platform=platform,
                right=right[platform],
                stated=number,
                accuracy_pct=round(100 * right[platform] / number, 1),
                low=round(100 * interval.low, 1),
                high=round(100 * interval.high, 1),
            )
        )
    return sorted(found, key=lambda each: (each.right - each.stated, each.platform))


def _list_statements(
    check: tuple[uuid.UUID, datetime],
    claims: Sequence[Claim],
    facts: Sequence[Fact],
    checks: Sequence[tuple[uuid.UUID, datetime]],
    history: Sequence[ClaimCount],
) -> list[WrongStatement]:
    known = {fact.id: fact for fact in facts}
    stated_in = {(each.scan_id, each.fact_id, each.stated) for each in history}
    groups: dict[tuple[uuid.UUID, str], list[Claim]] = {}
    for each in claims:
        if each.verdict in WRONG and each.stated is not None and each.fact_id in known:
            groups.setdefault((each.fact_id, each.stated), []).append(each)
    found = []
    for (fact_id, stated), said in groups.items():
        fact, since = known[fact_id], check[1]
        for scan_id, completed_at in checks:
            if (scan_id, fact_id, stated) not in stated_in:
                break
            since = completed_at
        found.append(
            WrongStatement(
                fact_id=fact_id,
                kind=fact.kind,
                subject=fact.subject,
                truth=write_truth(fact),
                stated=stated,
                verdict="contradicts" if any(each.verdict == "contradicts" for each in said) else "outdated",
                since=to_iso(since),
                answers=len(said),
                platforms=tuple(name for name, _ in Counter(each.platform for each in said).most_common()),
                sources=tuple(
                    CitedPage(url, answers)
                    for url, answers in Counter(url for each in said for url in each.sources).most_common(_MAX_SOURCES)
                ),
                quotes=tuple(
                    ClaimQuote(
                        scan_id=check[0],
                        answer_id=each.answer_id,
                        platform=each.platform,
                        prompt_id=each.prompt_id,
                        text=each.passage,
                        words=each.words,
                    )
                    for each in said[:_MAX_QUOTES]
                ),
            )
        )
    return sorted(found, key=lambda each: (-each.answers, each.verdict, each.subject, each.stated))
