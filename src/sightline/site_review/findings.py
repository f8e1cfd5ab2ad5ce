"""What is wrong with a site, from what was read of it. Pure: the same pages and answers have the same findings.

Each rule stays silent where it cannot decide: what was not read is not judged.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace
from yarl import URL

from sightline.answers.characters import fold
from sightline.answers.citations import SiteOwners, normalize_url
from sightline.site_review.agents import Agent, read_agents
from sightline.site_review.fetch import Fetched
from sightline.site_review.models import (
    GROUP_OF,
    GROUPS,
    KINDS,
    AgentAccess,
    CitedPage,
    FindingKind,
    Found,
    Question,
    ReviewContext,
    ReviewedPage,
    SiteFacts,
    Statement,
    Unchecked,
)
from sightline.site_review.page import MAX_TEXT, PageFault, list_directives
from sightline.site_review.prices import find_prices, read_number
from sightline.site_review.robots import RobotsRules, parse_robots

_MIN_PAGES = 3
_FEW_CHARACTERS = 400
_MAX_LISTED = 20
_HIDING = frozenset({"noindex", "none"})
_MUTING = frozenset({"nosnippet"})
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_MIN_WORDS = 2
_MONTHS = 12


def find_findings(
    context: ReviewContext, site: SiteFacts, pages: Sequence[ReviewedPage]
) -> tuple[list[Found], SiteFacts]:
    """Return the findings, most important first, and the facts about the site, with what was not checked and why."""
    agents, rules = judge_agents(context, site), _read_rules(site)
    unchecked: dict[str, Unchecked] = {}
    if rules is None or site.robots_is_cut:
        unchecked["agents"] = "robots_unread"
    cited = {page.key: page for page in context.cited}
    listed = {_to_key(url) for url in site.listed}
    found = [
        *_find_robots_faults(site),
        *_find_blocked(agents, cited),
        *chain.from_iterable(_judge_page(page, cited, listed, context, pages) for page in pages),
        *_find_missing(context, site, pages, unchecked),
    ]
    distinct = {each.key: each for each in reversed(found)}
    facts = SiteFacts(
        robots_url=site.robots_url,
        robots_status=site.robots_status,
        robots_is_cut=site.robots_is_cut,
        listed_count=len(site.listed),
        agents=agents,
        unchecked=unchecked,
    )
    return sorted(distinct.values(), key=_rank), facts


def _rank(found: Found) -> tuple[int, int, int, str]:
    group = GROUP_OF[found.kind]
    return GROUPS.index(group), -found.answers, KINDS[group].index(found.kind), f"{found.url} {found.subject}"


def _to_key(url: str) -> str:
    citation = normalize_url(url)
    return url if citation is None else citation.url


# Access


def _read_rules(site: SiteFacts) -> RobotsRules | None:
    return None if site.robots_text is None else parse_robots(site.robots_text)


def judge_agents(context: ReviewContext, site: SiteFacts) -> tuple[AgentAccess, ...]:
    """Return what robots.txt lets each known agent read: the home page, and the pages that answers cite."""
    rules = _read_rules(site)
    if rules is None or site.robots_is_cut:
        return tuple(AgentAccess(agent=agent.name, home=None) for agent in read_agents().agents)
    lines = (site.robots_text or "").splitlines()
    return tuple(_judge_agent(agent, rules, lines, context) for agent in read_agents().agents)


def _judge_agent(agent: Agent, rules: RobotsRules, lines: Sequence[str], context: ReviewContext) -> AgentAccess:
    blocked: list[str] = []
    line: str | None = None
    site = context.domains[0]
    for url in (f"https://{site}/", *(page.url for page in context.cited)):
        address = URL(url)
        if (address.raw_host or "").removeprefix("www.") != site.removeprefix("www."):
            continue  # another host has a robots.txt of its own
        rule = rules.find_rule(agent.name, address.raw_path_qs)
        if rule is not None and not rule.allows:
            blocked.append(url)
            line = line or (lines[rule.line - 1].strip()[:200] if rule.line <= len(lines) else None)
    home = f"https://{site}/" not in blocked
    return AgentAccess(
        agent=agent.name, home=home, blocked=tuple(_to_key(url) for url in blocked[0 if home else 1 :]), rule=line
    )


def _find_robots_faults(site: SiteFacts) -> Iterator[Found]:
    if site.robots_status is not None and site.robots_status >= 500:
        yield Found(kind="robots_failing", url=_to_key(site.robots_url), evidence=str(site.robots_status))


def _find_blocked(agents: Sequence[AgentAccess], cited: Mapping[str, CitedPage]) -> Iterator[Found]:
    """Find the agents that cannot read what answers cite, or the home page. Keeping training out is a choice."""
    known = {agent.name: agent for agent in read_agents().agents}
    for access in agents:
        agent = known[access.agent]
        pages = [cited[url] for url in access.blocked if url in cited]
        if agent.purpose == "training" or (access.home is not False and not pages):
            continue
        yield Found(
            kind="agent_blocked",
            subject=agent.name,
            evidence=access.rule or "",
            answers=sum(page.answers for page in pages),
            answer_ids=tuple(dict.fromkeys(each for page in pages for each in page.answer_ids)),
            prompts=tuple(dict.fromkeys(prompt for page in pages for prompt in page.prompts)),
            platforms=agent.platforms,
            pages=tuple(page.key for page in pages)[:_MAX_LISTED],
        )


# Pages


def _judge_page(
    page: ReviewedPage,
    cited: Mapping[str, CitedPage],
    listed: set[str],
    context: ReviewContext,
    pages: Sequence[ReviewedPage],
) -> Iterator[Found]:
    if page.page is None:
        return
    key, fetched, facts = _to_key(page.url), page.page.fetched, page.page.facts
    source = cited.get(key)
    about = Found(
        kind="cited_gone",
        url=key,
        answers=source.answers if source else 0,
        answer_ids=source.answer_ids if source else (),
        prompts=source.prompts if source else (),
        platforms=source.platforms if source else (),
    )
    if source is not None:
        yield from _find_broken(about, source, page, fetched, pages)
    elif fetched.status in {404, 410} and key in listed:
        yield replace(about, kind="listed_gone", evidence=str(fetched.status))
    if facts is None or fetched.left_site:
        return
    if source is not None or page.chosen == "home" or key in listed:
        yield from _find_noindex(about, page)
    yield from _find_canonical(about, page, context, is_home=page.chosen == "home")
    for fault in facts.faults:
        yield replace(about, kind=fault.fault, evidence=fault.evidence, subject=_tell_apart(fault))


def _tell_apart(fault: PageFault) -> str:
    return fault.evidence[:80] if fault.fault in {"json_ld_broken", "date_unreadable"} else ""


def _find_broken(
    about: Found, source: CitedPage, page: ReviewedPage, fetched: Fetched, pages: Sequence[ReviewedPage]
) -> Iterator[Found]:
    if fetched.status in {404, 410}:
        yield replace(about, kind="cited_gone", evidence=str(fetched.status))
    elif fetched.left_site or _ends_at_home(page.url, fetched):
        yield replace(about, kind="cited_moved", evidence=fetched.url)
    elif fetched.reason == "refused" and _are_read(pages):
        yield replace(about, kind="cited_refused", evidence=str(fetched.status))
    elif fetched.reason == "server_error" and _are_read(pages):
        yield replace(about, kind="cited_failing", evidence=str(fetched.status))
    elif page.text is not None and page.page is not None and page.page.facts is not None:
        hidden = any(fault.fault == "needs_scripts" for fault in page.page.facts.faults)
        if not hidden and len(page.text) < MAX_TEXT:
            yield from _find_changed(about, source.statements, page.text)


def _ends_at_home(url: str, fetched: Fetched) -> bool:
    """Return whether the redirects of a page lead to the start page, also to that of a language."""
    if not fetched.redirects or fetched.status != 200:
        return False
    was, ended = URL(url).path.strip("/"), URL(fetched.url).path.strip("/")
    return (
        was != ended
        and len(was) > 5
        and re.fullmatch(r"(?:[a-z]{2}(?:-[a-zA-Z]{2})?)?(?:/?(?:index\.\w+|home))?", ended) is not None
    )


def _are_read(pages: Sequence[ReviewedPage]) -> bool:
    """Return whether most pages could be read: else the site keeps us out, and nothing is known of its pages."""
    fetched = [page.page.fetched for page in pages if page.page is not None]
    return 2 * sum(each.html is not None or each.status == 200 for each in fetched) > len(fetched)


def _find_changed(about: Found, statements: Sequence[Statement], text: str) -> Iterator[Found]:
    """Find statements whose price or quotation is no longer on the page.

    A price counts only against a page that names prices in the same currency, and not if it is one of them by the
    month or by the year.
    """
    shown = find_prices(text)
    numbers = {value for price in shown for value in price.values}
    compared = _squeeze(text)
    said: set[str] = set()
    for statement in statements:
        if statement.quote is not None:
            if (
                len(text) > _FEW_CHARACTERS
                and _squeeze(statement.quote) not in compared
                and statement.quote not in said
            ):
                said.add(statement.quote)
                yield replace(
                    about, kind="cited_changed", subject=statement.quote[:80], evidence=f"“{statement.quote}”"
                )
            continue
        for price in find_prices(statement.text):
            others = [each for each in shown if each.currency == price.currency]
            if (
                not others
                or price.text in said
                or _contains(numbers, price.values)
                or _is_number_of(text, price.values)
            ):
                continue
            said.add(price.text)
            yield replace(
                about, kind="cited_changed", subject=price.text, evidence=f"{statement.text} · {others[0].text}"
            )


def _contains(numbers: set[float], values: frozenset[float]) -> bool:
    near = {round(value * factor, 2) for value in values for factor in (1, _MONTHS, 1 / _MONTHS, 1.25, 1.2, 1.19)}
    return any(abs(number - each) <= max(0.01, 0.005 * each) for number in numbers for each in near)


def _is_number_of(text: str, values: frozenset[float]) -> bool:
    return any(values & read_number(each) for each in re.findall(r"\d[\d.,]*\d|\d", text))


def _squeeze(text: str) -> str:
    return re.sub(r"[\W_]+", "", fold(text))


def _find_noindex(about: Found, page: ReviewedPage) -> Iterator[Found]:
    assert page.page is not None and page.page.facts is not None
    facts = page.page.facts
    directives: dict[str, set[str]] = {"": set(facts.robots)}
    for name, declared in facts.robots_of.items():
        directives.setdefault(name, set()).update(declared)
    for value in page.page.fetched.robots_tags:
        for name, sent in list_directives(value).items():
            directives.setdefault(name, set()).update(sent)
    known = {agent.name.lower(): agent for agent in read_agents().agents}
    for name, own in directives.items():
        hiding = own & (_HIDING | (_MUTING if about.answers else frozenset()))
        if not hiding or (name and (name not in known or known[name].purpose == "training")):
            continue
        agent = known[name].name if name else ""
        platforms = known[name].platforms if name else about.platforms
        yield replace(about, kind="noindex", subject=agent, evidence=", ".join(sorted(hiding)), platforms=platforms)


def _find_canonical(about: Found, page: ReviewedPage, context: ReviewContext, *, is_home: bool) -> Iterator[Found]:
    assert page.page is not None and page.page.facts is not None
    canonical = page.page.facts.canonical
    if not canonical or any(fault.fault == "several_canonicals" for fault in page.page.facts.faults):
        return
    try:
        base = URL(page.page.fetched.url)
        target = base.join(URL(canonical))
    except ValueError:
        yield replace(about, kind="canonical_elsewhere", evidence=canonical[:300])
        return
    found = normalize_url(str(target))
    is_own = found is not None and bool(SiteOwners([context.domains]).of(found))
    ends_at_home = is_own and target.path.strip("/") == "" and base.path.strip("/") != "" and not target.query_string
    if not is_own or (ends_at_home and not is_home):
        yield replace(about, kind="canonical_elsewhere", evidence=str(target)[:300])


# Missing


def _find_missing(
    context: ReviewContext, site: SiteFacts, pages: Sequence[ReviewedPage], unchecked: dict[str, Unchecked]
) -> Iterator[Found]:
    """Find questions and themes that no page speaks about, where a rival's page is cited for them."""
    reason = _find_doubt(site, pages)
    asked: tuple[tuple[str, FindingKind, Sequence[Question]], ...] = (
        ("questions", "prompt_missing", context.questions),
        ("themes", "theme_missing", context.themes),
    )
    for name, kind, questions in asked:
        if not questions:
            continue
        if reason is not None:
            unchecked[name] = reason
            continue
        for question in questions:
            if (doubt := _find_own_doubt(question, site, pages)) is not None:
                unchecked.setdefault(name, doubt)
            elif question.rival_pages and not any(_speaks(page.text or "", question) for page in pages):
                yield Found(
                    kind=kind,
                    subject=question.id,
                    evidence=question.text,
                    prompts=question.prompts,
                    rival_pages=question.rival_pages,
                )


def _list_texts(pages: Sequence[ReviewedPage]) -> list[ReviewedPage]:
    return [page for page in pages if page.text is not None and len(page.text) >= _FEW_CHARACTERS]


def _find_doubt(site: SiteFacts, pages: Sequence[ReviewedPage]) -> Unchecked | None:
    """Return why nobody can say that a site does not speak about something; None if that can be said."""
    if not site.listed:
        return "no_sitemap"
    if len(_list_texts(pages)) < _MIN_PAGES:
        return "too_few_pages"
    if any(page.page is not None and page.page.facts is None and page.page.fetched.status != 404 for page in pages):
        unread = sum(page.page is not None and page.page.fetched.reason is not None for page in pages)
        if 4 * unread > len(pages):
            return "unread_pages"
    read = {_to_key(page.url) for page in pages}
    unknown = [url for url in site.listed if _to_key(url) not in read]
    silent = sum(not _LETTERS.search(URL(url).path.rsplit("/", 1)[-1]) for url in unknown if _is_readable(url))
    return "unread_pages" if 2 * silent > len(unknown) > 0 else None


def _is_readable(url: str) -> bool:
    try:
        return bool(URL(url).path)
    except ValueError:
        return False


def _find_own_doubt(question: Question, site: SiteFacts, pages: Sequence[ReviewedPage]) -> Unchecked | None:
    if len(question.words) < (1 if question.is_theme else _MIN_WORDS):
        return "few_words"
    if question.language is not None:
        spoken = {page.page.facts.language for page in _list_texts(pages) if page.page and page.page.facts}
        if question.language not in spoken:
            return "other_language"
    read = {_to_key(page.url) for page in pages}
    stems = [_stem(word) for word in question.words]
    for url in site.listed:
        if _to_key(url) not in read and any(stem in fold(url) for stem in stems):
            return "unread_pages"
    return None


def _speaks(text: str, question: Question) -> bool:
    """Return whether a text has enough of the words, in any form."""
    folded = fold(text)
    found = sum(_stem(word) in folded for word in question.words)
    return found > 0 if question.is_theme else 2 * found >= len(question.words)


def _stem(word: str) -> str:
    """Return the beginning of a word, which its other forms and its compounds share."""
    return word[: max(4, len(word) - 2)]
