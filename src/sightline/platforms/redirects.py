"""Resolves sources behind short-lived redirects while they still work."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from sightline.platforms.assemble import Sources
from sightline.platforms.models import ProviderAnswer, Source

ResolveRedirect = Callable[[str], Awaitable[str | None]]
"""Returns the target of a link, or None. The caller guards it: see `http.egress.resolve_redirect`."""

_MAX_CONCURRENT = 8
_BARE_DOMAIN = re.compile(r"(?=.{4,253}\Z)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,63}")


async def resolve_sources(
    answer: ProviderAnswer, hosts: frozenset[str], resolve: ResolveRedirect | None, *, deadline: float
) -> ProviderAnswer:
    """Return the answer with its links to these hosts replaced by their targets, and each page once.

    A link that cannot be resolved within `deadline` seconds becomes the front page of the domain that its title names;
    if the title is no domain, the link stays. Nothing here fails an answer.
    """
    links = {source.url for source in (*answer.cited, *answer.retrieved) if _is_on(source.url, hosts)}
    if not links:
        return answer
    targets = {} if resolve is None else await _resolve_all(links, hosts, resolve, deadline)
    # Two links may lead to one page, also a cited and a retrieved one.
    pages = Sources()
    for source in answer.cited:
        for span in source.spans or (None,):
            pages.cite(_find_target(source, links, targets), source.title, span)
    for source in answer.retrieved:
        pages.retrieve(_find_target(source, links, targets), source.title)
    return msgspec.structs.replace(answer, cited=pages.cited(answer.text), retrieved=pages.retrieved())


async def _resolve_all(
    links: set[str], hosts: frozenset[str], resolve: ResolveRedirect, deadline: float
) -> dict[str, str]:
    targets: dict[str, str] = {}
    places = asyncio.Semaphore(_MAX_CONCURRENT)

    async def follow(link: str) -> None:
        async with places:
            try:
                target = await resolve(link)
            except Exception:  # noqa: BLE001 - one link that fails must not cost the answer
                return
        if target is not None and not _is_on(target, hosts):
            targets[link] = target

    try:
        async with asyncio.timeout(deadline), asyncio.TaskGroup() as group:
            for link in links:
                group.create_task(follow(link))
    except TimeoutError:
        pass  # what was resolved in time counts
    return targets


def _find_target(source: Source, links: set[str], targets: dict[str, str]) -> str:
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
