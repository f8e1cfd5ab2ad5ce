"""Form actions on prompts. Each acts in one transaction, and shows a refusal on the page of its form."""

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.db.engine import Transaction
from sightline.errors import FaultCollector, Problem, invalid_field
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.prompts.add import add_prompt, add_prompts_at_setup
from sightline.prompts.market_names import read_country, read_language
from sightline.prompts.models import NewPrompt
from sightline.prompts.pin import pin_prompt, unpin_prompt
from sightline.prompts.remove import remove_prompt
from sightline.prompts.schemas import PromptInput
from sightline.prompts.suggestions.review import accept_suggestion, dismiss_suggestion
from sightline.prompts.tags.change import change_tags
from sightline.prompts.tags.names import split_tags
from sightline.web.form_parsing import FormFields
from sightline.web.forms import split_lines
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompt_import import ImportFields, render_preview
from sightline.web.pages.dashboard.prompt_list import PAGE_SIZE, PromptListQuery, read_query
from sightline.web.pages.dashboard.prompts import render_prompts
from sightline.web.returned_forms import replace_sent_form
from sightline.web.routing import form_action, redirect

_DONE_KEYS = {"pin": "pinned", "unpin": "unpinned", "remove": "removed", "tag": "tagged", "untag": "untagged"}


@form_action("/w/{workspace}/d/{domain}/prompts/act")
async def act_on_prompts(request: PageRequest, workspace: str, domain: str) -> Response:
    """Pin, unpin, tag or remove the selected prompts: all of them, or none if one is refused."""
    ctx, form = await _receive_form(request, workspace, domain)
    query = read_query(request.query_params)
    try:
        action, ids = _read_action(form)
        async with ctx.db.transaction() as tx:
            await _apply(tx, ctx, action, ids, split_tags(str(form.get("tags", ""))))
    except Problem as problem:
        return await render_prompts(ctx, query, problem=problem, up="../")
    if form.get("back") == "prompt" and action != "remove":
        return redirect(f"{ctx.path('prompts', ids[0])}?done={_DONE_KEYS[action]}")
    return _redirect_to_list(ctx, query, _DONE_KEYS[action], number=len(ids))


@form_action("/w/{workspace}/d/{domain}/prompts/add")
async def add_prompt_from_form(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx, form = await _receive_form(request, workspace, domain)
    values = {name: str(form.get(name, "")).strip() for name in ("prompt", "language_code", "country_iso_2", "pin")}
    if len(lines := split_lines(values["prompt"])) > 1:
        note = gettext("You entered %(lines)s lines. Each becomes a prompt. Nothing is saved yet.", lines=len(lines))
        fields = ImportFields(
            text="\n".join(lines), countries=values["country_iso_2"], language=values["language_code"] or "en"
        )
        values_of_import = {name: [text] for name, text in fields.values.items()}
        replace_sent_form(values_of_import, action=ctx.path("prompts", "import"))
        return await render_preview(ctx, fields, [note])
    try:
        values |= _read_market(values)
        async with ctx.db.transaction() as tx:
            await _add(tx, ctx, values)
    except Problem as problem:
        return await render_prompts(ctx, PromptListQuery(), problem=problem, up="../")
    return _redirect_to_list(ctx, PromptListQuery(), "added")


@form_action("/w/{workspace}/d/{domain}/prompts/suggestions")
async def decide_suggestion(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx, form = await _receive_form(request, workspace, domain)
    assert ctx.domain is not None
    signed_in, at = ctx.signed_in, (ctx.actor.workspace_id, ctx.domain.id)
    accepted = "accept" in form
    suggestion_id = parse_id(str(form.get("accept" if accepted else "dismiss", "")))
    try:
        async with signed_in.app_context.db.transaction() as tx:
            if accepted:
                await accept_suggestion(tx, *at, suggestion_id, signed_in.app_context.plans, now=signed_in.now)
            else:
                await dismiss_suggestion(tx, *at, suggestion_id, now=signed_in.now)
    except Problem as problem:
        return await render_prompts(ctx, PromptListQuery(), problem=problem, up="../")
    return _redirect_to_list(ctx, PromptListQuery(), "accepted" if accepted else "dismissed")


async def _receive_form(request: PageRequest, workspace: str, domain: str) -> tuple[PageContext, FormFields]:
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    return ctx, await request.form()


def _read_action(form: FormFields) -> tuple[str, list[str]]:
    """Return the action and the prompt ids; the star of a row acts on that row only, whatever else is selected."""
    for star in ("pin", "unpin"):
        if star in form:
            return star, [str(form[star])]
    action = str(form.get("action", ""))
    ids = list(dict.fromkeys(str(each) for each in form.getlist("prompt_id")))[:PAGE_SIZE]
    if action not in _DONE_KEYS or not ids:
        raise invalid_field("prompt_id", "select at least one prompt first", "required")
    return action, ids


async def _apply(tx: Transaction, ctx: PageContext, action: str, ids: Sequence[str], tags: Sequence[str]) -> None:
    assert ctx.domain is not None
    at, now = (ctx.actor.workspace_id, ctx.domain.id), ctx.now
    if action in {"tag", "untag"}:
        if not tags:
            raise invalid_field("tags", "enter at least one tag", "required")
        prompt_ids = list(map(parse_id, ids))
        added, removed = (tags, ()) if action == "tag" else ((), tags)
        await change_tags(tx, *at, prompt_ids, add=added, remove=removed)
        return
    for prompt_id in map(parse_id, ids):
        if action == "pin":
            await pin_prompt(tx, *at, prompt_id, now=now)
        elif action == "unpin":
            await unpin_prompt(tx, *at, prompt_id)
        else:
            await remove_prompt(tx, *at, prompt_id, now=now)


async def _add(tx: Transaction, ctx: PageContext, values: dict[str, str]) -> None:
    """Add a prompt, pinned as the API does it, or unpinned as the setup does it. No country means Global."""
    assert ctx.domain is not None
    at, plans, now = (ctx.actor.workspace_id, ctx.domain.id), ctx.app_context.plans, ctx.now
    text, language, country = values["prompt"], values["language_code"], values["country_iso_2"] or None
    if values["pin"]:
        await add_prompt(tx, *at, PromptInput(text, language, country), plans, now=now)
    else:
        await add_prompts_at_setup(tx, *at, [NewPrompt(text, language, country)], plans, now=now)


def _read_market(values: Mapping[str, str]) -> dict[str, str]:
    """Return the codes of the chosen country and language, which come as names or codes. Refused: others (422)."""
    found, faults = {}, FaultCollector()
    for field, read in (("language_code", read_language), ("country_iso_2", read_country)):
        try:
            found[field] = read(values[field]) or ""
        except ValueError as error:
            faults.add(field, str(error), "unknown")
    faults.raise_if_any()
    return found


def _redirect_to_list(ctx: PageContext, query: PromptListQuery, done: str, *, number: int = 1) -> Response:
    suffix = query.to_url(page=query.page)
    counted = f"&number={number}" if number > 1 else ""
    return redirect(f"{ctx.path('prompts')}{suffix}{'&' if suffix else '?'}done={done}{counted}")
