"""Loading the demo: requested with one button, built by the worker, and followed on a page."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.page_paths import domain_path
from sightline.onboarding.demo.load import load_demo, read_demo
from sightline.presentation.language import gettext
from sightline.web.layout import render_page
from sightline.web.page_context import open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect


@page("/w/{workspace}/demo")
async def demo_progress(request: PageRequest, workspace: str) -> Response:
    """Show the progress; redirect to the dashboard as soon as the demo is complete."""
    ctx = await open_workspace(request, workspace)
    progress = await read_demo(ctx.db, ctx.actor)
    if progress is None:
        return redirect(ctx.path())
    if progress.made.completed_at is not None:
        return redirect(domain_path(progress.made.shown_in, progress.made.domain_id))
    return render_page(ctx, "app/demo.html", section="demo", title=gettext("Preparing the demo"), progress=progress)


@form_action("/w/{workspace}/demo")
async def request_demo(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    signed_in = ctx.signed_in
    async with signed_in.app_context.db.transaction() as tx:
        await load_demo(
            tx,
            signed_in.app_context.settings,
            ctx.actor,
            signed_in.user,
            plans=signed_in.app_context.plans,
            now=signed_in.now,
        )
    return redirect(ctx.path("demo"))
