"""One client: how its reports and its guests' pages look, to whom and when they are sent, and links to the latest."""

from itertools import pairwise

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.page_paths import latest_reports_path
from sightline.accounts.users import list_time_zones
from sightline.clients import manage
from sightline.clients.logos import read_logo
from sightline.clients.look import Look
from sightline.clients.schemas import ClientChanges
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.plans.entitlements import require_clients
from sightline.plans.table import has_clients
from sightline.platforms.access import is_sandbox
from sightline.presentation.dates import list_weekdays
from sightline.presentation.language import LANGUAGES, choose_text, translatable
from sightline.reports.mailings import emails, links, queries, schedule, send
from sightline.reports.mailings.models import ScheduleInput
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.form_parsing import FormFile
from sightline.web.forms import decode_form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.reports import serve_html
from sightline.web.routing import form_action, page, redirect

_PATH = "/w/{workspace}/clients/{client}"
_DONE = {
    "saved": translatable("Saved. Reports, links and pages of guests show the look at once."),
    "test": translatable("The test is on its way to you."),
    "revoked": translatable("Link revoked. It no longer works."),
    "made_before": translatable("You have already sent this form. If you lost the link, create a new one."),
}
_SHOWN_EMAILS = 50
_PRIVATE = {"Cache-Control": "private, no-cache", "Referrer-Policy": "no-referrer"}


@page(_PATH)
async def client_page(request: PageRequest, workspace: str, client: str, done: str = "") -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    return await _render_client(ctx, client, done=choose_text(_DONE, done))


@form_action(f"{_PATH}/settings", max_bytes=512 * 1024)
async def change_settings(request: PageRequest, workspace: str, client: str) -> Response:
    """Save the look, the recipients and when reports are sent: without a rhythm, never. All of it is saved, or nothing.

    Refused: a logo that cannot be drawn, and what `change_client` and `set_schedule` refuse.
    """
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    sent, form = (await request.form()).get("logo"), await read_form(request)
    rhythm = form.text("rhythm")
    try:
        require_clients(ctx.actor.plan)
        found = await manage.read_client(ctx.db, ctx.actor, parse_id(client))
        changes = decode_form(
            ClientChanges,
            color=form.text("color"),
            sender_name=form.text("sender_name"),
            shows_maker=bool(form.text("shows_maker")),
            recipients=form.lines("recipients"),
            language=form.text("language"),
            timezone=form.text("timezone"),
        )
        logo = await read_logo(sent.content) if isinstance(sent, FormFile) else None
        async with ctx.db.transaction() as tx:
            await manage.change_client(tx, ctx.actor, found.id, changes)
            if logo or form.text("remove_logo"):
                await manage.set_logo(tx, ctx.actor, found.id, logo)
            if rhythm:
                day = _to_number(form.text("weekday" if rhythm == "weekly" else "month_day"))
                wanted = decode_form(ScheduleInput, rhythm=rhythm, day=day, hour=_to_number(form.text("hour")))
                await schedule.set_schedule(tx, ctx.actor, found.id, wanted, now=ctx.now)
            else:
                await schedule.stop_schedule(tx, ctx.actor, found.id)
    except Problem as problem:
        return await _render_client(ctx, client, problem=problem)
    return redirect(f"{ctx.path('clients', str(found.id))}?done=saved")


def _to_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


@page(f"{_PATH}/preview")
async def preview_email(request: PageRequest, workspace: str, client: str) -> Response:
    """Show the e-mail that recipients would get now. Its links lead nowhere."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    try:
        found = await manage.read_client(ctx.db, ctx.actor, parse_id(client))
        prepared = await send.prepare_test(ctx.db, ctx.app_context.settings, ctx.actor, found)
    except Problem as problem:
        return await _render_client(ctx, client, problem=problem)
    return serve_html(emails.render_preview(prepared, ctx.signed_in.user.email, now=ctx.now))


@form_action(f"{_PATH}/test")
async def send_test(request: PageRequest, workspace: str, client: str) -> Response:
    """Send the e-mail to the person who asks for it, and to nobody else."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    try:
        found = await manage.read_client(ctx.db, ctx.actor, parse_id(client))
        prepared = await send.prepare_test(ctx.db, ctx.app_context.settings, ctx.actor, found)
        async with ctx.db.transaction() as tx:
            await send.send_test(tx, ctx.actor, ctx.signed_in.user, found, prepared, now=ctx.now)
    except Problem as problem:
        return await _render_client(ctx, client, problem=problem)
    return redirect(f"{ctx.path('clients', str(found.id))}?done=test")


@form_action(f"{_PATH}/links")
async def create_link(request: PageRequest, workspace: str, client: str) -> Response:
    """Create a link to the latest reports and show it, this once. Sent again, the form creates no other."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)
    try:
        found = await manage.read_client(ctx.db, ctx.actor, parse_id(client))
        password_hash = await links.clean_link_password(form.password("link_password"))
        days = _to_number(form.text("days")) if form.text("days") else None
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                made = await links.create_link(tx, ctx.actor, found.id, days, password_hash, now=ctx.now)
                await claim.settle(tx, f"{ctx.path('clients', str(found.id))}?done=made_before")
    except Problem as problem:
        return await _render_client(ctx, client, problem=problem)
    address = ctx.app_context.settings.public_url.rstrip("/") + latest_reports_path(made.token)
    return await _render_client(ctx, client, new_link=address)


@form_action(f"{_PATH}/links/{{link}}/revoke")
async def revoke_link(request: PageRequest, workspace: str, client: str, link: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    async with ctx.db.transaction() as tx:
        await links.revoke_link(tx, ctx.actor, parse_id(client), parse_id(link), now=ctx.now)
    return redirect(f"{ctx.path('clients', client)}?done=revoked")


@page(f"{_PATH}/logo.png")
async def serve_logo(request: PageRequest, workspace: str, client: str) -> Response:
    """Serve the logo to members of the workspace and to guests of the client."""
    ctx = await _open_for_guests(request, workspace, client)
    logo = await manage.read_client_logo(ctx.db, ctx.actor, parse_id(client))
    policy = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
    return Response(logo, media_type="image/png", headers=_PRIVATE | policy)


@page(f"{_PATH}/look.css")
async def serve_colors(request: PageRequest, workspace: str, client: str) -> Response:
    """Serve the colors of a client's pages as a style sheet, because pages allow no inline styles."""
    ctx = await _open_for_guests(request, workspace, client)
    look = await manage.read_look(ctx.db, ctx.actor.workspace_id, parse_id(client))
    return Response(_write_colors(look), media_type="text/css", headers=_PRIVATE)


def _write_colors(look: Look) -> str:
    if look.color is None:
        return ""
    tint = "color-mix(in srgb, var(--accent) 14%, var(--ground))"
    return f":root {{ --accent: light-dark({look.color}, {look.dark_color}); --tint: {tint}; }}\n"


async def _open_for_guests(request: PageRequest, workspace: str, client: str) -> PageContext:
    ctx = await open_workspace(request, workspace, needs=Role.GUEST)
    if ctx.membership.find_role(parse_id(client)) is None:
        raise Problem("not_found")
    return ctx


async def _render_client(
    ctx: PageContext, client: str, *, done: str | None = None, problem: Problem | None = None, new_link: str = ""
) -> Response:
    found = await manage.read_client(ctx.db, ctx.actor, parse_id(client))
    sent = await schedule.list_emails(ctx.db, ctx.actor, found, after=None, page_size=_SHOWN_EMAILS)
    unsubscribed = await queries.list_unsubscribed(ctx.db, ctx.actor.workspace_id, found.id)
    settings = ctx.app_context.settings
    named = await manage.list_clients_by_name(ctx.db, ctx.actor)
    return render_page(
        ctx,
        "app/client.html",
        section="members",
        title=found.name,
        client=found,
        next_client=next((after for each, after in pairwise(named) if each.id == found.id), None),
        is_included=has_clients(ctx.actor.plan),
        plan=await queries.find_schedule(ctx.db, ctx.actor.workspace_id, found.id),
        unsubscribed=[each for each in found.recipients if each in unsubscribed],
        emails=sent.rows,
        links=await queries.list_open_links(ctx.db, ctx.actor.workspace_id, found.id, now=ctx.now),
        new_link=new_link,
        lifetimes=links.LIFETIMES_DAYS,
        min_password=links.MIN_PASSWORD,
        writes_files=settings.smtp_url is None or is_sandbox(settings),
        weekdays=list_weekdays(),
        languages=LANGUAGES,
        time_zones=list_time_zones(),
        token=make_form_token(),
        done=done,
        problem=problem,
    )
