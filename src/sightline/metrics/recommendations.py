"""What to do (the table of metrics 6): each rule weighs evidence and returns the answers that prove it, or nothing."""

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
    "name_the_claim",  # put the name beside the claim
    "tighten_page",  # tighten the page to the question
    "fix_source",  # fix the source: the pages that carry the claim
    "platform_access",  # platform-specific: crawler access, index
    "local_page",  # local-language page and reviews
    "entity_basics",  # the platforms do not know the brand
    "nothing_significant",  # said so; a task is never invented
]


class CitedPage(msgspec.Struct, frozen=True):
    """A page that is not ours, with the answers that cite it, name a competitor and do not name us."""

    url: str
    owner: Literal["third_party", "competitor"]
    answer_ids: tuple[str, ...]


class PromptFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt in one country."""

    prompt_id: str
    brand: tuple[Observation, ...]
    competitors: tuple[tuple[Observation, ...], ...] = ()
    pages: tuple[CitedPage, ...] = ()
    history: tuple[Observation, ...] = ()
    """The brand's readings of all checks in the period, old to new."""
    retrieved_uncited: tuple[str, ...] = ()
    """Answers whose platform looked at a page of ours and did not cite it."""


class ClaimFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A theme that is negative, or that sets the brand off against others."""

    descriptor: str
    platforms: int
    answer_ids: tuple[str, ...]
    pages: tuple[str, ...] = ()


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    kind: Kind
    subject: str | None = None
    """What it is about: a page, a platform, a country or a theme."""
    prompt_id: str | None = None
    answer_ids: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def recommend(
    prompts: Sequence[PromptFacts], readings: Sequence[Observation], claims: Sequence[ClaimFacts]
) -> tuple[Recommendation, ...]:
    """All that the evidence carries, by rule; and when it carries nothing, one line that says so."""
    by_prompt = (find_listings, find_missing_page, find_uncitable, find_unnamed, find_untight)
    found = [row for rule in by_prompt for facts in prompts for row in rule(facts)]
    found += [row for claim in claims for row in find_claims(claim)]
    found += find_weak_platforms(readings)
    found += find_weak_countries(readings)
    found += find_unknown(readings)
    return tuple(found) or (Recommendation(kind="nothing_significant"),)


def find_listings(facts: PromptFacts) -> list[Recommendation]:
    """A gap of half the answers, five answers or more, and a third-party page behind at least three of them."""
    valid, gap = find_gap(facts.brand, facts.competitors)
    if valid < 5 or 2 * len(gap) < valid:
        return []
    return [
        Recommendation(kind="get_listed", subject=page.url, prompt_id=facts.prompt_id, answer_ids=page.answer_ids)
        for page in facts.pages
        if page.owner == "third_party" and len(page.answer_ids) >= 3
    ]


def find_missing_page(facts: PromptFacts) -> list[Recommendation]:
    """Uncited in the newest five sourced answers or more, while a competitor's page is cited three times or more."""
    run = []
    for answer in reversed([answer for answer in facts.history if answer.is_valid and answer.has_sources]):
        if answer.cited:
            break
        run.append(answer)
    rivals = [page for page in facts.pages if page.owner == "competitor" and len(page.answer_ids) >= 3]
    if len(run) < 5 or not rivals:
        return []
    proof = dict.fromkeys([*_ids(run), *(one for page in rivals for one in page.answer_ids)])
    pages = tuple(page.url for page in rivals)
    return [Recommendation(kind="publish_page", prompt_id=facts.prompt_id, answer_ids=tuple(proof), pages=pages)]


def find_uncitable(facts: PromptFacts) -> list[Recommendation]:
    """Named in at least half, cited in less than a tenth, where the platforms cite at all."""
    citing = [answer for answer in facts.brand if answer.is_valid and answer.platform_cites]
    named = [answer for answer in citing if answer.mentioned]
    cited = sum(answer.cited for answer in citing)
    # The table gives no floor; below the section's own one there is no half and no tenth to speak of [prop].
    if len(citing) < LOW_EVIDENCE_BELOW or 2 * len(named) < len(citing) or 10 * cited >= len(citing):
        return []
    proof = _ids([answer for answer in named if not answer.cited])
    return [Recommendation(kind="make_citable", prompt_id=facts.prompt_id, answer_ids=proof)]


def find_unnamed(facts: PromptFacts) -> list[Recommendation]:
    proof = _ids([answer for answer in facts.brand if answer.cited and not answer.mentioned])
    return _if_three("name_the_claim", facts.prompt_id, proof)


def find_untight(facts: PromptFacts) -> list[Recommendation]:
    return _if_three("tighten_page", facts.prompt_id, facts.retrieved_uncited)


def find_claims(claim: ClaimFacts) -> list[Recommendation]:
    if len(claim.answer_ids) < 3 or claim.platforms < 2:
        return []
    return [Recommendation(kind="fix_source", subject=claim.descriptor, answer_ids=claim.answer_ids, pages=claim.pages)]


def find_weak_platforms(readings: Sequence[Observation]) -> list[Recommendation]:
    """A platform below the mean of the rest on the same questions, by the paired test of 3.3."""
    return _find_weak_parts(
        readings, "platform_access", lambda answer: answer.platform, lambda answer: (answer.prompt_id, answer.country)
    )


def find_weak_countries(readings: Sequence[Observation]) -> list[Recommendation]:
    """A country below the mean of the rest for the same prompt and platform, by the same test."""
    return _find_weak_parts(
        readings, "local_page", lambda answer: answer.country, lambda answer: (answer.prompt_id, answer.platform)
    )


def find_unknown(readings: Sequence[Observation]) -> list[Recommendation]:
    return _if_three("entity_basics", None, _ids([answer for answer in readings if answer.stance == "unknown"]))


def _if_three(kind: Kind, prompt_id: str | None, proof: tuple[str, ...]) -> list[Recommendation]:
    return [Recommendation(kind=kind, prompt_id=prompt_id, answer_ids=proof)] if len(proof) >= 3 else []


def _ids(answers: Sequence[Observation]) -> tuple[str, ...]:
    return tuple(answer.answer_id or "" for answer in answers)


def _find_weak_parts(
    readings: Sequence[Observation],
    kind: Kind,
    part_of: Callable[[Observation], str | None],
    question_of: Callable[[Observation], tuple[str, str | None]],
) -> list[Recommendation]:
    found = []
    answers = select_all(readings).answers
    questions = split_by(answers, question_of).values()
    for part in dict.fromkeys(map(part_of, answers)):
        differences = []
        for question in questions:
            here = [value_answer(answer) for answer in question if part_of(answer) == part]
            rest = [value_answer(answer) for answer in question if part_of(answer) != part]
            if here and rest:
                differences.append(fmean(here) - fmean(rest))
        if part and math.fsum(differences) < 0 and find_sign_flip_p(differences) < SIGNIFICANT_BELOW:
            proof = _ids([answer for answer in answers if part_of(answer) == part and not answer.mentioned])
            found.append(Recommendation(kind=kind, subject=part, answer_ids=proof))
    return found
