"""The analysis of one answer for all brands at once.

It is pure: the same text, names and version always give the same analysis.
"""

from collections.abc import Iterable, Sequence

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.citations import read_citations
from sightline.answers.corrections import Correction
from sightline.answers.language import detect_language
from sightline.answers.mentions import Mention, find_mentions, find_mentions_with_others
from sightline.answers.models import (
    AnswerAnalysis,
    Brand,
    BrandAnalysis,
    Citation,
    Occurrence,
    RankSource,
    Sentiment,
    Stance,
    UnscoredReason,
)
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans, prepare
from sightline.answers.rank import find_rankable_mentions, rank_brands
from sightline.answers.scorers import LANGUAGES, Scorer
from sightline.answers.stance import combine_stances, find_stances

# Stored with every result. Raise it with every change of the rules that can change an analysis.
EXTRACTOR_VERSION = "1"


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
    return analyze_prepared(
        prepared, lexicon, sources, prompt=prompt, language=language, sentiment=sentiment, scored=scored
    )


Sources = tuple[tuple[Citation, ...], int]
"""The pages that an answer refers to, and how many addresses could not be resolved."""


def find_sources(prepared: PreparedAnswer, cited: Iterable[tuple[str, str | None]]) -> Sources:
    """Return the pages that the platform cites and those that the text links to."""
    return read_citations([*cited, *((link.url, None) for link in prepared.links)])


class _LanguageDetector:
    """The language of an answer: declared, or detected when it is first needed."""

    def __init__(self, prepared: PreparedAnswer, declared: str | None) -> None:
        self._prose = prepared.prose
        self._done = bool(declared)
        self.known = declared or None

    def __call__(self) -> str | None:
        if not self._done:
            self._done, self.known = True, detect_language(self._prose)
        return self.known


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

    Preparing is half of the work, and others need the prepared answer, too. Ranks are those among the brands of the
    lexicon and `others`, whose names change nothing else. `corrections` are those of this answer.
    """
    detect = _LanguageDetector(prepared, language)
    if others:
        mentions, all_mentions = find_mentions_with_others(prepared, lexicon, others, detect, prompt, corrections)
    else:
        mentions = all_mentions = find_mentions(prepared, lexicon, detect, prompt, corrections)
    stances, praised = find_stances(prepared, mentions)
    ranks, n_brands, rank_source = _rank(prepared, mentions, stances, all_mentions)
    citations, unresolved = sources
    pages = lexicon.owners.split(citations)
    wanted = frozenset(range(len(lexicon.brands))) if scored is None else scored
    readable = sentiment is not None and bool(mentions) and detect() in LANGUAGES
    scores = sentiment.score(prepared, mentions, stances, praised, wanted) if sentiment is not None and readable else {}
    raw_spans = find_raw_spans(prepared, [(mention.start, mention.end) for mention in mentions])

    found: dict[int, list[Occurrence]] = {}
    for mention, stance, (start, end) in zip(mentions, stances, raw_spans, strict=True):
        # What a user marked stays marked, even where this version reads no prose.
        words = prepared.prose[mention.start : mention.end].strip() or prepared.raw[start:end]
        found.setdefault(mention.brand, []).append(Occurrence(start, end, words, stance, mention.derived))
    return AnswerAnalysis(
        brands=tuple(
            _build_brand_analysis(
                brand,
                tuple(found.get(index, ())),
                ranks.get(index),
                pages.get(index, ()),
                scores.get(index),
                None if sentiment is None or index not in wanted else "doubt" if readable else "language",
            )
            for index, brand in enumerate(lexicon.brands)
        ),
        citations=citations,
        unresolved=unresolved,
        n_brands=n_brands,
        rank_source=rank_source,
        language=detect.known,
    )


def _rank(
    prepared: PreparedAnswer, mentions: list[Mention], stances: list[Stance], all_mentions: list[Mention]
) -> tuple[dict[int, int], int, RankSource | None]:
    """Return the ranks of the mentioned brands, how many brands have one, and where the order comes from."""
    usable = find_rankable_mentions(mentions, stances)
    if all_mentions is mentions or not usable:
        ranks, source = rank_brands(prepared, usable)
        return ranks, len(ranks), source
    ranks, source = rank_brands(prepared, find_rankable_mentions(all_mentions, find_stances(prepared, all_mentions)[0]))
    own = {mention.brand for mention in usable}
    # Together with other names a sentence may say less of a brand: its rank without them is better than none.
    alone = {} if own <= ranks.keys() else rank_brands(prepared, usable)[0]
    return {brand: ranks.get(brand) or alone[brand] for brand in own}, len(ranks), source


def rank_prepared(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    language: str | None = None,
    corrections: Sequence[Correction] = (),
) -> tuple[dict[int, int], RankSource | None]:
    """Return the rank of each brand and where the order comes from, exactly as the whole analysis has them."""
    mentions = find_mentions(prepared, lexicon, _LanguageDetector(prepared, language), prompt, corrections)
    stances, _ = find_stances(prepared, mentions)
    return rank_brands(prepared, find_rankable_mentions(mentions, stances))


def is_named(prepared: PreparedAnswer, lexicon: Lexicon) -> bool:
    """Return whether the text names the first brand of the lexicon, exactly as `mentioned` of the whole analysis."""
    mentions = find_mentions(prepared, lexicon, _LanguageDetector(prepared, None), "")
    if not mentions:
        return False
    stances, _ = find_stances(prepared, mentions)
    own = [stance for mention, stance in zip(mentions, stances, strict=True) if mention.brand == 0]
    return combine_stances(own) not in {None, "unknown"}


def _build_brand_analysis(
    brand: Brand,
    occurrences: tuple[Occurrence, ...],
    rank: int | None,
    urls: tuple[str, ...],
    sentiment: Sentiment | None,
    unscored: UnscoredReason | None,
) -> BrandAnalysis:
    """Build the analysis of one brand. `unscored` is the reason if there is no sentiment."""
    stances: list[Stance] = [occurrence.stance for occurrence in occurrences]
    stance = combine_stances(stances)
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
        unscored=None if sentiment is not None else _explain_unscored(unscored, occurrences),
    )


def _explain_unscored(reason: UnscoredReason | None, occurrences: tuple[Occurrence, ...]) -> UnscoredReason | None:
    """Return "no_opinion" where the brand is named only in words derived from its name: nothing is said of it."""
    named = any(not occurrence.derived and occurrence.stance != "unknown" for occurrence in occurrences)
    return "no_opinion" if reason == "doubt" and not named else reason
