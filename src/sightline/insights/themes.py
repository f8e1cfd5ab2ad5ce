"""What the answers of a Full Check say about the brand: descriptors, ranked as themes, and negative claims. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from sightline.answers.characters import fold
from sightline.answers.descriptors import Descriptor, find_descriptors
from sightline.answers.language import detect_language
from sightline.answers.names import Lexicon
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.answers.word_lists import read_table
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Ownership, to_uuids
from sightline.insights.models import StoredTheme
from sightline.metrics.recommendations import ClaimFacts
from sightline.metrics.sentiment import label_score
from sightline.metrics.themes import ThemeCount, is_frequent, rank_themes
from sightline.scans.models import ScanAnswer
from sightline.scans.rivals import map_makers

_NEGATIVE_STANCES = {"contrast", "discouraged"}
_MAX_PAGES = 10


class DescriptorCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The descriptors of the brand, and the number of answers that name the brand and that name competitors."""

    counts: Sequence[ThemeCount]
    total: int
    competitor_total: int


class _DescriptorUse:
    """The answers that use one descriptor for the brand."""

    def __init__(self) -> None:
        self.answers: list[ScanAnswer] = []
        self.found: list[Descriptor] = []

    def count(self, descriptor: str, competitor_answers: int) -> ThemeCount:
        return ThemeCount(
            descriptor=descriptor,
            answers=len(self.answers),
            competitor_answers=competitor_answers,
            platforms=len({answer.platform for answer in self.answers}),
            clause_scores=tuple(each.score for each in self.found if each.score is not None),
            quote=self.found[0].quote,
            answer_ids=tuple(answer.id for answer in self.answers),
        )


def count_descriptors(inputs: InsightInputs) -> DescriptorCounts:
    """Count descriptors; an answer counts once for each brand that it names."""
    lexicon = Lexicon(inputs.plan.tracked)
    names = _list_candidate_names(inputs)
    own: dict[str, _DescriptorUse] = {}
    theirs: Counter[str] = Counter()
    totals: Counter[bool] = Counter()
    for answer in inputs.answers:
        assert answer.analysis is not None
        named = {index for index, brand in enumerate(answer.analysis.brands) if brand.mentioned}
        if not named:
            continue
        totals.update(index == OWN_BRAND for index in named)
        language = _find_language(answer)
        found = find_descriptors(
            answer.text,
            lexicon,
            prompt=answer.prompt.text,
            language=language,
            corrections=inputs.plan.corrections.get(answer.id, ()),
        )
        for index in named & found.keys():
            for descriptor in found[index]:
                if not _is_meaningful(descriptor.text, language) or descriptor.text in names:
                    continue
                if index == OWN_BRAND:
                    seen = own.setdefault(descriptor.text, _DescriptorUse())
                    seen.answers.append(answer)
                    seen.found.append(descriptor)
                else:
                    theirs[descriptor.text] += 1
    counts = [seen.count(descriptor, theirs[descriptor]) for descriptor, seen in own.items()]
    return DescriptorCounts(counts=counts, total=totals[True], competitor_total=totals[False])


def _list_candidate_names(inputs: InsightInputs) -> frozenset[str]:
    """List the makers that are not tracked, folded like descriptors: whole names and each of their words."""
    names = {fold(maker) for maker in map_makers(inputs.answers).values()}
    return frozenset(names | {word for name in names for word in name.split()})


def _is_meaningful(descriptor: str, language: str) -> bool:
    """Return whether a descriptor says something about a brand.

    A single word does so if it praises or blames ("sturdy") or is the name of a group of synonyms ("reliability");
    "known" and "money" do not. Such words are listed only for English; in other languages every descriptor counts.
    """
    if " " in descriptor or language != "en":
        return True
    return descriptor in read_table("synonyms", "descriptors") or count_praise_and_blame(descriptor) != (0.0, 0.0)


def _find_language(answer: ScanAnswer) -> str:
    assert answer.analysis is not None
    return answer.analysis.language or answer.prompt.language or detect_language(answer.text) or "en"


def find_themes(described: DescriptorCounts) -> list[StoredTheme]:
    themes = rank_themes(described.counts, total=described.total, competitor_total=described.competitor_total)
    return [
        StoredTheme(
            descriptor=theme.descriptor,
            kind=theme.kind,
            answers=theme.answers,
            share=theme.share,
            log_odds=theme.log_odds,
            z=theme.z,
            polarity=theme.polarity,
            polarity_label=theme.polarity_label,
            quote=theme.quote,
            answer_ids=to_uuids(theme.answer_ids),
        )
        for theme in themes
    ]


def find_claims(described: DescriptorCounts, inputs: InsightInputs) -> list[ClaimFacts]:
    """Find descriptors that are used against the brand, whatever the plan of the workspace."""
    answers = {answer.id: answer for answer in inputs.answers}
    pages = Ownership(inputs.plan)
    return [
        _build_claim(count.descriptor, proof, pages)
        for count in described.counts
        if is_frequent(count) and (proof := _find_negative_answers(count, answers))
    ]


def _find_negative_answers(count: ThemeCount, answers: Mapping[str, ScanAnswer]) -> list[ScanAnswer]:
    using = [answers[answer_id] for answer_id in count.answer_ids]
    if count.clause_scores and label_score(median(count.clause_scores)) == "negative":
        return using
    return [
        answer for answer in using if answer.analysis and answer.analysis.brands[OWN_BRAND].stance in _NEGATIVE_STANCES
    ]


def _build_claim(descriptor: str, proof: Sequence[ScanAnswer], ownership: Ownership) -> ClaimFacts:
    """Build a claim with the pages that its answers cite, most cited first: they probably make the claim."""
    pages: Counter[str] = Counter()
    for answer in proof:
        assert answer.analysis is not None
        pages.update(each.url for each in answer.analysis.citations if OWN_BRAND not in ownership.find_owners(each))
    most_cited = sorted(pages, key=lambda url: (-pages[url], url))
    return ClaimFacts(
        descriptor=descriptor,
        platforms=len({answer.platform for answer in proof}),
        answer_ids=tuple(answer.id for answer in proof),
        pages=tuple(most_cited[:_MAX_PAGES]),
    )
