"""One answer, read for all brands at once. Pure: the same text, names and version always give the same reading."""

from collections.abc import Iterable
from functools import cache

from sightline.answers.citations import read_citations
from sightline.answers.language import detect_language
from sightline.answers.mentions import find_mentions
from sightline.answers.models import AnswerReading, Brand, BrandReading, Occurrence, Sentiment, Stance
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare, raw_places
from sightline.answers.rank import rank_brands
from sightline.answers.sentiment import score_mentions
from sightline.answers.stance import answer_stance, find_stances

# Stored with every result; a change of the rules that can change a reading raises it.
EXTRACTOR_VERSION = "1"


def analyse(
    text: str,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    cited: Iterable[tuple[str, str | None]] = (),
    language: str | None = None,
    sentiment: bool = False,
) -> AnswerReading:
    """What the answer says of each brand of the lexicon. `cited` are the (address, title) that the platform cites."""
    prepared = prepare(text, prompt)

    @cache
    def spoken() -> str | None:
        return language or detect_language(prepared.prose)

    mentions = find_mentions(prepared, lexicon, spoken, prompt)
    stances, praised = find_stances(prepared, mentions)
    ranks, rank_source = rank_brands(prepared, mentions, stances)
    citations, unresolved = read_citations([*cited, *((link.url, None) for link in prepared.links)])
    pages = lexicon.owners.split(citations)
    scores = (
        score_mentions(prepared, mentions, stances, praised, len(lexicon.brands), spoken)
        if sentiment and mentions
        else {}
    )
    places = raw_places(prepared, [(mention.start, mention.end) for mention in mentions])

    found: dict[int, list[Occurrence]] = {}
    for mention, stance, (start, end) in zip(mentions, stances, places, strict=True):
        found.setdefault(mention.brand, []).append(
            Occurrence(start, end, prepared.prose[mention.start : mention.end], stance, mention.derived)
        )
    return AnswerReading(
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
        n_brands=len(ranks),
        rank_source=rank_source,
        language=language or (spoken() if spoken.cache_info().currsize else None),
    )


def _reading(
    brand: Brand,
    occurrences: tuple[Occurrence, ...],
    rank: int | None,
    urls: tuple[str, ...],
    sentiment: Sentiment | None,
) -> BrandReading:
    stances: list[Stance] = [occurrence.stance for occurrence in occurrences]
    stance = answer_stance(stances)
    if stance is None or stance == "unknown":
        return BrandReading(name=brand.name, mentioned=False, stance=stance, cited_urls=urls)
    return BrandReading(
        name=brand.name,
        mentioned=True,
        occurrences=tuple(occurrence for occurrence in occurrences if occurrence.stance != "unknown"),
        stance=stance,
        rank=rank,
        cited_urls=urls,
        sentiment=sentiment,
    )
