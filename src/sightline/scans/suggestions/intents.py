"""The intents of suggested prompts, by which they are shown in groups. Pure."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from sightline.presentation.language import translatable

HEADINGS: Mapping[str, str] = {
    "choose": translatable("Looking for the right one"),
    "compare": translatable("Comparing"),
    "price": translatable("Asking about price and value"),
    "learn": translatable("Finding out what matters"),
    "switch": translatable("Problems and switching"),
}
_OTHERWISE = "choose"


def find_intent(prompt: str) -> str:
    """Return the intent of a prompt, a key of `HEADINGS`; `choose` if its words show no other."""
    text = f" {' '.join(prompt.casefold().split())} "
    return next((intent for intent, parts in _load().items() if any(part in text for part in parts)), _OTHERWISE)


def group_by_intent(prompts: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the prompts of each intent under its heading, leaving out intents without a prompt."""
    groups: dict[str, list[str]] = {intent: [] for intent in HEADINGS}
    for prompt in prompts:
        groups[find_intent(prompt)].append(prompt)
    return [(HEADINGS[intent], found) for intent, found in groups.items() if found]


@cache
def _load() -> Mapping[str, Sequence[str]]:
    return tomllib.loads((files(__package__) / "words" / "intents.toml").read_text("utf-8"))
