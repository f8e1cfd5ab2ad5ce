"""Importing many prompts: paste them or upload a CSV file, look at the preview, then save all of them or none.

Everything travels with the one form of the page, a file as the text that was read from it. So the page works without a
script, what is wrong can be corrected in place, and nothing is stored before the last step.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights.cost_forecast import PlannedAnswers, plan_answers
from sightline.kit.slow_work import run_slow_work
from sightline.platforms.pauses import read_enabled
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.prompts.imports.decode import MAX_BYTES, decode_file
from sightline.prompts.imports.models import ImportDefaults, ImportFault, ParsedImport
from sightline.prompts.imports.parse import parse_import
from sightline.prompts.imports.plan import ImportPlan, plan_import
from sightline.prompts.imports.save import save_import
from sightline.prompts.market_names import list_countries, list_languages, read_countries, read_language
from sightline.prompts.tags.names import clean_tags, split_tags
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.web.fault_texts import refuse_input, refuse_inputs
from sightline.web.form_parsing import FormFields, FormFile
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard import done_with_prompts
from sightline.web.pages.dashboard.branded import find_branded_texts
from sightline.web.returned_forms import replace_sent_form
from sightline.web.routing import form_action, page, redirect

_MAX_FORM_BYTES = MAX_BYTES + 64 * 1024
_MAX_SHOWN = 100


class ImportFields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of the form as they were sent."""

    text: str = ""
    countries: str = ""
    language: str = "en"
    tags: str = ""

    @property
    def values(self) -> dict[str, str]:
        return {"text": self.text, "countries": self.countries, "language": self.language, "tags": self.tags}

    @property
    def digest(self) -> str:
        """Return a digest that changes if the fields differ from those of the preview."""
        written = msgspec.structs.replace(self, text="\n".join(self.text.splitlines()).strip())
        return hashlib.sha256(msgspec.json.encode(written)).hexdigest()


class ImportPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What the page shows of an import before it is saved."""

    notes: Sequence[str] = ()
    plan: ImportPlan | None = None
    week: PlannedAnswers | None = None
    week_before: PlannedAnswers | None = None


@page("/w/{workspace}/d/{domain}/prompts/import")
async def import_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    return _render(ctx, ImportFields())


@form_action("/w/{workspace}/d/{domain}/prompts/import", max_bytes=_MAX_FORM_BYTES)
async def import_prompts(request: PageRequest, workspace: str, domain: str) -> Response:
    """Preview the import, or save what was previewed. Changed fields are previewed again instead."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    form = await request.form()
    fields = read_import_fields(form)
    notes: list[str] = []
    try:
        fields = _read_file(form, fields, notes)
    except ValueError as error:
        return _render(ctx, fields, problem=refuse_input("file", str(error)))
    if form.get("go") == "save" and form.get("previewed") == fields.digest:
        return await _save(ctx, fields)
    return await render_preview(ctx, fields, notes)


async def render_preview(ctx: PageContext, fields: ImportFields, notes: Sequence[str] = ()) -> Response:
    """Render what the import would do, or what is wrong with it. Nothing is stored."""
    parsed = await run_slow_work(_parse, fields)
    if parsed.unused_columns:
        names = ", ".join(parsed.unused_columns)
        notes = [*notes, gettext("These columns were ignored: %(names)s.", names=names)]
    if parsed.faults:
        return _render(ctx, fields, ImportPreview(notes=notes), problem=_refuse(parsed.faults))
    assert ctx.domain is not None
    at = (ctx.actor.workspace_id, ctx.domain.id)
    limit = ctx.app_context.plans[ctx.actor.plan].tracked_prompts
    plan = await plan_import(ctx.db, *at, parsed.prompts, max_prompts=limit)
    added = plan.count("new") + plan.count("restored")
    preview = ImportPreview(
        notes=notes,
        plan=plan,
        week=await _count_week(ctx, ctx.domain.prompt_count + added),
        week_before=await _count_week(ctx, ctx.domain.prompt_count),
    )
    return _render(ctx, fields, preview, problem=_refuse(plan.faults) if plan.faults else None)


def read_import_fields(form: FormFields) -> ImportFields:
    written = {name: str(form.get(name, "")).strip() for name in ("countries", "language", "tags")}
    text = form.get("text", "")
    return ImportFields(text=text if isinstance(text, str) else "", **written)


def _read_file(form: FormFields, fields: ImportFields, notes: list[str]) -> ImportFields:
    """Return the fields with the text of the uploaded file, if there is one. Raises `ValueError` if it is not text."""
    upload = form.get("file")
    if not isinstance(upload, FormFile):
        return fields
    decoded = decode_file(upload.content)
    if decoded.guessed:
        notes.append(gettext("The file is not in UTF-8. It was read as Windows-1252: check letters with accents."))
    text = decoded.text.lstrip("\ufeff")
    replace_sent_form({"text": [text]})
    return msgspec.structs.replace(fields, text=text)


def _refuse(faults: Sequence[ImportFault]) -> Problem:
    """Return the refusal of an import. What is wrong with a line is about the text with all lines."""
    return refuse_inputs(*((each.field or "text", each.sentence) for each in faults))


def _parse(fields: ImportFields) -> ParsedImport:
    faults: list[ImportFault] = []
    countries: list[str] = []
    tags: tuple[str, ...] = ()
    language = "en"
    try:
        countries = read_countries(fields.countries)
    except ValueError as error:
        faults.append(ImportFault(None, f"{error}.", "countries"))
    try:
        language = read_language(fields.language)
    except ValueError as error:
        faults.append(ImportFault(None, f"{error}.", "language"))
    try:
        tags = clean_tags(split_tags(fields.tags))
    except ValueError as error:
        faults.append(ImportFault(None, f"{error}.", "tags"))
    if faults:
        return ParsedImport(faults=tuple(faults))
    return parse_import(fields.text, ImportDefaults(language_code=language, countries=tuple(countries), tags=tags))


async def _save(ctx: PageContext, fields: ImportFields) -> Response:
    assert ctx.domain is not None
    parsed = await run_slow_work(_parse, fields)
    if parsed.faults:
        return await render_preview(ctx, fields)
    at = (ctx.actor.workspace_id, ctx.domain.id)
    try:
        async with ctx.db.transaction() as tx:
            saved = await save_import(tx, *at, parsed.prompts, ctx.app_context.plans, now=ctx.now)
    except Problem:
        # Somebody else changed the prompts. The preview says what is wrong now.
        return await render_preview(ctx, fields)
    return redirect(ctx.path("prompts") + done_with_prompts.to_query(saved.prompts))


async def _count_week(ctx: PageContext, prompts: int) -> PlannedAnswers:
    grants = ctx.app_context.plans[ctx.actor.plan]
    enabled = await read_enabled(ctx.db, ctx.app_context.platforms[True])
    assert ctx.domain is not None
    platforms = sum(key in enabled for key in select_platforms(grants, ctx.domain.chosen_platforms))
    return plan_answers(ctx.actor.plan, grants, prompts=prompts, platforms=platforms)


def _render(
    ctx: PageContext, fields: ImportFields, preview: ImportPreview | None = None, *, problem: Problem | None = None
) -> Response:
    shown: dict[str, Any] = {}
    if preview is not None and preview.plan is not None:
        plan = preview.plan
        rows = plan.prompts[:_MAX_SHOWN]
        assert ctx.domain is not None
        shown = {
            "rows": rows,
            "branded": find_branded_texts(ctx.domain, [each.asked.prompt.text for each in rows]),
            "hidden": max(0, len(plan.prompts) - _MAX_SHOWN),
            "similar": sum(each.similar_to is not None for each in plan.prompts),
            "save_label": _describe_save(plan),
        }
    return render_page(
        ctx,
        "app/prompt_import.html",
        section="prompts",
        title=gettext("Import prompts"),
        fields=fields,
        preview=preview,
        countries=list_countries(),
        languages=list_languages(),
        max_bytes=MAX_BYTES,
        problem=problem,
        **shown,
    )


def _describe_save(plan: ImportPlan) -> str:
    """Return the text of the button that saves."""
    added = plan.count("new") + plan.count("restored")
    if not added:
        return gettext("Save tags and pins")
    return ngettext("Add %(number)s prompt", "Add %(number)s prompts", added, number=format_number(added))
