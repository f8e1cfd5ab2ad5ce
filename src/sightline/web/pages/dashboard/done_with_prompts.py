"""What was just done with prompts: the numbers in the address that a form redirects to, and the sentence about them."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from sightline.presentation.language import choose_text, gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.prompts.imports.models import PlannedPrompt

_MAX_DIGITS = 5
_ONE = {
    "saved": translatable("Prompt saved."),
    "edited": translatable(
        "Prompt saved. The new text is asked from the next check on. The old text keeps its results."
    ),
    "added": translatable("Prompt added. It is tracked from the next check on."),
    "accepted": translatable("Suggestion accepted. The prompt is tracked from the next check on."),
    "dismissed": translatable("Suggestion dismissed. It is not suggested again."),
}


def describe_done(params: Mapping[str, str]) -> str | None:
    """Return what was done, with the number of prompts; None if the address is about nothing."""
    done, number = params.get("done", ""), _read_number(params.get("number", "1"))
    if done == "imported":
        return _describe_import(params)
    return _describe_action(done, number) if number else choose_text(_ONE, done)


def _describe_action(done: str, number: int) -> str | None:
    shown = format_number(number)
    match done:
        case "pinned":
            return ngettext(
                "%(number)s prompt pinned. Every Daily Check asks it now.",
                "%(number)s prompts pinned. Every Daily Check asks them now.",
                number,
                number=shown,
            )
        case "unpinned":
            return ngettext(
                "%(number)s prompt unpinned. Full Checks still ask it.",
                "%(number)s prompts unpinned. Full Checks still ask them.",
                number,
                number=shown,
            )
        case "removed":
            return ngettext(
                "%(number)s prompt removed. Its results are kept, and return if you add the same text again.",
                "%(number)s prompts removed. Their results are kept, and return if you add the same texts again.",
                number,
                number=shown,
            )
        case "tagged":
            return ngettext(
                "Tags added to %(number)s prompt.", "Tags added to %(number)s prompts.", number, number=shown
            )
        case "untagged":
            return ngettext(
                "Tags removed from %(number)s prompt.", "Tags removed from %(number)s prompts.", number, number=shown
            )
    return choose_text(_ONE, done)


def to_query(prompts: Sequence[PlannedPrompt]) -> str:
    """Return the query with the number of added prompts and the number of their countries."""
    added = [each.asked.prompt for each in prompts if each.state in ("new", "restored")]
    countries = {each.country_iso_2 for each in added if each.country_iso_2}
    return "?" + urlencode({"done": "imported", "added": len(added), "countries": len(countries)})


def _describe_import(params: Mapping[str, str]) -> str:
    added, countries = (_read_number(params.get(name, "")) for name in ("added", "countries"))
    if not added:
        return gettext("Imported. No new prompts: tags and pins were saved.")
    if countries > 1:
        return gettext(
            "Imported %(added)s prompts in %(countries)s countries. They are asked from the next check on.",
            added=format_number(added),
            countries=format_number(countries),
        )
    return ngettext(
        "Imported %(added)s prompt. It is asked from the next check on.",
        "Imported %(added)s prompts. They are asked from the next check on.",
        added,
        added=format_number(added),
    )


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else 0
