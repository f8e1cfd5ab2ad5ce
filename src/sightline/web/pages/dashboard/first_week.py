"""The list of steps for the first week on the Overview, and the form that closes it."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.onboarding.first_week.read import FirstWeek, close_first_week, read_first_week
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.routing import form_action, redirect


async def read_first_week_part(ctx: PageContext) -> FirstWeek | None:
    assert ctx.domain is not None
    can_send_email = ctx.app_context.settings.smtp_url is not None
    return await read_first_week(ctx.db, ctx.actor, ctx.domain, can_send_email=can_send_email, now=ctx.now)


@form_action("/w/{workspace}/d/{domain}/first-week/close")
async def put_first_week_away(request: PageRequest, workspace: str, domain: str) -> Response:
    require_same_origin(request)
    ctx = await open_domain(request, workspace, domain)
    require_role(ctx.actor, Role.EDITOR)
    assert ctx.domain is not None
    async with ctx.db.transaction() as tx:
        await close_first_week(tx, ctx.actor, ctx.domain, now=ctx.now)
    return redirect(ctx.path())


PAGES = (put_first_week_away,)
