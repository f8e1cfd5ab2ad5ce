"""What a recommendation says to do, and where. Pure."""

from sightline.facts.phrases import describe_subject
from sightline.insights.models import ActionFacts, PageKind, WrongFact
from sightline.insights.recommendations.page_addresses import find_topic
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_pages

NOTHING = translatable("Nothing significant: the answers in this check call for no action.")
_PUBLISH: dict[PageKind, str] = {
    "comparison": translatable("Publish or improve a comparison on %(site)s that answers %(prompts)s"),
    "pricing": translatable("Publish or improve a page with prices on %(site)s that answers %(prompts)s"),
    "docs": translatable("Publish or improve a help page on %(site)s that answers %(prompts)s"),
    "guide": translatable("Publish or improve a guide on %(site)s that answers %(prompts)s"),
    "category": translatable("Publish or improve a category page on %(site)s that answers %(prompts)s"),
    "product": translatable("Publish or improve a product page on %(site)s that answers %(prompts)s"),
    "page": translatable("Publish or improve a page on %(site)s that answers %(prompts)s"),
}
_OTHER: dict[str, str] = {
    "mend_page": translatable("Mend %(subject)s, which answers cite"),
    "admit_agent": translatable("Let %(subject)s read your site"),
    "win_back": translatable("Win back %(prompts)s"),
    "move_up": translatable("Find out why answers place %(subject)s above %(brand)s"),
    "earn_praise": translatable("Show how %(brand)s compares with %(rivals)s on “%(subject)s”"),
}


def describe_task(found: ActionFacts, brand: str) -> str:
    """Return what to do as an imperative."""
    site = found.site_name or found.site or ""
    match found.kind:
        case "nothing_significant":
            return gettext(NOTHING)
        case "get_listed":
            return _describe_listing(found, brand, site)
        case "answer_question":
            kind = found.page_kind or "page"
            return gettext(_PUBLISH[kind], site=site, prompts=_name_prompts(found))
        case "fix_claim":
            return gettext(
                "Correct or answer the criticism of %(brand)s: “%(claim)s”", brand=brand, claim=found.subject
            )
        case "correct_fact" if found.wrong is not None:
            return _describe_correction(found, found.wrong, brand)
        case "keep" if found.site_type is None:
            return gettext("Keep in place and up to date: %(pages)s", pages=_name_pages(found, found.site or site))
        case "keep" if found.site_type == "retailer":
            return gettext("Keep %(brand)s in stock and well rated on %(site)s", brand=brand, site=site)
        case "keep":
            return gettext("Keep %(brand)s in %(pages)s", brand=brand, pages=_name_pages(found, site))
        case "open_door":
            return _describe_access(found, brand)
        case _:
            words = {"brand": brand, "subject": found.subject or "", "prompts": _name_prompts(found)}
            words["rivals"] = join_names(found.rivals)
            return gettext(_OTHER[found.kind], **words)


def _describe_correction(found: ActionFacts, wrong: WrongFact, brand: str) -> str:
    about = describe_subject(wrong.kind, wrong.about) if wrong.about else f"{brand}, {describe_subject(wrong.kind, '')}"
    if not found.pages:
        return gettext("Say clearly on your own pages what is true of %(about)s", about=about)
    return gettext("Correct %(about)s at %(page)s", about=about, page=found.pages[0].url)


def _describe_access(found: ActionFacts, brand: str) -> str:
    platform = platform_name(found.subject or "")
    if found.robots is not None and found.robots.outcome == "blocked":
        return gettext(
            "Let %(platform)s read %(site)s: robots.txt blocks %(crawlers)s",
            platform=platform,
            site=found.site,
            crawlers=join_names(found.robots.blocked),
        )
    return gettext(
        "Find out why %(platform)s names %(brand)s less than other platforms do", platform=platform, brand=brand
    )


def _describe_listing(found: ActionFacts, brand: str, site: str) -> str:
    is_one = len(found.pages) == 1 and found.subject == found.pages[0].url
    if found.site_type == "retailer" and not is_one:
        return gettext("Get %(brand)s onto %(site)s, or strengthen its listing there", brand=brand, site=site)
    if found.site_type == "directory" and not is_one:
        return gettext("Get %(brand)s listed on %(site)s", brand=brand, site=site)
    if found.site_type == "forum":
        pages = _name_pages(found, site)
        if pages == site:
            return gettext("Join the discussion on %(site)s", site=site)
        return gettext("Join the discussion in %(pages)s", pages=pages)
    if found.is_review:
        return gettext("Get %(brand)s reviewed by %(site)s", brand=brand, site=site)
    return gettext("Get %(brand)s into %(pages)s", brand=brand, pages=_name_pages(found, site))


def _name_pages(found: ActionFacts, site: str) -> str:
    """Describe the pages or threads in a few words, naming the first one if there are several."""
    number = found.page_count or len(found.pages)
    if not found.pages or (found.subject == found.site and number == 1 and "/" not in found.pages[0].url):
        return site
    page, is_forum = found.pages[0], found.site_type == "forum"
    topic = find_topic(page.url)
    if number > 1:
        several = _count_pages_of(number, site, is_forum=is_forum)
        if page.title:
            return gettext("%(several)s, first “%(title)s”", several=several, title=page.title)
        return gettext("%(several)s, first the one on %(topic)s", several=several, topic=topic) if topic else several
    if page.title:
        return gettext("“%(title)s” on %(site)s", title=page.title, site=site)
    if topic is None:
        return gettext("the thread at %(address)s", address=page.url) if is_forum else page.url
    site = site.removeprefix("The ")
    if is_forum:
        return gettext("the %(site)s thread on %(topic)s", site=site, topic=topic)
    return gettext("the %(site)s page on %(topic)s", site=site, topic=topic)


def _count_pages_of(number: int, site: str, *, is_forum: bool) -> str:
    if is_forum:
        return ngettext(
            "%(number)s thread on %(site)s",
            "%(number)s threads on %(site)s",
            number,
            number=format_number(number),
            site=site,
        )
    return gettext("%(pages)s of %(site)s", pages=count_pages(number), site=site)


def _name_prompts(found: ActionFacts) -> str:
    if not found.prompts:
        return gettext("your prompts")
    first, rest = found.prompts[0].text, len(found.prompts) - 1
    if not rest:
        return gettext("“%(prompt)s”", prompt=first)
    return ngettext("“%(prompt)s” and %(num)s more prompt", "“%(prompt)s” and %(num)s more prompts", rest, prompt=first)
