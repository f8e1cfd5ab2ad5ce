"""The untracked brands that the answers of a scan name (metrics 4), and the ranks of the tracked brands among them.

A rank is the position among *all* brands of an answer, tracked or not: otherwise a brand without tracked competitors
would come first wherever it is named, and a new competitor would change past scores. Names are taken from the answers
of the scan alone, so that every rank can be recomputed from them: when an answer is analyzed, those that it presents
itself, and when the scan has ended, those that other answers present.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from sightline.answers.analyze import is_named, rank_prepared
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import Candidate, merge_key
from sightline.answers.corrections import Correction
from sightline.answers.merge_candidates import merge_candidates
from sightline.answers.models import AnswerAnalysis, BrandAnalysis
from sightline.answers.names import Lexicon, index_spellings
from sightline.answers.prepare import prepare
from sightline.metrics.discovery import CompetitorCandidate, CompetitorSuggestion, rank_competitors
from sightline.metrics.visibility import discount_rank
from sightline.scans.models import ScanAnswer, ScanPlan


class _Tracked:
    """Recognizes names of the tracked brands: "Acme CRM" belongs to Acme. Caches the few names that recur in a scan."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicons = [Lexicon([brand]) for brand in lexicon.brands]
        self._known: dict[str, bool] = {}

    def own(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            prepared = prepare(name)
            known = self._known[name] = any(is_named(prepared, lexicon) for lexicon in self._lexicons)
        return known


# One lexicon is matched in all answers of a scan.
_tracked_of = lru_cache(maxsize=64)(_Tracked)


def find_rivals(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> tuple[CompetitorSuggestion, ...]:
    """Return the untracked names that the answers present, strongest first. They are suggested, never tracked."""
    # In a fixed order, whatever the order of arrival: it decides between equally frequent spellings.
    read = sorted((answer for answer in answers if answer.analysis is not None), key=lambda answer: answer.key[:2])
    found = merge_candidates(
        (answer.prompt.id, answer.platform, answer.candidates, answer.analysis.citations)
        for answer in read
        if answer.analysis is not None
    )
    tracked = _Tracked(Lexicon(plan.tracked))
    return rank_competitors(
        [
            CompetitorCandidate(
                name=each.name,
                domain=each.domain,
                rank_weight=sum(sorted(discount_rank(rank) for rank in each.ranks)),
                answers=each.answers,
                prompts=each.prompts,
                platforms=each.platforms,
                cited=each.cited,
                products=each.products,
            )
            for each in found
            if not tracked.own(each.name)
        ]
    )


def list_other_names(lexicon: Lexicon, candidates: Sequence[Candidate]) -> list[str]:
    """Return the untracked names among the candidates of an answer."""
    tracked = _tracked_of(lexicon)
    return [name for name in _by_merge_key(candidates).values() if not tracked.own(name)]


def finalize_ranks(
    plan: ScanPlan, answers: Sequence[ScanAnswer], *, rivals: Sequence[CompetitorSuggestion] | None = None
) -> tuple[ScanAnswer, ...]:
    """Return the answers with the ranks of the tracked brands among all brands that are known at the end of the scan.

    An answer that names only brands that it presents itself is left as it was. Nothing but ranks changes: whether a
    brand is named, how, and what is cited is final once an answer is analyzed. `rivals` are the result of `find_rivals`
    for these answers, where the caller has it already.
    """
    if rivals is None:
        rivals = find_rivals(plan, answers)
    lexicon = Lexicon(plan.tracked)
    tracked = _tracked_of(lexicon)
    names = (each.candidate.name for each in rivals)
    known = {merge_key(name): name for name in names if not tracked.own(name)}
    return tuple(_settle(answer, known, lexicon, plan.corrections.get(answer.id, ())) for answer in answers)


def _settle(
    answer: ScanAnswer, known: Mapping[str, str], lexicon: Lexicon, corrections: Sequence[Correction]
) -> ScanAnswer:
    if answer.analysis is None or not _has_ranks(answer.analysis):
        return answer
    own = _by_merge_key(answer.candidates)
    elsewhere = [name for key, name in known.items() if key not in own]
    if not elsewhere:
        return answer
    prepared = prepare(answer.text, answer.prompt.text)
    further = [name for name in elsewhere if index_spellings(name).is_in(prepared.folded)]
    if not further:
        return answer
    names = [*further, *list_other_names(lexicon, answer.candidates)]
    analysis = _rank(prepared, lexicon, answer.analysis, names, answer.prompt.text, corrections)
    return msgspec.structs.replace(answer, analysis=analysis)


def _rank(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    analysis: AnswerAnalysis,
    names: Sequence[str],
    prompt: str,
    corrections: Sequence[Correction],
) -> AnswerAnalysis:
    among_all = lexicon.with_others(names, prepared.folded)
    # The language that the analysis detected is not detected a second time.
    ranks, source = rank_prepared(
        prepared, among_all, prompt=prompt, language=analysis.language, corrections=corrections
    )
    return msgspec.structs.replace(
        analysis,
        brands=tuple(_with_rank(brand, ranks.get(place)) for place, brand in enumerate(analysis.brands)),
        n_brands=len(ranks),
        rank_source=source,
    )


def _has_ranks(analysis: AnswerAnalysis) -> bool:
    return any(brand.rank is not None for brand in analysis.brands)


def _by_merge_key(candidates: Sequence[Candidate]) -> dict[str, str]:
    return {merge_key(candidate.name): candidate.name for candidate in candidates}


def _with_rank(own: BrandAnalysis, rank: int | None) -> BrandAnalysis:
    return own if own.rank is None or rank is None else msgspec.structs.replace(own, rank=rank)
