"""Correcting an answer on its page: a marked name that is not the brand, a name that was missed, and undoing both."""

import asyncio

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.answers.corrections import find_words
from sightline.answers.prepare import prepare
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.scans.corrections.record import correct_answer, undo_correction
from sightline.scans.corrections.schemas import CorrectionInput
from sightline.web.fault_texts import refuse_input
from sightline.web.forms import Form, decode_form, read_form
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answer import OpenAnswer, open_answer, render_answer
from sightline.web.routing import form_action, redirect


@form_action("/w/{workspace}/d/{domain}/answers/{scan_id}/{answer_id}/corrections")
async def correct(
    request: PageRequest,
    workspace: str,
    domain: str,
    scan_id: str,
    answer_id: str,
) -> Response:
    """Store a correction. Sending the form twice makes one."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    opened = await open_answer(ctx, scan_id, answer_id)
    form = await read_form(request)
    try:
        read = _read_wrong_name if form.text("start") else _read_missed_words
        payload = await asyncio.to_thread(read, opened, form)  # a long answer takes seconds
        async with ctx.db.transaction() as tx:
            await correct_answer(tx, ctx.actor, ctx.domain.id, payload, now=ctx.now)
    except Problem as problem:
        return await render_answer(ctx, opened, problem=problem)
    return redirect(ctx.path("answers", str(opened.scan.id), str(opened.answer.id)) + "?done=corrected#corrections")


@form_action("/w/{workspace}/d/{domain}/corrections/{correction}/undo")
async def undo(request: PageRequest, workspace: str, domain: str, correction: str) -> Response:
    """Undo a correction, and lead back to the page that the form was on."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    form = await read_form(request)
    async with ctx.db.transaction() as tx:
        row = await undo_correction(tx, ctx.actor, ctx.domain.id, parse_id(correction), now=ctx.now)
    if form.text("back") == "settings":
        return redirect(ctx.path("settings") + "?done=undone#corrections")
    return redirect(ctx.path("answers", str(row.scan_id), str(row.answer_id)) + "?done=undone")


def _read_wrong_name(opened: OpenAnswer, form: Form) -> CorrectionInput:
    try:
        start, end = int(form.text("start")), int(form.text("end"))
    except ValueError as error:
        sentence = gettext("This position is not in the answer. Reload the page and try again.")
        raise refuse_input("start", sentence) from error
    return decode_form(
        CorrectionInput,
        scan_id=str(opened.scan.id),
        answer_id=str(opened.answer.id),
        kind="not_this_brand",
        start=start,
        end=end,
        text=opened.answer.text[start:end],
        phrase=form.text("phrase") or None,
    )


def _read_missed_words(opened: OpenAnswer, form: Form) -> CorrectionInput:
    """Return the first unmarked place of the words, starting at the line in which they were selected."""
    words = form.text("words")
    if not words:
        raise refuse_input("words", gettext("Enter the words as they appear in the answer."))
    places = find_words(prepare(opened.answer.text, opened.prompt.text), words)
    if not places:
        raise refuse_input(
            "words",
            gettext(
                "The answer does not contain “%(words)s”. Enter the words exactly as they appear there.", words=words
            ),
        )
    marked = [each for brand in opened.answer.brands if brand.is_own for each in brand.occurrences]
    free = [
        (start, end)
        for start, end in places
        if not any(each.start < end and start < each.end for each in marked) and not opened.is_corrected(start, end)
    ]
    line = form.text("line")
    after = int(line) if line.isdecimal() and line.isascii() and len(line) < 10 else 0
    start, end = next((place for place in free if place[0] >= after), (free or places)[0])
    return decode_form(
        CorrectionInput,
        scan_id=str(opened.scan.id),
        answer_id=str(opened.answer.id),
        kind="missing",
        start=start,
        end=end,
        text=opened.answer.text[start:end],
        add_name=bool(form.text("add_name")),
    )
