"""The origin of a suggestion in words. Pure."""

from collections.abc import Mapping, Sequence

from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.prompts.suggestions.models import Origin

_STAGES: Mapping[str, str] = {
    "learn": translatable("No prompt asks yet what matters before people decide"),
    "compare": translatable("No prompt asks yet how brands compare"),
    "choose": translatable("No prompt asks yet which brand to choose"),
    "use": translatable("No prompt asks yet about experience after the purchase"),
    "switch": translatable("No prompt asks yet about switching"),
}
_UNKNOWN_SUBJECT: Mapping[str, str] = {
    "fan_out": translatable("A platform searched for this"),
    "question": translatable("A question in an answer"),
    "aspect": translatable("Asks about an aspect that answers mention"),
    "use": translatable("Asks about a use that answers recommend products for"),
    "rivals": translatable("Compares competitors that answers name"),
    "stage": translatable("Asks about a stage of the purchase that no prompt covers"),
    "setup": translatable("Suggested during set-up"),
    "template": translatable("A general question"),
}


def describe_origin(origin: Origin, subjects: Sequence[str], answers: int | None) -> str:
    """Return where a suggestion comes from, as a phrase without a full stop. Older rows do not say what it is about."""
    if not subjects or origin == "setup":
        return gettext(_UNKNOWN_SUBJECT[origin])
    if origin == "template":
        return gettext("A general question about %(category)s", category=subjects[0])
    if origin == "stage":
        return gettext(_STAGES.get(subjects[0], _UNKNOWN_SUBJECT["stage"]))
    if origin == "aspect":
        return gettext("Asks about an aspect that answers mention: %(aspect)s", aspect=subjects[0])
    if origin == "use":
        return gettext("Asks about a use that answers recommend products for: %(use)s", use=subjects[0])
    if origin == "rivals":
        return gettext("Compares competitors that answers name together: %(names)s", names=join_names(subjects))
    platforms, number = join_names([platform_name(key) for key in subjects]), answers or 1
    if origin == "fan_out":
        return ngettext(
            "%(platforms)s searched for this in %(answers)s answer",
            "%(platforms)s searched for this in %(answers)s answers",
            number,
            platforms=platforms,
            answers=format_number(number),
        )
    return ngettext(
        "%(platforms)s raised this question in %(answers)s answer",
        "%(platforms)s raised this question in %(answers)s answers",
        number,
        platforms=platforms,
        answers=format_number(number),
    )
