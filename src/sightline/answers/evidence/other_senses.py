"""Evidence that a name is an ordinary word, a unit, or the acronym of something else."""

import re

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.evidence.wording import is_preceded_by
from sightline.answers.word_lists import read_list, read_table

# "300 HP" is a unit, "3. HP" the third entry of a list, "2026 HP" the model of that year.
_AMOUNT = re.compile(r"(?!(?:19|20)\d\d\s)(?<!\d)\d(?:[\d.,]*\d)?\s?$")
_WEEKDAY_BEFORE = re.compile(
    r"(?:\b(?:on|for|every|each|next|last|this|by|until|since|from|before|after|of|in|early|late|mid|am|jeden|le|el|"
    r"chaque|cada|op|w|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: to| and| or|,)?|"
    r"(?:april|may|june|july) (?:to|and|or))\s+)$",
    re.IGNORECASE,
)
_WEEKDAY_AFTER = re.compile(
    r"s?\s+(?:morning|afternoon|evening|night|through|to\s|and\s(?:tues|wednes|thurs|fri|satur|sun)|\d|"
    r"(?:at|before)\s)",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"s?['\"]?\s+([^\W\d_]+)")
_PREVIOUS_WORD = re.compile(r"([^\W\d_]+)\s+['\"]?$")


def has_other_sense(prepared: PreparedAnswer, word: str, start: int, end: int) -> bool:
    """Return whether the words around it show a known other sense: "on Monday", "target audience"."""
    prose, folded = prepared.prose, prepared.folded
    if word in read_list("names_and_days", "calendar") and (
        is_preceded_by(_WEEKDAY_BEFORE, prose, start, 12) or _WEEKDAY_AFTER.match(prose, end)
    ):
        return True
    followed = read_table("other_senses", "after").get(word, ())
    after = _NEXT_WORD.match(folded, end) if followed else None
    if after is not None and after[1] in followed and prose[after.start(1)].islower():
        return True
    preceded = read_table("other_senses", "before").get(word, ())
    before = _PREVIOUS_WORD.search(folded, max(0, start - 20), start) if preceded else None
    return before is not None and before[1] in preceded and prose[start].islower()


def is_unit(prose: str, start: int) -> bool:
    """Return whether an amount stands right before it: "300 HP"."""
    return _AMOUNT.search(prose, max(0, start - 12), start) is not None


def is_spelled_out(folded: str, acronym: str) -> bool:
    """Return whether the answer says what the acronym stands for.

    In "macular degeneration (AMD)" or "ADA (Americans with Disabilities Act)" it means that everywhere in the answer.
    """
    letters = [rf"{re.escape(letter)}[\w-]*" for letter in acronym.lower()]
    gap = r"[\s-]+(?:(?:of|with|and|for|the|to|in|related)\s+)?"
    spelled = gap.join(letters)
    name = re.escape(acronym.lower())
    return re.search(rf"\b{spelled}\s*\({name}\)|\b{name}\s*\({spelled}\)", folded) is not None


def is_foreign_to(sentence: str, written: str) -> bool:
    """Return whether it is a Latin name in a sentence of another script, so no word of that language."""
    if not written.isascii() or sentence.isascii():
        return False
    letters = [character for character in sentence if character.isalpha()]
    return sum(character > "\u036f" for character in letters) > 0.5 * len(letters)
