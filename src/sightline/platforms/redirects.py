"""Sources behind short-lived redirects: read where each leads while it still does."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from sightline.platforms.assemble import Sources
from sightline.platforms.models import ProviderAnswer, Source

ResolveRedirect = Callable[[str], Awaitable[str | None]]
"""Where a link leads, or None. It is the caller's to guard it: see `http.egress.resolve_redirect`."""

_AT_ONCE = 8
_BARE_DOMAIN = re.compile(r"(?=.{4,253}\Z)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,63}")


async def resolve_sources(
    answer: ProviderAnswer, hosts: frozenset[str], resolve: ResolveRedirect | None, *, deadline: float
) -> ProviderAnswer:
    """The answer with its links to these hosts replaced by what they lead to, and each page in it once.

    A link that tells nothing within `deadline` seconds becomes the front page of the domain that its title names; a
    title that is no domain leaves it as it is. Nothing here fails an answer.
    """
    links = {source.url for source in (*answer.cited, *answer.retrieved) if _is_on(source.url, hosts)}
    if not links:
        return answer
    targets = {} if resolve is None else await _resolve_all(links, hosts, resolve, deadline)
    # Two links may lead to one page, and a cited one to where a retrieved one leads.
    pages = Sources()
    for source in answer.cited:
        for span in source.spans or (None,):
            pages.cite(_target_of(source, links, targets), source.title, span)
    for source in answer.retrieved:
        pages.retrieve(_target_of(source, links, targets), source.title)
    return msgspec.structs.replace(answer, cited=pages.cited(answer.text), retrieved=pages.retrieved())


async def _resolve_all(
    links: set[str], hosts: frozenset[str], resolve: ResolveRedirect, deadline: float
) -> dict[str, str]:
    targets: dict[str, str] = {}
    places = asyncio.Semaphore(_AT_ONCE)

    async def follow(link: str) -> None:
        async with places:
            try:
                target = await resolve(link)
            except Exception:  # noqa: BLE001 - one link that cannot be read is no reason to lose an answer
                return
        if target is not None and not _is_on(target, hosts):
            targets[link] = target

    try:
        async with asyncio.timeout(deadline), asyncio.TaskGroup() as group:
            for link in links:
                group.create_task(follow(link))
    except TimeoutError:
        pass  # what was learnt in time counts
    return targets


def _target_of(source: Source, links: set[str], targets: dict[str, str]) -> str:
    if source.url not in links:
        return source.url
    title = (source.title or "").strip().lower()
    front_page = f"https://{title}/" if _BARE_DOMAIN.fullmatch(title) else source.url
    return targets.get(source.url, front_page)


def _is_on(url: str, hosts: frozenset[str]) -> bool:
    try:
        return urlsplit(url).hostname in hosts
    except ValueError:
        return False
