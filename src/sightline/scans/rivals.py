"""Who else the answers of a check name (metrics 4), and with them the rank of the tracked brands.

A rank is the place among *all* brands of an answer. Those that nobody tracks are therefore looked for as well: without
them, a brand without tracked competitors would come first wherever it is named, and a new competitor would change past
scores. Names are taken from the answers of the check alone, so that every rank can be found again from them.
"""

from collections.abc import Sequence

import msgspec

from sightline.answers.candidates import merge_candidates, merge_key
from sightline.answers.models import AnswerReading, Brand, BrandReading
from sightline.answers.names import Lexicon
from sightline.metrics.discovery import Candidate, Suggestion, rank_competitors
from sightline.metrics.visibility import discount_rank
from sightline.scans.models import CheckedAnswer, Plan
from sightline.scans.read import names_brand, read_text


def find_rivals(plan: Plan, answers: Sequence[CheckedAnswer]) -> tuple[Suggestion, ...]:
    """Names that the answers present beside the tracked brands, strongest first. Suggested, never tracked by itself."""
    # In one order, whatever the order in which answers came: equally frequent spellings are told apart by it.
    read = sorted((answer for answer in answers if answer.reading is not None), key=lambda answer: answer.key[:2])
    found = merge_candidates(
        (answer.prompt.id, answer.platform, answer.candidates, answer.reading.citations)
        for answer in read
        if answer.reading is not None
    )
    tracked = [Lexicon([brand]) for brand in plan.tracked]
    return rank_competitors(
        [
            Candidate(
                name=each.name,
                domain=each.domain,
                rank_weight=sum(sorted(discount_rank(rank) for rank in each.ranks)),
                answers=each.answers,
                prompts=each.prompts,
                platforms=each.platforms,
                cited=each.cited,
            )
            for each in found
            if not _belongs_to(each.name, tracked)
        ]
    )


def settle_ranks(plan: Plan, answers: Sequence[CheckedAnswer]) -> tuple[CheckedAnswer, ...]:
    """The answers, each with the ranks of the tracked brands among all brands that are known by the end of the check.

    Nothing else of a reading changes: whether a brand is named, how, and what is cited is settled when it is read.
    """
    known = [suggestion.candidate.name for suggestion in find_rivals(plan, answers)]
    tracked = [Lexicon([brand]) for brand in plan.tracked]
    return tuple(_settle(plan, answer, known, tracked) for answer in answers)


def _settle(plan: Plan, answer: CheckedAnswer, known: Sequence[str], tracked: Sequence[Lexicon]) -> CheckedAnswer:
    reading = answer.reading
    if reading is None or not any(brand.rank is not None for brand in reading.brands):
        return answer
    names = {merge_key(name): name for name in (*known, *(candidate.name for candidate in answer.candidates))}
    others = [Brand(name) for name in names.values() if not _belongs_to(name, tracked)]
    if not others:
        return answer
    among_all = read_text(answer.text, answer.prompt, Lexicon([*plan.tracked, *others]), answer.cited)
    return msgspec.structs.replace(answer, reading=_with_ranks(reading, among_all))


def _with_ranks(reading: AnswerReading, among_all: AnswerReading) -> AnswerReading:
    return msgspec.structs.replace(
        reading,
        brands=tuple(_with_rank(own, wide) for own, wide in zip(reading.brands, among_all.brands, strict=False)),
        n_brands=among_all.n_brands,
        rank_source=among_all.rank_source,
    )


def _with_rank(own: BrandReading, wide: BrandReading) -> BrandReading:
    if own.rank is None or wide.rank is None:
        return own
    return msgspec.structs.replace(own, rank=wide.rank)


def _belongs_to(name: str, tracked: Sequence[Lexicon]) -> bool:
    """ "Acme CRM" is no rival of Acme."""
    return any(names_brand(name, lexicon) for lexicon in tracked)
