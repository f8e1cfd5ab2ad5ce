"""The analysis of one answer for all brands at once.

It is pure: the same text, names and version always give the same analysis.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import find_candidates_prepared
from sightline.answers.citations import read_citations
from sightline.answers.corrections import Correction
from sightline.answers.language import LanguageDetector
from sightline.answers.mentions import Mention
from sightline.answers.models import (
    AnswerAnalysis,
    Brand,
    BrandAnalysis,
    Citation,
    Occurrence,
    Sentiment,
    Stance,
    UnscoredReason,
)
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans, prepare
from sightline.answers.presented_names import read_products
from sightline.answers.rank import Ranking, find_rankable, rank_brands
from sightline.answers.reading import Reading
from sightline.answers.scorers import LANGUAGES, Scorer
from sightline.answers.stance import combine_stances, find_stances
from sightline.answers.tokens import words
from sightline.answers.tracked_names import list_other_names

# Stored with every result. Raise it with every change of the rules that can change an analysis.
EXTRACTOR_VERSION = "5"
_MAX_PRODUCTS = 200  # mentions whose product is read; a genuine answer has fewer


def analyze(
    text: str,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    cited: Iterable[tuple[str, str | None]] = (),
    language: str | None = None,
    sentiment: Scorer | None = None,
    scored: frozenset[int] | None = None,
) -> AnswerAnalysis:
    """Return what the answer says of each brand of the lexicon.

    `cited` are the (address, title) pairs that the platform cites. `sentiment` scores all brands, or those in `scored`;
    without it, sentiment is left open.
    """
    prepared = prepare(text, prompt)
    sources = find_sources(prepared, cited)
    others = list_other_names(lexicon, find_candidates_prepared(prepared, lexicon, sources[0]))
    return analyze_prepared(
        prepared, lexicon, sources, others=others, prompt=prompt, language=language, sentiment=sentiment, scored=scored
    )


Sources = tuple[tuple[Citation, ...], int]
"""The pages that an answer refers to, and how many addresses could not be resolved."""


def find_sources(prepared: PreparedAnswer, cited: Iterable[tuple[str, str | None]]) -> Sources:
    """Return the pages that the platform cites and those that the text links to."""
    return read_citations([*cited, *((link.url, None) for link in prepared.links)])


def analyze_prepared(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    sources: Sources,
    *,
    others: Sequence[str] = (),
    prompt: str = "",
    language: str | None = None,
    sentiment: Scorer | None = None,
    scored: frozenset[int] | None = None,
    corrections: Sequence[Correction] = (),
) -> AnswerAnalysis:
    """Return the same as `analyze`, for an answer that is prepared already.

    Preparing is expensive, and others need the prepared answer, too. Ranks are those among the brands of the
    lexicon and `others`, whose names change nothing else. `corrections` are those of this answer.
    """
    detect = LanguageDetector(prepared.prose, language)
    reading = Reading(prepared, lexicon, others, detect, prompt, corrections)
    mentions, stances = reading.mentions, reading.stances
    ranking = _rank(reading)
    citations, unresolved = sources
    pages = lexicon.owners.split(citations)
    wanted = frozenset(range(len(lexicon.brands))) if scored is None else scored
    readable = sentiment is not None and bool(mentions) and detect() in LANGUAGES
    scores: dict[int, Sentiment] = {}
    if sentiment is not None and readable:
        scores = sentiment.score(prepared, reading.bounded, reading.bounded_stances, wanted)
    reasons = {} if sentiment is None else _explain_unscored(prepared, mentions, stances, detect, readable=readable)
    raw_spans = find_raw_spans(prepared, [(mention.start, mention.end) for mention in mentions])

    found: dict[int, list[Occurrence]] = {}
    products = read_products(prepared, [(mention.start, mention.end) for mention in mentions[:_MAX_PRODUCTS]])
    for mention, stance, (start, end), product in zip_longest(mentions, stances, raw_spans, products):
        # What a user marked stays marked, even where this version reads no prose.
        written = prepared.prose[mention.start : mention.end].strip() or prepared.raw[start:end]
        found.setdefault(mention.brand, []).append(Occurrence(start, end, written, stance, mention.derived, product))
    return AnswerAnalysis(
        brands=tuple(
            _build_brand_analysis(
                brand,
                tuple(found.get(index, ())),
                ranking.ranks.get(index),
                pages.get(index, ()),
                scores.get(index),
                reasons.get(index) if index in wanted else None,
            )
            for index, brand in enumerate(lexicon.brands)
        ),
        citations=citations,
        unresolved=unresolved,
        n_brands=ranking.brand_count,
        rank_source=ranking.source,
        language=detect.known,
    )


def _rank(reading: Reading) -> Ranking:
    """Rank the mentioned brands among all brands."""
    prepared, every = reading.prepared, reading.all_mentions
    brands = {mention.brand for mention in find_rankable(reading.mentions, reading.stances)}
    if every is reading.mentions or not brands:
        return rank_brands(prepared, reading.mentions, reading.stances)
    ranking = rank_brands(prepared, every, find_stances(prepared, every))
    ranks = ranking.ranks
    if not brands <= ranks.keys():
        # Other names can change a brand's stance and cost it the rank; the rank without them is better than none.
        ranks = {**rank_brands(prepared, reading.mentions, reading.stances).ranks, **ranks}
    return Ranking({brand: ranks[brand] for brand in brands}, ranking.brand_count, ranking.source)


def rank_prepared(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    language: str | None = None,
    corrections: Sequence[Correction] = (),
) -> Ranking:
    """Return the ranks exactly as the whole analysis has them."""
    detect = LanguageDetector(prepared.prose, language)
    reading = Reading(prepared, lexicon, (), detect, prompt, corrections)
    return rank_brands(prepared, reading.mentions, reading.stances)


def _build_brand_analysis(
    brand: Brand,
    occurrences: tuple[Occurrence, ...],
    rank: int | None,
    urls: tuple[str, ...],
    sentiment: Sentiment | None,
    unscored: UnscoredReason | None,
) -> BrandAnalysis:
    """Build the analysis of one brand. `unscored` is the reason if there is no sentiment."""
    stance = combine_stances([occurrence.stance for occurrence in occurrences]) if occurrences else None
    if stance is None or stance == "unknown":
        return BrandAnalysis(name=brand.name, mentioned=False, stance=stance, cited_urls=urls)
    return BrandAnalysis(
        name=brand.name,
        mentioned=True,
        occurrences=tuple(occurrence for occurrence in occurrences if occurrence.stance != "unknown"),
        stance=stance,
        rank=rank,
        cited_urls=urls,
        sentiment=sentiment,
        unscored=None if sentiment is not None else unscored,
    )


def _explain_unscored(
    prepared: PreparedAnswer,
    mentions: Sequence[Mention],
    stances: Sequence[Stance],
    detect: LanguageDetector,
    *,
    readable: bool,
) -> dict[int, UnscoredReason]:
    """Return why each named brand has no sentiment, if it has none.

    In a list of names any language can be detected, so only running text proves that it is not supported.
    """
    if not readable and mentions and detect.is_sure():
        return dict.fromkeys((mention.brand for mention in mentions), "language")
    reasons: dict[int, UnscoredReason] = {}
    for mention, stance in zip(mentions, stances, strict=True):
        if reasons.get(mention.brand) == "doubt":
            continue
        speaks = not mention.derived and stance != "unknown" and (readable or _has_words_around(prepared, mention))
        reasons[mention.brand] = "doubt" if speaks else "no_opinion"
    return reasons


def _has_words_around(prepared: PreparedAnswer, mention: Mention) -> bool:
    """Return whether the sentence has words that are no names."""
    start, end = prepared.sentence_at(mention.start)
    around = (prepared.prose[start : mention.start], prepared.prose[mention.end : end])
    return any(word[0].isalpha() and not word[0].isupper() for part in around for word in words(part))
