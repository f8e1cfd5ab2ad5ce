"""Why no check of a domain runs: none of its platforms can be asked."""

from typing import Literal

from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.pauses import read_enabled
from sightline.scans.scheduling.models import plan_platforms
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.web.page_context import PageContext

Unavailable = Literal["chosen", "included"]
"""`chosen`: no chosen platform can be asked, but others can. `included`: no platform of the plan can be asked."""


async def find_unavailable(ctx: PageContext) -> Unavailable | None:
    """Return which platforms are paused or not connected, so that checks are skipped; None while checks run.

    An installation without any connected platform says so on every page, so this returns None there.
    """
    assert ctx.domain is not None
    settings = ctx.app_context.settings
    if not ctx.runs_checks or not (is_sandbox(settings) or find_connections(settings)):
        return None
    grants = ctx.app_context.plans[ctx.actor.plan]
    enabled = await read_enabled(ctx.db, ctx.app_context.platforms[True])
    if not enabled.isdisjoint(select_platforms(grants, ctx.domain.chosen_platforms)):
        return None
    return "included" if enabled.isdisjoint(plan_platforms(grants)) else "chosen"
