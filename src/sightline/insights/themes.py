"""What the answers of a Full Check say of the brand: descriptors, ranked as themes, or held against it. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from sightline.answers.characters import fold
from sightline.answers.descriptors import Descriptor, describe_brands
from sightline.answers.language import detect_language
from sightline.answers.names import Lexicon
from sightline.answers.sentiment_words import weigh
from sightline.answers.word_lists import read_table
from sightline.insights.inputs import OWN, Material, Ownership, to_ids
from sightline.insights.models import StoredTheme
from sightline.metrics.recommendations import ClaimFacts
from sightline.metrics.sentiment import label_score
from sightline.metrics.themes import ThemeCount, is_kept, rank_themes
from sightline.scans.models import ScanAnswer

_AGAINST = {"contrast", "discouraged"}
_MOST_PAGES = 10


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """Descriptors of the brand with their counts; of how many answers, and how many competitors' ones."""

    counts: Sequence[ThemeCount]
    total: int
    competitor_total: int


class _Seen:
    """The answers that use one descriptor of the brand."""

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


def describe_check(material: Material) -> Described:
    """An answer counts once for each brand that it speaks of: what it says of three competitors is said three times."""
    lexicon = Lexicon(material.plan.tracked)
    names = _candidate_names(material)
    own: dict[str, _Seen] = {}
    theirs: Counter[str] = Counter()
    totals: Counter[bool] = Counter()
    for answer in material.answers:
        assert answer.reading is not None
        named = {place for place, brand in enumerate(answer.reading.brands) if brand.mentioned}
        if not named:
            continue
        totals.update(place == OWN for place in named)
        language = _language_of(answer)
        found = describe_brands(answer.text, lexicon, prompt=answer.prompt.text, language=language)
        for place in named & found.keys():
            for descriptor in found[place]:
                if not _is_telling(descriptor.text, language) or descriptor.text in names:
                    continue
                if place == OWN:
                    seen = own.setdefault(descriptor.text, _Seen())
                    seen.answers.append(answer)
                    seen.found.append(descriptor)
                else:
                    theirs[descriptor.text] += 1
    counts = [seen.count(descriptor, theirs[descriptor]) for descriptor, seen in own.items()]
    return Described(counts=counts, total=totals[True], competitor_total=totals[False])


def _candidate_names(material: Material) -> frozenset[str]:
    """Rivals that nobody has confirmed, as a descriptor would be written: whole names, and each word of them."""
    names = {fold(each.name) for answer in material.answers for each in answer.candidates}
    return frozenset(names | {word for name in names for word in name.split()})


def _is_telling(descriptor: str, language: str) -> bool:
    """One word alone says something where it praises or blames ("sturdy"), or is the name that synonyms share
    ("reliability"). "Known" and "money" say nothing.

    Words of praise and blame are known in English; in other languages every descriptor counts.
    """
    if " " in descriptor or language != "en":
        return True
    return descriptor in read_table("synonyms", "descriptors") or weigh(descriptor) != (0.0, 0.0)


def _language_of(answer: ScanAnswer) -> str:
    assert answer.reading is not None
    return answer.reading.language or answer.prompt.language or detect_language(answer.text) or "en"


def find_themes(described: Described) -> list[StoredTheme]:
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
            answer_ids=to_ids(theme.answer_ids),
        )
        for theme in themes
    ]


def find_claims(described: Described, material: Material) -> list[ClaimFacts]:
    """Descriptors that are said to blame the brand, or to set it off against others; by any plan's answers."""
    answers = {answer.id: answer for answer in material.answers}
    pages = Ownership(material.plan)
    return [
        _claim(count.descriptor, proof, pages)
        for count in described.counts
        if is_kept(count) and (proof := _held_against(count, answers))
    ]


def _held_against(count: ThemeCount, answers: Mapping[str, ScanAnswer]) -> list[ScanAnswer]:
    said = [answers[answer_id] for answer_id in count.answer_ids]
    if count.clause_scores and label_score(median(count.clause_scores)) == "negative":
        return said
    return [answer for answer in said if answer.reading and answer.reading.brands[OWN].stance in _AGAINST]


def _claim(descriptor: str, proof: Sequence[ScanAnswer], ownership: Ownership) -> ClaimFacts:
    """With the pages that the answers cite, most often cited first: the claim is likely to stand there."""
    pages: Counter[str] = Counter()
    for answer in proof:
        assert answer.reading is not None
        pages.update(each.url for each in answer.reading.citations if OWN not in ownership.of(each))
    most_cited = sorted(pages, key=lambda url: (-pages[url], url))
    return ClaimFacts(
        descriptor=descriptor,
        platforms=len({answer.platform for answer in proof}),
        answer_ids=tuple(answer.id for answer in proof),
        pages=tuple(most_cited[:_MOST_PAGES]),
    )
