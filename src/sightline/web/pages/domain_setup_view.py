"""What the pages of the setup show: the four steps with their fields, their faults, and the answers of a week."""

from starlette.responses import Response

from sightline.competitors.review import list_confirmed_competitors
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import count_tracked_domains
from sightline.errors import Problem
from sightline.onboarding.demo.load import may_load_demo
from sightline.onboarding.weekly_answers import count_weekly_answers
from sightline.platforms.names import platform_name
from sightline.platforms.pauses import read_enabled
from sightline.presentation.language import gettext
from sightline.prompts.market_names import list_countries, list_languages
from sightline.prompts.read import count_active_prompts
from sightline.scans.scheduling.models import plan_platforms
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext
from sightline.web.pages.domain_setup_form import SetupFields


async def render_start(ctx: PageContext, *, problem: Problem | None = None) -> Response:
    app_context = ctx.app_context
    return render_page(
        ctx,
        "app/domain_setup_start.html",
        section="set-up",
        title=gettext("Add a domain"),
        unfinished=[each for each in ctx.domains if each.status == "setup"],
        used=await count_tracked_domains(app_context.db, ctx.actor.workspace_id),
        limit=app_context.plans[ctx.membership.plan].tracked_domains,
        may_load_demo=await may_load_demo(app_context.db, app_context.settings, ctx.actor),
        problem=problem,
    )


async def render_details(
    ctx: PageContext,
    domain: TrackedDomainRow,
    fields: SetupFields,
    *,
    problem: Problem | None = None,
    moved: bool = False,
) -> Response:
    """Render the four steps. `moved` says that the domain has just been changed."""
    app_context, workspace_id = ctx.app_context, ctx.actor.workspace_id
    plan = ctx.membership.plan
    grants = app_context.plans[plan]
    enabled = await read_enabled(app_context.db, app_context.platforms[True])
    askable = [key for key in plan_platforms(grants) if key in enabled]
    chosen = askable if fields.platforms is None else [key for key in askable if key in fields.platforms]
    week = count_weekly_answers(
        plan, grants, texts=len(fields.prompts), markets=len(fields.country_codes), platforms=len(chosen)
    )
    return render_page(
        ctx,
        "app/domain_setup.html",
        section="set-up",
        title=gettext("Set up %(domain)s", domain=domain.domain),
        tracked=domain,
        fields=fields,
        moved=moved,
        confirmed=await list_confirmed_competitors(app_context.db, workspace_id, domain.id),
        week=week,
        platforms=[(key, platform_name(key), key in chosen) for key in askable],
        may_choose=not week.once,
        grants=grants,
        used=await count_active_prompts(app_context.db, workspace_id),
        problem=problem,
        countries=list_countries(),
        languages=list_languages(),
    )
