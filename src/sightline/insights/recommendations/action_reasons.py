"""Why an action is recommended: what the answers show, with counts. Pure."""

from sightline.facts.phrases import describe_stated
from sightline.insights.models import ActionFacts, NamedShare, PageKind, RobotsCheck
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers, count_platforms, count_prompts
from sightline.site_review.texts import describe_finding

_MAX_PLATFORMS_BY_NAME = 3
_PAGES: dict[PageKind, str] = {
    "comparison": translatable("comparison pages"),
    "pricing": translatable("pricing pages"),
    "docs": translatable("help pages"),
    "guide": translatable("guides"),
    "category": translatable("category pages"),
    "product": translatable("product pages"),
    "page": translatable("pages"),
}


def describe_reason(found: ActionFacts, answers: int, brand: str) -> str:
    """Return why this is recommended, on the basis of this number of answers."""
    match found.kind:
        case "nothing_significant":
            return _describe_calm(found, brand)
        case "get_listed":
            return _describe_gap(found, answers, brand)
        case "answer_question":
            kind = found.page_kind or "page"
            pages = gettext(_PAGES[kind])
            return ngettext(
                "%(seen)s cites %(pages)s published by %(rivals)s. No answer to these prompts cites a page published "
                "by %(brand)s.",
                "%(seen)s cite %(pages)s published by %(rivals)s. No answer to these prompts cites a page published "
                "by %(brand)s.",
                answers,
                **_name_parties(found, answers, brand),
                pages=pages,
            )
        case "fix_claim":
            return ngettext(
                "%(seen)s criticizes %(brand)s for “%(claim)s”.",
                "%(seen)s criticize %(brand)s for “%(claim)s”.",
                answers,
                **_name_parties(found, answers, brand),
                claim=found.subject,
            )
        case "keep":
            return _describe_hold(found, brand)
        case "mend_page" | "admit_agent":
            return "" if found.fault is None else f"{describe_finding(found.fault)[0]}."
        case "open_door":
            return _describe_distance(found, brand)
        case "move_up":
            return gettext(
                "%(rival)s stands above %(brand)s in %(share)s that rank both.",
                rival=found.subject or "",
                brand=brand,
                share=_format_share(found.share or NamedShare(0, 0)),
            )
        case "earn_praise":
            return gettext(
                "We found praise of %(rivals)s on “%(subject)s” in %(share)s that name %(rivals)s. For %(brand)s, we "
                "found it in %(own)s.",
                subject=found.subject or "",
                share=_format_share(found.other_share or NamedShare(0, 0)),
                rivals=join_names(found.rivals),
                own=_format_share(found.share or NamedShare(0, 0)),
                brand=brand,
            )
        case _:
            return _describe_wrong(found, answers, brand) or _describe_loss(found, brand)


def _describe_wrong(found: ActionFacts, answers: int, brand: str) -> str:
    """Say what is stated and what is true; empty if the action is about something else."""
    if found.wrong is None:
        return ""
    return ngettext(
        "%(seen)s states “%(stated)s”. True is “%(truth)s”.",
        "%(seen)s state “%(stated)s”. True is “%(truth)s”.",
        answers,
        **_name_parties(found, answers, brand),
        stated=describe_stated(found.wrong.kind, found.wrong.stated),
        truth=describe_stated(found.wrong.kind, found.wrong.truth),
    )


def _name_parties(found: ActionFacts, answers: int, brand: str) -> dict[str, str]:
    rivals = join_names(found.rivals) or gettext("other brands")
    return {"seen": _describe_answers(found, answers), "rivals": rivals, "brand": brand}


def _describe_answers(found: ActionFacts, answers: int) -> str:
    """Return how many answers there are, to how many prompts and on which platforms."""
    values = {
        "answers": count_answers(answers),
        "prompts": count_prompts(len(found.prompts)),
        "platforms": platform_name(found.platforms[0])
        if len(found.platforms) == 1
        else count_platforms(len(found.platforms)),
    }
    if found.prompts and found.platforms:
        return gettext("%(answers)s to %(prompts)s on %(platforms)s", **values)
    if found.prompts:
        return gettext("%(answers)s to %(prompts)s", **values)
    return gettext("%(answers)s on %(platforms)s", **values) if found.platforms else values["answers"]


def _describe_gap(found: ActionFacts, answers: int, brand: str) -> str:
    parties, is_one = _name_parties(found, answers, brand), len(found.pages) == 1
    if answers > 1 and len(found.rivals) > 1:  # not every answer names all of them
        parties["rivals"] = gettext("other brands, most often %(names)s", names=parties["rivals"])
    if is_one:
        text = ngettext(
            "%(seen)s cites it and names %(rivals)s, but not %(brand)s.",
            "%(seen)s cite it and name %(rivals)s, but not %(brand)s.",
            answers,
            **parties,
        )
    else:
        text = ngettext(
            "%(seen)s cites these pages and names %(rivals)s, but not %(brand)s.",
            "%(seen)s cite these pages and name %(rivals)s, but not %(brand)s.",
            answers,
            **parties,
        )
    named = 0 if found.share is None else found.share.named
    return f"{text} {_describe_others(named, brand, is_one=is_one)}" if named else text


def _describe_others(named: int, brand: str, *, is_one: bool) -> str:
    number = format_number(named)
    if is_one:
        return ngettext(
            "%(number)s other answer cites it and names %(brand)s.",
            "%(number)s other answers cite it and name %(brand)s.",
            named,
            number=number,
            brand=brand,
        )
    return ngettext(
        "%(number)s other answer cites them and names %(brand)s.",
        "%(number)s other answers cite them and name %(brand)s.",
        named,
        number=number,
        brand=brand,
    )


def _describe_hold(found: ActionFacts, brand: str) -> str:
    if found.share is None:
        return ""
    share, is_one = _format_share(found.share), len(found.pages) == 1
    if found.other_share is None:
        if is_one:
            return gettext("%(share)s that cite it name %(brand)s.", share=share, brand=brand)
        return gettext("%(share)s that cite these pages name %(brand)s.", share=share, brand=brand)
    values = {
        "platforms": _name_platforms(found),
        "share": share,
        "brand": brand,
        "named": format_number(found.other_share.named),
        "answers": format_number(found.other_share.answers),
    }
    if is_one:
        return gettext(
            "On %(platforms)s, the page seems to make a difference: %(share)s that cite it name %(brand)s, compared "
            "with %(named)s of %(answers)s other answers.",
            **values,
        )
    return gettext(
        "On %(platforms)s, the pages seem to make a difference: %(share)s that cite them name %(brand)s, compared "
        "with %(named)s of %(answers)s other answers.",
        **values,
    )


def _name_platforms(found: ActionFacts) -> str:
    """Return the platforms by name, or how many there are."""
    if len(found.platforms) > _MAX_PLATFORMS_BY_NAME:
        return count_platforms(len(found.platforms))
    return join_names([platform_name(each) for each in found.platforms]) or gettext("some platforms")


def _describe_distance(found: ActionFacts, brand: str) -> str:
    platform = platform_name(found.subject or "")
    if found.share is None or found.other_share is None:
        return gettext("%(platform)s names %(brand)s less than the other platforms do.", platform=platform, brand=brand)
    text = gettext(
        "%(platform)s names %(brand)s in %(share)s, the other platforms in %(other_share)s to the same prompts.",
        platform=platform,
        brand=brand,
        share=_format_share(found.share),
        other_share=_format_share(found.other_share),
    )
    return f"{text} {describe_robots(found.robots, found.subject or '')}".rstrip()


def describe_robots(found: RobotsCheck | None, platform: str) -> str:
    """Return what robots.txt was found to say; empty where it was not checked."""
    if found is None:
        return ""
    name, url = platform_name(platform), found.url
    match found.outcome:
        case "blocked":
            crawlers = join_names(found.blocked)
            return gettext(
                "%(url)s blocks %(crawlers)s, which %(platform)s uses.", url=url, crawlers=crawlers, platform=name
            )
        case "allowed":
            crawlers = join_names(found.allowed)
            return gettext("%(url)s allows %(crawlers)s: the reason lies elsewhere.", url=url, crawlers=crawlers)
        case "missing":
            return gettext("%(url)s does not exist, so every crawler is allowed: the reason lies elsewhere.", url=url)
        case "no_crawler":
            return gettext("%(platform)s documents no crawler, so %(url)s was not checked.", url=url, platform=name)
        case _:
            return gettext("%(url)s could not be read.", url=url)


def _describe_loss(found: ActionFacts, brand: str) -> str:
    missed = 0 if found.share is None else found.share.answers
    return gettext(
        "Until %(day)s, %(share)s named %(brand)s. None of the %(answers)s of the last two checks does.",
        day=format_date(found.subject or ""),
        share=_format_share(found.other_share or NamedShare(0, 0)),
        brand=brand,
        answers=count_answers(missed),
    )


def _describe_calm(found: ActionFacts, brand: str) -> str:
    """Return what was looked for and not found; empty for rows that were stored before it was counted."""
    if found.share is None:
        return ""
    share = _format_share(found.share)
    if not found.rare_claims:
        return gettext(
            "%(share)s name %(brand)s. We found no criticism, page, prompt or platform where acting would likely "
            "change an answer.",
            share=share,
            brand=brand,
        )
    claims = [
        gettext("“%(claim)s” in %(answers)s", claim=each.aspect, answers=count_answers(each.answers))
        for each in found.rare_claims
    ]
    return gettext(
        "%(share)s name %(brand)s. Criticism is rare: %(claims)s. We found no page, prompt or platform where acting "
        "would likely change an answer.",
        share=share,
        brand=brand,
        claims=join_names(claims),
    )


def _format_share(share: NamedShare) -> str:
    return gettext("%(named)s of %(answers)s", named=format_number(share.named), answers=count_answers(share.answers))
