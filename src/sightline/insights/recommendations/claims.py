"""Fix a claim: criticism that recurs, with the pages where it likely comes from. Pure."""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence

from sightline.facts.models import WRONG, Claim, Fact
from sightline.facts.record import write_truth
from sightline.insights.inputs import OWN_BRAND
from sightline.insights.models import (
    AskedPrompt,
    ProposedAction,
    RecommendedPage,
    WrongFact,
)
from sightline.insights.recommendations.cited_pages import CitedPage
from sightline.insights.recommendations.evidence import MAX_PAGES, Evidence, to_recommended_pages
from sightline.insights.recommendations.page_addresses import is_about_rival
from sightline.metrics.recommendations import (
    ClaimFacts,
    ClaimQuote,
    Rate,
    expect_change,
    find_repeat_rate,
    shrink_rate,
)

_CLAIM_SHARE = 0.5
_MIN_CLAIM_PAGE = 2
_MAX_QUOTES = 3
_MAX_CORRECTIONS = 3


def find_recurring_claims(evidence: Evidence, claims: Iterable[ClaimFacts]) -> list[ProposedAction]:
    """Find criticisms that recur, each with the third-party pages that mostly answers with this criticism cite."""
    found = []
    taken: set[str] = set()
    answers = {answer.id: answer for answer in evidence.inputs.answers}
    for claim in claims:
        said = [answers[each] for each in claim.answer_ids]
        asked = {answer.prompt.id for answer in said}
        pages = [page for url in claim.pages if url not in taken and (page := _find_source(evidence, url, claim))]
        taken |= {page.url for page in pages[:MAX_PAGES]}
        used = {answer.platform for answer in said}
        found.append(
            ProposedAction(
                kind="fix_claim",
                subject=claim.descriptor,
                theme_key=claim.theme_key,
                pages=to_recommended_pages(pages[:MAX_PAGES], claim.answer_ids),
                prompts=tuple(
                    AskedPrompt(prompt.id, prompt.text) for prompt in evidence.inputs.plan.prompts if prompt.id in asked
                ),
                platforms=tuple(platform for platform in evidence.inputs.plan.platforms if platform in used),
                quotes=claim.quotes[:_MAX_QUOTES],
                expected=expect_change(len(claim.answer_ids), _find_claim_rate(evidence, claim)),
                answer_ids=claim.answer_ids,
            )
        )
    return found


def find_corrections(evidence: Evidence, said: Sequence[Claim], facts: Sequence[Fact]) -> list[ProposedAction]:
    """Find the wrong statements that most answers make, each with the pages that these answers cite."""
    known = {fact.id: fact for fact in facts}
    groups: dict[tuple[uuid.UUID, str], list[Claim]] = {}
    for each in said:
        if each.verdict in WRONG and each.stated is not None and each.fact_id in known:
            groups.setdefault((each.fact_id, each.stated), []).append(each)
    found = []
    for (fact_id, stated), own in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0][1])):
        fact = known[fact_id]
        pages = Counter(url for each in own for url in each.sources).most_common(MAX_PAGES)
        asked, used = {str(each.prompt_id) for each in own}, {each.platform for each in own}
        found.append(
            ProposedAction(
                kind="correct_fact",
                subject=" ".join(filter(None, (fact.kind, fact.subject, fact.country, stated))),
                site=pages[0][0].partition("/")[0] if pages else None,
                pages=tuple(RecommendedPage(url=url, answers=answers) for url, answers in pages),
                prompts=tuple(
                    AskedPrompt(prompt.id, prompt.text) for prompt in evidence.inputs.plan.prompts if prompt.id in asked
                ),
                platforms=tuple(platform for platform in evidence.inputs.plan.platforms if platform in used),
                quotes=tuple(ClaimQuote(str(each.answer_id), each.passage) for each in own[:_MAX_QUOTES]),
                wrong=WrongFact(fact.kind, fact.subject, stated, write_truth(fact)),
                answer_ids=tuple(str(each.answer_id) for each in own),
            )
        )
    return found[:_MAX_CORRECTIONS]


def _find_claim_rate(evidence: Evidence, claim: ClaimFacts) -> Rate:
    """Return how often an answer makes the claim if another one that cites the same third-party page does.

    The higher it is, the more the claim comes from pages, and the more a correction there changes. Where little is
    known, the share of the answers that name the brand and make the claim counts.
    """
    groups = [page.answer_ids for page in evidence.pages.list_owned_by("third_party")]
    naming = sum(observation.mentioned for observation in evidence.inputs.observations[OWN_BRAND])
    return shrink_rate(find_repeat_rate(groups, frozenset(claim.answer_ids)), len(claim.answer_ids) / max(1, naming))


def _find_source(evidence: Evidence, url: str, claim: ClaimFacts) -> CitedPage | None:
    """Return the page if the claim likely comes from it: two answers or more, and half of those that name the brand."""
    page = evidence.pages.by_url.get(url)
    if page is None or page.owner != "third_party":
        return None
    if is_about_rival(page.url, evidence.strongest, evidence.inputs.brand.name):
        return None
    saying = sum(each in claim.answer_ids for each in page.answer_ids)
    naming = sum(each in evidence.naming or each in claim.answer_ids for each in page.answer_ids)
    return page if saying >= _MIN_CLAIM_PAGE and saying >= _CLAIM_SHARE * naming else None
