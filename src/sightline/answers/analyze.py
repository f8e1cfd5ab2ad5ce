"""One answer, read for all brands at once. Pure: the same text, names and version always give the same reading."""

from collections.abc import Iterable, Sequence

from sightline.answers.blocks import Prepared
from sightline.answers.citations import read_citations
from sightline.answers.language import detect_language
from sightline.answers.mentions import Mention, find_mentions, find_mentions_beside
from sightline.answers.models import (
    AnswerAnalysis,
    Brand,
    BrandAnalysis,
    Citation,
    Occurrence,
    RankSource,
    Sentiment,
    Stance,
)
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare, raw_places
from sightline.answers.rank import rank_brands, usable_mentions
from sightline.answers.scorers import LANGUAGES, Scorer
from sightline.answers.stance import answer_stance, find_stances

# Stored with every result; a change of the rules that can change a reading raises it.
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
    """What the answer says of each brand of the lexicon. `cited` are the (address, title) that the platform cites;
    `sentiment` is who scores how it speaks of them (of all, or of those `scored`); without one that is left open.
    """
    prepared = prepare(text, prompt)
    sources = find_sources(prepared, cited)
    return analyze_prepared(
        prepared, lexicon, sources, prompt=prompt, language=language, sentiment=sentiment, scored=scored
    )


Sources = tuple[tuple[Citation, ...], int]
"""The pages that an answer refers to, and how many addresses lead nowhere."""


def find_sources(prepared: Prepared, cited: Iterable[tuple[str, str | None]]) -> Sources:
    """Those that the platform cites, and those that the text links."""
    return read_citations([*cited, *((link.url, None) for link in prepared.links)])


class _Spoken:
    """The language of an answer, given or found in it when it is first asked for."""

    def __init__(self, prepared: Prepared, given: str | None) -> None:
        self._prose = prepared.prose
        self._sought = bool(given)
        self.known = given or None

    def __call__(self) -> str | None:
        if not self._sought:
            self._sought, self.known = True, detect_language(self._prose)
        return self.known


def analyze_prepared(
    prepared: Prepared,
    lexicon: Lexicon,
    sources: Sources,
    *,
    others: Sequence[str] = (),
    prompt: str = "",
    language: str | None = None,
    sentiment: Scorer | None = None,
    scored: frozenset[int] | None = None,
) -> AnswerAnalysis:
    """As `analyse`, of an answer that others read as well: preparing it is half of the work.

    Ranks are those among the brands of the lexicon and `others`, whose names change nothing else.
    """
    spoken = _Spoken(prepared, language)
    if others:
        mentions, everybody = find_mentions_beside(prepared, lexicon, others, spoken, prompt)
    else:
        mentions = everybody = find_mentions(prepared, lexicon, spoken, prompt)
    stances, praised = find_stances(prepared, mentions)
    ranks, n_brands, rank_source = _rank(prepared, mentions, stances, everybody)
    citations, unresolved = sources
    pages = lexicon.owners.split(citations)
    wanted = frozenset(range(len(lexicon.brands))) if scored is None else scored
    scores = (
        sentiment.score(prepared, mentions, stances, praised, wanted)
        if sentiment is not None and mentions and spoken() in LANGUAGES
        else {}
    )
    places = raw_places(prepared, [(mention.start, mention.end) for mention in mentions])

    found: dict[int, list[Occurrence]] = {}
    for mention, stance, (start, end) in zip(mentions, stances, places, strict=True):
        found.setdefault(mention.brand, []).append(
            Occurrence(start, end, prepared.prose[mention.start : mention.end], stance, mention.derived)
        )
    return AnswerAnalysis(
        brands=tuple(
            _reading(
                brand,
                tuple(found.get(index, ())),
                ranks.get(index),
                pages.get(index, ()),
                scores.get(index),
            )
            for index, brand in enumerate(lexicon.brands)
        ),
        citations=citations,
        unresolved=unresolved,
        n_brands=n_brands,
        rank_source=rank_source,
        language=spoken.known,
    )


def _rank(
    prepared: Prepared, mentions: list[Mention], stances: list[Stance], everybody: list[Mention]
) -> tuple[dict[int, int], int, RankSource | None]:
    """The ranks of the brands mentioned, how many brands have one, and where the order comes from."""
    usable = usable_mentions(mentions, stances)
    if everybody is mentions or not usable:
        ranks, source = rank_brands(prepared, usable)
        return ranks, len(ranks), source
    ranks, source = rank_brands(prepared, usable_mentions(everybody, find_stances(prepared, everybody)[0]))
    own = {mention.brand for mention in usable}
    # Beside others' names a sentence may say less of a brand than by itself: its own rank is better than none.
    alone = {} if own <= ranks.keys() else rank_brands(prepared, usable)[0]
    return {brand: ranks.get(brand) or alone[brand] for brand in own}, len(ranks), source


def rank_prepared(
    prepared: Prepared, lexicon: Lexicon, *, prompt: str = "", language: str | None = None
) -> tuple[dict[int, int], RankSource | None]:
    """Brand → rank, and where the order comes from: exactly as in the whole reading, for whom needs nothing else."""
    mentions = find_mentions(prepared, lexicon, _Spoken(prepared, language), prompt)
    stances, _ = find_stances(prepared, mentions)
    return rank_brands(prepared, usable_mentions(mentions, stances))


def is_named(prepared: Prepared, lexicon: Lexicon) -> bool:
    """Whether the text names the first brand of the lexicon: `mentioned` of the whole reading, and nothing else."""
    mentions = find_mentions(prepared, lexicon, _Spoken(prepared, None), "")
    if not mentions:
        return False
    stances, _ = find_stances(prepared, mentions)
    own = [stance for mention, stance in zip(mentions, stances, strict=True) if mention.brand == 0]
    return answer_stance(own) not in {None, "unknown"}


def _reading(
    brand: Brand,
    occurrences: tuple[Occurrence, ...],
    rank: int | None,
    urls: tuple[str, ...],
    sentiment: Sentiment | None,
) -> BrandAnalysis:
    stances: list[Stance] = [occurrence.stance for occurrence in occurrences]
    stance = answer_stance(stances)
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
    )
