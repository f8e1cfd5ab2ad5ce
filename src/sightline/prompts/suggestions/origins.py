"""The origin of a suggestion in words. Pure."""

from collections.abc import Mapping, Sequence

from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.lists import join_names
from sightline.prompts.suggestions.models import Origin

_STAGES: Mapping[str, str] = {
    "learn": "Nobody asks yet what matters before people decide",
    "compare": "Nobody asks yet how brands compare",
    "choose": "Nobody asks yet which one to choose",
    "use": "Nobody asks yet how people fare after they bought",
    "switch": "Nobody asks yet how people switch",
}


def describe_origin(origin: Origin, subjects: Sequence[str], answers: int | None) -> str:
    """Return where a suggestion comes from, as a phrase without a full stop. Older rows do not say what it is about."""
    if not subjects and origin not in ("template", "setup"):
        return _UNKNOWN_SUBJECT[origin]
    if origin == "fan_out":
        return f"{join_names(_name_platforms(subjects))} searched for this in {count(answers or 1, 'answer')}"
    if origin == "question":
        platforms = join_names(_name_platforms(subjects))
        many = (answers or 1) > 1
        return f"Asked in {count(answers or 1, 'answer') if many else 'an answer'} of {platforms}"
    if origin == "aspect":
        return f"About an aspect that answers talk about: {subjects[0]}"
    if origin == "use":
        return f"About a use that answers recommend products for: {subjects[0]}"
    if origin == "rivals":
        return f"Compares rivals that answers name together: {join_names(subjects)}"
    if origin == "stage":
        return _STAGES.get(subjects[0], _UNKNOWN_SUBJECT["stage"])
    return "Suggested at setup" if origin == "setup" else "From a template"


_UNKNOWN_SUBJECT: Mapping[str, str] = {
    "fan_out": "A platform searched for this",
    "question": "Asked in an answer",
    "aspect": "About an aspect that answers talk about",
    "use": "About a use that answers recommend products for",
    "rivals": "Compares rivals that answers name",
    "stage": "About a stage of the purchase that no prompt covers",
}


def _name_platforms(keys: Sequence[str]) -> list[str]:
    return [platform_name(key) for key in keys]
