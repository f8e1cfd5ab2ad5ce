"""Console domains: the list, registering, changing and removing."""

from typing import Any

from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.domains import register, remove
from sightline.domains.models import ConsoleDomain
from sightline.domains.schemas import DomainChanges, DomainInput
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.web.frame import Place, go_to
from sightline.web.pages.console.forms import Form, fit
from sightline.web.pages.console.places import (
    Shown,
    enter,
    enter_by_form,
    looking,
    open_form,
    sending,
    show_page,
)
from sightline.web.pages.console.words import say_time
from sightline.web.paging import page_through
from sightline.web.visits import Asked


@looking("/domains")
async def console_domains(request: Asked, workspace: FromPath[str]) -> Shown:
    return await _list(await enter(request, workspace), request, Form({}))


async def _list(place: Place, request: Asked, form: Form, problem: Problem | None = None) -> Shown:
    paging = page_through(request, place, "domains")
    found = await register.list_domains(
        place.visit.app_context.db, place.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return show_page(
        place,
        request,
        "domains.html",
        here="domains",
        title="Domains",
        problem=problem,
        registered=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        typed=_typed(form),
        say_time=say_time,
    )


@sending("/domains")
async def register_domain(request: Asked, workspace: FromPath[str]) -> Shown:
    """Sent twice, the second is told that the name is registered: nothing is made twice."""
    place, form = await open_form(request, workspace, needs=Role.EDITOR)
    try:
        given = fit(DomainInput, domain=form.text("domain"), **_details(form, but_empty=True))
        async with place.visit.app_context.db.transaction() as tx:
            made = await register.register_domain(tx, place.actor, given, now=place.visit.now)
    except Problem as problem:
        return await _list(place, request, form, problem)
    return go_to(f"{place.console('domains', str(made.id))}?done=domain_registered")


@looking("/domains/{domain:str}")
async def console_domain(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    found = await register.read_domain(place.visit.app_context.db, place.actor, parse_id(domain))
    return _show(place, request, found, _spell(found))


@sending("/domains/{domain:str}")
async def change_domain(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Shown:
    place, form = await open_form(request, workspace, needs=Role.EDITOR)
    db = place.visit.app_context.db
    found = await register.read_domain(db, place.actor, parse_id(domain))
    try:
        given = fit(DomainChanges, **_details(form, but_empty=False))
        async with db.transaction() as tx:
            current = await register.read_domain(tx, place.actor, found.id, lock=True)
            await register.change_domain(tx, place.actor, current, given)
    except Problem as problem:
        return _show(place, request, found, _typed(form), problem)
    return go_to(f"{place.console('domains', domain)}?done=domain_changed")


@sending("/domains/{domain:str}/remove")
async def remove_domain(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Shown:
    place = await enter_by_form(request, workspace, needs=Role.EDITOR)
    db = place.visit.app_context.db
    found = await register.read_domain(db, place.actor, parse_id(domain))
    try:
        async with db.transaction() as tx:
            await remove.remove_domain(tx, place.actor, found.id, now=place.visit.now)
    except Problem as problem:
        return _show(place, request, found, _spell(found), problem)
    return go_to(f"{place.console('domains')}?done=domain_removed")


def _show(
    place: Place, request: Asked, found: ConsoleDomain, typed: dict[str, str], problem: Problem | None = None
) -> Shown:
    return show_page(
        place,
        request,
        "domain.html",
        here="domains",
        title=found.domain,
        problem=problem,
        found=found,
        typed=typed,
        say_time=say_time,
    )


def _details(form: Form, *, but_empty: bool) -> dict[str, Any]:
    """The lists of a form. When registering, what is left empty is left out, so that a domain that comes back keeps
    what was known of it."""
    told: dict[str, Any] = {
        "brand_name": form.text("brand_name"),
        "aliases": form.lines("aliases"),
        "owned_domains": form.lines("owned_domains"),
        "competitors": [_competitor(line) for line in form.lines("competitors")],
    }
    return {name: value for name, value in told.items() if value or not but_empty}


def _competitor(line: str) -> dict[str, str]:
    """`rival.com` or `rival.com, Rival`."""
    domain, _, name = (part.strip() for part in line.partition(","))
    return {"domain": domain, "name": name} if name else {"domain": domain}


def _typed(form: Form) -> dict[str, str]:
    names = ("domain", "brand_name", "aliases", "owned_domains", "competitors")
    return {name: form.text(name) for name in names}


def _spell(found: ConsoleDomain) -> dict[str, str]:
    return {
        "domain": found.domain,
        "brand_name": found.brand_name,
        "aliases": "\n".join(found.aliases),
        "owned_domains": "\n".join(found.owned_domains),
        "competitors": "\n".join(
            f"{each.domain}, {each.name}" if each.name else each.domain for each in found.competitors
        ),
    }


PAGES = (console_domains, register_domain, console_domain, change_domain, remove_domain)
