"""Sharing a report: what members add to it; links, created and shown once; and the report as their holder sees it."""

from typing import Any

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.page_paths import shared_report_path
from sightline.errors import Problem, invalid_fields
from sightline.kit.ids import parse_id
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.reports.sharing import share_links
from sightline.reports.weekly import read
from sightline.reports.weekly.change import change_report
from sightline.reports.weekly.models import MAX_NOTE, MAX_OWNER, MAX_TASKS, ReportRow
from sightline.reports.weekly.schemas import ReportChange
from sightline.reports.weekly.view import list_actions
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.latest_reports import explain_dead_link, serve_report
from sightline.web.routing import form_action, page, redirect

_DONE_TEXTS = {
    "changed": translatable("Saved. Everyone who opens the report sees it."),
    "revoked": translatable("Link revoked. It no longer works."),
    "made_before": translatable("You have already sent this form. If you lost the link, create a new one."),
}


@page("/w/{workspace}/d/{domain}/reports/{report}/share")
async def sharing_page(
    request: PageRequest,
    workspace: str,
    domain: str,
    report: str,
    done: str = "",
) -> Response:
    ctx = await open_domain(request, workspace, domain, members_only=True)
    return await _render_sharing(ctx, await _find_report(ctx, report), done=choose_text(_DONE_TEXTS, done))


@form_action("/w/{workspace}/d/{domain}/reports/{report}/share")
async def create_share_link(request: PageRequest, workspace: str, domain: str, report: str) -> Response:
    """Create a link and show it, this once. Sent again, the form creates no other."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR, members_only=True)
    found, form = await _find_report(ctx, report), await read_form(request)
    days = int(form.text("days")) if form.text("days") in {str(each) for each in share_links.LIFETIMES_DAYS} else 0
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                made = await share_links.create_share_link(tx, ctx.actor, found.domain_id, found.id, days, now=ctx.now)
                await claim.settle(tx, f"{_share_path(ctx, found)}?done=made_before")
    except Problem as problem:
        return await _render_sharing(ctx, found, problem=problem)
    link = ctx.app_context.settings.public_url.rstrip("/") + shared_report_path(made.token)
    return await _render_sharing(ctx, found, link=link, expires_at=made.link.expires_at)


@form_action("/w/{workspace}/d/{domain}/reports/{report}/share/text")
async def change_shared_report(request: PageRequest, workspace: str, domain: str, report: str) -> Response:
    """Save the paragraph of a report and the owners of its next actions."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR, members_only=True)
    found, form = await _find_report(ctx, report), await read_form(request)
    owners = [form.text(f"owner_{number}") for number in range(1, MAX_TASKS + 1)]
    change = ReportChange(note=form.text("note"), owners=owners)
    try:
        async with ctx.db.transaction() as tx:
            await change_report(tx, ctx.actor, found.domain_id, found.id, change)
    except Problem as problem:
        return await _render_sharing(ctx, found, problem=_name_owner_inputs(problem))
    return redirect(f"{_share_path(ctx, found)}?done=changed")


def _name_owner_inputs(problem: Problem) -> Problem:
    """Return the refusal with the names that the form gives to owners: each has an input of its own."""
    inputs = {f"owners[{place}]": f"owner_{place + 1}" for place in range(MAX_TASKS)}
    errors = problem.members.get("errors", ())
    return invalid_fields(
        *((inputs.get(each["field"], each["field"]), each["message"], each["code"]) for each in errors)
    )


@form_action("/w/{workspace}/d/{domain}/reports/{report}/share/{link}/revoke")
async def revoke_share_link(request: PageRequest, workspace: str, domain: str, report: str, link: str) -> Response:
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR, members_only=True)
    found = await _find_report(ctx, report)
    async with ctx.db.transaction() as tx:
        await share_links.revoke_share_link(tx, ctx.actor, found.domain_id, found.id, parse_id(link), now=ctx.now)
    return redirect(f"{_share_path(ctx, found)}?done=revoked")


@page("/shared/reports/{token}")
async def shared_report(request: PageRequest, token: str) -> Response:
    """Serve a report to the holder of its link, signed in or not, without links into the workspace."""
    app_context = request.app.state.app_context
    try:
        found = await share_links.open_share_link(app_context.db, token.removesuffix(".pdf"), now=app_context.clock())
    except Problem:
        return explain_dead_link()
    return await serve_report(request, found, shared_report_path(token), as_pdf=token.endswith(".pdf"))


async def _find_report(ctx: PageContext, report: str) -> ReportRow:
    assert ctx.domain is not None
    return await read.read_report(ctx.db, ctx.actor.workspace_id, ctx.domain.id, parse_id(report))


def _share_path(ctx: PageContext, report: ReportRow) -> str:
    return ctx.path("reports", str(report.id), "share")


async def _render_sharing(
    ctx: PageContext, report: ReportRow, *, done: str | None = None, problem: Problem | None = None, **context: Any
) -> Response:
    assert ctx.domain is not None
    [translated] = await read.describe_rows(ctx.db, [report])
    document = await read.read_document(ctx.db, report)
    return render_page(
        ctx,
        "app/share.html",
        section="reports",
        title=gettext("Share a report"),
        report=translated,
        actions=None if document is None else list_actions(document),
        limits={"note": MAX_NOTE, "owner": MAX_OWNER},
        shares=await share_links.list_share_links(ctx.db, report, now=ctx.now),
        day_choices=share_links.LIFETIMES_DAYS,
        token=make_form_token(),
        done=done,
        problem=problem,
        **({"link": None, "expires_at": None} | context),
    )
