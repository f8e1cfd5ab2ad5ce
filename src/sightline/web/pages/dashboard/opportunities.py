"""Opportunities: prompts where answers name rivals and not the brand, highest score first."""

from starlette.responses import Response

from sightline.insights import read
from sightline.presentation.language import gettext
from sightline.scoreboard.site_decisions.queries import list_ignored_sites
from sightline.web.filter_bar import open_filter_bar
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.paging import read_list_paging
from sightline.web.routing import page

_PAGE_SIZE = 10  # each with up to thirty links to its answers


@page("/w/{workspace}/d/{domain}/opportunities")
async def opportunities_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, workspace_id, domain_id = ctx.db, ctx.actor.workspace_id, ctx.domain.id
    bar = await open_filter_bar(request, ctx, "opportunities")
    paging = read_list_paging(request, ctx, read.OPPORTUNITIES, **bar.filter.values)
    rows = await read.list_opportunities(
        db, workspace_id, domain_id, after=paging.after, page_size=_PAGE_SIZE, part=bar.filter
    )
    return render_page(
        ctx,
        "app/opportunities.html",
        section="opportunities",
        title=gettext("Opportunities"),
        bar=bar.ignoring(
            *("period", "since", "until", "against", "platform"),
            why=gettext("Opportunities are based on all platforms of the latest Full Check."),
        ),
        rows=rows.rows,
        ignored={each.site for each in await list_ignored_sites(db, workspace_id, domain_id)},
        next_cursor=paging.next_cursor(rows),
        is_first=paging.is_first,
    )
