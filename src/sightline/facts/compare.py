"""Comparing a claim with a fact: agrees, contradicts, outdated, or cannot tell. Pure.

A wrong "contradicts" costs more than a missed one: people write to a publisher because of it. So whatever leaves a
doubt (a range, "about", another product, currency, unit or country, a condition, a former price) is "cannot tell".
Doubts are known in English, German and Danish; in other languages, nothing contradicts.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

import msgspec
from babel import Locale

from sightline.answers.characters import fold, fold_case, normalize
from sightline.facts.amounts import Amount, find_amounts, find_units, find_years
from sightline.facts.models import YES_OR_NO, Fact, Manner, Verdict

LANGUAGES = ("en", "de", "da")
_CLOSE = Decimal("0.02")  # figures that differ by less are the same one, rounded
_FAR = 3  # a price so many times as high or low is one of something else: a set, an instalment, a part
_DOLLARS = {"US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD"}
_CROWNS = {"DK": "DKK", "SE": "SEK", "NO": "NOK"}
_ENDS = re.compile(r"(?<=[.!?;])\s")
_LABELS = frozenset({"plan", "tier", "subscription", "price", "cost", "abo", "tarif", "preis", "pris", "abonnement"})
# Words of English, German and Danish. An asterisk stands for any ending.
_BOUNDS = (
    "from start starts starting around about approximately approx roughly circa ca. nearly almost over above more less "
    "fewer under below beneath up upwards least most between range* typical* usually generally often sub low mid early "
    "late since* ab etwa rund ungefähr knapp fast über unter bis mindestens höchstens zwischen meist* gut anfang ende "
    "mitte fra omkring omtrent cirka næsten op mindst højst mellem typisk oftest ~ ≈ < > ≥ ≤ slutningen starten"
)
_DOUBTS = (
    "may might could would if unless perhaps maybe possibly probably likely reportedly rumor* rumour* estimate* "
    "expected was were had originally formerly previous* once used refurbished renewed pre-owned secondhand "
    "down-from instead sale discount* deal deals save* savings off coupon* promo* rebate bundle* trade-in vary "
    "varies varying depend* comparable similar pack packs *-pack versus vs unlike compared other another each intro* "
    "könnte* würde* wenn falls vielleicht möglicherweise wahrscheinlich vermutlich angeblich war waren hatte "
    "ursprünglich früher ehemals gebraucht* generalüberholt* statt rabatt* angebot* sparen reduziert* aktion* "
    "variier* abhängig je andere* anders verglichen bestätigt* einführung* "
    "kan kunne ville hvis måske muligvis sandsynligvis formentlig angiveligt var havde oprindeligt tidligere brugt "
    "tilbud* nedsat spar* varierer afhænger afhængig anden andet andre sammenlignet bekræftet"
)
_PAST = "was were war waren var originally ursprünglich oprindeligt"
_FOUNDED = re.compile(
    r"\b(?:co-?)?(?:found|establish|creat|launch|start|open|begann|began|grund|gegrund|stift|etabl|oprett)"
)
_DENIALS = (
    "no not never without lack* none cannot *n't neither nor unavailable discontinue* ended closed withdrawn nicht "
    "kein* nie ohne fehlt weder eingestellt* geschlossen ikke ingen intet aldrig uden mangler hverken udgået ophørt "
    "lukket lukkede"
)
_NEXT_WORDS = re.compile(r"(?:[ ]?(?!\$)(?=[A-Z0-9\u00c0-\u00de]|(?:mini|plus|pro|max|lite|se|v?[0-9])\b)[\w.+-]+)+")
_DECADE = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})(?:'?s|er|erne|ern)\b")


class Statement(NamedTuple):
    """What an answer says, and how it is read."""

    passage: str
    words: str
    """The part of the passage that says it, word for word."""
    manner: Manner
    context: str = ""
    """What stands before the passage: its heading, or the sentence that names the subject."""
    market_words: Collection[str] = ()
    """What is sold, in the words of the prompts: they may follow the name of a product."""
    language: str | None = "en"
    country: str | None = None
    """Of the prompt."""
    asked_on: date = date.max


class Comparison(msgspec.Struct, frozen=True):
    verdict: Verdict
    stated: str | None = None


_CANNOT_TELL = Comparison("cannot_tell")


def compare(fact: Fact, said: Statement, *, others: Sequence[str] = (), rivals: Sequence[str] = ()) -> Comparison:
    """Compare a claim with a fact. `others` are the subjects of all facts, `rivals` the names of other brands.

    Words that do not stand in the passage are no claim about anything: "cannot tell". What people have said is right
    agrees.
    """
    found = _compare(fact, said, others, rivals)
    return Comparison("agrees", found.stated) if found.stated in fact.accepted else found


def _compare(fact: Fact, said: Statement, others: Sequence[str], rivals: Sequence[str]) -> Comparison:
    passage, words = _simplify(said.passage), _simplify(said.words)
    start = passage.find(words)
    if not words or start < 0 or said.manner == "unclear" or _cuts_number(passage, start, start + len(words)):
        return _CANNOT_TELL
    sentence, place = _find_sentence(passage, start, start + len(words))
    if sentence.rstrip(' *_")').endswith("?") or any(_has(sentence, name) for name in rivals):
        return _CANNOT_TELL
    if fact.kind in YES_OR_NO:
        return _compare_yes_or_no(fact, said, sentence)
    if said.manner == "denies" or _has_word(sentence, _DENIALS):
        return _CANNOT_TELL
    if fact.kind == "price":
        return _compare_price(fact, said, words, sentence, place, others)
    if fact.kind == "founded":
        return _compare_year(fact, said, words, sentence, place)
    return _compare_place(fact, said, words, sentence)


def _cuts_number(passage: str, start: int, end: int) -> bool:
    """Return whether words end within a number: shopping lists stick a rating to a price, "$449.004.6"."""
    return (passage[end - 1].isdigit() and re.match(r"[.,]?\d", passage[end:]) is not None) or (
        passage[start].isdigit() and re.search(r"\d[.,]?$", passage[:start]) is not None
    )


def _compare_price(
    fact: Fact, said: Statement, words: str, sentence: str, place: int, others: Sequence[str]
) -> Comparison:
    amounts = find_amounts(_clean(words), said.language)
    if len(amounts) != 1 or amounts[0].is_open or not _is_about(fact.subject, said, others):
        return _CANNOT_TELL
    amount = amounts[0]
    currency = _choose_currency(amount, fact, said)
    units = find_units(sentence)
    known = [value for value in map(_to_number, (fact.value, *fact.name_former(said.asked_on))) if value is not None]
    if currency is None or not known or "other" in units or len(units) > 1 or (units and units != {fact.unit}):
        return _CANNOT_TELL
    value = next((each for each in known if any(_is_same_price(each, one) for one in amount.values)), None)
    stated = " ".join(filter(None, (currency, _write(value or min(amount.values)), fact.unit)))
    if value is not None and value == known[0]:
        return _agree(fact, said, stated)
    is_doubtful = (
        not _is_plain(said, sentence, sentence[max(0, place - 30) : place] + words)
        or len(amount.values) > 1
        or len(find_amounts(_clean(sentence))) > 1
        or units != ({fact.unit} if fact.unit else frozenset())
        or _names_other_country(fact, sentence, said)
    )
    if is_doubtful:
        return _CANNOT_TELL
    if value is not None:
        return Comparison("outdated", stated)
    far = next(iter(amount.values))
    is_other = any(abs(each - far) <= _CLOSE * each for each in known) or not known[0] / _FAR <= far <= known[0] * _FAR
    return _CANNOT_TELL if is_other else _contradict(fact, said, stated)


def _compare_year(fact: Fact, said: Statement, words: str, sentence: str, place: int) -> Comparison:
    years = set(find_years(words))
    if len(years) != 1 or _DECADE.search(words) or not fact.value.isdigit():
        return _CANNOT_TELL
    year = years.pop()
    if year == int(fact.value):
        return Comparison("agrees", str(year))
    start = sentence.find(str(year), place)
    before = sentence[max(0, start - 20) : start]
    is_plain = _is_plain(said, sentence, before, past=True) and len(set(find_years(sentence))) == 1
    if not is_plain or not _FOUNDED.search(fold(sentence)):
        return _CANNOT_TELL
    if str(year) in fact.name_former(said.asked_on):
        return Comparison("outdated", str(year))
    return _contradict(fact, said, str(year))


def _compare_place(fact: Fact, said: Statement, words: str, sentence: str) -> Comparison:
    """Compare places. Two places differ for certain only if they are in different countries."""
    own = _list_places(fact.value)
    stated = next((each for each in own if _has(words, each)), None)
    if stated is not None:
        return Comparison("agrees", stated)
    for former in fact.name_former(said.asked_on):
        stated = next((each for each in _list_places(former) if _has(words, each)), None)
        if stated is not None:
            return Comparison("outdated", stated)
    home = {fact.country} if fact.country else {code for each in own for code in find_countries(each)}
    named = find_countries(words)
    if len(named) != 1 or not home or named & home or find_countries(sentence) != named:
        return _CANNOT_TELL
    return _contradict(fact, said, min(named)) if _is_plain(said, sentence, "") else _CANNOT_TELL


def _compare_yes_or_no(fact: Fact, said: Statement, sentence: str) -> Comparison:
    """Compare whether something is so. The editor's reading counts only where the words deny or do not, as it says."""
    is_denied = _has_word(sentence, _DENIALS)
    around = _simplify(f"{said.context}\n{said.passage}")
    if is_denied != (said.manner == "denies") or not names_subject(fact, around) or not _is_plain(said, sentence, ""):
        return _CANNOT_TELL
    if fact.is_own_product and fact.subject and not _is_about(fact.subject, said, ()):
        return _CANNOT_TELL
    stated = "no" if is_denied else "yes"
    former = fact.name_former(said.asked_on)
    is_gone = fact.kind == "product" and fact.value == "no" and fact.valid_from and fact.valid_from <= said.asked_on
    if stated == fact.value:
        return _agree(fact, said, stated)
    if stated in former or is_gone:
        return Comparison("outdated", stated)
    return _contradict(fact, said, stated)


def names_subject(fact: Fact, text: str) -> bool:
    """Return whether a text names what a fact is about: the country, or each word of the subject."""
    if fact.kind == "availability":
        return bool(fact.country) and fact.country in find_countries(text)
    if fact.kind == "ability":
        return all(word in _simplify(text) for word in _simplify(fact.subject).split() if len(word) > 3)
    return _has(text, _simplify(fact.subject))


def _agree(fact: Fact, said: Statement, stated: str) -> Comparison:
    """Return the verdict on the true value. Before the fact held, another one was true."""
    is_early = fact.valid_from is not None and said.asked_on < fact.valid_from
    return Comparison("cannot_tell" if is_early else "agrees", stated)


def _contradict(fact: Fact, said: Statement, stated: str) -> Comparison:
    """Return the verdict on a value that never was true. Of a time before the fact held, nothing is known."""
    changed = [fact.valid_from, *(each.until for each in fact.former)]
    is_early = any(day is not None and said.asked_on < day for day in changed)
    return Comparison("cannot_tell" if is_early or said.language not in LANGUAGES else "contradicts", stated)


def _is_plain(said: Statement, sentence: str, before: str, *, past: bool = False) -> bool:
    """Return whether a sentence states something without doubt, and the words before a figure do not bound it.

    With `past`, it is about the past, as a founding year is.
    """
    doubts = {match[0] for match in _compile_words(_DOUBTS).finditer(sentence)}
    if past:
        doubts -= set(_PAST.split())
    return said.language in LANGUAGES and not doubts and not _has_word(before, _BOUNDS)


def _has_word(text: str, words: str) -> bool:
    return _compile_words(words).search(text) is not None


@lru_cache(maxsize=8)
def _compile_words(words: str) -> re.Pattern[str]:
    found = [r"\w*".join(re.escape(_simplify(part)) for part in word.split("*")) for word in words.split()]
    return re.compile("|".join(rf"(?<!\w){each}(?!\w)" if re.search(r"\w", each) else each for each in found))


def _is_about(subject: str, said: Statement, others: Sequence[str]) -> bool:
    """Return whether a claim is about a product, and not about one whose name only begins like it.

    The subject that stands last before the end of the words counts; else one behind them, else one in the context.
    """
    own = _simplify(subject)
    end = _simplify(said.passage).find(_simplify(said.words)) + len(_simplify(said.words))
    passage = _flatten(said.passage)
    for text in (passage[:end], passage[end:], _flatten(said.context)):
        ends = {
            name: max(match.end() for match in found)
            for name in {own, *map(_simplify, others)}
            if name and (found := list(_pattern(name).finditer(fold(text))))
        }
        if ends:
            last = max(ends, key=lambda name: (ends[name], len(name)))
            return last == own and not _goes_on(text[ends[own] :], said.market_words)
    return False


def _goes_on(rest: str, market_words: Collection[str]) -> bool:
    """Return whether the name of a product has more words than its subject: "Studio 3 Pro" is no "Studio 3".

    Words that only say what it is do not count: "Studio 3 Headphones".
    """
    following = _NEXT_WORDS.match(rest)
    words = map(fold, following[0].split()) if following else ()
    return any(word not in _LABELS and word not in market_words for word in words)


def _choose_currency(amount: Amount, fact: Fact, said: Statement) -> str | None:
    """Return the currency of an amount: that of the fact, where its sign may stand for it. None for another one.

    A dollar is a US dollar and a crown a Danish one, unless the prompt is from a country with its own.
    """
    if fact.currency not in amount.currencies:
        return None
    if len(amount.currencies) > 1:
        country = said.country or fact.country
        if "USD" in amount.currencies and _DOLLARS.get(country or "", "USD") != fact.currency:
            return None
        crown = _CROWNS.get(country or "", {"da": "DKK", "sv": "SEK"}.get(said.language or "", fact.currency))
        if "DKK" in amount.currencies and crown != fact.currency:
            return None
    return fact.currency


def _names_other_country(fact: Fact, sentence: str, said: Statement) -> bool:
    named = find_countries(sentence)
    if fact.country is None:
        return bool(named)
    return bool(named - {fact.country}) or (said.country is not None and said.country != fact.country and not named)


def _is_same_price(value: Decimal, stated: Decimal) -> bool:
    """Return whether a price is stated, also without its cents: 199.99 as 199 or 200."""
    return abs(value - stated) < 1 and abs(value - stated) <= _CLOSE * value


def _to_number(value: str) -> Decimal | None:
    try:
        return Decimal(value)
    except InvalidOperation:
        return None


def _write(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _find_sentence(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the sentence or sentences around a span, and the place of the span in them."""
    low = max((match.end() for match in _ENDS.finditer(text, 0, start)), default=0)
    after = _ENDS.search(text, max(start, end - 1))
    return text[low : after.start() if after else len(text)], start - low


def _simplify(text: str) -> str:
    """Return a text as it is compared: in lower case, without marks of Markdown, with single blanks."""
    return fold_case(_flatten(text))


def _flatten(text: str) -> str:
    """Return a text in one line, without marks of Markdown, letter for letter as long as when it is folded.

    A semicolon stands for the end of a line, so that a sentence does not go on in the next one.
    """
    lines = (normalize(_clean(line))[0].split() for line in text.strip().splitlines())
    return " ; ".join(" ".join(words) for words in lines if words)


def _clean(text: str) -> str:
    return text.replace("\\", "").replace("*", "").replace("_", " ").replace("`", "")


@lru_cache(maxsize=2048)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(fold(name))}(?!\w)")


def _has(text: str, name: str) -> bool:
    simple = _simplify(name)
    return bool(simple) and _pattern(simple).search(fold(text)) is not None


def names_place(fact: Fact, text: str) -> bool:
    """Return whether a text names the place of a fact, or one where it was."""
    return any(
        _has(text, place) for value in (fact.value, *fact.name_former(date.max)) for place in _list_places(value)
    )


def denies(text: str) -> bool:
    """Return whether a text has a word that denies something."""
    return _has_word(_simplify(text), _DENIALS)


def _list_places(value: str) -> list[str]:
    """Return the parts of a place, from the smallest: "Aarhus, Denmark" is in Aarhus, and in Denmark."""
    return [part for each in value.split(",") if len(part := _simplify(each)) > 1]


def find_countries(text: str) -> frozenset[str]:
    """Return the codes of the countries that a text names, in English, German or Danish."""
    folded = fold(_simplify(text))
    pattern, codes = _index_countries()
    return frozenset(codes[match[0]] for match in pattern.finditer(folded))


@lru_cache(maxsize=1)
def _index_countries() -> tuple[re.Pattern[str], dict[str, str]]:
    codes = {
        fold(_simplify(name)): code
        for language in LANGUAGES
        for code, name in Locale(language).territories.items()
        if len(code) == 2 and code.isalpha() and code not in ("EU", "EZ", "UN", "ZZ", "XA", "XB", "QO")
    }
    codes |= {"usa": "US", "u.s.": "US", "us market": "US", "america": "US", "amerika": "US", "uk": "GB", "u.k.": "GB"}
    codes |= {
        "great britain": "GB",
        "britain": "GB",
        "england": "GB",
        "czech republic": "CZ",
        "holland": "NL",
        "turkey": "TR",
    }
    names = "|".join(map(re.escape, sorted(codes, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{names})(?!\w)"), codes
