"""Finds where an answer names the brands: word boundaries, hosts, the longest match, then the evidence."""

import re
from collections.abc import Callable, Sequence

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import KATAKANA, fold_case, script
from sightline.answers.corrections import Correction, correct_matches
from sightline.answers.evidence.matches import NameMatch
from sightline.answers.evidence.scorer import resolve_matches
from sightline.answers.inflection import CLITICS, endings_for
from sightline.answers.longer_words import is_longer_word
from sightline.answers.names import Lexicon, Pattern, is_short_katakana
from sightline.domains.names import first_label, registrable_domain

_DERIVED = re.compile(r"-(?:like|style|esque)\b", re.IGNORECASE)
_LONGEST_ENDING = 6  # letters
# "… of many genres.Acme" is two sentences without the blank between them.
_GLUED = re.compile(r"(?:[^\W_]|[)\]])\.[A-Z]")
_SHORTEST_GLUED = 4  # letters
_MAX_GLUED = 200
_HOST_PART = re.compile(r"[A-Za-z0-9.\-]")
# Particles that follow a Korean name; after two syllables anything else makes it another word.
_KOREAN_PARTICLES = frozenset("은는이가을를에의와과도만로나랑라뿐든까처보부하인입였께대조란야아여들및등측사")


# An answer that names a brand more often is not genuine, and further matches are not counted. The limit is lower for
# ambiguous names, because evidence has to be found for each match of an ordinary word.
_MAX_MATCHES = (20_000, 500, 500)


class Mention(msgspec.Struct, gc=False):
    """A place in the prose that names a brand."""

    start: int
    end: int
    brand: int
    derived: bool


def find_mentions(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    language: Callable[[], str | None],
    prompt: str,
    corrections: Sequence[Correction] = (),
    *,
    reads_case: bool = True,
) -> list[Mention]:
    """Return the mentions in order of place, with the corrections of this answer applied.

    `language` is called only if a name is followed by letters that could be an ending. Without `reads_case`, a name in
    lower case is the brand unless the list of ordinary words has it.
    """
    matches = _search(prepared, lexicon, language, corrections, reads_case=reads_case)
    return _resolve(prepared, lexicon, matches, language, prompt)


def find_mentions_with_others(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    others: Sequence[str],
    language: Callable[[], str | None],
    prompt: str,
    corrections: Sequence[Correction] = (),
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of the lexicon's brands alone, and those of all brands.

    `others` are brands known only by their names. The first list is as if they did not exist. Nearly always it is part
    of the second, and one search is enough. The exceptions are other names that contain a brand's name or are spelled
    alike. Both lists are the same object if no other brand is named.
    """
    all_brands = lexicon.with_others(others, prepared.folded)
    matches = _search(prepared, all_brands, language, corrections)
    tracked = len(lexicon.brands)
    if all_brands.has_shared_spellings or not _are_independent(matches, tracked):
        own = find_mentions(prepared, lexicon, language, prompt, corrections)
        return own, _resolve(prepared, all_brands, matches, language, prompt)
    mentions = _resolve(prepared, all_brands, matches, language, prompt)
    own = [mention for mention in mentions if mention.brand < tracked]
    return own, mentions if len(mentions) > len(own) else own


def _search(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    language: Callable[[], str | None],
    corrections: Sequence[Correction],
    *,
    reads_case: bool = True,
) -> list[NameMatch]:
    """Return every place that may name a brand. Of those that start together, the longest comes first."""
    matches: list[NameMatch] = []
    glued: list[NameMatch] = []
    counted: dict[int, int] = {}
    prose, folded = prepared.prose, prepared.folded
    for index, start, end in lexicon.find_hits(folded):
        pattern = lexicon.patterns[index]
        already = counted.get(pattern.brands[0], 0)
        if already >= _MAX_MATCHES[pattern.doubt]:
            continue
        if pattern.languages is not None and language() not in pattern.languages:
            continue
        if pattern.exact is not None and fold_case(prose[start:end]) != pattern.exact:
            continue
        starts_word = _starts_word(folded, start, pattern)
        end_of_name = _find_end(folded, start, end, pattern, language) if starts_word else 0
        if not end_of_name:
            if len(glued) < _MAX_GLUED and _is_glued(prose, start, end, pattern):
                glued.append(NameMatch(start, end, pattern))
            continue
        found = _check_host(prose, start, end_of_name, pattern, lexicon)
        if found:
            if reads_case and _lost_capital(prose, found):
                if already >= _MAX_MATCHES[1]:
                    continue
                found.lost_capital = True
            matches.append(found)
            counted[pattern.brands[0]] = already + 1
    named = {brand for match in matches for brand in match.pattern.brands}
    matches += [match for match in glued if named.issuperset(match.pattern.brands)]
    matches.sort(key=lambda match: (match.start, -match.end))
    return correct_matches(prepared, matches, lexicon.brands, corrections)


def _resolve(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    matches: list[NameMatch],
    language: Callable[[], str | None],
    prompt: str,
) -> list[Mention]:
    return [
        Mention(match.start, match.end, brand, derived=_is_derived(prepared.prose, match.end))
        for match, brand in resolve_matches(prepared, lexicon, _keep_longest(matches), language, prompt)
    ]


def _lost_capital(prose: str, match: NameMatch) -> bool:
    """Return whether a name with a capital is written like an ordinary word: not as "@acme", "acme.io", "acme-like"."""
    pattern = match.pattern
    if pattern.doubt or match.certain or not prose[match.start : match.end].islower():
        return False
    after = prose[match.end : match.end + 2]
    is_address = prose[match.start - 1 : match.start] in {"@", "."} or (after[:1] == "." and after[1:].isalnum())
    return pattern.is_capitalized_word and not is_address and not _is_derived(prose, match.end)


def _is_derived(prose: str, end: int) -> bool:
    """Return whether a name only describes something else: "Acme-like". The pattern is slow, so it is tried last."""
    return prose[end : end + 1] == "-" and _DERIVED.match(prose, end) is not None


def _is_glued(prose: str, start: int, end: int, pattern: Pattern) -> bool:
    """Return whether a change of case separates the name from the rest of a word: "AcmeCam", "priceAcme".

    It counts only in an answer that names the brand elsewhere, because such a word may be a name of its own.
    """
    if pattern.doubt or pattern.form != "name" or end - start < _SHORTEST_GLUED or not prose[start].isupper():
        return False
    before, after = prose[start - 1 : start], prose[end : end + 1]
    return (not before.isalnum() or before.islower() or before.isdigit()) and (
        not after.isalnum() or (after.isupper() and prose[end - 1].islower())
    )


def _starts_word(folded: str, start: int, pattern: Pattern) -> bool:
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


def _find_end(folded: str, start: int, end: int, pattern: Pattern, language: Callable[[], str | None]) -> int:
    """Return where the name ends including its inflection, or 0 if it is only part of a longer word."""
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
    if ending == "s" or (not ending.isdigit() and ending in endings_for(language())):
        return tail
    return 0


def _check_host(prose: str, start: int, end: int, pattern: Pattern, lexicon: Lexicon) -> NameMatch | None:
    """Return the match unless it is part of a host name or e-mail address that is not the brand's.

    Inside a host name it is the brand only if the host is the brand's, or is the name with another ending.
    """
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
    left, right = _find_host(prose, start, end)
    if (left > 0 and prose[left - 1] == "@" and pattern.form != "handle") or (
        right < len(prose) and prose[right] == "@"
    ):
        return None
    host = prose[left:right].strip(".-").lower()
    if any(_owns(lexicon, brand, host) for brand in pattern.brands):
        return NameMatch(left, left + len(prose[left:right].rstrip(".-")), pattern, certain=True)
    is_glued = _GLUED.search(prose, max(0, start - 2), start + 1) or _GLUED.match(prose, end - 1)
    return NameMatch(start, end, pattern) if is_glued or _is_name_of_host(host, pattern) else None


def _find_host(prose: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of everything around a match that can be part of one host name."""
    left, right = start, end
    while left > 0 and start - left < 80 and _HOST_PART.match(prose[left - 1]):
        left -= 1
    while right < len(prose) and right - end < 80 and _HOST_PART.match(prose[right]):
        right += 1
    return left, right


def _is_name_of_host(host: str, pattern: Pattern) -> bool:
    """Return whether it is not a host name, or is the name with an ending: "Booking.com" is a name of its own."""
    registrable = registrable_domain(host.removeprefix("www.")) if "." in host else None
    if registrable is None or registrable == pattern.text:
        return True
    is_label = host.removeprefix("www.") == registrable and first_label(registrable) == pattern.text
    return is_label and pattern.doubt == 0


def _owns(lexicon: Lexicon, brand: int, host: str) -> bool:
    return any(host == domain or host.endswith("." + domain) for domain in lexicon.brands[brand].domains)


def _keep_longest(matches: list[NameMatch]) -> list[NameMatch]:
    """Drop matches inside longer ones: "Apple Music" is not "Apple"."""
    longest: list[NameMatch] = []
    for match in matches:
        if longest and match.start < longest[-1].end:
            continue
        longest.append(match)
    return longest


def _are_independent(matches: list[NameMatch], tracked: int) -> bool:
    """Return whether the tracked brands and the others can be searched together.

    That is so if no match has several brands, and where two overlap, both are of the first `tracked` brands, or neither
    is.
    """
    end, of_tracked = 0, False
    for match in matches:
        if len(match.pattern.brands) > 1:
            return False
        own = match.pattern.brands[0] < tracked
        if match.start >= end:
            end, of_tracked = match.end, own
        elif own is not of_tracked:
            return False
    return True
