"""The untracked brands that the answers of a scan name (metrics 4), and the ranks of the tracked brands among them.

A rank is the position among *all* brands of an answer, tracked or not: otherwise a brand without tracked competitors
would come first wherever it is named, and a new competitor would change past scores. Names are taken from the answers
of the scan alone, so that every rank can be recomputed from them. When an answer is analyzed, only its own names are
known; when the scan has ended, those of all other answers are added.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from sightline.answers.analyze import rank_prepared
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import merge_key
from sightline.answers.characters import fold
from sightline.answers.corrections import Correction
from sightline.answers.language import looks_english
from sightline.answers.makers import FoundMaker, ReadAnswer, assign_makers, find_makers
from sightline.answers.models import AnswerAnalysis, BrandAnalysis
from sightline.answers.names import Lexicon, index_spellings
from sightline.answers.prepare import prepare
from sightline.answers.tracked_names import TrackedNames, list_other_names, tracked_names_of
from sightline.kit.structs import convert_struct
from sightline.metrics.discovery import CompetitorCandidate, CompetitorSuggestion, rank_competitors
from sightline.metrics.visibility import discount_rank
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt

_MIN_LINE = 2  # products of a maker whose names go on with the name of a line


def find_rivals(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> tuple[CompetitorSuggestion, ...]:
    """Return the untracked names that the answers present, strongest first. They are suggested, never tracked."""
    return rank_competitors(list_candidates(plan, answers))


def list_candidates(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> list[CompetitorCandidate]:
    """Return every untracked name that the answers present, with its counts."""
    # Sorted, whatever the order of arrival: the order decides between equally frequent spellings.
    read = sorted((answer for answer in answers if answer.analysis is not None), key=lambda answer: answer.key[:2])
    found = find_makers(
        ReadAnswer(
            answer.prompt.id,
            answer.platform,
            answer.candidates,
            answer.analysis.citations,
            tracked=sum(brand.mentioned for brand in answer.analysis.brands),
            is_english=_is_english(answer.prompt),
        )
        for answer in read
        if answer.analysis is not None
    )
    found = _join_lines(found)
    tracked = TrackedNames(Lexicon(plan.tracked))
    # "Mercedes" is no rival of "Mercedes-Benz".
    short = {merge_key(brand.name.partition("-")[0]) for brand in plan.tracked}
    return [
        convert_struct(CompetitorCandidate, each, rank_weight=sum(sorted(discount_rank(rank) for rank in each.ranks)))
        for each in found
        if not tracked.include(each.name) and merge_key(each.name) not in short
    ]


def _join_lines(found: Sequence[FoundMaker]) -> tuple[FoundMaker, ...]:
    """Return the makers without those that answers write behind another one: "Acme Swift X1" makes Swift one of Acme.

    They become lines of that one, and their names and products become its products.
    """
    lines: dict[str, Counter[str]] = {}
    for maker in found:
        start = maker.name.casefold().split()
        for product in maker.products:
            words = product.split()
            if len(words) > len(start) and [word.casefold() for word in words[: len(start)]] == start:
                lines.setdefault(merge_key(words[len(start)]), Counter())[merge_key(maker.name)] += 1
    owners = {
        key: owner
        for key, owned in lines.items()
        for owner, products in owned.most_common(1)
        if products >= _MIN_LINE and owner != key
    }
    joined: dict[str, list[FoundMaker]] = {}
    for maker in found:
        if owner := owners.get(merge_key(maker.name)):
            joined.setdefault(owner, []).append(maker)
    return tuple(
        msgspec.structs.replace(
            maker,
            products=(*maker.products, *(name for line in own for name in (line.name, *line.products))),
            lines=tuple(line.name for line in own),
        )
        if (own := joined.get(merge_key(maker.name)))
        else maker
        for maker in found
        if merge_key(maker.name) not in owners
    )


def map_makers(answers: Sequence[ScanAnswer]) -> dict[str, str]:
    """Return the maker of each name that the answers present."""
    return assign_makers(candidate for answer in answers for candidate in answer.candidates)


def finalize_ranks(
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    *,
    rivals: Sequence[CompetitorSuggestion] | None = None,
    makers: Mapping[str, str] | None = None,
    settled: Collection[str] = frozenset(),
) -> tuple[ScanAnswer, ...]:
    """Return the answers with the ranks of the tracked brands among all brands that are known at the end of the scan.

    An answer that names only brands that it presents itself is left as it was. Nothing but ranks changes: whether a
    brand is named, how, and what is cited is final once an answer is analyzed. `rivals` and `makers` are the results of
    `find_rivals` and `map_makers` for all answers of the scan, where the caller has them already. `settled` are the ids
    of answers whose ranks are final already.
    """
    if rivals is None:
        rivals = find_rivals(plan, answers)
    lexicon = Lexicon(plan.tracked)
    if makers is None:
        makers = map_makers(answers)
    known = {merge_key(each.candidate.name): each.candidate.name for each in rivals}
    return tuple(
        answer if answer.id in settled else _settle(answer, makers, known, lexicon, plan.corrections.get(answer.id, ()))
        for answer in answers
    )


def _is_english(prompt: ScanPrompt) -> bool:
    """Return whether answers are in English: as the prompt is, for a rename does not load the text of every answer."""
    return prompt.language == "en" if prompt.language else looks_english(fold(prompt.text))


def _settle(
    answer: ScanAnswer,
    makers: Mapping[str, str],
    rivals: Mapping[str, str],
    lexicon: Lexicon,
    corrections: Sequence[Correction],
) -> ScanAnswer:
    if answer.analysis is None or not _has_ranks(answer.analysis):
        return answer
    names = {merge_key(makers[each.name]): makers[each.name] for each in answer.candidates if each.name in makers}
    prepared = prepare(answer.text, answer.prompt.text)
    for key, name in rivals.items():
        if key not in names and index_spellings(name).is_in(prepared.folded):
            names[key] = name
    others = [name for name in names.values() if not tracked_names_of(lexicon).include(name)]
    if others == list_other_names(lexicon, answer.candidates):
        return answer
    analysis = _rank(prepared, lexicon, answer.analysis, others, answer.prompt.text, corrections)
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
    ranking = rank_prepared(prepared, among_all, prompt=prompt, language=analysis.language, corrections=corrections)
    return msgspec.structs.replace(
        analysis,
        brands=tuple(_with_rank(brand, ranking.ranks.get(place)) for place, brand in enumerate(analysis.brands)),
        n_brands=ranking.brand_count,
        rank_source=ranking.source,
    )


def _has_ranks(analysis: AnswerAnalysis) -> bool:
    return any(brand.rank is not None for brand in analysis.brands)


def _with_rank(own: BrandAnalysis, rank: int | None) -> BrandAnalysis:
    return own if own.rank is None or rank is None else msgspec.structs.replace(own, rank=rank)
