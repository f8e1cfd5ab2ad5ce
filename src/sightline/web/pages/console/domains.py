"""Console domains: listing, registering, changing and removing them."""

import re
from typing import Any

from sightline.accounts.models import Role
from sightline.domains import register, remove
from sightline.domains.models import ConsoleDomainRow
from sightline.domains.schemas import DomainChanges, DomainInput
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.scans.console_scans import find_latest_results
from sightline.web.forms import Form, decode_form
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    open_console,
    receive_console_form,
    render_console_page,
)
from sightline.web.pages.console.results import present_latest_figures
from sightline.web.paging import read_list_paging
from sightline.web.routing import redirect


@console_page("/domains")
async def domains_page(request: PageRequest, workspace: str) -> PageResponse:
    return await _render_list(await open_console(request, workspace), request)


async def _render_list(ctx: PageContext, request: PageRequest, problem: Problem | None = None) -> PageResponse:
    paging = read_list_paging(request, ctx, "domains")
    found = await register.list_domains(ctx.db, ctx.actor, after=paging.after_time_and_id, page_size=paging.size)
    return render_console_page(
        ctx,
        request,
        "domains.html",
        section="domains",
        title=gettext("Domains"),
        problem=problem,
        registered=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
    )


@console_form_action("/domains")
async def register_domain(request: PageRequest, workspace: str) -> PageResponse:
    """Register a domain. Sent again, the form is refused because the name is registered already."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.EDITOR)
    try:
        payload = decode_form(DomainInput, domain=form.text("domain"), **_read_details(form, omit_empty=True))
        async with ctx.db.transaction() as tx:
            made = await register.register_domain(tx, ctx.actor, payload, now=ctx.now)
    except Problem as problem:
        return await _render_list(ctx, request, problem)
    return redirect(f"{ctx.console('domains', str(made.id))}?done=domain_registered")


@console_page("/domains/{domain}")
async def domain_page(request: PageRequest, workspace: str, domain: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    found = await register.read_domain(ctx.db, ctx.actor, parse_id(domain))
    return await _render_domain(ctx, request, found)


@console_form_action("/domains/{domain}")
async def change_domain(request: PageRequest, workspace: str, domain: str) -> PageResponse:
    ctx, form = await receive_console_form(request, workspace, needs=Role.EDITOR)
    db = ctx.db
    found = await register.read_domain(db, ctx.actor, parse_id(domain))
    try:
        payload = decode_form(DomainChanges, **_read_details(form, omit_empty=False))
        async with db.transaction() as tx:
            current = await register.read_domain(tx, ctx.actor, found.id, lock=True)
            await register.change_domain(tx, ctx.actor, current, payload)
    except Problem as problem:
        return await _render_domain(ctx, request, found, problem)
    return redirect(f"{ctx.console('domains', domain)}?done=domain_changed")


@console_form_action("/domains/{domain}/remove")
async def remove_domain(request: PageRequest, workspace: str, domain: str) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.EDITOR)
    db = ctx.db
    found = await register.read_domain(db, ctx.actor, parse_id(domain))
    try:
        async with db.transaction() as tx:
            await remove.remove_domain(tx, ctx.actor, found.id, now=ctx.now)
    except Problem as problem:
        return await _render_domain(ctx, request, found, problem)
    return redirect(f"{ctx.console('domains')}?done=domain_removed")


async def _render_domain(
    ctx: PageContext,
    request: PageRequest,
    found: ConsoleDomainRow,
    problem: Problem | None = None,
) -> PageResponse:
    latest = await find_latest_results(ctx.db, ctx.actor, found.id)
    return render_console_page(
        ctx,
        request,
        "domain.html",
        section="domains",
        title=found.domain,
        problem=problem,
        found=found,
        cards=[] if latest is None else present_latest_figures(latest, found.brand_name),
        form_values=_to_form_values(found),
    )


def _read_details(form: Form, *, omit_empty: bool) -> dict[str, Any]:
    """Return the details of a form.

    When registering, empty fields are omitted, so that a domain registered again keeps its earlier details.
    """
    details: dict[str, Any] = {
        "brand_name": form.text("brand_name"),
        "aliases": form.lines("aliases"),
        "owned_domains": form.lines("owned_domains"),
        "competitors": [_read_competitor(line) for line in form.lines("competitors")],
    }
    return {name: value for name, value in details.items() if value or not omit_empty}


def _read_competitor(line: str) -> dict[str, str]:
    """Read a line such as `initech.com`, `initech.com = Initech` or `initech.com, Initech`."""
    domain, *rest = (part.strip() for part in re.split("[=,]", line, maxsplit=1))
    name = "".join(rest)
    return {"domain": domain, "name": name} if name else {"domain": domain}


def _to_form_values(found: ConsoleDomainRow) -> dict[str, str]:
    return {
        "domain": found.domain,
        "brand_name": found.brand_name,
        "aliases": "\n".join(found.aliases),
        "owned_domains": "\n".join(found.owned_domains),
        "competitors": "\n".join(
            f"{each.domain} = {each.name}" if each.name else each.domain for each in found.competitors
        ),
    }
