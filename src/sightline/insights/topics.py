"""The content words of a text, which tell questions about one market from questions about another. Pure."""

from functools import cache
from itertools import pairwise

from sightline.answers.characters import fold
from sightline.answers.english_nouns import singularize
from sightline.answers.tokens import words
from sightline.answers.word_lists import read_list

_LANGUAGES = frozenset({"en", "de", "fr", "es"})
_MIN_LENGTH = 3  # letters; in scripts without spaces, two characters are a word
# Words used in every market: sharing them does not make two questions similar.
_WORDS_OF_ANY_MARKET = """
    alternative alternatives app apps best brand brands buy cheap cheapest choice choose companies company compare
    compared comparison cost costs difference free guide list option options popular price prices pricing product
    products provider providers rating ratings recommend recommended review reviews service services site software
    solution solutions tool tools top under versus website worth year years
    beste besten vergleich preis preise test erfahrungen anbieter kosten empfehlung
    meilleur meilleure meilleurs meilleures prix avis comparatif mejor mejores precio precios opiniones
"""
_ANY_MARKET = frozenset(_WORDS_OF_ANY_MARKET.split())


def content_words(text: str, language: str | None) -> frozenset[str]:
    """Return the folded words that carry the subject: no stop words, numbers or words used in every market."""
    found = [fold(word).removesuffix("'s") for word in words(text)]
    long = {word for word in found if len(word) >= _MIN_LENGTH and not word.isdigit()}
    pairs = {one + other for one, other in pairwise(found) if len(one) == len(other) == 1}
    return frozenset((long | {pair for pair in pairs if pair.isalpha()}) - _stop_words(language) - _ANY_MARKET)


def topic_words(text: str, language: str | None) -> frozenset[str]:
    """Return the content words, in English in the singular: "anvils" and "anvil" are one topic."""
    found = content_words(text, language)
    return frozenset(map(singularize, found)) if language == "en" else found


@cache
def _stop_words(language: str | None) -> frozenset[str]:
    own = read_list("stop_words", language) if language in _LANGUAGES else frozenset()
    return frozenset(fold(word) for word in own | read_list("stop_words", "en"))
