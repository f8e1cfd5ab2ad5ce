"""The pages about what was asked and answered: prompts, answers, checks and sources."""

from litestar.handlers import HTTPRouteHandler

from sightline.web.pages.dashboard.answer import answer
from sightline.web.pages.dashboard.check import check
from sightline.web.pages.dashboard.checks import checks, progress, retry
from sightline.web.pages.dashboard.prompt import prompt
from sightline.web.pages.dashboard.prompt_forms import act_on_prompts, add, decide_suggestion
from sightline.web.pages.dashboard.prompts import prompts
from sightline.web.pages.dashboard.sources import sources

PAGES: tuple[HTTPRouteHandler, ...] = (
    prompts,
    act_on_prompts,
    add,
    decide_suggestion,
    prompt,
    answer,
    checks,
    retry,
    check,
    progress,
    sources,
)
