"""Recommendations (the table of metrics 6). Each rule returns the answers that prove it, or nothing."""

import math
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Literal

import msgspec

from sightline.metrics.compare import SIGNIFICANT_BELOW, find_sign_flip_p
from sightline.metrics.observation import Observation
from sightline.metrics.opportunity import LOW_EVIDENCE_BELOW, find_gap
from sightline.metrics.panel import select_all, split_by
from sightline.metrics.visibility import value_answer

Kind = Literal[
    "get_listed",  # get listed or reviewed on that exact page
    "publish_page",  # publish or upgrade a page for that question
    "make_citable",  # make the own page citable
    "name_the_claim",  # put the name next to the claim
    "tighten_page",  # tighten the page to the question
    "fix_source",  # fix the source: the pages that carry the claim
    "platform_access",  # platform-specific: crawler access, index
    "local_page",  # local-language page and reviews
    "entity_basics",  # the platforms do not know the brand
    "nothing_significant",  # a task is never invented
]


class CitedPage(msgspec.Struct, frozen=True):
    """A page that is not ours, with the answers that cite it, name a competitor and do not name us."""

    url: str
    owner: Literal["third_party", "competitor"]
    answer_ids: tuple[str, ...]


class PromptFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts on one prompt in one country."""

    prompt_id: str
    brand: tuple[Observation, ...]
    competitors: tuple[tuple[Observation, ...], ...] = ()
    pages: tuple[CitedPage, ...] = ()
    history: tuple[Observation, ...] = ()
    """The brand's observations of all scans in the period, old to new."""
    retrieved_uncited: tuple[str, ...] = ()
    """Answers whose platform retrieved a page of ours and did not cite it."""


class ClaimQuote(msgspec.Struct, frozen=True):
    """A sentence as it stands in an answer, whose subject is the brand."""

    answer_id: str
    text: str


class ClaimFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A criticism of the brand that recurs. `descriptor` is the aspect that is criticized."""

    descriptor: str
    platforms: int
    answer_ids: tuple[str, ...]
    pages: tuple[str, ...] = ()
    """The pages that these answers cite, most cited first."""
    quotes: tuple[ClaimQuote, ...] = ()


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """A task, and the answers that prove it."""

    kind: Kind
    subject: str | None = None
    """What it is about: a page, a platform, a country or a theme."""
    prompt_id: str | None = None
    answer_ids: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def recommend(
    prompts: Sequence[PromptFacts], observations: Sequence[Observation], claims: Sequence[ClaimFacts]
) -> tuple[Recommendation, ...]:
    """Return everything that the evidence supports, by rule, or one line that says that it supports nothing."""
    by_prompt = (
        find_missing_listings,
        find_missing_pages,
        find_named_uncited,
        find_cited_unnamed,
        find_retrieved_uncited,
    )
    found = [row for rule in by_prompt for facts in prompts for row in rule(facts)]
    found += [row for claim in claims for row in find_claims(claim)]
    found += find_weak_platforms(observations)
    found += find_weak_countries(observations)
    found += find_unknown_brand(observations)
    return tuple(found) or (Recommendation(kind="nothing_significant"),)


def find_missing_listings(facts: PromptFacts) -> list[Recommendation]:
    """Recommend getting listed on third-party pages.

    It takes a gap of half the answers, five answers or more, and a third-party page behind at least three of them.
    """
    valid, gap = find_gap(facts.brand, facts.competitors)
    if valid < 5 or 2 * len(gap) < valid:
        return []
    return [
        Recommendation(kind="get_listed", subject=page.url, prompt_id=facts.prompt_id, answer_ids=page.answer_ids)
        for page in facts.pages
        if page.owner == "third_party" and len(page.answer_ids) >= 3
    ]


def find_missing_pages(facts: PromptFacts) -> list[Recommendation]:
    """Recommend publishing a page.

    The newest five sourced answers or more do not cite the brand, and cite a competitor's page three times or more.
    """
    run = []
    for answer in reversed([answer for answer in facts.history if answer.is_valid and answer.has_sources]):
        if answer.cited:
            break
        run.append(answer)
    rivals = [page for page in facts.pages if page.owner == "competitor" and len(page.answer_ids) >= 3]
    if len(run) < 5 or not rivals:
        return []
    proof = dict.fromkeys([*_answer_ids(run), *(one for page in rivals for one in page.answer_ids)])
    pages = tuple(page.url for page in rivals)
    return [Recommendation(kind="publish_page", prompt_id=facts.prompt_id, answer_ids=tuple(proof), pages=pages)]


def find_named_uncited(facts: PromptFacts) -> list[Recommendation]:
    """Recommend making pages citable: named in at least half, cited in less than a tenth, where platforms cite."""
    citing = [answer for answer in facts.brand if answer.is_valid and answer.platform_cites]
    named = [answer for answer in citing if answer.mentioned]
    cited = sum(answer.cited for answer in citing)
    # The table gives no minimum; the one of the section applies, as fewer answers have no meaningful tenth [prop].
    if len(citing) < LOW_EVIDENCE_BELOW or 2 * len(named) < len(citing) or 10 * cited >= len(citing):
        return []
    proof = _answer_ids([answer for answer in named if not answer.cited])
    return [Recommendation(kind="make_citable", prompt_id=facts.prompt_id, answer_ids=proof)]


def find_cited_unnamed(facts: PromptFacts) -> list[Recommendation]:
    proof = _answer_ids([answer for answer in facts.brand if answer.cited and not answer.mentioned])
    return _recommend_from_three("name_the_claim", facts.prompt_id, proof)


def find_retrieved_uncited(facts: PromptFacts) -> list[Recommendation]:
    return _recommend_from_three("tighten_page", facts.prompt_id, facts.retrieved_uncited)


def find_claims(claim: ClaimFacts) -> list[Recommendation]:
    if len(claim.answer_ids) < 3 or claim.platforms < 2:
        return []
    return [Recommendation(kind="fix_source", subject=claim.descriptor, answer_ids=claim.answer_ids, pages=claim.pages)]


def find_weak_platforms(observations: Sequence[Observation]) -> list[Recommendation]:
    """Find platforms below the mean of the others on the same questions, by the paired test of 3.3."""
    return _find_weak_parts(
        observations,
        "platform_access",
        lambda answer: answer.platform,
        lambda answer: (answer.prompt_id, answer.country),
    )


def find_weak_countries(observations: Sequence[Observation]) -> list[Recommendation]:
    """Find countries below the mean of the others for the same prompt and platform, by the same test."""
    return _find_weak_parts(
        observations, "local_page", lambda answer: answer.country, lambda answer: (answer.prompt_id, answer.platform)
    )


def find_unknown_brand(observations: Sequence[Observation]) -> list[Recommendation]:
    return _recommend_from_three(
        "entity_basics", None, _answer_ids([answer for answer in observations if answer.stance == "unknown"])
    )


def _recommend_from_three(kind: Kind, prompt_id: str | None, proof: tuple[str, ...]) -> list[Recommendation]:
    return [Recommendation(kind=kind, prompt_id=prompt_id, answer_ids=proof)] if len(proof) >= 3 else []


def _answer_ids(answers: Sequence[Observation]) -> tuple[str, ...]:
    return tuple(answer.answer_id or "" for answer in answers)


def _find_weak_parts(
    observations: Sequence[Observation],
    kind: Kind,
    get_part: Callable[[Observation], str | None],
    get_question: Callable[[Observation], tuple[str, str | None]],
) -> list[Recommendation]:
    found = []
    answers = select_all(observations).answers
    questions = split_by(answers, get_question).values()
    for part in dict.fromkeys(map(get_part, answers)):
        differences = []
        for question in questions:
            own = [value_answer(answer) for answer in question if get_part(answer) == part]
            rest = [value_answer(answer) for answer in question if get_part(answer) != part]
            if own and rest:
                differences.append(fmean(own) - fmean(rest))
        if part and math.fsum(differences) < 0 and find_sign_flip_p(differences) < SIGNIFICANT_BELOW:
            proof = _answer_ids([answer for answer in answers if get_part(answer) == part and not answer.mentioned])
            found.append(Recommendation(kind=kind, subject=part, answer_ids=proof))
    return found
