"""One spelling for characters that people see as the same letter, without losing where they stood."""

import re
import unicodedata
from typing import ClassVar

# Between two blocks of prose: no white space and no letter, so that nothing matches across it. Control characters of
# the answer itself become spaces first.
BLOCK_END = "\x1a"

_REMOVED = dict.fromkeys(
    [
        *map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\u180e\ufe0e\ufe0f"),  # soft hyphen, zero-width, emoji style
        *map(ord, "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"),  # direction marks
        *map(ord, "™®©℠ªº"),  # would become letters under NFKC and stick to the name
        *map(ord, "¹²³⁰⁴⁵⁶⁷⁸⁹"),  # footnote marks
        *range(0x64B, 0x660),  # Arabic vowel marks
        0x670,
        0x640,  # and the stretched line
        *range(0x591, 0x5C8),  # Hebrew points
    ]
)
_REPLACED = {
    **dict.fromkeys(map(ord, "’‘‛ʼʹ′＇`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟＂″"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒−﹣－⁃"), "-"),
    **dict.fromkeys(map(ord, "\u2028\u2029\x85\x0b\x0c\ue000"), " "),  # U+E000 stands for a name in the stance rules
    **dict.fromkeys([*range(0x2460, 0x2474), *range(0x2474, 0x249C), *range(0x2776, 0x2794), 0x20E3], " "),
    **dict.fromkeys((c for c in range(0x20) if c not in {0x09, 0x0A}), " "),
    0x7F: " ",
}
# Removed before a search for what is changed, which would look at every character.
_KEPT = bytes(c for c in range(0x80) if c not in _REPLACED)
_CHANGED = re.compile("[" + "".join(re.escape(chr(c)) for c in (*_REMOVED, *_REPLACED) if c != ord("-")) + "]")


def is_normalized(text: str) -> bool:
    """Return whether each character stands for itself."""
    if text.isascii() and text.isprintable():  # most text is; this is faster than the pattern
        return "  " not in text and "`" not in text
    if "  " in text:
        return False
    rest = text.encode("utf-8", "surrogatepass").translate(None, _KEPT).decode("utf-8", "surrogatepass")
    return not _CHANGED.search(rest) and (text.isascii() or unicodedata.is_normalized("NFKC", text))


def normalize(text: str) -> tuple[str, list[int] | None]:
    """Return the text in NFKC with straight quotes, plain hyphens and nothing invisible, and its places.

    The second item holds, for each new character, the place of the old one. It is None where every character kept its
    place.
    """
    if is_normalized(text):
        return text, None
    out: list[str] = []
    places: list[int] = []
    size = len(text)
    at = 0
    while at < size:
        end = at + 1
        while end < size and is_combining(text[end]):
            end += 1
        if text[at] == " " and out and out[-1].endswith(" "):  # one blank, as it is displayed
            at = end
            continue
        cluster = text[at:end].translate(_REMOVED_TABLE).translate(_REPLACED)
        if cluster and not cluster.isascii():
            cluster = unicodedata.normalize("NFKC", cluster)
        if cluster:
            out.append(cluster)
        places.extend([at] * len(cluster))
        at = end
    return "".join(out), places


_REMOVED_TABLE: dict[int, None] = dict.fromkeys(_REMOVED)


def is_combining(character: str) -> bool:
    """Return whether a character combines with the one before it.

    Accents do, and so do the second and third part of a Hangul syllable.
    """
    return character > "\u02ff" and (
        unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff" or character in "\uff9e\uff9f"
    )


def _without_marks(character: str) -> str:
    base = unicodedata.normalize("NFD", character)
    return base[0] if len(base) > 1 and all("\u0300" <= mark <= "\u036f" for mark in base[1:]) else character


class _Folding(dict[int, str]):
    """A translation table that is filled as characters are met.

    Each character becomes exactly one, so that places stay the same.
    """

    _OWN: ClassVar = dict(zip("ıİøØłŁđĐ–—\n", "iioolldd-- ", strict=True))

    def __init__(self, *, marks: bool) -> None:
        super().__init__()
        self._marks = marks

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = self._OWN.get(character) if not self._marks or character in "ıİ–—\n" else None
        if folded is None:
            folded = character.casefold()
            if len(folded) != 1:
                folded = character.lower() if len(character.lower()) == 1 else character
            if not self._marks:
                folded = _without_marks(folded)
        self[code] = folded
        return folded


_FEW_FOREIGN = 0.2  # bytes for each character
_ASCII = bytes(range(128))
_WITHOUT_MARKS = _Folding(marks=False)
_WITH_MARKS = _Folding(marks=True)


def fold(text: str) -> str:
    """Return the text for comparison without case and diacritics, in the same length."""
    return text.lower().replace("\n", " ") if text.isascii() else _fold_foreign(text, _WITHOUT_MARKS)


def fold_case(text: str) -> str:
    """Return the text for comparison without case but with diacritics, in the same length."""
    return text.lower().replace("\n", " ") if text.isascii() else _fold_foreign(text, _WITH_MARKS)


def _fold_foreign(text: str, table: _Folding) -> str:
    """Fold a text. `translate` looks up every character; where few are not ASCII, replacing those is faster."""
    foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    if len(foreign) > _FEW_FOREIGN * len(text):
        return text.translate(table)
    for character in set(foreign.decode("utf-8", "surrogatepass")):
        folded = table[ord(character)]
        if folded.lower() != folded:
            return text.translate(table)
        text = text.replace(character, folded)
    return text.lower().replace("\n", " ")


def replace_surrogates(text: str) -> str:
    """Replace each lone surrogate, which cannot be encoded, by one replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


# Scripts written without spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
KATAKANA = re.compile("[\u30a0-\u30ff]")


def script(character: str) -> str:
    """Return `unspaced` (Han, Kana, Thai, Lao, Khmer), `hangul`, `letter` (all other letters) or an empty string."""
    if character.isascii():
        return "letter" if character.isalnum() else ""
    if _UNSPACED.match(character):
        return "unspaced"
    if _HANGUL.match(character):
        return "hangul"
    return "letter" if character.isalnum() or unicodedata.category(character) in {"Mn", "Mc"} else ""
