"""Who else the answers of a check name (metrics 4), and with them the rank of the tracked brands.

A rank is the place among *all* brands of an answer. Those that nobody tracks are therefore looked for as well: without
them, a brand without tracked competitors would come first wherever it is named, and a new competitor would change past
scores. Names are taken from the answers of the check alone, so that every rank can be found again from them.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.analyse import is_named, rank_prepared
from sightline.answers.candidates import merge_candidates, merge_key
from sightline.answers.models import Brand, BrandReading
from sightline.answers.names import Directory, Lexicon
from sightline.answers.prepare import prepare
from sightline.metrics.discovery import Candidate, Suggestion, rank_competitors
from sightline.metrics.visibility import discount_rank
from sightline.scans.models import CheckedAnswer, Plan

# Answers whose names are sought together. All at once would be no faster, and a check may have ten thousand of them.
_BATCH = 500


class _Tracked:
    """Whose names are no rivals' names: "Acme CRM" is none of Acme. The same few names stand in all of the answers."""

    def __init__(self, brands: Sequence[Brand]) -> None:
        self._lexicons = [Lexicon([brand]) for brand in brands]
        self._known: dict[str, bool] = {}

    def own(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            prepared = prepare(name)
            known = self._known[name] = any(is_named(prepared, lexicon) for lexicon in self._lexicons)
        return known


def find_rivals(plan: Plan, answers: Sequence[CheckedAnswer]) -> tuple[Suggestion, ...]:
    """Names that the answers present beside the tracked brands, strongest first. Suggested, never tracked by itself."""
    # In one order, whatever the order in which answers came: equally frequent spellings are told apart by it.
    read = sorted((answer for answer in answers if answer.reading is not None), key=lambda answer: answer.key[:2])
    found = merge_candidates(
        (answer.prompt.id, answer.platform, answer.candidates, answer.reading.citations)
        for answer in read
        if answer.reading is not None
    )
    tracked = _Tracked(plan.tracked)
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
            if not tracked.own(each.name)
        ]
    )


def settle_ranks(
    plan: Plan, answers: Sequence[CheckedAnswer], *, rivals: Sequence[Suggestion] | None = None
) -> tuple[CheckedAnswer, ...]:
    """The answers, each with the ranks of the tracked brands among all brands that are known by the end of the check.

    Nothing else of a reading changes: whether a brand is named, how, and what is cited is settled when it is read.
    `rivals` are those of these answers, from `find_rivals`, where they have been found already.
    """
    if rivals is None:
        rivals = find_rivals(plan, answers)
    known = {merge_key(each.candidate.name): each.candidate.name for each in rivals}
    tracked = _Tracked(plan.tracked)
    settled: list[CheckedAnswer] = []
    for first in range(0, len(answers), _BATCH):
        batch = answers[first : first + _BATCH]
        others = [_others(answer, known, tracked) for answer in batch]
        directory = Directory(plan.tracked, (name for names in others for name in names))
        settled += (_settle(answer, names, directory) for answer, names in zip(batch, others, strict=True))
    return tuple(settled)


def _others(answer: CheckedAnswer, known: Mapping[str, str], tracked: _Tracked) -> list[str]:
    """The names to look for beside the tracked ones, as this answer spells them; none where nothing has a rank."""
    if answer.reading is None or not any(brand.rank is not None for brand in answer.reading.brands):
        return []
    names = {**known, **{merge_key(candidate.name): candidate.name for candidate in answer.candidates}}
    return [name for name in names.values() if not tracked.own(name)]


def _settle(answer: CheckedAnswer, others: Sequence[str], directory: Directory) -> CheckedAnswer:
    if answer.reading is None or not others:
        return answer
    prepared = prepare(answer.text, answer.prompt.text)
    among_all = directory.among(others, prepared.folded)
    spoken = answer.reading.language  # where reading had to find it, it is not found a second time
    ranks, source = rank_prepared(prepared, among_all, prompt=answer.prompt.text, language=spoken)
    reading = msgspec.structs.replace(
        answer.reading,
        brands=tuple(_with_rank(brand, ranks.get(place)) for place, brand in enumerate(answer.reading.brands)),
        n_brands=len(ranks),
        rank_source=source,
    )
    return msgspec.structs.replace(answer, reading=reading)


def _with_rank(own: BrandReading, rank: int | None) -> BrandReading:
    return own if own.rank is None or rank is None else msgspec.structs.replace(own, rank=rank)
