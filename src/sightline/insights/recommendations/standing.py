"""Where rivals are ahead: places above the brand, and properties that answers praise of them alone. Pure."""

from collections.abc import Iterable, Mapping

from sightline.answers.candidates import merge_key
from sightline.insights.models import NamedShare, ProposedAction
from sightline.insights.recommendations.evidence import Evidence
from sightline.metrics.recommendations import MIN_ANSWERS, PraiseFacts, is_lead_by_chance, is_mostly_above
from sightline.scans.models import ScanAnswer
from sightline.scans.rivals import map_makers

_MOST = 3  # actions of each kind
_MOSTLY = 0.5  # of the answers that name the rival
_HARDLY = 0.25  # of the answers that name the brand


def find_rivals_above(evidence: Evidence, *, by_chance: bool = False) -> list[ProposedAction]:
    """Return one row for each rival that answers mostly place above the brand, most often first.

    With `by_chance`, a majority is enough, even if chance could explain it.
    """
    makers = {name: merge_key(maker) for name, maker in map_makers(evidence.inputs.answers).items()}
    above: dict[str, list[str]] = {}
    placed: dict[str, int] = {}
    for answer in evidence.answers.values():
        for name, is_above in _compare_places(evidence, answer, makers):
            placed[name] = placed.get(name, 0) + 1
            if is_above:
                above.setdefault(name, []).append(answer.id)
    found = [
        _describe_place(evidence, name, answer_ids, placed[name])
        for name, answer_ids in above.items()
        if is_mostly_above(len(answer_ids), placed[name])
        or (by_chance and len(answer_ids) >= MIN_ANSWERS and 2 * len(answer_ids) > placed[name])
    ]
    return sorted(found, key=lambda row: (-len(row.answer_ids), row.subject or ""))[:_MOST]


def _compare_places(evidence: Evidence, answer: ScanAnswer, makers: Mapping[str, str]) -> Iterable[tuple[str, bool]]:
    """Yield each rival that an answer ranks with the brand, and whether it stands above the brand.

    Untracked names are ranked among themselves, and some of them are no brands. So of `n` brands above the brand, only
    the first `n` names are above it for certain, and the others count as below.
    """
    assert answer.analysis is not None
    own, *tracked = answer.analysis.brands
    if own.rank is None:
        return
    ranks = {brand.name: brand.rank for brand in tracked if brand.rank is not None}
    yield from ((name, rank < own.rank) for name, rank in ranks.items())
    left = own.rank - 1 - sum(rank < own.rank for rank in ranks.values())
    places: dict[str, int] = {}
    for each in answer.candidates:
        if each.name in makers:
            key = makers[each.name]
            places[key] = min(each.rank, places.get(key, each.rank))
    for rival in evidence.inputs.rivals:
        place = None if rival.tracked else places.get(merge_key(rival.found_as or rival.name))
        if place is not None:
            yield rival.name, place <= left


def _describe_place(evidence: Evidence, rival: str, answer_ids: list[str], placed: int) -> ProposedAction:
    prompts, platforms = evidence.describe(answer_ids)
    return ProposedAction(
        kind="move_up",
        subject=rival,
        prompts=prompts,
        platforms=platforms,
        rivals=(rival,),
        share=NamedShare(len(answer_ids), placed),
        answer_ids=tuple(answer_ids),
    )


def find_missing_praise(evidence: Evidence, found_praise: Iterable[PraiseFacts]) -> list[ProposedAction]:
    """Return one row for each property that most answers praise of a rival, and hardly any of the brand."""
    found = []
    for each in found_praise:
        praised = len(each.answer_ids)
        if praised < _MOSTLY * each.rival_answers or max(each.own, each.akin) >= _HARDLY * each.own_answers:
            continue
        if is_lead_by_chance(praised, each.rival_answers, each.own, each.own_answers):
            continue
        prompts, platforms = evidence.describe(each.answer_ids)
        found.append(
            ProposedAction(
                kind="earn_praise",
                subject=each.descriptor,
                theme_key=each.theme_key,
                prompts=prompts,
                platforms=platforms,
                rivals=each.rivals,
                share=NamedShare(each.own, each.own_answers),
                other_share=NamedShare(len(each.answer_ids), each.rival_answers),
                answer_ids=each.answer_ids,
            )
        )
    return sorted(found, key=lambda row: (-len(row.answer_ids), row.subject or ""))[:_MOST]
