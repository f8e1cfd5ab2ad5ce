"""Turning a platform's own search into the question behind it. Pure.

A platform searches with key words: "best budget earbuds 2025 reviews". The question behind it is "What are the best
budget earbuds?". A search that fits none of the few patterns is dropped: half a question is worse than none. English
only; in other languages a search is taken over only if it is a question already.
"""

import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from sightline.answers.characters import fold
from sightline.answers.english_nouns import add_article, find_number, pluralize, singularize
from sightline.answers.word_lists import read_list
from sightline.insights.questions.market_nouns import MarketNoun
from sightline.insights.questions.whole_questions import is_whole_question

_OPERATOR = re.compile(
    r"\b(?:site|inurl|intitle|filetype|after|before|related|cache):|https?://|[{}<>\[\]|\"“”]|\bOR\b"
)
_YEAR = re.compile(r"\b(?:in |of |for )?(?:19|20)\d\d\b")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b", re.IGNORECASE
)
_NOISE = re.compile(
    r"\b(?:reviews?|reviewed|comparisons?|compared|tested|ranked|rankings?|ratings?|experts?|reddit|buying guide|"
    r"guide|recommendations?|top picks|wirecutter|rtings|consumer reports|forum|latest|updated|today|now|near me|list|"
    r"roundup)\b",
    re.IGNORECASE,
)
_BEST = re.compile(r"^(?:what (?:is|are) )?(?:the )?(?:best|top(?: rated)?(?: \d+)?|best rated|\d+ best) (?P<rest>.+)$")
_VERSUS = re.compile(r"^(?P<one>.+?) (?:vs\.?|versus|or) (?P<other>[^ ].*?)(?: for (?P<use>[a-z -]+))?$", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"^(?:the )?(?:best )?(?:alternatives? to (?P<after>.+)|(?P<before>.+) alternatives?)$")
_HOW_TO = re.compile(r"^how to (?P<rest>[a-z].+)$")
_TAIL = re.compile(r" (?=(?:for|under|below|with|without|in|on|between)\b)")
_MAX_MODIFIERS = 4
_MAX_TAIL_WORDS = 5
_ASKED = re.compile(
    r"^(?:(?:what|which|who|where|when|why|how|is|are|do|does|can|should|will)\b)(?= \w+ \w)", re.IGNORECASE
)
_VERBS = read_list("question_wording", "verbs of a question")


class SearchWords(msgspec.Struct, frozen=True):
    """What searches of a market may be about: its nouns, and the names of its brands by their folded form."""

    nouns: Sequence[MarketNoun]
    names: Mapping[str, str]


def ask_from_search(query: str, words: SearchWords, language: str | None) -> str | None:
    """Return the question behind a search, or None if the search cannot be turned into one."""
    if _OPERATOR.search(query):
        return None
    text = " ".join(query.split()).strip(" .,;:'")
    if language != "en":
        return text if text.endswith(("?", "\uff1f", "\u061f")) and is_whole_question(text, language) else None
    return _ask(text, words)


def _ask(text: str, words: SearchWords) -> str | None:
    if text.endswith("?"):
        return _check(_capitalize(_restore_names(text, words)))
    tidied = " ".join(_NOISE.sub(" ", _MONTH.sub(" ", _YEAR.sub(" ", text))).split()).strip(" -,")
    folded = fold(tidied)
    if match := _ALTERNATIVES.match(folded):
        name = words.names.get((match["after"] or match["before"]).strip())
        return None if name is None else f"What are the best alternatives to {name}?"
    if match := _VERSUS.match(tidied):
        return _compare(match, words)
    if match := _BEST.match(folded):
        return _ask_for_best(match["rest"], words)
    if match := _HOW_TO.match(folded):
        return _ask_how(match["rest"], words)
    if _ASKED.match(folded):
        return _complete_question(folded, words)
    return _ask_for_best(folded, words) if _TAIL.search(folded) else None


def _check(question: str) -> str | None:
    return question if is_whole_question(question, "en") else None


def _compare(match: re.Match[str], words: SearchWords) -> str | None:
    """Compare two brands, and nothing but brands: the names of products are not known well enough."""
    one, other = (fold(match[part]).strip() for part in ("one", "other"))
    goods, plural = "", False
    for noun in sorted(words.nouns, key=lambda noun: -len(noun.text)):
        for form in (noun.plural, noun.singular, noun.plural.split()[-1], noun.singular.split()[-1]):
            if not goods and other.endswith(f" {fold(form)}"):
                other, goods = other.removesuffix(f" {fold(form)}"), f" {noun.text}"
                one = one.removesuffix(f" {fold(form)}")
                plural = noun.is_plural
    named = [words.names.get(each) for each in (one, other)]
    if None in named or named[0] == named[1]:
        return None
    use = f" for {match['use'].strip()}" if match["use"] else ""
    return f"{named[0]} or {named[1]}: which{goods} {'are' if plural else 'is'} better{use}?"


def _ask_for_best(rest: str, words: SearchWords) -> str | None:
    """Ask for the best of something that the market sells, with what is said of its use or price."""
    phrase, *tails = _TAIL.split(rest)
    goods = phrase.removesuffix(" brands")
    noun = _match_noun(goods, words.nouns)
    if noun is None or not all(_is_tail(tail) for tail in tails):
        return None
    opening = f"What {'are' if find_number(goods) == 'plural' else 'is'} the best"
    if goods != phrase:
        opening, goods = "Which brands make the best", pluralize(goods)
    return " ".join([opening, *(_restore_names(each, words) for each in (goods, *tails))]) + "?"


def _match_noun(phrase: str, nouns: Sequence[MarketNoun]) -> MarketNoun | None:
    """Return the noun of the market that the phrase ends with, if the words before it can describe it."""
    parts = phrase.split()
    if not parts or len(parts) > _MAX_MODIFIERS + 1:
        return None
    if any(part in read_list("stop_words", "en") or not part[0].isalpha() for part in parts):
        return None
    heads = {singularize(fold(noun.text).split()[-1]): noun for noun in nouns}
    return heads.get(singularize(parts[-1]))


def _is_tail(tail: str) -> bool:
    parts = tail.split()
    if not 2 <= len(parts) <= _MAX_TAIL_WORDS or {"best", "top"}.intersection(parts):
        return False
    if parts[0] in {"under", "below"}:
        return len(parts) == 2 and re.fullmatch(r"[$€£]\d[\d,.]*", parts[1]) is not None
    last = parts[-1]
    return last.isalpha() and len(last) > 2 and last not in read_list("stop_words", "en")


def _ask_how(rest: str, words: SearchWords) -> str | None:
    """Ask how to do something with what the market sells. A singular without an article gets one."""
    verb, _, goods = rest.partition(" ")
    noun = _match_noun(goods, words.nouns)
    if noun is None or verb in read_list("stop_words", "en"):
        return None
    return f"How do I {verb} {add_article(_restore_names(goods, words))}?"


def _complete_question(folded: str, words: SearchWords) -> str | None:
    """Return a search that lacks only its question mark. It needs a verb where questions have one."""
    parts = folded.split()
    if len(parts) < 4 or not _VERBS.intersection(parts[:5]):
        return None
    return _check(_capitalize(_restore_names(folded, words)) + "?")


def _restore_names(text: str, words: SearchWords) -> str:
    """Write names as the market writes them: brands, and words such as CRM."""
    written = {part: part for part in text.split()}
    for noun in words.nouns:
        written.update({fold(part): part for part in noun.text.split() if fold(part) in written})
    written.update({part: words.names[fold(part)] for part in written if fold(part) in words.names})
    return " ".join(written[part] for part in text.split())


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def fold_names(names: Collection[str]) -> dict[str, str]:
    return {fold(name): name for name in names}
