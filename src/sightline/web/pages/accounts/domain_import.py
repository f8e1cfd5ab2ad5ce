"""Setting up many domains: paste them or upload a CSV file, choose a template, look at the preview, then create them.

Everything travels with the one form of the page, a file as the text that was read from it. Nothing is stored before the
last step, and a form that is sent twice creates nothing twice.
"""

import hashlib
from collections.abc import Sequence

import msgspec
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.tracking.read import list_tracked_domains
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.kit.slow_work import run_slow_work
from sightline.onboarding.domain_imports.models import MAX_ROWS, DomainImportPlan, Template
from sightline.onboarding.domain_imports.parse import parse_domains
from sightline.onboarding.domain_imports.plan import find_template, plan_domain_import
from sightline.onboarding.domain_imports.save import save_domain_import
from sightline.plans.table import has_clients
from sightline.presentation.language import gettext
from sightline.prompts.imports.decode import MAX_BYTES, decode_file
from sightline.prompts.imports.models import ImportFault
from sightline.scans.scheduling.models import build_check_rules
from sightline.web.fault_texts import refuse_input, refuse_inputs
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.form_parsing import FormFields, FormFile
from sightline.web.forms import Form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.returned_forms import replace_sent_form
from sightline.web.routing import form_action, page, redirect

_MAX_FORM_BYTES = MAX_BYTES + 64 * 1024
_MAX_TEMPLATES = 500


class ImportFields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of the form as they were sent."""

    text: str = ""
    template: str = ""

    @property
    def digest(self) -> str:
        """Return a digest that changes if the fields differ from those of the preview."""
        written = msgspec.structs.replace(self, text="\n".join(self.text.splitlines()).strip())
        return hashlib.sha256(msgspec.json.encode(written)).hexdigest()


@page("/w/{workspace}/import")
async def domain_import_page(request: PageRequest, workspace: str, template: str = "") -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    return await _render(ctx, ImportFields(template=template))


@form_action("/w/{workspace}/import", max_bytes=_MAX_FORM_BYTES)
async def import_domains(request: PageRequest, workspace: str) -> Response:
    """Preview the import, or create what was previewed. Changed fields are previewed again instead."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    sent = await request.form()
    form = await read_form(request)
    fields = ImportFields(text=str(sent.get("text", "")), template=form.text("template"))
    notes: list[str] = []
    try:
        fields = _read_file(sent, fields, notes)
    except ValueError as error:
        return await _render(ctx, fields, problem=refuse_input("file", str(error)))
    try:
        if form.text("go") == "save" and form.text("previewed") == fields.digest:
            return await _save(ctx, form, fields, notes)
        return await _preview(ctx, fields, notes)
    except Problem as problem:
        return await _render(ctx, fields, problem=problem)


async def _preview(ctx: PageContext, fields: ImportFields, notes: list[str]) -> Response:
    plan = await _plan(ctx, fields, notes)
    return await _render(ctx, fields, plan, notes, problem=_refuse(plan.faults) if plan.faults else None)


async def _save(ctx: PageContext, form: Form, fields: ImportFields, notes: list[str]) -> Response:
    """Create the domains. The same form again leads to the same page, and creates nothing."""
    async with claim_form(ctx, form) as claim:
        if claim.previous_path:
            return redirect(claim.previous_path)
        plan = await _plan(ctx, fields, notes)
        if plan.faults:  # somebody has changed the workspace meanwhile
            return await _render(ctx, fields, plan, notes, problem=_refuse(plan.faults))
        rules, plans = build_check_rules(ctx.app_context.settings), ctx.app_context.plans
        async with ctx.db.transaction() as tx:
            await save_domain_import(tx, ctx.actor, plan, rules=rules, plans=plans, now=ctx.now)
            return redirect(await claim.settle(tx, ctx.path()))


async def _plan(ctx: PageContext, fields: ImportFields, notes: list[str]) -> DomainImportPlan:
    """Return what the import would do. Refused: a file that cannot be read, with its lines (422)."""
    template: Template | None = None
    if fields.template:
        template = await find_template(ctx.db, ctx.actor, parse_id(fields.template))
    typed = await run_slow_work(parse_domains, fields.text)
    if typed.unused_columns:
        notes.append(gettext("These columns were ignored: %(names)s.", names=", ".join(typed.unused_columns)))
    if typed.faults:
        raise _refuse(typed.faults)
    return await plan_domain_import(
        ctx.db,
        ctx.actor,
        typed.rows,
        template,
        settings=ctx.app_context.settings,
        plans=ctx.app_context.plans,
        now=ctx.now,
    )


def _read_file(sent: FormFields, fields: ImportFields, notes: list[str]) -> ImportFields:
    """Return the fields with the text of the uploaded file, if there is one. Raises `ValueError` if it is not text."""
    upload = sent.get("file")
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
    return refuse_inputs(*(("text", each.sentence) for each in faults))


async def _render(
    ctx: PageContext,
    fields: ImportFields,
    plan: DomainImportPlan | None = None,
    notes: Sequence[str] = (),
    *,
    problem: Problem | None = None,
) -> Response:
    known = await list_tracked_domains(ctx.db, ctx.actor, after=None, page_size=_MAX_TEMPLATES)
    return render_page(
        ctx,
        "app/domain_import.html",
        section="domains",
        title=gettext("Import domains"),
        is_included=has_clients(ctx.actor.plan),
        fields=fields,
        templates=[each for each in known.rows if each.prompt_count],
        plan=plan,
        notes=notes,
        max_rows=MAX_ROWS,
        max_bytes=MAX_BYTES,
        token=make_form_token(),
        problem=problem,
    )
