"""Jumping to anything by its name: a page of the workspace, a domain, or a prompt or competitor of a domain.

It is a page of its own with a search field; `app.js` shows its list in a dialog instead.
"""

from collections.abc import Iterable
from typing import NamedTuple

from starlette.responses import Response

from sightline.competitors.models import CompetitorRow
from sightline.competitors.review import list_confirmed_competitors
from sightline.domains.tracking.read import list_tracked_domains
from sightline.presentation.language import gettext
from sightline.prompts.read import list_prompts
from sightline.web.layout import build_navigation, render_page
from sightline.web.page_context import PageContext, open_domain, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import page

_MAX_PLACES = 20
_MAX_SEARCHED = 5_000
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
    ctx = await (open_domain(request, workspace, wanted) if wanted else open_workspace(request, workspace))
    q = request.query_params.get("q", "").strip()[:_MAX_LENGTH]
    places = [*_list_pages(ctx), *await _list_domains(ctx)]
    if ctx.domain is not None and q:
        places += [*await _list_competitors(ctx), *await _list_prompts(ctx)]
    return render_page(
        ctx,
        "app/jump.html",
        section="jump",
        title=gettext("Jump to anything"),
        here=ctx._replace(domain=None).path("jump"),
        q=q,
        places=_find_places(places, q),
    )


def _find_places(places: Iterable[Place], q: str) -> list[Place]:
    """Return the places whose names contain every word, those that begin with the first word first."""
    words = q.casefold().split()
    found = [place for place in places if all(word in place.name.casefold() for word in words)]
    if words:
        found.sort(key=lambda place: not place.name.casefold().startswith(words[0]))
    return found[:_MAX_PLACES]


def _list_pages(ctx: PageContext) -> list[Place]:
    whole = ctx._replace(domain=None)
    links = [link for group in build_navigation(ctx) for link in group.links]
    links += [link for group in build_navigation(ctx._replace(area="console")) for link in group.links]
    places = [Place(link.title, gettext("Page"), link.path, link.icon) for link in links]
    places.append(Place(gettext("Members"), gettext("Page"), whole.path("members"), "user-circle"))
    places.append(Place(gettext("Account"), gettext("Page"), "/account", "user-circle"))
    return places


async def _list_domains(ctx: PageContext) -> list[Place]:
    found = await list_tracked_domains(ctx.db, ctx.actor, after=None, page_size=_MAX_SEARCHED)
    return [
        Place(each.domain, gettext("Domain"), ctx._replace(domain=each).path(), "globe-alt", is_data=True)
        for each in found.rows
    ]


async def _list_competitors(ctx: PageContext) -> list[Place]:
    assert ctx.domain is not None
    found = await list_confirmed_competitors(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    return [
        Place(_name(each), gettext("Competitor"), ctx.path("competitors", str(each.id)), "chart-bar", is_data=True)
        for each in found
    ]


def _name(row: CompetitorRow) -> str:
    return next(iter(row.all_names), row.competitor_domain or row.found_as or "")


async def _list_prompts(ctx: PageContext) -> list[Place]:
    assert ctx.domain is not None
    found = await list_prompts(ctx.db, ctx.actor.workspace_id, ctx.domain.id, after=None, page_size=_MAX_SEARCHED)
    return [
        Place(each.prompt, gettext("Prompt"), ctx.path("prompts", str(each.id)), "chat-bubble-left", is_data=True)
        for each in found.rows
    ]


PAGES = (jump_page,)
