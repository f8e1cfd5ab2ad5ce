"""What a recommendation says: what to do, why, how, at what effort, and how much it could change. Pure."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from sightline.insights.models import ActionFacts, NamedShare, RobotsCheck
from sightline.insights.recommendations.action_steps import list_steps
from sightline.insights.recommendations.page_addresses import find_topic
from sightline.insights.recommendations.page_kinds import PageKind, SiteType
from sightline.kit.counting import count
from sightline.kit.rounding import round_half_away
from sightline.metrics.recommendations import Expected
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date
from sightline.presentation.lists import join_names

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
_PAGE_EFFORT: dict[PageKind, Effort] = {"product": "low", "pricing": "low", "docs": "low"}
_PAGE_NAMES: dict[PageKind, tuple[str, str]] = {
    "comparison": ("a comparison", "comparisons"),
    "pricing": ("a page with prices", "pages with prices"),
    "docs": ("a help page", "help pages"),
    "guide": ("a guide", "guides"),
    "category": ("a category page", "category pages"),
    "product": ("a product page", "product pages"),
    "page": ("a page", "pages"),
}
NOTHING = "Nothing significant: the answers of this check carry no task."


class ActionTexts(msgspec.Struct, frozen=True, kw_only=True):
    action: str
    why: str
    effect: str
    """Empty where no effect was estimated."""
    steps: tuple[str, ...]
    effort: Effort | None


def describe_action(found: ActionFacts, answers: int, brand: str) -> ActionTexts:
    """Return the sentences of a recommendation that stands on this number of answers."""
    if found.kind == "nothing_significant":
        return ActionTexts(action=NOTHING, why=_describe_calm(found, brand), effect="", steps=(), effort=None)
    return ActionTexts(
        action=_describe_task(found, brand),
        why=_describe_reason(found, answers, brand),
        effect=_describe_effect(found, brand),
        steps=list_steps(found, brand),
        effort=find_effort(found),
    )


def find_effort(found: ActionFacts) -> Effort:
    """Return the effort by the kind of action and of site."""
    if found.kind == "get_listed":
        effort = _LISTING_EFFORT[found.site_type or "other"]
        return "medium" if found.is_review and effort == "low" else effort
    if found.kind == "answer_question":
        return _PAGE_EFFORT.get(found.page_kind or "page", "medium")
    if found.kind == "open_door":
        return "low" if found.robots is not None and found.robots.outcome == "blocked" else "medium"
    return "low" if found.kind == "keep" else "medium"


def _describe_task(found: ActionFacts, brand: str) -> str:
    site = found.site_name or found.site or ""
    match found.kind:
        case "get_listed":
            return _describe_listing(found, brand, site)
        case "answer_question":
            page = _PAGE_NAMES[found.page_kind or "page"][0]
            return f"Publish or improve {page} on {site} that answers {_name_prompts(found)}"
        case "fix_claim":
            return f"Correct or answer the criticism of {brand}: \u201c{found.subject}\u201d"
        case "keep" if found.site_type is None:
            return f"Keep in place and up to date: {_name_pages(found, found.site or site)}"
        case "keep" if found.site_type == "retailer":
            return f"Keep {brand} in stock and well rated on {site}"
        case "keep":
            return f"Keep {brand} in {_name_pages(found, site)}"
        case "open_door":
            platform = platform_name(found.subject or "")
            if found.robots is not None and found.robots.outcome == "blocked":
                return f"Let {platform} read {found.site}: robots.txt blocks {join_names(found.robots.blocked)}"
            return f"Find out why {platform} names {brand} less than other platforms do"
        case _:
            return f"Win back {_name_prompts(found)}"


def _describe_listing(found: ActionFacts, brand: str, site: str) -> str:
    is_one = len(found.pages) == 1 and found.subject == found.pages[0].url
    if found.site_type == "retailer" and not is_one:
        return f"Get {brand} onto {site}, or strengthen its listing there"
    if found.site_type == "directory" and not is_one:
        return f"Get {brand} listed on {site}"
    if found.site_type == "forum":
        return f"Take part in {_name_pages(found, site)}"
    if found.is_review:
        return f"Get {brand} reviewed by {site}"
    return f"Get {brand} into {_name_pages(found, site)}"


def _name_pages(found: ActionFacts, site: str) -> str:
    noun = "thread" if found.site_type == "forum" else "page"
    number = found.page_count or len(found.pages)
    if not found.pages or (found.subject == found.site and number == 1 and not _has_path(found)):
        return site
    page = found.pages[0]
    topic = find_topic(page.url)
    if number > 1:
        pages = f"{count(number, noun)} of {site}" if noun == "page" else f"{number} threads on {site}"
        first = f"\u201c{page.title}\u201d" if page.title else f"the one on {topic}" if topic else ""
        return f"{pages}, first {first}" if first else pages
    if page.title:
        return f"\u201c{page.title}\u201d on {site}"
    return f"the {site.removeprefix('The ')} {noun} on {topic}" if topic else page.url


def _has_path(found: ActionFacts) -> bool:
    return "/" in found.pages[0].url


def _name_prompts(found: ActionFacts) -> str:
    if not found.prompts:
        return "your prompts"
    first = f"\u201c{found.prompts[0].text}\u201d"
    rest = len(found.prompts) - 1
    return f"{first} and {count(rest, 'more prompt')}" if rest else first


def _describe_reason(found: ActionFacts, answers: int, brand: str) -> str:
    seen = " ".join(
        part
        for part in (
            count(answers, "answer"),
            f"to {count(len(found.prompts), 'prompt')}" if found.prompts else "",
            _name_platforms(found.platforms),
        )
        if part
    )
    rivals = join_names(found.rivals) or "rivals"
    match found.kind:
        case "get_listed":
            cite = "cite it" if len(found.pages) == 1 else "cite these pages"
            text = f"{seen} {cite} and name {rivals}, but not {brand}."
            named = 0 if found.share is None else found.share.named
            more = count(named, "other answer that cites", "other answers that cite")
            object_ = "it" if len(found.pages) == 1 else "them"
            return f"{text} {more} {object_} {'names' if named == 1 else 'name'} {brand}." if named else text
        case "answer_question":
            pages = _PAGE_NAMES[found.page_kind or "page"][1]
            return f"{seen} cite {pages} of {rivals}. No answer to these prompts cites a page of {brand}."
        case "fix_claim":
            return f"{seen} criticize {brand} for \u201c{found.subject}\u201d."
        case "keep":
            return _describe_hold(found, brand)
        case "open_door" if found.share is None:
            return f"{platform_name(found.subject or '')} names {brand} less than the other platforms do."
        case "open_door":
            text = (
                f"{platform_name(found.subject or '')} names {brand} in {_format_share(found.share)}, the other "
                f"platforms in {_format_share(found.other_share)} to the same prompts."
            )
            return f"{text} {describe_robots(found.robots, found.subject or '')}".rstrip()
        case _:
            missed = 0 if found.share is None else found.share.answers
            return (
                f"Until {format_date(found.subject or '')}, {_format_share(found.other_share)} named {brand}. None of "
                f"the {count(missed, 'answer')} of the last two checks does."
            )


def _describe_calm(found: ActionFacts, brand: str) -> str:
    """Return what was looked for and not found; empty for rows that were stored before it was counted."""
    if found.share is None:
        return ""
    named = f"{_format_share(found.share)} name {brand}."
    if not found.rare_claims:
        return f"{named} We found no criticism, page, prompt or platform where acting would likely change an answer."
    claims = join_names([f"\u201c{each.aspect}\u201d in {count(each.answers, 'answer')}" for each in found.rare_claims])
    return (
        f"{named} Criticism is rare: {claims}. We found no page, prompt or platform where acting would likely change "
        "an answer."
    )


def _describe_hold(found: ActionFacts, brand: str) -> str:
    it, them = ("it", "it") if len(found.pages) == 1 else ("them", "these pages")
    text = f"{_format_share(found.share)} that cite {them} name {brand}"
    if found.other_share is None:
        return f"{text}."
    other = found.other_share
    return (
        f"{text}; of the other answers on the same platforms, which do not cite {it}, {other.named} of "
        f"{other.answers} do."
    )


def describe_robots(found: RobotsCheck | None, platform: str) -> str:
    """Return what robots.txt was found to say; empty where it was not checked."""
    if found is None:
        return ""
    name = platform_name(platform)
    match found.outcome:
        case "blocked":
            return f"{found.url} blocks {join_names(found.blocked)}, which {name} uses."
        case "allowed":
            return f"{found.url} allows {join_names(found.allowed)}: the reason lies elsewhere."
        case "missing":
            return f"{found.url} does not exist, so every crawler is allowed: the reason lies elsewhere."
        case "no_crawler":
            return f"{name} documents no crawler, so {found.url} was not checked."
        case _:
            return f"{found.url} could not be read."


def _describe_effect(found: ActionFacts, brand: str) -> str:
    if found.expected is None:
        return ""
    outcome = {
        "answer_question": f"could come to cite {brand}",
        "fix_claim": "could stop saying it",
        "keep": f"could stop naming {brand} if {'it were' if len(found.pages) == 1 else 'they were'} lost",
    }.get(found.kind, f"could come to name {brand}")
    return f"{_format_expected(found.expected)} {outcome}."


def _format_expected(expected: Expected) -> str:
    best, low, high = (int(round_half_away(value, 0)) for value in (expected.answers, expected.low, expected.high))
    shown = f"About {count(best, 'answer')}" if best else "Less than 1 answer"
    return f"{shown} ({low} to {high})"


def _format_share(share: NamedShare | None) -> str:
    return "no answer" if share is None else f"{share.named:,} of {count(share.answers, 'answer')}"


def _name_platforms(platforms: Sequence[str]) -> str:
    if not platforms:
        return ""
    if len(platforms) == 1:
        return f"on {platform_name(platforms[0])}"
    return f"on {count(len(platforms), 'platform')}"
