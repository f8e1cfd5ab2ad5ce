"""Jumping to anything by its name: a page, a domain, or a prompt or competitor of any domain.

It is a page of its own with a search field; `app.js` shows its list in a dialog instead.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.competitors.models import CompetitorRow
from sightline.competitors.queries import search_confirmed
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import list_tracked_domains
from sightline.presentation.language import gettext
from sightline.prompts.queries import search_prompts
from sightline.web.layout import build_navigation, render_page
from sightline.web.page_context import PageContext, open_domain, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import page

_MAX_PLACES = 20
_MAX_DOMAINS = 5_000
_MAX_LENGTH = 200


class Place(NamedTuple):
    """Something to jump to. `is_data` marks a name that people or platforms gave."""

    name: str
    kind: str
    path: str
    icon: str
    is_data: bool = False


@page("/w/{workspace}/jump")
async def jump_page(request: PageRequest, workspace: str) -> Response:
    wanted = request.query_params.get("domain", "")
    ctx = await (
        open_domain(request, workspace, wanted) if wanted else open_workspace(request, workspace, needs=Role.GUEST)
    )
    q = request.query_params.get("q", "").strip()[:_MAX_LENGTH]
    words = q.casefold().split()
    found = await list_tracked_domains(ctx.db, ctx.actor, after=None, page_size=_MAX_DOMAINS)
    domains = {each.id: each for each in found.rows}
    places = [*_list_pages(ctx), *(_to_place(ctx, each, gettext("Domain"), each.domain, "") for each in found.rows)]
    places = [place for place in places if all(word in place.name.casefold() for word in words)]
    if words:
        places.sort(key=lambda place: not place.name.casefold().startswith(words[0]))
        places += await _search(ctx, words, domains)
    return render_page(
        ctx,
        "app/jump.html",
        section="jump",
        title=gettext("Jump to anything"),
        here=ctx._replace(domain=None).path("jump"),
        q=q,
        places=places[:_MAX_PLACES],
    )


def _list_pages(ctx: PageContext) -> list[Place]:
    whole, console = ctx._replace(domain=None), ctx._replace(area="console")
    places = [
        Place(link.title, kind, link.path, link.icon)
        for kind, area in (("", ctx), *([] if ctx.is_guest else [(gettext("Console"), console)]))
        for group in build_navigation(area)
        for link in group.links
    ]
    more = [
        *([] if ctx.is_guest else [(gettext("Members"), whole.path("members"), "user-circle")]),
        *([("Slack", whole.path("slack"), "bell")] if ctx.may_manage and not ctx.is_guest else []),
        (gettext("Account"), "/account", "user-circle"),
        (gettext("Documentation"), "/docs", "book-open"),
    ]
    if ctx.domain is not None:
        more += [
            (gettext("Searches"), ctx.path("searches"), "magnifying-glass"),
            (gettext("Opportunities"), ctx.path("opportunities"), "light-bulb"),
            (gettext("Domains"), whole.path(), "squares-2x2"),
        ]
    if ctx.may_edit and not ctx.is_guest:
        more.append((gettext("Add a domain"), whole.path("new"), "plus"))
    if ctx.signed_in.is_operator:
        more.append((gettext("Platforms"), "/operator/platforms", "cpu-chip"))
        more.append((gettext("Status"), "/operator/status", "signal"))
    return places + [Place(title, "", path, icon) for title, path, icon in more]


async def _search(
    ctx: PageContext, words: Sequence[str], domains: Mapping[uuid.UUID, TrackedDomainRow]
) -> Iterable[Place]:
    """Return competitors and prompts of the domains, those of the open domain first."""
    at, near = (ctx.db, ctx.actor.workspace_id, list(domains), words), None if ctx.domain is None else ctx.domain.id
    rivals = await search_confirmed(*at, near=near, limit=_MAX_PLACES)
    prompts = await search_prompts(*at, near=near, limit=_MAX_PLACES)
    found = [(each.domain_id, gettext("Competitor"), _name(each), f"competitors/{each.id}") for each in rivals]
    found += [(each.domain_id, gettext("Prompt"), each.prompt, f"prompts/{each.id}") for each in prompts]
    return [_to_place(ctx, domains[domain_id], *named) for domain_id, *named in found]


def _to_place(ctx: PageContext, domain: TrackedDomainRow, kind: str, name: str, path: str) -> Place:
    """Return a place of a domain. The kind says of which one, unless it is open."""
    icon = {"c": "chart-bar", "p": "chat-bubble-left"}.get(path[:1], "globe-alt")
    is_elsewhere = path and (ctx.domain is None or ctx.domain.id != domain.id)
    shown = f"{kind} · {domain.domain}" if is_elsewhere else kind
    return Place(name, shown, ctx._replace(domain=domain).path(*filter(None, [path])), icon, is_data=True)


def _name(row: CompetitorRow) -> str:
    return next(iter(row.all_names), row.competitor_domain or row.found_as or "")
