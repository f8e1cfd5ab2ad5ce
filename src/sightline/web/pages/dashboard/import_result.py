"""What an import of prompts did: the numbers in the address that it redirects to, and the sentence about them."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.prompts.imports.models import PlannedPrompt

_MAX_DIGITS = 5


def to_query(prompts: Sequence[PlannedPrompt]) -> str:
    """Return the query with the number of added prompts and the number of their countries."""
    added = [each.asked.prompt for each in prompts if each.state in ("new", "restored")]
    countries = {each.country_iso_2 for each in added if each.country_iso_2}
    return "?" + urlencode({"done": "imported", "added": len(added), "countries": len(countries)})


def describe_import(params: Mapping[str, str]) -> str | None:
    """Return what the import did; None if the address is not about an import."""
    if params.get("done") != "imported":
        return None
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
