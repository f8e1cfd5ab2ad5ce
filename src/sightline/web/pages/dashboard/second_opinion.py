"""Second opinions: upload a file of answers, confirm its columns, and read what it says. Works without scripts."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.tracking.read import list_tracked_domains
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.reports.scan_report import render_scan_report
from sightline.reports.second_opinion import describe_missing
from sightline.reports.weekly.render import add_toolbar
from sightline.scans.answer_files.columns import FIELDS, Field, UnreadableFile
from sightline.scans.second_opinions.models import (
    MAX_A_DAY,
    MAX_ANSWERS,
    MAX_FILE_BYTES,
    MAX_WAITING,
    OpinionRequest,
    OpinionRow,
)
from sightline.scans.second_opinions.queries import list_opinions
from sightline.scans.second_opinions.read import read_opinion, read_record
from sightline.scans.second_opinions.request import (
    InvalidBrands,
    OpinionLimit,
    build_request,
    delete_opinion,
    inspect_file,
    save_upload,
    start_opinion,
)
from sightline.scoreboard.history.imported_weeks import keep_history, list_imported_domains, remove_history
from sightline.web.fault_texts import refuse_input
from sightline.web.form_parsing import FormFile
from sightline.web.forms import read_form, split_names
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.reports import serve_html
from sightline.web.routing import form_action, page, redirect

_PATH = "/w/{workspace}/second-opinion"
_REFRESH_SECONDS = 3
_MAX_DOMAINS = 200  # to choose from
# Uploads that a process unpacks at once. The others wait.
_UPLOADS = asyncio.Semaphore(2)
FIELD_NAMES: dict[Field, str] = {
    "text": translatable("Answer"),
    "prompt": translatable("Prompt"),
    "platform": translatable("Platform"),
    "answered_at": translatable("Date"),
    "country": translatable("Country"),
    "language": translatable("Language"),
    "sources": translatable("Sources"),
    "queries": translatable("Searches"),
    "id": translatable("Number of the answer"),
    "run": translatable("Repeat"),
}


class OpinionFields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of the upload as they were sent."""

    brand: str = ""
    domain: str = ""
    aliases: str = ""
    competitors: str = ""


@page(_PATH)
async def opinions_page(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace)
    return await _render_upload(ctx, OpinionFields())


@form_action(_PATH, max_bytes=MAX_FILE_BYTES + 64 * 1024)
async def upload_file(request: PageRequest, workspace: str) -> Response:
    """Store a file, and show its columns for confirmation."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    sent = await request.form()
    form = await read_form(request)
    fields = OpinionFields(
        brand=form.text("brand"),
        domain=form.text("domain"),
        aliases=form.text("aliases"),
        competitors=form.text("competitors"),
    )
    try:
        wanted = _read_request(fields)
        upload = sent.get("file")
        if not isinstance(upload, FormFile):
            raise refuse_input("file", gettext("Choose a file with answers."))
        row = await _store(ctx, upload, wanted)
    except Problem as problem:
        return await _render_upload(ctx, fields, problem=problem)
    return redirect(ctx.path("second-opinion", str(row.id)))


@page(f"{_PATH}/{{opinion}}")
async def opinion_page(request: PageRequest, workspace: str, opinion: str) -> Response:
    """Show the columns of an uploaded file, that it is being measured, or the second opinion on it."""
    ctx = await open_workspace(request, workspace)
    row = await _read_opinion(ctx, opinion)
    record = await read_record(ctx.db, row) if row.state == "done" else None
    if record is None:
        return _render_opinion(ctx, row)
    links = [(gettext("Back to second opinions"), ctx.path("second-opinion"))]
    return serve_html(add_toolbar(render_scan_report(record), links))


@form_action(f"{_PATH}/{{opinion}}")
async def start(request: PageRequest, workspace: str, opinion: str) -> Response:
    """Measure a file by the columns that were confirmed."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    row = await _read_opinion(ctx, opinion)
    form = await read_form(request)
    columns: dict[str, str] = {field: form.text(field) for field in FIELDS}
    try:
        async with ctx.db.transaction() as tx:
            await start_opinion(tx, row, columns)
    except UnreadableFile as error:
        return _render_opinion(ctx, row, chosen=columns, problem=refuse_input("text", str(error)))
    return redirect(ctx.path("second-opinion", str(row.id)))


@form_action(f"{_PATH}/{{opinion}}/delete")
async def delete(request: PageRequest, workspace: str, opinion: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    row = await _read_opinion(ctx, opinion)
    async with ctx.db.transaction() as tx:
        await delete_opinion(tx, row)
    return redirect(ctx.path("second-opinion"))


@form_action(f"{_PATH}/{{opinion}}/keep")
async def keep(request: PageRequest, workspace: str, opinion: str) -> Response:
    """Keep the weeks of a measured file as the first weeks of a tracked domain."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    row = await _read_opinion(ctx, opinion)
    domain_id = parse_id((await read_form(request)).text("domain_id"))
    try:
        async with ctx.db.transaction() as tx:
            await keep_history(tx, ctx.actor, row, domain_id, now=ctx.now)
    except Problem as problem:
        return await _render_upload(ctx, OpinionFields(), problem=_explain_not_kept(problem))
    return redirect(f"/w/{workspace}/d/{domain_id}#trend")


@form_action(f"{_PATH}/history/{{domain}}/remove")
async def remove_imported(request: PageRequest, workspace: str, domain: str) -> Response:
    """Remove the imported history of a domain as a whole."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    async with ctx.db.transaction() as tx:
        await remove_history(tx, ctx.actor, parse_id(domain))
    return redirect(ctx.path("second-opinion"))


def _explain_not_kept(problem: Problem) -> Problem:
    """Return the refusal in the reader's language, next to the domain that was chosen."""
    words = {
        "validation_failed": gettext(
            "This file cannot be the history of this domain: it is about another brand, or none of its dated answers "
            "is from before the first check."
        ),
        "imported_history_exists": gettext("This domain already has an imported history. Remove it below first."),
    }
    return refuse_input("domain_id", words[problem.code]) if problem.code in words else problem


async def _read_opinion(ctx: PageContext, opinion: str) -> OpinionRow:
    return await read_opinion(ctx.db, ctx.actor.workspace_id, parse_id(opinion), ctx.now)


def _read_request(fields: OpinionFields) -> OpinionRequest:
    """Return the brands. Raises a problem that names the wrong field."""
    try:
        return build_request(fields.brand, fields.domain, split_names(fields.aliases), split_names(fields.competitors))
    except InvalidBrands as error:
        raise refuse_input(error.field, str(error)) from error


async def _store(ctx: PageContext, upload: FormFile, wanted: OpinionRequest) -> OpinionRow:
    async with _UPLOADS:
        try:
            head, content = await asyncio.to_thread(inspect_file, upload.file, upload.name)
        except UnreadableFile as error:
            raise refuse_input("file", str(error)) from error
    try:
        async with ctx.db.transaction() as tx:
            return await save_upload(
                tx, ctx.actor, file_name=upload.name, head=head, content=content, request=wanted, now=ctx.now
            )
    except OpinionLimit as limit:
        raise refuse_input("file", _describe_limit(limit)) from limit


def _describe_limit(limit: OpinionLimit) -> str:
    if limit.waiting:
        return ngettext(
            "%(num)s file is not measured yet. Wait for it, or delete it below.",
            "%(num)s files are not measured yet. Wait for them, or delete some below.",
            MAX_WAITING,
        )
    return gettext(
        "The workspace has %(number)s second opinions. Delete some below, or wait until they expire.", number=MAX_A_DAY
    )


async def _render_upload(ctx: PageContext, fields: OpinionFields, *, problem: Problem | None = None) -> Response:
    return render_page(
        ctx,
        "app/second_opinion_upload.html",
        section="second_opinion",
        title=gettext("Second opinion"),
        fields=fields,
        rows=await list_opinions(ctx.db, ctx.actor.workspace_id, now=ctx.now),
        imported=await list_imported_domains(ctx.db, ctx.actor),
        keep_for=(await list_tracked_domains(ctx.db, ctx.actor, after=None, page_size=_MAX_DOMAINS)).rows,
        max_bytes=MAX_FILE_BYTES,
        max_answers=format_number(MAX_ANSWERS),
        problem=problem,
    )


def _render_opinion(
    ctx: PageContext, row: OpinionRow, *, chosen: Mapping[str, str] | None = None, problem: Problem | None = None
) -> Response:
    head = row.read_head()
    found = {str(field): name for field, name in head.layout.columns.items()} if chosen is None else chosen
    response = render_page(
        ctx,
        "app/second_opinion.html",
        section="second_opinion",
        title=row.file_name,
        row=row,
        brand=row.read_request().brand.name,
        columns=[(field, gettext(name), found.get(field, "")) for field, name in FIELD_NAMES.items()],
        names=_unique(head.layout.names),
        samples=head.samples,
        missing=[gettext("No column is recognized as the answers. Choose it.")] * ("text" not in head.layout.columns)
        + [describe_missing(each) for each in head.layout.missing],
        problem=problem,
    )
    if row.state == "queued":
        response.headers["Refresh"] = str(_REFRESH_SECONDS)
    return response


def _unique(names: Sequence[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name]
