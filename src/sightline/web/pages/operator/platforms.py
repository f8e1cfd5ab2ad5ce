"""Operator → Platforms: which AI platforms the installation asks, and connecting them."""

from decimal import Decimal, InvalidOperation

from starlette.responses import Response

from sightline.answers.plain_text import strip_markdown
from sightline.errors import Problem
from sightline.insights.cost_forecast import expect_month_any_workspace, forecast_costs, plan_answers
from sightline.insights.editor.read import read_use_any_workspace
from sightline.onboarding.sandbox_end.leave import leave_sandbox
from sightline.plans.table import DEFAULT_PLAN
from sightline.platforms import pauses
from sightline.platforms.access import find_connections, is_sandbox, list_surfaces
from sightline.platforms.connections import save
from sightline.platforms.connections.load import load_connections
from sightline.platforms.connections.save import CredentialInput
from sightline.platforms.connections.trial_question import ask_test_question, explain_fault, try_connection
from sightline.platforms.costs.spend import RECENT, enforce_limits
from sightline.platforms.health import clear_failures
from sightline.platforms.models import Outcome
from sightline.platforms.names import platform_name
from sightline.platforms.pricing import Prices
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.scans.editor_platform import choose_editor
from sightline.web.fault_texts import refuse_input
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import PageRequest, SignedInRequest
from sightline.web.pages.not_found import PageNotFound
from sightline.web.pages.operator.operator_page import (
    find_dashboard_path,
    render_operator_page,
    require_operator,
)
from sightline.web.pages.operator.platform_state import PlatformState, read_states
from sightline.web.routing import form_action, page, redirect

_PATH = "/operator/platforms"
_ONE = f"{_PATH}/{{platform}}"
_MAX_DOLLARS = 1_000_000
_EXAMPLE_PROMPTS = 100  # of a Full Check whose cost is shown
_PROBLEM_WORDS = {
    "market": translatable("What is sold"),
    "names": translatable("Names in answers"),
    "themes": translatable("New themes"),
    "sorting": translatable("Passages by theme"),
    "claims": translatable("Statements about facts"),
    "wording": translatable("Wording of recommendations"),
    "prompts": translatable("Suggested prompts"),
    "site": translatable("Website of a new domain"),
    "unreadable": translatable("The reply is not the requested JSON"),
    "unproven": translatable("Statements of another form than requested, or that the answers do not prove"),
    "over_budget": translatable("Not asked: it would cost too much"),
    "failed": translatable("The platform did not reply"),
}
_DONE = {
    "disconnected": translatable("Disconnected. The key was deleted, and new checks no longer use the platform."),
    "surface": translatable("Saved. The next check asks this platform on the chosen surface, and a new line starts."),
    "options": translatable("Prices and limit saved."),
    "paused": translatable("Paused. New checks skip this platform. Checks that are already running will still finish."),
    "resumed": translatable("Resumed. The next check uses this platform again."),
}


@page("/operator")
async def operator_start(request: PageRequest) -> Response:
    await require_operator(request)
    return redirect(_PATH)


@page(_PATH)
async def platforms_page(request: PageRequest) -> Response:
    signed_in = await require_operator(request)
    context = signed_in.app_context
    states = await read_states(context.db, context.settings, now=signed_in.now)
    asked = [each.platform.key for each in states if each.is_connected and not each.pause]
    example = plan_answers(DEFAULT_PLAN, context.plans[DEFAULT_PLAN], prompts=_EXAMPLE_PROMPTS, platforms=len(asked))
    return render_operator_page(
        signed_in,
        "app/operator/platforms.html",
        section="platforms",
        title=gettext("Platforms"),
        states=states,
        sandbox=is_sandbox(context.settings),
        connected=sum(each.is_connected for each in states),
        editor=choose_editor(context.settings, find_connections(context.settings)),
        is_auto=context.settings.editor == "auto",
        example_prompts=_EXAMPLE_PROMPTS,
        cost=await forecast_costs(context.db, context.settings, None, example, asked, now=signed_in.now)
        if asked
        else None,
        months=await expect_month_any_workspace(context.db, context.settings, now=signed_in.now) if asked else {},
        problem_words=_PROBLEM_WORDS,
        editor_use=await read_use_any_workspace(context.db, since=signed_in.now - RECENT),
    )


@page(_ONE)
async def platform_page(request: PageRequest, platform: str, done: str = "") -> Response:
    signed_in = await require_operator(request)
    return await _render_platform(signed_in, platform, done=choose_text(_DONE, done))


@form_action(f"{_ONE}/connect")
async def connect_platform(request: PageRequest, platform: str) -> Response:
    """Test the key with one question, and save it, the price and the limit only if the platform answers."""
    signed_in = await require_operator(request)
    form, context = await read_form(request), signed_in.app_context
    state = await _find_state(signed_in, platform)
    was_sandbox = is_sandbox(context.settings)
    entered = CredentialInput(
        key=form.text("key"), login=form.text("login"), base_url=form.text("base_url"), model=form.text("model")
    )
    try:
        options = _read_options(form) if "monthly_limit" in await request.form() else None
        draft, candidate = await save.prepare_credential(
            context.db, context.settings, state.vendor, entered, now=signed_in.now
        )
    except Problem as problem:
        return await _render_platform(signed_in, platform, problem=problem)
    outcome = await try_connection(candidate, state.vendor, platform)
    if outcome.status == "failed":
        return await _render_platform(signed_in, platform, outcome=outcome, refused=True)
    async with context.db.transaction() as tx:
        await save.save_credential(tx, draft)
        if options is not None:
            await save.save_options(tx, platform, *options, now=signed_in.now)
    await clear_failures(context.db, platform)
    await load_connections(context.db, context.settings)
    await leave_sandbox(context.db, context.settings, now=signed_in.now)
    await load_connections(context.db, context.settings)
    return await _render_platform(signed_in, platform, outcome=outcome, connected=True, was_sandbox=was_sandbox)


@form_action(f"{_ONE}/test")
async def test_platform(request: PageRequest, platform: str) -> Response:
    signed_in = await require_operator(request)
    await _find_state(signed_in, platform)
    outcome = await ask_test_question(signed_in.app_context.settings, platform)
    if outcome.fault is None:
        await clear_failures(signed_in.app_context.db, platform)
    return await _render_platform(signed_in, platform, outcome=outcome)


@form_action(f"{_ONE}/options")
async def save_options(request: PageRequest, platform: str) -> Response:
    signed_in = await require_operator(request)
    form, context = await read_form(request), signed_in.app_context
    await _find_state(signed_in, platform)
    try:
        options = _read_options(form)
        async with context.db.transaction() as tx:
            await save.save_options(tx, platform, *options, now=signed_in.now)
    except Problem as problem:
        return await _render_platform(signed_in, platform, problem=problem)
    await load_connections(context.db, context.settings)
    await enforce_limits(context.db, context.settings, now=signed_in.now)
    return redirect(f"{_PATH}/{platform}?done=options")


@form_action(f"{_ONE}/surface")
async def choose_surface(request: PageRequest, platform: str) -> Response:
    """Choose on which surface a platform is asked that is connected in more than one way."""
    signed_in = await require_operator(request)
    form, context = await read_form(request), signed_in.app_context
    await _find_state(signed_in, platform)
    try:
        async with context.db.transaction() as tx:
            await save.save_surface(tx, context.settings, platform, form.text("surface"), now=signed_in.now)
    except Problem as problem:
        return await _render_platform(signed_in, platform, problem=problem)
    await load_connections(context.db, context.settings)
    return redirect(f"{_PATH}/{platform}?done=surface")


@form_action(f"{_ONE}/pause")
async def pause_platform(request: PageRequest, platform: str) -> Response:
    signed_in = await require_operator(request)
    await _find_state(signed_in, platform)
    async with signed_in.app_context.db.transaction() as tx:
        await pauses.pause_platform(tx, platform, now=signed_in.now)
    return redirect(f"{_PATH}/{platform}?done=paused")


@form_action(f"{_ONE}/resume")
async def resume_platform(request: PageRequest, platform: str) -> Response:
    """End a pause. Refused while the month's spend has reached the limit."""
    signed_in = await require_operator(request)
    await _find_state(signed_in, platform)
    try:
        async with signed_in.app_context.db.transaction() as tx:
            await pauses.resume_platform(tx, platform, now=signed_in.now)
    except Problem as problem:
        return await _render_platform(signed_in, platform, problem=problem)
    return redirect(f"{_PATH}/{platform}?done=resumed")


@form_action(f"{_ONE}/disconnect")
async def disconnect_platform(request: PageRequest, platform: str) -> Response:
    signed_in = await require_operator(request)
    context, state = signed_in.app_context, await _find_state(signed_in, platform)
    async with context.db.transaction() as tx:
        await save.disconnect_vendor(tx, state.vendor)
    await load_connections(context.db, context.settings)
    return redirect(f"{_PATH}/{platform}?done=disconnected")


async def _find_state(signed_in: SignedInRequest, platform: str) -> PlatformState:
    context = signed_in.app_context
    for state in await read_states(context.db, context.settings, now=signed_in.now):
        if state.platform.key == platform:
            return state
    raise PageNotFound


def _read_options(form: Form) -> tuple[Prices | None, Decimal | None]:
    """Return the prices and the monthly limit."""
    entered = {name: _read_dollars(form, name) for name in ("input", "output", "search")}
    given = {name: float(value) for name, value in entered.items() if value is not None}
    return Prices(**given) if given else None, _read_dollars(form, "monthly_limit")


def _read_dollars(form: Form, name: str) -> Decimal | None:
    text = form.text(name).removeprefix("$").replace(",", "")
    if not text:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or not 0 <= amount <= _MAX_DOLLARS:
        raise refuse_input(name, gettext("Enter an amount in US dollars, such as 25 or 0.50."))
    return amount


async def _render_platform(
    signed_in: SignedInRequest,
    platform: str,
    *,
    done: str | None = None,
    problem: Problem | None = None,
    outcome: Outcome | None = None,
    refused: bool = False,
    connected: bool = False,
    was_sandbox: bool = False,
) -> Response:
    """Render the page of a platform. A key that was entered is never part of it."""
    state = await _find_state(signed_in, platform)
    fault = outcome.fault if outcome else None
    return render_operator_page(
        signed_in,
        "app/operator/platform.html",
        section="platforms",
        title=platform_name(state.platform.key),
        status=422 if refused else 200,
        problem=problem,
        state=state,
        surfaces=list_surfaces(signed_in.app_context.settings, platform),
        chosen_surface=signed_in.app_context.settings.platform_surfaces.get(platform, ""),
        sandbox=is_sandbox(signed_in.app_context.settings),
        can_send_email=signed_in.app_context.settings.smtp_url is not None,
        done=done,
        outcome=outcome,
        answer_text=strip_markdown(outcome.answer.text) if outcome else "",
        explanation=explain_fault(fault, outcome.model_asked) if outcome and fault else None,
        refused=refused,
        connected=connected,
        was_sandbox=was_sandbox,
        dashboard_path=await find_dashboard_path(signed_in),
    )
