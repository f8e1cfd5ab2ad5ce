"""What people do to prompts. Each form acts in one transaction, and a refusal is told on the page with the form."""

from collections.abc import Sequence

from litestar import Response
from litestar.datastructures import FormMultiDict
from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.db.engine import Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import parse_id
from sightline.prompts.add import add_prompts_at_setup
from sightline.prompts.models import NewPrompt
from sightline.prompts.schemas import PromptInput
from sightline.prompts.suggest import accept_suggestion, dismiss_suggestion
from sightline.prompts.track import add_prompt, pin_prompt, unpin_prompt
from sightline.prompts.untrack import remove_prompt
from sightline.web.frame import Place, acting, go_to
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.prompt_list import PAGE, View, read_view
from sightline.web.pages.dashboard.prompts import show_prompts
from sightline.web.visits import Asked, require_own_form, require_role

_DONE = {"pin": "pinned", "unpin": "unpinned", "remove": "removed"}


@acting("/w/{workspace:str}/d/{domain:str}/prompts/act")
async def act_on_prompts(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """Pins, unpins or removes what is marked: all of it, or on a refusal nothing."""
    place, form = await _enter(request, workspace, domain)
    view = read_view(request.query_params)
    try:
        action, ids = _read_action(form)
        async with place.visit.app_context.db.transaction() as tx:
            await _act(tx, place, action, ids)
    except Problem as problem:
        return await show_prompts(place, view, problem=problem, up="../")
    if form.get("back") == "prompt" and action != "remove":
        return go_to(f"{place.path('prompts', ids[0])}?done={_DONE[action]}")
    return _back(place, view, _DONE[action])


@acting("/w/{workspace:str}/d/{domain:str}/prompts/add")
async def add(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place, form = await _enter(request, workspace, domain)
    given = {name: str(form.get(name, "")).strip() for name in ("prompt", "language_code", "country_iso_2", "pin")}
    try:
        async with place.visit.app_context.db.transaction() as tx:
            await _add(tx, place, given)
    except Problem as problem:
        return await show_prompts(place, View(), problem=problem, up="../", given=given)
    return _back(place, View(), "added")


@acting("/w/{workspace:str}/d/{domain:str}/prompts/suggestions")
async def decide_suggestion(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place, form = await _enter(request, workspace, domain)
    assert place.domain is not None
    visit, at = place.visit, (place.actor.workspace_id, place.domain.id)
    accepted = "accept" in form
    suggestion_id = parse_id(str(form.get("accept" if accepted else "dismiss", "")))
    try:
        async with visit.app_context.db.transaction() as tx:
            if accepted:
                await accept_suggestion(tx, *at, suggestion_id, visit.app_context.plans, now=visit.now)
            else:
                await dismiss_suggestion(tx, *at, suggestion_id, now=visit.now)
    except Problem as problem:
        return await show_prompts(place, View(), problem=problem, up="../")
    return _back(place, View(), "accepted" if accepted else "dismissed")


async def _enter(request: Asked, workspace: str, domain: str) -> tuple[Place, FormMultiDict]:
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    return place, await request.form()


def _read_action(form: FormMultiDict) -> tuple[str, list[str]]:
    """The star of one row acts on that row alone, whatever else is marked."""
    for star in ("pin", "unpin"):
        if star in form:
            return star, [str(form[star])]
    action = str(form.get("action", ""))
    ids = list(dict.fromkeys(str(each) for each in form.getall("prompt_id", [])))[:PAGE]
    if action not in _DONE or not ids:
        raise invalid_field("prompt_id", "mark at least one prompt first", "required")
    return action, ids


async def _act(tx: Transaction, place: Place, action: str, ids: Sequence[str]) -> None:
    assert place.domain is not None
    at, now = (place.actor.workspace_id, place.domain.id), place.visit.now
    for prompt_id in map(parse_id, ids):
        if action == "pin":
            await pin_prompt(tx, *at, prompt_id, now=now)
        elif action == "unpin":
            await unpin_prompt(tx, *at, prompt_id)
        else:
            await remove_prompt(tx, *at, prompt_id, now=now)


async def _add(tx: Transaction, place: Place, given: dict[str, str]) -> None:
    """Pinned as the API adds it, or like those of the setup. No country is Global."""
    assert place.domain is not None
    at, plans, now = (place.actor.workspace_id, place.domain.id), place.visit.app_context.plans, place.visit.now
    text, language, country = given["prompt"], given["language_code"], given["country_iso_2"] or None
    if given["pin"]:
        await add_prompt(tx, *at, PromptInput(text, language, country), plans, now=now)
    else:
        await add_prompts_at_setup(tx, *at, [NewPrompt(text, language, country)], plans, now=now)


def _back(place: Place, view: View, done: str) -> Response[str]:
    query = view.query(page=view.page)
    return go_to(f"{place.path('prompts')}{query}{'&' if query else '?'}done={done}")
