"""Where an answer names the brands: boundaries, hosts, the longest match, and doubt settled by evidence."""

import re
from collections.abc import Callable, Sequence

import msgspec

from sightline.answers.blocks import Prepared
from sightline.answers.characters import KATAKANA, fold_case, script
from sightline.answers.evidence.matches import NameMatch
from sightline.answers.evidence.scorer import resolve_matches
from sightline.answers.inflection import CLITICS, endings_of
from sightline.answers.longer_words import is_longer_word
from sightline.answers.names import Lexicon, Pattern, is_short_katakana
from sightline.domains.names import first_label, registrable_domain

_DERIVED = re.compile(r"-(?:like|style|esque)\b", re.IGNORECASE)
_LONGEST_ENDING = 6  # letters
_HOST_PART = re.compile(r"[A-Za-z0-9.\-]")
# Particles that follow a Korean name; after two syllables anything else makes it another word.
_KOREAN_PARTICLES = frozenset("은는이가을를에의와과도만로나랑라뿐든까처보부하인입였께대조란야아여들및등측사")


# An answer that names a brand more often than this is no answer, and what follows is not counted: by doubt of the name,
# for an ordinary word has to be weighed wherever it stands.
_MOST = (20_000, 500, 500)


class Mention(msgspec.Struct, gc=False):
    """A place in the prose that names a brand. `sure` ones need no evidence."""

    start: int
    end: int
    brand: int
    derived: bool


def find_mentions(
    prepared: Prepared, lexicon: Lexicon, language: Callable[[], str | None], prompt: str
) -> list[Mention]:
    """In order of place. `language` is asked only when a name is followed by letters that could be an ending."""
    return _resolve(prepared, lexicon, _search(prepared, lexicon, language), language, prompt)


def find_mentions_beside(
    prepared: Prepared, lexicon: Lexicon, others: Sequence[str], language: Callable[[], str | None], prompt: str
) -> tuple[list[Mention], list[Mention]]:
    """Those of the lexicon's brands as if there were nobody else, and those of all brands, the others by their names.

    Nearly always the first are a part of the second, and one search is enough. They need not be: another's name may
    hold a brand's, be spelled alike, or speak for a name that is an ordinary word. One list where nobody else is named.
    """
    everybody = lexicon.among(others, prepared.folded)
    matches = _search(prepared, everybody, language)
    tracked = len(lexicon.brands)
    if everybody.shares or not _are_apart(matches, tracked):
        own = find_mentions(prepared, lexicon, language, prompt)
        return own, _resolve(prepared, everybody, matches, language, prompt)
    mentions = _resolve(prepared, everybody, matches, language, prompt)
    own = [mention for mention in mentions if mention.brand < tracked]
    return own, mentions if len(mentions) > len(own) else own


def _search(prepared: Prepared, lexicon: Lexicon, language: Callable[[], str | None]) -> list[NameMatch]:
    """Every place that may name a brand, the longest of those that begin together first."""
    matches: list[NameMatch] = []
    counted: dict[int, int] = {}
    prose, folded = prepared.prose, prepared.folded
    for index, start, end in lexicon.hits(folded):
        pattern = lexicon.patterns[index]
        already = counted.get(pattern.brands[0], 0)
        if already >= _MOST[pattern.doubt]:
            continue
        if pattern.languages is not None and language() not in pattern.languages:
            continue
        if pattern.exact is not None and fold_case(prose[start:end]) != pattern.exact:
            continue
        if not _begins(folded, start, pattern) or not (reach := _reach(folded, start, end, pattern, language)):
            continue
        found = _on_host(prose, start, reach, pattern, lexicon)
        if found:
            matches.append(found)
            counted[pattern.brands[0]] = already + 1
    matches.sort(key=lambda match: (match.start, -match.end))
    return matches


def _resolve(
    prepared: Prepared,
    lexicon: Lexicon,
    matches: list[NameMatch],
    language: Callable[[], str | None],
    prompt: str,
) -> list[Mention]:
    return [
        Mention(match.start, match.end, brand, derived=_DERIVED.match(prepared.prose, match.end) is not None)
        for match, brand in resolve_matches(prepared, lexicon, _longest(matches), language, prompt)
    ]


def _begins(folded: str, start: int, pattern: Pattern) -> bool:
    if start == 0:
        return True
    before = folded[start - 1]
    if not before.isalnum() and before < "\u0300":
        return True
    own, other = script(pattern.text[0]), script(before)
    if not other or pattern.form == "handle":
        return not other
    if own == "unspaced":
        return not (KATAKANA.match(before) and is_short_katakana(pattern.text))
    if own != other:
        return other != "letter" or own != "letter"
    if own == "hangul":
        return len(pattern.text) > 2
    return _clitic_before(folded, start)


def _clitic_before(folded: str, start: int) -> bool:
    at = start
    while at > 0 and start - at < 4 and "\u0590" <= folded[at - 1] <= "\u06ff" and folded[at - 1].isalpha():
        at -= 1
    return folded[at:start] in CLITICS and (at == 0 or not folded[at - 1].isalnum())


def _reach(folded: str, start: int, end: int, pattern: Pattern, language: Callable[[], str | None]) -> int:
    """Where the name ends with its ending, or 0 when it is only a part of a longer word."""
    if not pattern.text.isascii() and is_longer_word(folded, start, end):
        return 0
    after = folded[end : end + 1]
    if not after or (not after.isalnum() and after < "\u0300"):
        return end
    own, other = script(pattern.text[-1]), script(after)
    if own == other == "letter":
        return _with_ending(folded, end, language)
    if own == "unspaced" and KATAKANA.match(after) and is_short_katakana(pattern.text):
        return 0
    if own == other == "hangul" and len(pattern.text) <= 2 and after not in _KOREAN_PARTICLES:
        return 0
    return end


def _with_ending(folded: str, end: int, language: Callable[[], str | None]) -> int:
    tail = end
    while tail < len(folded) and tail - end <= _LONGEST_ENDING and script(folded[tail]) == "letter":
        tail += 1
    ending = folded[end:tail]
    if ending == "s" or (not ending.isdigit() and ending in endings_of(language())):
        return tail
    return 0


def _on_host(prose: str, start: int, end: int, pattern: Pattern, lexicon: Lexicon) -> NameMatch | None:
    """A name inside a host name is the brand only when the host is the brand's, or the name with another ending."""
    after = prose[end] if end < len(prose) else ""
    before = prose[start - 1] if start else ""
    touches = (
        (after == "." and end + 1 < len(prose) and prose[end + 1].isalnum()) or before in {".", "@"} or after == "@"
    )
    if before == "@" and pattern.form != "handle":
        if start > 1 and (prose[start - 2].isalnum() or prose[start - 2] in "._-"):
            return None  # an e-mail address
        return NameMatch(start, end, pattern) if after != "." or not touches else None
    if not touches and pattern.form != "domain" and not (before == "-" and "." in pattern.text):
        return NameMatch(start, end, pattern)
    left, right = start, end
    while left > 0 and start - left < 80 and _HOST_PART.match(prose[left - 1]):
        left -= 1
    while right < len(prose) and right - end < 80 and _HOST_PART.match(prose[right]):
        right += 1
    if (left > 0 and prose[left - 1] == "@" and pattern.form != "handle") or (
        right < len(prose) and prose[right] == "@"
    ):
        return None
    host = prose[left:right].strip(".-").lower()
    registrable = registrable_domain(host.removeprefix("www.")) if "." in host else None
    if registrable is None:
        return NameMatch(start, end, pattern)
    if any(_owns(lexicon, brand, host) for brand in pattern.brands):
        return NameMatch(left, left + len(prose[left:right].rstrip(".-")), pattern, certain=True)
    if host.removeprefix("www.") == registrable and first_label(registrable) == pattern.text and pattern.doubt == 0:
        return NameMatch(start, end, pattern)
    # "Booking.com" is a name of its own although it looks like a host
    return NameMatch(start, end, pattern) if registrable == pattern.text else None


def _owns(lexicon: Lexicon, brand: int, host: str) -> bool:
    return any(host == domain or host.endswith("." + domain) for domain in lexicon.brands[brand].domains)


def _longest(matches: list[NameMatch]) -> list[NameMatch]:
    """The longest match consumes its span: "Apple Music" is not "Apple"."""
    kept: list[NameMatch] = []
    for match in matches:
        if kept and match.start < kept[-1].end:
            continue
        kept.append(match)
    return kept


def _are_apart(matches: list[NameMatch], tracked: int) -> bool:
    """Nothing has to be weighed, and where two overlap both are of the first `tracked` brands, or neither is."""
    end, of_tracked = 0, False
    for match in matches:
        if not match.is_unambiguous:
            return False
        own = match.pattern.brands[0] < tracked
        if match.start >= end:
            end, of_tracked = match.end, own
        elif own is not of_tracked:
            return False
    return True
