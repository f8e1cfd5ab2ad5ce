"""How languages bend a name: endings after it, letters before it. All folded, so without diacritics."""

from collections.abc import Iterator
from itertools import product

from sightline.answers.characters import fold

# What may follow a name directly. Only in answers of that language; "s" (plural, genitive) is taken in all of them.
_ENDINGS: dict[str, str] = {
    "pl": "a u owi em iem ie e y i ow om ami ach ą ę",
    "cs": "a u ovi em e y i um ech ich ou ami ach uv",
    "sk": "a u ovi om e y i mi och ou ami ach",
    "hr": "a u om em e i ima ov ova",
    "sl": "a u om em e i ih",
    "ru": "а у ю ом ем ой ою е ы и ам ами ах ов ей я ью ям ями ях ём",
    "uk": "а у ю ом ем ою ою е и і ам ами ах ів ей я ям ями ях єм ові еві",
    "bg": "а ът я те то та",
    "tr": "i u in un nin nun den dan ten tan de da te ta e a ye ya yi yu le la yle yla ler lar lerin larin",
    "fi": "n a ssa sta lla lta lle ksi in na ia iin ista issa en",
    "hu": "t ot et at nak nek ban ben bol tol val vel hoz hez ra re rol on en es nal nel ert ig",
    "et": "i le st s l lt ga ks ni ta",
    "lt": "o u e as ui ai us iu ams",
    "lv": "a u am s i",
    "ro": "ul ului uri",
    "sv": "s en ens", "da": "s en ens", "no": "s en ens",
    "nl": "s", "de": "s n en", "id": "nya", "el": "ς",
}  # fmt: skip
ENDINGS = {language: frozenset(fold(endings).split()) | {"s"} for language, endings in _ENDINGS.items()}
_PLURAL = frozenset({"s", "es"})

# Letters that Arabic and Hebrew write together with the next word: and, with, for, like, the.
_CLITICS = {
    "ar": frozenset(
        ["و", "ف", "ب", "ل", "ك", "ال", "وال", "فال", "بال", "كال", "لل", "ولل", "وب", "ول", "وك", "فب", "فل"]
    ),
    "fa": frozenset("و به"[:1]),
    "he": frozenset(
        ["ו", "ה", "ב", "ל", "מ", "ש", "כ", "וה", "וב", "ול", "ומ", "וש", "מה", "שה", "בה", "לה", "כש", "של"]
    ),
}
CLITICS = frozenset().union(*_CLITICS.values())

# Names whose last letters change: Żabka, Żabki, Żabkę. (what is cut off → what takes its place)
_STEMS: dict[str, dict[str, str]] = {
    "pl": {"a": "y i e o a ie", "o": "a u em iem ie", "e": "a u em y i"},
    "cs": {"a": "y u e ou o ie", "o": "a u em e ovi", "e": "i e"},
    "sk": {"a": "y u e ou ie", "o": "a u om e"},
    "ru": {"а": "ы и у е ои ою", "я": "и ю е еи", "ь": "я ю ем е и ью", "и": "я ю ем е и", "о": "а у ом е"},
    "uk": {"а": "и і у ою", "я": "і ю ею", "ь": "я ю ем і", "и": "я ю єм і", "о": "а у ом і"},
    "el": {"ησ": "η", "οσ": "ου ο ε ον", "ασ": "α"},
}
_CONSONANTS = {
    "pl": "a u owi em iem ie y i",
    "cs": "a u ovi em e y",
    "ru": "а у ом е ы и",
    "uk": "а у ом і и",
}  # fmt: skip
_CYRILLIC = frozenset({"ru", "uk"})


def endings_of(language: str | None) -> frozenset[str]:
    return ENDINGS.get(language or "", _PLURAL)


def inflected_stems(name: str) -> Iterator[tuple[str, str]]:
    """(language, form) for the forms of a folded name in which more changes than an ending is added.

    Of a name of two words both are bent, for they agree: Нова Пошта, Новою Поштою.
    """
    words = name.split(" ")
    if len(words) > 2 or not all(word.isalpha() and len(word) > 2 for word in words) or len(words[-1]) < 4:
        return
    for language in _STEMS:
        if name.isascii() == (language in _CYRILLIC or language == "el"):
            continue
        last = list(_bent(words[-1], language))
        if len(words) == 1:
            yield from ((language, form) for form in last)
            continue
        first = [words[0], *_bent(words[0], language), *_extended(words[0], language)]
        last += [words[1], *_extended(words[1], language)]
        for one, other in product(first, last):
            if f"{one} {other}" != name:
                yield language, f"{one} {other}"


def _bent(word: str, language: str) -> Iterator[str]:
    for cut, endings in _STEMS[language].items():
        if word.endswith(cut):
            stem = word.removesuffix(cut)
            yield from (stem + ending for ending in endings.split() if stem + ending != word)
    if language in {"pl", "cs"} and word.endswith("ka"):
        yield word[:-2] + "ce"
    if language == "pl" and word.endswith("ra"):
        yield word[:-2] + "rze"


def _extended(word: str, language: str) -> Iterator[str]:
    if word[-1] not in "aeiouyаеиоуыяюь":
        yield from (word + ending for ending in _CONSONANTS.get(language, "").split())
