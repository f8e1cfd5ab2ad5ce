"""One cell of the map: the sentence that decides it, now and before. A script shows the page as a panel at the side."""

import uuid
from collections.abc import Sequence

from starlette.responses import Response

from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name
from sightline.prompts.read import read_prompt
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import list_answers, select_answers
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answers import find_brand_classes
from sightline.web.routing import page

_MAX_READ = 30


@page("/w/{workspace}/d/{domain}/cells/{prompt}/{platform}")
async def cell_page(request: PageRequest, workspace: str, domain: str, prompt: str, platform: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    if platform not in {each.key for each in PLATFORMS}:
        raise Problem("not_found", "There is no such platform.")
    row = await read_prompt(ctx.db, ctx.actor.workspace_id, ctx.domain.id, parse_id(prompt))
    answers = await _list_answers(ctx, row.id, platform)
    return render_page(
        ctx,
        "app/cell.html",
        section="prompts",
        title=row.prompt,
        prompt=row,
        platform=platform,
        platform_title=platform_name(platform),
        shown=choose_two(answers),
        css_classes=await find_brand_classes(ctx),
    )


async def _list_answers(ctx: PageContext, prompt_id: uuid.UUID, platform: str) -> Sequence[ListedAnswer]:
    assert ctx.domain is not None
    wanted = AnswerFilter(checks="all", prompt=str(prompt_id), platform=platform)
    selection = await select_answers(ctx.db, ctx.actor.workspace_id, ctx.domain, wanted, None)
    return (await list_answers(ctx.db, selection, after=None, page_size=_MAX_READ)).rows


def choose_two(answers: Sequence[ListedAnswer]) -> list[ListedAnswer]:
    """Return the newest answer, and the newest one before it that says otherwise, or else the one before it."""
    if len(answers) < 2:
        return list(answers)
    now, *earlier = answers
    other = (each for each in earlier if each.mentioned != now.mentioned)
    return [now, next(other, earlier[0])]


PAGES = (cell_page,)
