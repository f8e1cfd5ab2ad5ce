"""Loading the demonstration: asked for with one button, built by the worker, and followed on a page."""

from litestar import Response
from litestar.params import FromPath

from sightline.accounts.addresses import domain_path
from sightline.accounts.models import Role
from sightline.onboarding.demo.load import load_demo, read_demo
from sightline.web.frame import acting, go_to, reading, show
from sightline.web.pages.dashboard.places import enter_workspace
from sightline.web.visits import Asked, require_own_form, require_role


@reading("/w/{workspace:str}/demo")
async def follow(request: Asked, workspace: FromPath[str]) -> Response[str]:
    """Leads to the dashboard as soon as there is something to see."""
    place = await enter_workspace(request, workspace)
    progress = await read_demo(place.visit.app_context.db, place.actor)
    if progress is None:
        return go_to(place.path())
    if progress.made.completed_at is not None:
        return go_to(domain_path(progress.made.shown_in, progress.made.domain_id))
    return show(place, "app/demo.html", here="demo", title="The demonstration", progress=progress)


@acting("/w/{workspace:str}/demo")
async def load(request: Asked, workspace: FromPath[str]) -> Response[str]:
    require_own_form(request)
    place = await enter_workspace(request, workspace)
    require_role(place.actor, Role.OWNER)
    visit = place.visit
    async with visit.app_context.db.transaction() as tx:
        await load_demo(
            tx, visit.app_context.settings, place.actor, visit.user, plans=visit.app_context.plans, now=visit.now
        )
    return go_to(place.path("demo"))


PAGES = (follow, load)
