"""Setting a domain up: four steps on one page, each with a sensible default already filled in.

Nothing but the domain itself is kept before the last step. What was typed travels in the one form of the page, so it
works without a script, and a refusal loses nothing.
"""

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.competitors.queries import list_confirmed
from sightline.domains.models import TrackedDomain
from sightline.domains.track import TrackInput, track_domain
from sightline.domains.track_queries import count_tracked
from sightline.domains.tracked import read_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.onboarding.demo.load import may_load_demo
from sightline.onboarding.setup import complete_setup
from sightline.onboarding.setup_suggestions import suggest_at_setup, suggest_rivals_at_setup
from sightline.onboarding.weekly_answers import count_week
from sightline.platforms.pauses import read_enabled
from sightline.prompts.queries import count_active
from sightline.reports.words import platform_name
from sightline.scans.scheduling.models import check_rules, plan_platforms
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.dashboard.forms import say_problem
from sightline.web.pages.dashboard.places import enter_workspace
from sightline.web.pages.set_up_form import Typed, first_form, read_setup, read_typed, to_brands
from sightline.web.visits import Asked, require_own_form, require_role

_LARGEST = 512 * 1024  # five hundred prompts of the greatest length


@reading("/w/{workspace:str}/new")
async def set_up(request: Asked, workspace: FromPath[str], domain: FromQuery[str] = "") -> Response[str]:
    place = await enter_workspace(request, workspace)
    require_role(place.actor, Role.EDITOR)
    if not domain:
        return await _ask_domain(place)
    found = await read_tracked_domain(place.visit.app_context.db, place.actor, parse_id(domain))
    if found.status != "setup":
        return go_to(place._replace(domain=found).path())
    rivals = suggest_rivals_at_setup(place.visit.app_context.settings, found)
    return await _ask_rest(place, found, first_form(found, rivals))


@acting("/w/{workspace:str}/new")
async def begin(request: Asked, workspace: FromPath[str]) -> Response[str]:
    """The first step. A domain whose set-up was left earlier is gone on with."""
    place = await _enter_to_act(request, workspace)
    given = str((await request.form()).get("domain", "")).strip()
    app_context = place.visit.app_context
    try:
        async with app_context.db.transaction() as tx:
            made = await track_domain(
                tx, place.actor.workspace_id, TrackInput(given), plans=app_context.plans, now=place.visit.now
            )
            domain_id = str(made.id)
    except Problem as problem:
        if problem.code != "domain_exists":
            return await _ask_domain(place, given=given, problem=problem)
        domain_id = problem.members["domain_id"]
    return go_to(place.path("new") + f"?domain={domain_id}")


@reading("/w/{workspace:str}/new/{domain:str}")
async def come_back(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """The address of the form, looked at: after signing in again, or from a bookmark."""
    place = await enter_workspace(request, workspace)
    found = await read_tracked_domain(place.visit.app_context.db, place.actor, parse_id(domain))
    return go_to(place.path("new") + f"?domain={found.id}")


@acting("/w/{workspace:str}/new/{domain:str}", largest=_LARGEST)
async def go_on(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """`go` says how far: `prompts` suggests them, `summary` counts the answers, `start` completes the set-up."""
    place = await _enter_to_act(request, workspace)
    found = await read_tracked_domain(place.visit.app_context.db, place.actor, parse_id(domain))
    if found.status != "setup":
        return go_to(place._replace(domain=found).path())
    form = await request.form()
    typed, go = read_typed(form), str(form.get("go", ""))
    try:
        if go == "start":
            return await _start(place, found, typed)
        if go == "prompts" or not typed.prompts:
            typed = await _suggest(place, found, typed)
    except Problem as problem:
        return await _ask_rest(place, found, typed, problem=problem)
    return await _ask_rest(place, found, typed)


async def _enter_to_act(request: Asked, workspace: str) -> Place:
    require_own_form(request)
    place = await enter_workspace(request, workspace)
    require_role(place.actor, Role.EDITOR)
    return place


async def _suggest(place: Place, domain: TrackedDomain, typed: Typed) -> Typed:
    """A connected platform is asked, so no transaction is open. What was typed as prompts stays."""
    given = read_setup(typed)
    found = await suggest_at_setup(
        place.visit.app_context.settings,
        typed.apply_to(domain),
        to_brands(given.competitors),
        language=given.language_code,
        country=given.countries[0] if given.countries else None,
        day=place.visit.now.date(),
    )
    return typed.with_suggestions(found.prompts, found.note)


async def _start(place: Place, domain: TrackedDomain, typed: Typed) -> Response[str]:
    app_context = place.visit.app_context
    rules = check_rules(app_context.settings)
    async with app_context.db.transaction() as tx:
        made = await complete_setup(
            tx, place.actor.workspace_id, domain.id, read_setup(typed), rules=rules, now=place.visit.now
        )
    at = place._replace(domain=made.domain)
    return go_to(at.path() if made.first_check is None else at.path("checks", str(made.first_check.id)))


async def _ask_domain(place: Place, *, given: str = "", problem: Problem | None = None) -> Response[str]:
    app_context = place.visit.app_context
    return show(
        place,
        "app/set_up.html",
        status=problem.kind.status if problem else 200,
        here="set-up",
        title="Add a domain",
        unfinished=[each for each in place.domains if each.status == "setup"],
        used=await count_tracked(app_context.db, place.actor.workspace_id),
        limit=app_context.plans[place.membership.plan].tracked_domains,
        given=given,
        may_load_demo=await may_load_demo(app_context.db, app_context.settings, place.actor),
        faults=say_problem(problem),
    )


async def _ask_rest(
    place: Place, domain: TrackedDomain, typed: Typed, *, problem: Problem | None = None
) -> Response[str]:
    app_context, workspace_id = place.visit.app_context, place.actor.workspace_id
    plan = place.membership.plan
    grants = app_context.plans[plan]
    enabled = await read_enabled(app_context.db, app_context.platforms[True])
    platforms = [key for key in plan_platforms(grants) if key in enabled]
    return show(
        place,
        "app/set_up_rest.html",
        status=problem.kind.status if problem else 200,
        here="set-up",
        title=f"Set up {domain.domain}",
        tracked=domain,
        typed=typed,
        confirmed=await list_confirmed(app_context.db, workspace_id, domain.id),
        week=count_week(
            plan, grants, texts=len(typed.prompts), markets=len(typed.country_codes), platforms=len(platforms)
        ),
        platforms=[platform_name(key) for key in platforms],
        grants=grants,
        used=await count_active(app_context.db, workspace_id),
        faults=say_problem(problem),
    )


PAGES = (set_up, begin, come_back, go_on)
