"""Words, sentences and clauses of prose, in any script."""

import re
from itertools import islice
from string import ascii_uppercase

from sightline.answers.characters import BLOCK_END

# A run of letters and digits with the apostrophes and hyphens inside it; in scripts without spaces, one character.
_WORD = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    "|[^\\W_\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+(?:['-][^\\W_]+)*"
)
# A full stop ends a sentence where white space or a closing mark follows, and no lower-case letter after that.
# All alternatives share the set of first characters: a search for those is faster.
_SENTENCE_END = re.compile(
    rf"[.!?…。！？؟।{BLOCK_END}\n]"
    rf"(?:(?<=[.!?…])[.!?…]*[\"')\]*_»]*(?=\s+[^\sa-z]|\s*$|{BLOCK_END})"
    rf"|(?<=[。！？؟।])[。！？؟।]*|(?<={BLOCK_END})|(?<=\n)(?=\s*\n))"
)
_END_BEFORE = re.compile(r"[.!?…。！？][\"')\]*_»]*\s+$")
# fmt: off
_ABBREVIATED = (
    "e.g", "i.e", "vs", "approx", "etc", "Inc", "Ltd", "Co", "Corp", "Dr", "Mr", "Mrs", "Ms", "St", "No", "qt", "oz",
    "lbs", "z.B", "bzw", "ca", "p.ex", "ej", "np", "т.е", "др", *ascii_uppercase,
)
# fmt: on
_ABBREVIATION = re.compile(rf"\b(?:{'|'.join(map(re.escape, _ABBREVIATED))})\.$")

_BREAKS = BLOCK_END + "\n"
_LONGEST_SENTENCE = 600  # characters


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def first_words(text: str, count: int) -> list[str]:
    return [word[0] for word in islice(_WORD.finditer(text), count)]


def sentence_end(prose: str, start: int) -> int:
    """Return the end of the sentence at this place, looking no further than a long sentence reaches."""
    block_end = prose.find(BLOCK_END, start, start + _LONGEST_SENTENCE)
    stop = block_end if block_end >= 0 else min(len(prose), start + _LONGEST_SENTENCE)
    for match in _SENTENCE_END.finditer(prose, start, stop):
        if _is_abbreviation(prose, match):
            continue
        return match.start() if match[0][0] in _BREAKS else match.end()
    return stop


def sentence_start(prose: str, place: int) -> int:
    floor = max(0, place - _LONGEST_SENTENCE)
    at = floor = max(floor, prose.rfind(BLOCK_END, floor, place) + 1)
    for match in _SENTENCE_END.finditer(prose, floor, place):
        if not _is_abbreviation(prose, match):
            at = match.end()
    return at


def sentence_around(prose: str, place: int) -> tuple[int, int]:
    return sentence_start(prose, place), sentence_end(prose, place)


def follows_sentence(prose: str, place: int) -> bool:
    """Return whether a sentence ends right before this place, even if a lower-case letter follows."""
    end = _END_BEFORE.search(prose, max(0, place - 8), place)
    return end is not None and not _is_abbreviation(prose, end)


def _is_abbreviation(prose: str, match: re.Match[str]) -> bool:
    at = match.start()
    if prose[at] != "." or not prose.endswith(_ABBREVIATED, 0, at):  # checked first, as it is faster
        return False
    return _ABBREVIATION.search(prose, max(0, at - 8), at + 1) is not None
