"""How to do what a recommendation says, by the kind of action, of site and of page, with texts of `step_texts.py`."""

from sightline.insights.models import ActionFacts
from sightline.insights.recommendations import step_texts
from sightline.insights.recommendations.robots import CRAWLERS, ROBOTS_ONLY
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext
from sightline.presentation.lists import join_names

_Steps = tuple[str, ...]


def list_steps(found: ActionFacts, brand: str) -> _Steps:
    """Return three steps in the chosen language; none where there is nothing to do."""
    words = {
        "brand": brand,
        "site": found.site_name or found.site or gettext("your site"),
        "rivals": join_names(found.rivals) or gettext("your competitors"),
        "platform": platform_name(found.subject or ""),
        "agents": _name_crawlers(found.subject or ""),
    }
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
        case "keep":
            return step_texts.KEEP.get(found.site_type, step_texts.KEEP_OTHERS)
        case "open_door":
            return _list_access_steps(found)
        case "win_back":
            return step_texts.WIN_BACK
        case _:
            return ()


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
