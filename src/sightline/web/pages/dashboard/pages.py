"""The route handlers of every dashboard page."""

from litestar.handlers import HTTPRouteHandler

from sightline.web.pages.dashboard import (
    alerts,
    answer,
    answers,
    check,
    checks,
    competitors,
    corrections,
    opportunities,
    overview,
    prompt,
    prompt_forms,
    prompt_import,
    prompts,
    recommendations,
    reports,
    sentiment,
    settings,
    sharing,
    sources,
)

PAGES: tuple[HTTPRouteHandler, ...] = (
    *overview.PAGES,
    *prompts.PAGES,
    *prompt_forms.PAGES,
    *prompt_import.PAGES,
    *prompt.PAGES,
    *answers.PAGES,
    *answer.PAGES,
    *corrections.PAGES,
    *checks.PAGES,
    *check.PAGES,
    *sources.PAGES,
    *competitors.PAGES,
    *sentiment.PAGES,
    *opportunities.PAGES,
    *recommendations.PAGES,
    *alerts.PAGES,
    *reports.PAGES,
    *sharing.PAGES,
    *settings.PAGES,
)
