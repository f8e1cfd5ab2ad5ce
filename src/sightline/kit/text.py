"""What text may contain. Pure."""

import re

# PostgreSQL cannot store NUL; the others confuse terminals, logs, e-mails and files. Tab, line feed and carriage return
# are white space, which the features normalize.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
CONTROL_FAULT = "must not contain control characters"
# Letters, marks and symbols by their category, but drawn as nothing: Hangul and Khmer fillers, the empty Braille
# pattern, the grapheme joiner and variation selectors.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


def has_control_characters(text: str) -> bool:
    """Return whether the text contains a control character other than white space."""
    return _CONTROL.search(text) is not None


def has_invisible_characters(text: str) -> bool:
    """Return whether a character of the text is drawn as nothing at all. A space counts as visible."""
    return not text.isprintable() or _BLANK.search(text) is not None


def is_visible(character: str) -> bool:
    """Return whether a character leaves something to see. White space and joiners do not."""
    return character != " " and not has_invisible_characters(character)


def count_visible(text: str) -> int:
    """Count the characters that can be seen."""
    return len(_BLANK.sub("", "".join(filter(str.isprintable, text)).replace(" ", "")))


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def guard_formula(cell: str) -> str:
    """Return a cell that no spreadsheet runs as a formula: an apostrophe goes before what would be one."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
