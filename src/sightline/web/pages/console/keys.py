"""API keys: minted and shown once, listed, revoked. For admins and owners."""

from typing import cast

from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.api_keys import issue
from sightline.api_keys.schemas import KeyInput, Scope
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import parse_id
from sightline.web.frame import Place, go_to
from sightline.web.pages.console.forms import Form, fit
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.console.places import (
    Shown,
    enter,
    enter_by_form,
    looking,
    open_form,
    sending,
    show_page,
)
from sightline.web.pages.console.samples import write_samples
from sightline.web.pages.console.words import say_time
from sightline.web.paging import page_through
from sightline.web.visits import Asked


@looking("/keys")
async def keys(request: Asked, workspace: FromPath[str]) -> Shown:
    place = await enter(request, workspace, needs=Role.ADMIN)
    return await _list(place, request, Form({}))


async def _list(place: Place, request: Asked, form: Form, problem: Problem | None = None) -> Shown:
    paging = page_through(request, place, "keys")
    found = await issue.list_keys(
        place.visit.app_context.db, place.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return show_page(
        place,
        request,
        "keys.html",
        here="keys",
        title="Keys",
        problem=problem,
        keys=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        typed={"name": form.text("name"), "kind": form.text("kind") or "console"},
        token=make_token(),
        say_time=say_time,
    )


@sending("/keys")
async def mint_key(request: Asked, workspace: FromPath[str]) -> Shown:
    """The answer to this form is the only page that ever shows the key. Sent again, it shows the list."""
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    actor, app_context = place.actor, place.visit.app_context
    try:
        given = _read_input(form, place)
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with app_context.db.transaction() as tx:
                key, secret = await issue.mint_key(
                    tx,
                    actor.workspace_id,
                    actor.user_id,
                    name=given.name,
                    kind=given.kind,
                    livemode=given.mode == "live",
                    scopes=given.scopes,
                    now=place.visit.now,
                )
                await once.settle(tx, f"{place.console('keys')}?done=key_minted_before")
    except Problem as problem:
        return await _list(place, request, form, problem)
    samples = write_samples(app_context.settings.public_url, key.kind)
    return show_page(
        place, request, "key_minted.html", here="keys", title="Your new key", key=key, secret=secret, samples=samples
    )


def _read_input(form: Form, place: Place) -> KeyInput:
    """Test mode mints test keys only, whatever the form says. Data keys are always live."""
    kind = form.text("kind")
    if kind == "data" and not place.actor.livemode:
        raise invalid_field("kind", "Data keys are always live; leave test mode to mint one", "unsupported")
    if not form.text("name"):
        raise invalid_field("name", "must not be empty", "required")
    mode = "live" if kind == "data" else form.text("mode") or "live"
    return fit(
        KeyInput,
        name=form.text("name"),
        kind=kind,
        mode=mode if place.actor.livemode else "test",
        scopes=cast(list[Scope], form.every("scopes")) if kind == "data" else [],
    )


@sending("/keys/{key:str}/revoke")
async def revoke_key(request: Asked, workspace: FromPath[str], key: FromPath[str]) -> Shown:
    """Twice changes nothing."""
    place = await enter_by_form(request, workspace, needs=Role.ADMIN)
    app_context, now = place.visit.app_context, place.visit.now
    async with app_context.db.transaction() as tx:
        revoked = await issue.revoke_key(tx, place.actor, parse_id(key), now=now)
    app_context.copies.end_credential(revoked.digest, now=now)
    return go_to(f"{place.console('keys')}?done=key_revoked")


PAGES = (keys, mint_key, revoke_key)
