"""Form actions on one prompt: editing its text, and its tags."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.prompts.edit import edit_prompt
from sightline.prompts.tags.change import set_tags
from sightline.prompts.tags.names import split_tags
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompt import render_prompt
from sightline.web.routing import form_action, redirect


@form_action("/w/{workspace}/d/{domain}/prompts/{prompt_id}/edit")
async def edit_prompt_from_form(request: PageRequest, workspace: str, domain: str, prompt_id: str) -> Response:
    """Save the text and the tags: both, or neither if one is refused."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    form = await request.form()
    text, tags = str(form.get("prompt", "")), str(form.get("tags", ""))
    at = (ctx.actor.workspace_id, ctx.domain.id)
    try:
        async with ctx.db.transaction() as tx:
            edited = await edit_prompt(tx, *at, parse_id(prompt_id), " ".join(text.split()), now=ctx.now)
            await set_tags(tx, *at, edited.id, split_tags(tags))
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await render_prompt(request, ctx, prompt_id, problem=problem)
    done = "edited" if str(edited.id) != str(parse_id(prompt_id)) else "saved"
    return redirect(f"{ctx.path('prompts', str(edited.id))}?done={done}")


PAGES = (edit_prompt_from_form,)
