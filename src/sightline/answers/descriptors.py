"""What answers say of a brand in one to three words: the raw material of Brand Themes (metrics 5)."""

import re
from collections.abc import Sequence

import msgspec

from sightline.answers.candidates import find_candidates_prepared
from sightline.answers.characters import fold
from sightline.answers.corrections import Correction
from sightline.answers.mentions import find_mentions_with_others
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans, prepare
from sightline.answers.scope import OTHER, bound_mentions, find_scopes
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.answers.stance import find_stances
from sightline.answers.tracked_names import list_other_names
from sightline.answers.word_lists import read_list, read_table

_CLAUSE = re.compile(r"[^.;:!?,\n\x1a–—()|]+")
_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_LONGEST = 3  # words
_SHORTEST = 3  # letters
_NEUTRAL = 50.0


class Descriptor(msgspec.Struct, frozen=True):
    """A descriptor, the clause that it comes from as it stands in the answer, and that clause's sentiment."""

    text: str
    quote: str
    score: float | None


def find_descriptors(
    text: str, lexicon: Lexicon, *, prompt: str = "", language: str = "en", corrections: Sequence[Correction] = ()
) -> dict[int, tuple[Descriptor, ...]]:
    """Return the descriptors of each brand in this answer, each once.

    Only clauses that are about the brand are read.
    """
    prepared = prepare(text, prompt)
    others = list_other_names(lexicon, find_candidates_prepared(prepared, lexicon))
    mentions, all_mentions = find_mentions_with_others(prepared, lexicon, others, lambda: language, prompt, corrections)
    stances, _ = find_stances(prepared, mentions)
    unknown = {mention.start for mention, stance in zip(mentions, stances, strict=True) if stance == "unknown"}
    bounded = bound_mentions(prepared, mentions, all_mentions)
    stop_words = _stop_words(language)
    found: dict[int, dict[str, Descriptor]] = {}
    for mention, span in zip(bounded, find_scopes(prepared, bounded), strict=True):
        if mention.brand == OTHER or mention.start in unknown or mention.derived:
            continue
        own = found.setdefault(mention.brand, {})
        names = _name_words(lexicon)
        for clause in _CLAUSE.finditer(prepared.prose, *span):
            descriptors = list(_find_phrases(clause[0], stop_words, names))
            if not descriptors:
                continue
            ((start, end),) = find_raw_spans(prepared, [_trim(clause)])
            good, bad = count_praise_and_blame(fold(clause[0])) if language == "en" else (0.0, 0.0)
            score = None if language != "en" else _NEUTRAL + 45 * (good - bad) / (good + bad + 1)
            for descriptor in descriptors:
                own.setdefault(descriptor, Descriptor(descriptor, prepared.raw[start:end], score))
    return {brand: tuple(own.values()) for brand, own in found.items() if own}


def _find_phrases(clause: str, stop_words: frozenset[str], names: frozenset[str]) -> Sequence[str]:
    """Return runs of up to three words between stop words, in the singular, with synonyms replaced."""
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(clause):
        word = fold(token).removesuffix("'s")
        if word in stop_words or word in names or len(word) < _SHORTEST:
            runs.append([])
        else:
            runs[-1].append(_singular(word))
    shared = _synonyms()
    return [shared.get(text, text) for run in runs if 0 < len(run) <= _LONGEST and (text := " ".join(run))]


def _singular(word: str) -> str:
    if len(word) <= 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]


def _trim(clause: re.Match[str]) -> tuple[int, int]:
    start, end = clause.span()
    while start < end and clause.string[start].isspace():
        start += 1
    while end > start and clause.string[end - 1].isspace():
        end -= 1
    return start, end


def _name_words(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(word for pattern in lexicon.patterns for word in _TOKEN.findall(pattern.text))


def _stop_words(language: str) -> frozenset[str]:
    own = read_list("stop_words", language) if language in {"en", "de", "fr", "es"} else frozenset()
    return frozenset(fold(word) for word in own | read_list("stop_words", "en"))


def _synonyms() -> dict[str, str]:
    return {synonym: name for name, synonyms in read_table("synonyms", "descriptors").items() for synonym in synonyms}
