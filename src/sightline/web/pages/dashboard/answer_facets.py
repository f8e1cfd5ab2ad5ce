"""The facets of the Answers page: which values each filter can take, and how many answers each would leave."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sightline.platforms.names import platform_name
from sightline.presentation.phrases import country_name, language_name
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import AnswerCounts

_MAX_VALUES = 8
SENTIMENTS = {"positive": "Positive", "neutral": "Neutral", "negative": "Negative", "unscored": "Not scored"}
STANCES = {
    "neutral": "Plain mention",
    "contrast": "Named as a contrast",
    "discouraged": "Advised against",
    "unknown": "Not known to the platform",
}
CHANGES = {"gained": "Gained", "lost": "Lost"}


class FacetValue(NamedTuple):
    words: str
    answers: int
    query: str
    is_chosen: bool
    page: str = ""
    """The path of the page about this competitor or site, or empty."""


DetailPages = Mapping[str, Callable[[str], str]]
"""By the name of the facet, what returns the path of the page about a value, or empty."""


class Facet(NamedTuple):
    name: str
    values: Sequence[FacetValue]


def list_facets(wanted: AnswerFilter, counts: AnswerCounts, brand: str, pages: DetailPages) -> list[Facet]:
    """List the facets that have a value to choose or to remove. Without counts, only what is chosen is listed.

    `pages` find the path of the page about a competitor or a site.
    """
    brands = {"named": f"{brand} is named", "absent": f"{brand} is not named"}
    facets = [
        _build("Brand", "brand", "", wanted, counts, brands),
        _build("Since the check before", "change", "", wanted, counts, CHANGES),
        _build("Platform", "platform", "platform:", wanted, counts, None),
        _build("Country", "country", "country:", wanted, counts, None),
        _build("Language", "language", "language:", wanted, counts, None),
        _build("Competitor named", "competitor", "competitor:", wanted, counts, None),
        _build("Site cited", "site", "site:", wanted, counts, None),
        _build("Sentiment", "sentiment", "sentiment:", wanted, counts, SENTIMENTS),
        _build("Stance", "stance", "stance:", wanted, counts, STANCES),
    ]
    return [_link_pages(facet, pages) for facet in facets if facet.values]


def _link_pages(facet: Facet, pages: DetailPages) -> Facet:
    find = pages.get(facet.name)
    return facet if find is None else Facet(facet.name, [each._replace(page=find(each.words)) for each in facet.values])


def _build(
    name: str, field: str, prefix: str, wanted: AnswerFilter, counts: AnswerCounts, words: Mapping[str, str] | None
) -> Facet:
    chosen = getattr(wanted, field)
    if chosen:
        value = FacetValue(_write(field, chosen, words), counts.total, wanted.to_query(**{field: ""}), is_chosen=True)
        return Facet(name, [value])
    found = {
        label.removeprefix(prefix): count
        for label, count in counts.labels.items()
        if (label in (words or {}) if not prefix else label.startswith(prefix))
    }
    order = sorted(found, key=lambda value: (-found[value], value))
    if len(order) == 1 and found[order[0]] == counts.total and not prefix:
        order = []
    return Facet(
        name,
        [
            FacetValue(_write(field, value, words), found[value], wanted.to_query(**{field: value}), is_chosen=False)
            for value in order[:_MAX_VALUES]
        ],
    )


def _write(field: str, value: str, words: Mapping[str, str] | None) -> str:
    if words is not None:
        return words.get(value, value.capitalize())
    if field == "platform":
        return platform_name(value)
    if field == "country":
        return country_name(None if value == "global" else value)
    return language_name(value) if field == "language" else value
