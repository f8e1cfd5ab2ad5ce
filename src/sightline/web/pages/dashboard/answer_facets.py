"""The facets of the Answers page: which values each filter can take, and how many answers each would leave."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import country_name, language_name
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import AnswerCounts

_MAX_VALUES = 8
_UNPREFIXED = {"brand", "change"}
"""Fields whose counts have no prefix."""
_NAMED = {"competitor", "site"}
"""Fields that say something even if every answer has the same single value; another such facet offers no choice."""
SENTIMENTS = {
    "positive": translatable("Positive"),
    "neutral": translatable("Neutral"),
    "negative": translatable("Negative"),
    "scored": translatable("Scored"),
    "unscored": translatable("Not scored (unclear, or language not supported)"),
}
STANCES = {
    "neutral": translatable("Named as an option"),
    "contrast": translatable("Named only for comparison"),
    "discouraged": translatable("Advised against"),
    "unknown": translatable("Not known to the platform"),
}
_CHANGES = {"gained": translatable("Newly named"), "lost": translatable("No longer named")}


class FacetValue(NamedTuple):
    words: str
    answers: int
    query: str
    is_chosen: bool
    page: str = ""
    """The path of the page about this competitor or site, or empty."""


DetailPages = Mapping[str, Callable[[str], str]]
"""By the field of the facet, a function that returns the path of the page about a value, or empty."""


class Facet(NamedTuple):
    field: str
    name: str
    values: Sequence[FacetValue]
    more: int = 0
    """How many values are not listed."""

    @property
    def is_data(self) -> bool:
        """Return whether its values are names that no language translates."""
        return self.field in {"platform", "country", "language", "competitor", "site"}


def list_facets(wanted: AnswerFilter, counts: AnswerCounts, brand: str, pages: DetailPages) -> list[Facet]:
    """List the facets that have a value to choose or to remove. Without counts, only what is chosen is listed.

    `pages` find the path of the page about a competitor or a site.
    """
    brands = {"named": translatable("%(brand)s is named"), "absent": translatable("%(brand)s is not named")}
    facets = [
        _build(
            gettext("Brand"), "brand", wanted, counts, {key: gettext(each, brand=brand) for key, each in brands.items()}
        ),
        _build(gettext("Since the check before"), "change", wanted, counts, _translate(_CHANGES)),
        _build(gettext("Platform"), "platform", wanted, counts),
        _build(gettext("Country"), "country", wanted, counts),
        _build(gettext("Language"), "language", wanted, counts),
        _build(gettext("Competitor named"), "competitor", wanted, counts),
        _build(gettext("Cited sites"), "site", wanted, counts),
        _build(gettext("Sentiment (Full Checks only)"), "sentiment", wanted, counts, _translate(SENTIMENTS)),
        _build(gettext("Stance"), "stance", wanted, counts, _translate(STANCES)),
    ]
    return [_link_pages(facet, pages) for facet in facets if facet.values]


def _link_pages(facet: Facet, pages: DetailPages) -> Facet:
    find = pages.get(facet.field)
    return (
        facet
        if find is None
        else facet._replace(values=[each._replace(page=find(each.words)) for each in facet.values])
    )


def _translate(words: Mapping[str, str]) -> dict[str, str]:
    return {key: gettext(each) for key, each in words.items()}


def _build(
    name: str, field: str, wanted: AnswerFilter, counts: AnswerCounts, words: Mapping[str, str] | None = None
) -> Facet:
    prefix = "" if field in _UNPREFIXED else f"{field}:"
    chosen = getattr(wanted, field)
    if chosen:
        value = FacetValue(_write(field, chosen, words), counts.total, wanted.to_query(**{field: ""}), is_chosen=True)
        return Facet(field, name, [value])
    found = {
        label.removeprefix(prefix): count
        for label, count in counts.labels.items()
        if (label in (words or {}) if not prefix else label.startswith(prefix))
    }
    order = sorted(found, key=lambda value: (-found[value], value))
    if len(order) == 1 and found[order[0]] == counts.total and field not in _NAMED:
        order = []
    listed = order if field == "platform" else order[:_MAX_VALUES]
    return Facet(
        field,
        name,
        [
            FacetValue(_write(field, value, words), found[value], wanted.to_query(**{field: value}), is_chosen=False)
            for value in listed
        ],
        len(order) - len(listed),
    )


def _write(field: str, value: str, words: Mapping[str, str] | None) -> str:
    if words is not None:
        return words.get(value, value.capitalize())
    if field == "platform":
        return platform_name(value)
    if field == "country":
        return country_name(None if value == "global" else value)
    return language_name(value) if field == "language" else value
