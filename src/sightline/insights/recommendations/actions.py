"""What a recommendation says: what to do, why, how, at what effort, and how much it could change. Pure."""

from typing import Literal

import msgspec

from sightline.insights.models import ActionFacts, PageKind, SiteType
from sightline.insights.recommendations import step_texts
from sightline.insights.recommendations.action_reasons import describe_reason
from sightline.insights.recommendations.action_titles import describe_task
from sightline.insights.recommendations.robots import CRAWLERS, ROBOTS_ONLY
from sightline.kit.rounding import round_half_away
from sightline.metrics.recommendations import ExpectedEffect, Kind
from sightline.platforms.names import platform_name
from sightline.presentation.language import current_language, gettext, ngettext
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.site_review.texts import describe_finding

Effort = Literal["low", "medium", "high"]

_LISTING_EFFORT: dict[SiteType, Effort] = {
    "retailer": "medium",
    "directory": "low",
    "review_site": "high",
    "forum": "low",
    "editorial": "medium",
    "encyclopedia": "high",
    "other": "medium",
}
SITE_KINDS: frozenset[Kind] = frozenset({"mend_page", "admit_agent"})
"""The kinds that a site review leads to."""
_PAGE_EFFORT: dict[PageKind, Effort] = {"product": "low", "pricing": "low", "docs": "low"}


class ActionTexts(msgspec.Struct, frozen=True, kw_only=True):
    action: str
    why: str
    effect: str
    """Empty where none was estimated, or less than one answer."""
    steps: tuple[str, ...]
    effort: Effort | None
    edited: bool
    """Whether the editor worded them."""


def describe_action(found: ActionFacts, answers: int, brand: str) -> ActionTexts:
    """Return the sentences of a recommendation that is based on this number of answers, in the chosen language.

    The editor's are shown in their own language only.
    """
    worded = found.wording
    if worded and worded.language not in (current_language(), None):
        worded = None
    effect = _describe_effect(found, brand)
    return ActionTexts(
        action=worded.title if worded else describe_task(found, brand),
        why=worded.reason if worded else describe_reason(found, answers, brand),
        effect=(effect and worded and worded.effect) or effect,
        steps=worded.steps if worded else list_steps(found, brand),
        effort=None if found.kind == "nothing_significant" else find_effort(found),
        edited=worded is not None,
    )


def find_effort(found: ActionFacts) -> Effort:
    """Return the effort by the kind of action and of site."""
    if found.kind == "get_listed":
        effort = _LISTING_EFFORT[found.site_type or "other"]
        return "medium" if found.is_review and effort == "low" else effort
    if found.kind == "answer_question":
        return _PAGE_EFFORT.get(found.page_kind or "page", "medium")
    if found.kind in SITE_KINDS:
        return "low"
    if found.kind == "open_door":
        return "low" if found.robots is not None and found.robots.outcome == "blocked" else "medium"
    return "low" if found.kind in ("keep", "correct_fact") else "medium"


def _describe_effect(found: ActionFacts, brand: str) -> str:
    number = 0 if found.expected is None else int(round_half_away(found.expected.answers, 0))
    if found.expected is None or not number:
        return ""
    words = {"answers": _format_expected(found.expected), "brand": brand}
    match found.kind:
        case "answer_question":
            return ngettext(
                "%(answers)s could start to cite %(brand)s.",
                "%(answers)s could start to cite %(brand)s.",
                number,
                **words,
            )
        case "fix_claim":
            return ngettext("%(answers)s could stop saying it.", "%(answers)s could stop saying it.", number, **words)
        case "keep":
            if len(found.pages) == 1:
                return ngettext(
                    "%(answers)s could stop naming %(brand)s if the page no longer names it.",
                    "%(answers)s could stop naming %(brand)s if the page no longer names it.",
                    number,
                    **words,
                )
            return ngettext(
                "%(answers)s could stop naming %(brand)s if the pages no longer name it.",
                "%(answers)s could stop naming %(brand)s if the pages no longer name it.",
                number,
                **words,
            )
        case _:
            return ngettext(
                "%(answers)s could start to name %(brand)s.",
                "%(answers)s could start to name %(brand)s.",
                number,
                **words,
            )


def _format_expected(expected: ExpectedEffect) -> str:
    best, low, high = (int(round_half_away(value, 0)) for value in (expected.answers, expected.low, expected.high))
    ends = {"low": format_number(low), "high": format_number(high)}
    return ngettext(
        "About %(number)s answer (%(low)s to %(high)s)",
        "About %(number)s answers (%(low)s to %(high)s)",
        best,
        number=format_number(best),
        **ends,
    )


_Steps = tuple[str, ...]


def list_steps(found: ActionFacts, brand: str) -> _Steps:
    """Return three steps in the chosen language; none where there is nothing to do."""
    words = {
        "brand": brand,
        "site": found.site_name or found.site or gettext("your site"),
        "rivals": join_names(found.rivals) or gettext("your competitors"),
        "platform": platform_name(found.subject or ""),
        "agents": _name_crawlers(found.subject or ""),
        "subject": found.subject or "",
    }
    if found.fault is not None:
        words |= {"remedy": describe_finding(found.fault)[1], "page": found.fault.url or gettext("your site")}
    if found.robots is not None:
        words |= {"crawlers": join_names(found.robots.blocked), "robots": found.robots.url}
    return tuple(gettext(step, **words) for step in _choose_steps(found))


def _choose_steps(found: ActionFacts) -> _Steps:
    match found.kind:
        case "get_listed" if found.is_review and found.site_type in {"editorial", "review_site", "other"}:
            return step_texts.GET_REVIEWED
        case "get_listed":
            return step_texts.GET_LISTED[found.site_type or "other"]
        case "answer_question":
            return (
                step_texts.READ_CITED_PAGES,
                step_texts.ANSWER_QUESTION[found.page_kind or "page"],
                step_texts.LINK_TO_PAGE,
            )
        case "fix_claim" if found.subject == "price":
            return step_texts.FIX_PRICE
        case "fix_claim":
            return step_texts.FIX_CLAIM if found.pages else step_texts.FIX_CLAIM_WITHOUT_SOURCE
        case "correct_fact":
            return step_texts.CORRECT_FACT if found.pages else step_texts.CORRECT_FACT_WITHOUT_SOURCE
        case "keep":
            return step_texts.KEEP.get(found.site_type, step_texts.KEEP_OTHERS)
        case "open_door":
            return _list_access_steps(found)
        case "mend_page" | "admit_agent":
            return (step_texts.MEND, step_texts.LOOK_AGAIN, step_texts.SEE_REVIEW)
        case _:
            return step_texts.OTHER.get(found.kind, ())


def _name_crawlers(platform: str) -> str:
    """Return the platform's crawlers by the names that they have in the logs of a server."""
    agents = [name for name in CRAWLERS.get(platform, ()) if name not in ROBOTS_ONLY]
    if not agents:
        return gettext("the crawlers that %(platform)s uses", platform=platform_name(platform))
    names = ", ".join(agents)
    return gettext("the crawlers that %(platform)s uses (%(names)s)", platform=platform_name(platform), names=names)


def _list_access_steps(found: ActionFacts) -> _Steps:
    index = step_texts.INDEX.get(found.subject or "")
    if found.robots is not None and found.robots.outcome == "blocked":
        return (step_texts.ALLOW_CRAWLERS, step_texts.SEARCH_LOGS, index or step_texts.COMPARE_SOURCES)
    if index is None:
        return (step_texts.COMPARE_SOURCES, step_texts.SEARCH_LOGS, step_texts.GET_CITED)
    return (index, step_texts.SEARCH_LOGS, step_texts.COMPARE_SOURCES)
