"""API keys: created and shown once, listed, rotated, revoked. Only admins and owners may open these pages."""

from datetime import timedelta

from sightline.accounts.models import Role
from sightline.accounts.queries import list_members
from sightline.api_keys import issue
from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.api_keys.schemas import KeyInput
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext, translatable
from sightline.web.fault_texts import refuse_input
from sightline.web.form_idempotency import claim_form, make_form_token
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
from sightline.web.pages.console.phrases import SCOPES
from sightline.web.paging import read_list_paging
from sightline.web.routing import redirect

_KEY_VARIABLE = "SIGHTLINE_API_KEY"
# Days after which a new key expires, and how the form says it. "" is for a key that does not expire.
_LIFETIMES = {
    "": translatable("Never"),
    "30": translatable("In 30 days"),
    "90": translatable("In 90 days"),
    "365": translatable("In a year"),
}


@console_page("/keys")
async def keys_page(request: PageRequest, workspace: str) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.ADMIN)
    return await _render_list(ctx, request)


async def _render_list(ctx: PageContext, request: PageRequest, problem: Problem | None = None) -> PageResponse:
    paging = read_list_paging(request, ctx, "keys")
    found = await issue.list_keys(ctx.db, ctx.actor, after=paging.after_time_and_id, page_size=paging.size)
    roles = {member.user_id: member.role for member in await list_members(ctx.db, ctx.actor.workspace_id)}
    return render_console_page(
        ctx,
        request,
        "keys.html",
        section="keys",
        title=gettext("Keys"),
        problem=problem,
        keys=found.rows,
        may_rotate=lambda key: ctx.membership.role.covers(roles.get(key.created_by, Role.VIEWER)),
        now=ctx.now,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        scopes=SCOPES,
        lifetimes=_LIFETIMES,
        token=make_form_token(),
    )


@console_form_action("/keys", recent=True)
async def create_key(request: PageRequest, workspace: str) -> PageResponse:
    """Create a key and show it, this once. Sent again, the form shows the list."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    try:
        payload = _read_input(form, ctx)
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                key, secret = await issue.create_key(tx, ctx.actor, payload, now=ctx.now)
                await claim.settle(tx, f"{ctx.console('keys')}?done=key_minted_before")
    except Problem as problem:
        return await _render_list(ctx, request, problem)
    return _render_secret(ctx, request, key, secret, rotated=False)


def _read_input(form: Form, ctx: PageContext) -> KeyInput:
    """Read the form. Test mode creates test keys only, whatever the form says; Data keys are always live."""
    kind = form.text("kind")
    if kind == "data" and not ctx.actor.livemode:
        raise refuse_input("kind", gettext("Data keys exist in live mode only. Turn test mode off to create one."))
    if not form.text("name"):
        raise refuse_input("name", gettext("Enter a name."))
    if form.text("expires") not in _LIFETIMES:
        raise refuse_input("expires", gettext("Choose from the list when the key expires."))
    mode = "live" if kind == "data" else form.text("mode") or "live"
    days = form.text("expires")
    return decode_form(
        KeyInput,
        name=form.text("name"),
        kind=kind,
        mode=mode if ctx.actor.livemode else "test",
        scopes=form.values("scopes" if kind == "data" else "console_scopes"),
        expires_at=to_iso(ctx.now + timedelta(days=int(days))) if days else None,
        allowed_addresses=form.lines("addresses"),
    )


def _render_secret(ctx: PageContext, request: PageRequest, key: ApiKey, secret: str, *, rotated: bool) -> PageResponse:
    return render_console_page(
        ctx,
        request,
        "secret.html",
        section="keys",
        title=gettext("Your new key"),
        key=key,
        secret=secret,
        rotated=rotated,
        samples=_build_code_samples(ctx.app_context.settings.public_url, key.kind),
    )


@console_form_action("/keys/{key}/rotate", recent=True)
async def rotate_key(request: PageRequest, workspace: str, key: str) -> PageResponse:
    """Give a key a new secret and show it, this once.

    Sent again, the form does not rotate: a second rotation would end the previous secret before its day is over.
    """
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    async with claim_form(ctx, form) as claim:
        if claim.previous_path:
            return redirect(claim.previous_path)
        async with ctx.db.transaction() as tx:
            rotated, secret = await issue.rotate_key(tx, ctx.actor, parse_id(key), now=ctx.now)
            await claim.settle(tx, f"{ctx.console('keys')}?done=key_rotated_before")
    return _render_secret(ctx, request, rotated, secret, rotated=True)


@console_form_action("/keys/{key}/revoke", recent=True)
async def revoke_key(request: PageRequest, workspace: str, key: str) -> PageResponse:
    """Revoke a key. Sending the form twice changes nothing."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    keep_children = bool(form.text("keep_children"))
    async with ctx.db.transaction() as tx:
        await issue.revoke_key(tx, ctx.actor, parse_id(key), keep_children=keep_children, now=ctx.now)
    return redirect(f"{ctx.console('keys')}?done=key_revoked")


@console_form_action("/keys/revoke-all", recent=True)
async def revoke_all_keys(request: PageRequest, workspace: str) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.OWNER)
    async with ctx.db.transaction() as tx:
        await issue.revoke_all_keys(tx, ctx.actor, now=ctx.now)
    return redirect(f"{ctx.console('keys')}?done=keys_revoked")


def _build_code_samples(base_url: str, kind: KeyKind) -> list[tuple[str, str]]:
    """Return languages with their samples, which read the key from the environment: a copy does not contain it."""
    url = f"{base_url}/api/v1/{'ext' if kind == 'data' else 'console'}/domains"
    curl = f'export {_KEY_VARIABLE}=…   # the key above\ncurl -H "X-API-Key: ${_KEY_VARIABLE}" {url}'
    python = f"""import os, httpx

answer = httpx.get("{url}", headers={{"X-API-Key": os.environ["{_KEY_VARIABLE}"]}})
answer.raise_for_status()
for domain in answer.json()["data"]:
    print(domain["domain"])"""
    javascript = f"""const answer = await fetch("{url}", {{
  headers: {{ "X-API-Key": process.env.{_KEY_VARIABLE} }},
}});
if (!answer.ok) throw new Error((await answer.json()).detail);
for (const {{ domain }} of (await answer.json()).data) console.log(domain);"""
    return [("curl", curl), ("Python", python), ("JavaScript", javascript)]
