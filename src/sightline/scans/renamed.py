"""Which answers of a scan a rename concerns, and what becomes of the others. Pure.

The others do not have to be read: no name that changed can occur in them, so the analysis of every other brand stays.
"""

import uuid
from collections.abc import Collection, Sequence

import msgspec

from sightline.answers.citations import SiteOwners
from sightline.answers.models import Brand, BrandAnalysis
from sightline.answers.name_index import ChangedNames, NameIndex, build_name_index, find_changed_names, list_words
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.tracked_names import TrackedNames
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.rivals import find_rivals, map_makers


class Rename(msgspec.Struct, frozen=True):
    """A scan as it was before a rename, and which answers are analyzed again. The others have no text."""

    former: ScanPlan
    """The plan with the brands of the stored analyses."""
    name_index: bytes
    concerned: list[uuid.UUID]


def index_answers(answers: Sequence[ScanAnswer]) -> bytes:
    """Build the index of the answers of a scan, which all have their texts."""
    return build_name_index(
        {
            uuid.UUID(answer.id): list_words(prepare(answer.text, answer.prompt.text), answer.analysis.citations)
            for answer in answers
            if answer.analysis is not None
        }
    )


def find_concerned(
    index: bytes, former: MeasuredBrands, brands: MeasuredBrands, prompts: Sequence[ScanPrompt]
) -> tuple[set[uuid.UUID], set[int]] | None:
    """Return the concerned answers, and the prompts all of whose answers are concerned; None is the whole scan."""
    changed = find_changed_names(former.listed, brands.listed)
    if changed is None:
        return None
    corrected = {uuid.UUID(each) for each in (*former.corrections, *brands.corrections)}
    words = {uuid.UUID(int=place): list_words(prepare(prompt.text), ()) for place, prompt in enumerate(prompts)}
    named = NameIndex(build_name_index(words)).find(changed)
    return NameIndex(index).find(changed) | corrected, {place.int for place in named}


def realign(answer: ScanAnswer, former: ScanPlan, plan: ScanPlan) -> ScanAnswer:
    """Return an answer that a rename does not concern, with its analysis in the order of the new brands."""
    if answer.analysis is None:
        return answer
    owners = SiteOwners([brand.domains for brand in plan.tracked]).split(answer.analysis.citations)
    known = {
        brand.name: found
        for brand, found in zip((former.brand, *former.competitors), answer.analysis.brands, strict=True)
    }
    brands = tuple(
        msgspec.structs.replace(known[brand.name], cited_urls=owners.get(place, ()))
        if brand.name in known
        else BrandAnalysis(name=brand.name, mentioned=False, cited_urls=owners.get(place, ()))
        for place, brand in enumerate((plan.brand, *plan.competitors))
    )
    if brands == answer.analysis.brands:
        return answer
    return msgspec.structs.replace(answer, analysis=msgspec.structs.replace(answer.analysis, brands=brands))


def find_disturbed(
    rename: Rename,
    plan: ScanPlan,
    stored: Sequence[ScanAnswer],
    answers: Sequence[ScanAnswer],
    settled: Collection[str],
) -> list[uuid.UUID]:
    """Return further answers whose ranks may change, because the untracked brands of the scan have changed.

    A rank is the place among all brands that any answer of the scan presents.
    """
    former_makers, makers = map_makers(stored), map_makers(answers)
    former_rivals = {each.candidate.name for each in find_rivals(rename.former, stored)}
    rivals = {each.candidate.name for each in find_rivals(plan, answers)}
    tracked_before, tracked_now = (TrackedNames(Lexicon(each.tracked)) for each in (rename.former, plan))
    turned = {
        name
        for name in {*former_makers.values(), *makers.values()}
        if tracked_before.include(name) != tracked_now.include(name)
    }
    moved = {
        name
        for name in {*former_makers, *makers}
        if former_makers.get(name) != makers.get(name) or makers.get(name) in turned
    }
    texts = {pattern.text for name in former_rivals ^ rivals for pattern in Lexicon([Brand(name)]).patterns}
    named = NameIndex(rename.name_index).find(ChangedNames(frozenset(texts))) if texts else set()
    return [
        uuid.UUID(answer.id)
        for answer in stored
        if answer.id in settled
        and answer.analysis is not None
        and any(brand.rank is not None for brand in answer.analysis.brands)
        and (uuid.UUID(answer.id) in named or any(each.name in moved for each in answer.candidates))
    ]
