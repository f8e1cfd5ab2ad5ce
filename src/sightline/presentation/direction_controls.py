"""Bidirectional overrides, embeddings and isolates, which change the order of the characters around them.

A name or an answer with such characters can read as another one, so people see each of them as its code point, such as
`[U+202E]`. Stored texts, forms, files and APIs keep the characters. LRM, RLM and ALM, which mixed text needs, are left.
"""

import re

_CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_CONTROL = f"[{_CONTROLS}]"
_MARKS = str.maketrans({control: f"[U+{ord(control):04X}]" for control in _CONTROLS})
_IN_PAGE = re.compile(rf"<textarea\b.*?</textarea>|<[^>]*>|{_CONTROL}", re.DOTALL)
# What a form sends or where a link leads.
_IN_TAG = re.compile(rf'\s(?:value|name|href|action|formaction)="[^"]*"|{_CONTROL}')


def show_direction_controls(text: str) -> str:
    """Return the text with a visible mark instead of each direction control."""
    return text.translate(_MARKS) if has_direction_controls(text) else text


def has_direction_controls(text: str) -> bool:
    return any(control in text for control in _CONTROLS)


def show_direction_controls_in_html(html: str) -> str:
    """Return a page with visible marks in its texts and attributes.

    What a form sends stays as it is, so that saving a form does not change a name. So do the addresses of links.
    Quotes and angle brackets of texts must be escaped, as templates do.
    """
    return _IN_PAGE.sub(_show_in_part, html) if has_direction_controls(html) else html


def _show_in_part(part: re.Match[str]) -> str:
    found = part[0]
    if found.startswith("<textarea"):
        return found
    return _IN_TAG.sub(_show_in_attribute, found) if found.startswith("<") else show_direction_controls(found)


def _show_in_attribute(part: re.Match[str]) -> str:
    return show_direction_controls(part[0]) if len(part[0]) == 1 else part[0]
