"""What may be said about a client: its color, its sender, its recipients, its language and time zone. Pure."""

from msgspec import UNSET

from sightline.accounts.users import clean_email, clean_time_zone
from sightline.clients.schemas import ClientDetails
from sightline.errors import invalid_field
from sightline.kit.rounding import round_half_away
from sightline.presentation.contrast import READABLE, WHITE, find_readable_shade, is_color, measure_contrast
from sightline.presentation.language import LANGUAGES

_MAX_SENDER = 80
_IN_ADDRESSES = set('@<>"\\')


def clean_details(details: ClientDetails) -> dict[str, object]:
    """Return the columns to write, by name. What is unset is left out, and an empty text removes what was there."""
    changes: dict[str, object] = {}
    if details.color is not UNSET:
        changes["color"] = _clean_color(details.color or "")
    if details.sender_name is not UNSET:
        changes["sender_name"] = _clean_sender(details.sender_name or "")
    if details.shows_maker is not UNSET:
        changes["shows_maker"] = details.shows_maker
    if details.recipients is not UNSET:
        found = (clean_email(each, f"recipients[{place}]") for place, each in enumerate(details.recipients))
        changes["recipients"] = list(dict.fromkeys(found))
    if details.language is not UNSET:
        if details.language and details.language not in LANGUAGES:
            raise invalid_field("language", f"must be one of {', '.join(LANGUAGES)}", "unsupported")
        changes["language"] = details.language or None
    if details.timezone is not UNSET:
        changes["timezone"] = clean_time_zone(details.timezone) if details.timezone else None
    return changes


def _clean_color(text: str) -> str | None:
    """Return the color in lower case. Refused: one in which text on white, or white text, could not be read."""
    color = text.strip().lower()
    if not color:
        return None
    if not is_color(color):
        raise invalid_field("color", "must be # and six hexadecimal digits, such as #0e6e78", "format")
    contrast = measure_contrast(color, WHITE)
    if contrast < READABLE:
        shade = find_readable_shade(color, ground=WHITE)
        measured = round_half_away(contrast, 1)
        raise invalid_field(
            "color",
            f"has a contrast of {measured}:1 with white, and text needs {READABLE}:1; the nearest shade is {shade}",
            "contrast",
        )
    return color


def _clean_sender(text: str) -> str | None:
    """Return the name of a sender. Refused: one that could be taken for an e-mail address."""
    name = " ".join(text.split())
    if not name:
        return None
    if len(name) > _MAX_SENDER or not name.isprintable() or _IN_ADDRESSES & set(name):
        raise invalid_field(
            "sender_name",
            f'must have at most {_MAX_SENDER} visible characters, and no @, <, >, " or \\',
            "format",
        )
    return name
