"""Operator → Status: whether the installation is healthy, and jobs that need a decision."""

from starlette.responses import Response

from sightline.jobs.inspect import find_job, retry_job
from sightline.monitoring.status import find_problems, read_status
from sightline.platforms.names import platform_name
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.forms import read_form
from sightline.web.page_requests import PageRequest
from sightline.web.pages.not_found import PageNotFound
from sightline.web.pages.operator.operator_page import (
    render_operator_page,
    require_operator,
)
from sightline.web.pages.operator.platform_state import read_states
from sightline.web.routing import form_action, page, redirect

_PATH = "/operator/status"
_MAX_JOB_ID = 2**63 - 1
_MAX_TABLES = 8
_DONE = {
    "retried": translatable("The job is back in the queue and runs as soon as a worker is free."),
    "already_queued": translatable(
        "The job stays on hold, because the same work is already in the queue. Remove it with: sightline job drop"
    ),
    "not_held": translatable("The job is no longer on hold. Nothing was changed."),
}
DELIVERY_REASONS = {
    "attempts_exhausted": translatable("Every attempt failed."),
    "gone": translatable("The endpoint answered 410 Gone and accepts no more webhooks."),
    "webhook_disabled": translatable("The webhook was disabled."),
    "webhook_removed": translatable("The webhook was removed."),
}


@page(_PATH)
async def status_page(request: PageRequest, done: str = "") -> Response:
    signed_in = await require_operator(request)
    context = signed_in.app_context
    status = await read_status(context.db, context.settings.data_dir, now=signed_in.now)
    states = await read_states(context.db, context.settings, now=signed_in.now)
    failing = [state for state in states if state.is_connected and state.failing and not state.pause]
    problems = find_problems(status)
    problems += [
        gettext(
            "%(platform)s: %(state)s. %(reason)s",
            platform=platform_name(state.platform.key),
            state=state.word,
            reason=state.failure,
        )
        for state in failing
    ]
    return render_operator_page(
        signed_in,
        "app/operator/status.html",
        section="status",
        title=gettext("Status"),
        installation=status,
        problems=problems,
        tables=status.storage.tables[:_MAX_TABLES] if status.storage else [],
        delivery_reasons=DELIVERY_REASONS,
        now=signed_in.now,
        done=choose_text(_DONE, done),
    )


@form_action(f"{_PATH}/retry")
async def retry_held_job(request: PageRequest) -> Response:
    """Put a held job back into the queue. One that somebody has retried before is left alone."""
    signed_in = await require_operator(request)
    form, db = await read_form(request), signed_in.app_context.db
    text = form.text("job")
    if not text.isascii() or not text.isdigit() or int(text) > _MAX_JOB_ID or await find_job(db, int(text)) is None:
        raise PageNotFound
    return redirect(f"{_PATH}?done={await retry_job(db, int(text))}")
