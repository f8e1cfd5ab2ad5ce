"""What a finding says and how to mend it, in the reader's language. Pure."""

from collections.abc import Mapping

from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext, translatable
from sightline.presentation.lists import join_names
from sightline.site_review.agents import Purpose, read_agents
from sightline.site_review.fetch import Reason
from sightline.site_review.models import FindingKind, Found, Group, Unchecked

GROUP_TITLES: Mapping[Group, str] = {
    "broken": translatable("Broken where it counts"),
    "access": translatable("Access"),
    "readable": translatable("Readable without scripts"),
    "missing": translatable("Missing"),
}
PURPOSES: Mapping[Purpose, str] = {
    "live": translatable("Reads for an answer"),
    "search": translatable("Search index"),
    "training": translatable("Training"),
}
REASON_TEXTS: Mapping[Reason, str] = {
    "robots": translatable("robots.txt keeps our reader out"),
    "robots_unreadable": translatable("robots.txt could not be read"),
    "no_connection": translatable("no connection"),
    "timeout": translatable("no answer in time"),
    "too_large": translatable("too large"),
    "too_many_redirects": translatable("too many redirects"),
    "address_refused": translatable("the address may not be contacted"),
    "compressed": translatable("compressed although we did not ask for it"),
    "not_html": translatable("not an HTML page"),
    "encoding": translatable("its encoding is not the one that it declares"),
    "refused": translatable("the server refuses our reader"),
    "server_error": translatable("server error"),
    "time_used_up": translatable("the time of this review was used up"),
}
UNCHECKED_TEXTS: Mapping[Unchecked, str] = {
    "no_sitemap": translatable("no sitemap was found, so we do not know which pages you have"),
    "too_few_pages": translatable("too few pages could be read"),
    "unread_pages": translatable("pages that we did not read may say it"),
    "other_language": translatable("no page in the language of the question was read"),
    "few_words": translatable("the question has too few words to look for"),
    "robots_unread": translatable("robots.txt could not be read, or not to its end"),
}
UNCHECKED_PARTS: Mapping[str, str] = {
    "agents": translatable("Access of AI agents"),
    "questions": translatable("Some questions of your prompts"),
    "themes": translatable("Some themes"),
}
# What is wrong, and how to mend it. %(page)s, %(evidence)s, %(subject)s and %(platforms)s are filled in.
_TEXTS: Mapping[FindingKind, tuple[str, str]] = {
    "cited_gone": (
        translatable("%(page)s is gone (%(evidence)s)"),
        translatable("Bring the page back, or redirect its address permanently to the page that replaced it."),
    ),
    "cited_moved": (
        translatable("%(page)s redirects elsewhere: %(evidence)s"),
        translatable("Redirect the address to a page of yours with the same content, not to the home page."),
    ),
    "cited_refused": (
        translatable("%(page)s refuses readers (%(evidence)s)"),
        translatable("Show the page without a sign-in, and let your firewall or CDN pass AI agents."),
    ),
    "cited_failing": (
        translatable("%(page)s fails (%(evidence)s)"),
        translatable("Look for the error in the log of your server. We asked twice."),
    ),
    "cited_changed": (
        translatable("An answer cites %(page)s for what it does not say: %(evidence)s"),
        translatable(
            "If the page is right, correct the sources that still say it. If the answer is right, say so on the page."
        ),
    ),
    "robots_failing": (
        translatable("%(page)s fails (%(evidence)s): agents then read nothing"),
        translatable("Let the address answer with the file, or with 404 if there is none."),
    ),
    "agent_blocked": (
        translatable("robots.txt keeps %(subject)s out: %(evidence)s"),
        translatable("Give %(subject)s a group of its own with “Allow: /” in robots.txt."),
    ),
    "noindex": (
        translatable("%(page)s tells %(subject)s: %(evidence)s"),
        translatable("Remove the directive from the page's meta tags and from the header X-Robots-Tag."),
    ),
    "listed_gone": (
        translatable("%(page)s is in your sitemap and is gone (%(evidence)s)"),
        translatable("Remove the address from the sitemap, or redirect it."),
    ),
    "needs_scripts": (
        translatable("%(page)s is empty without scripts"),
        translatable("Render the text of the page on the server."),
    ),
    "canonical_elsewhere": (
        translatable("%(page)s names another page as its original: %(evidence)s"),
        translatable("Let the canonical link name the page itself."),
    ),
    "no_title": (
        translatable("%(page)s has no title"),
        translatable("Give the page a title that says what it answers."),
    ),
    "no_language": (
        translatable("%(page)s does not say its language"),
        translatable("Add the attribute lang to the element html."),
    ),
    "wrong_language": (
        translatable("%(page)s says that it is in another language than it is: %(evidence)s"),
        translatable("Correct the attribute lang of the element html."),
    ),
    "several_canonicals": (
        translatable("%(page)s has several canonical links: %(evidence)s"),
        translatable("Keep one canonical link."),
    ),
    "broken_canonical": (
        translatable("%(page)s has an empty canonical link"),
        translatable("Let the canonical link name the page itself."),
    ),
    "json_ld_broken": (
        translatable("JSON-LD on %(page)s cannot be parsed: %(evidence)s"),
        translatable("Correct the JSON. Until then, no agent reads this block."),
    ),
    "json_ld_price": (
        translatable("%(page)s has another price in JSON-LD than in its text: %(evidence)s"),
        translatable("Write both from the same source."),
    ),
    "json_ld_name": (
        translatable("JSON-LD on %(page)s is about something else: “%(evidence)s”"),
        translatable("Let JSON-LD describe what the page shows."),
    ),
    "date_unreadable": (
        translatable("%(page)s has a date that cannot be read: %(evidence)s"),
        translatable("Write dates as 2026-11-19."),
    ),
    "date_future": (
        translatable("%(page)s has a date in the future: %(evidence)s"),
        translatable("Say when the page was really published and changed."),
    ),
    "dates_reversed": (
        translatable("%(page)s was changed before it was published: %(evidence)s"),
        translatable("Say when the page was really published and changed."),
    ),
    "dates_differ": (
        translatable("%(page)s says two dates: %(evidence)s"),
        translatable("Write both from the same source."),
    ),
    "prompt_missing": (
        translatable("No page that we read speaks about “%(evidence)s”"),
        translatable("Publish or extend a page that answers it in its first paragraph. Read what the cited page says."),
    ),
    "theme_missing": (
        translatable("No page that we read speaks about the theme “%(evidence)s”"),
        translatable("Say on a page of yours what is true about it. Read what the cited page says."),
    ),
}


def describe_finding(found: Found) -> tuple[str, str]:
    """Return what is wrong and how to mend it."""
    title, remedy = _TEXTS[found.kind]
    words = {
        "page": found.url or "",
        "evidence": found.evidence,
        "subject": found.subject or gettext("all agents"),
        "platforms": join_names([platform_name(each) for each in found.platforms]),
    }
    return gettext(title, **words), gettext(remedy, **words) + _add_caveat(found)


def _add_caveat(found: Found) -> str:
    """Return a sentence for agents whose vendor says that they do not always follow robots.txt."""
    agent = next((each for each in read_agents().agents if each.name == found.subject), None)
    if found.kind != "agent_blocked" or agent is None or agent.robots == "obeyed":
        return ""
    return " " + gettext(
        "%(vendor)s says that it may read a page that a person asks for all the same.", vendor=agent.vendor
    )
