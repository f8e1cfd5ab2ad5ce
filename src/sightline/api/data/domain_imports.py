"""Setting up many domains at once."""

from sightline.accounts.models import Role
from sightline.api.data.domains import RESOURCE
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.kit.ids import parse_id
from sightline.onboarding.domain_imports.models import DomainImportPlan
from sightline.onboarding.domain_imports.plan import find_template, plan_domain_import
from sightline.onboarding.domain_imports.save import save_domain_import
from sightline.onboarding.domain_imports.schemas import (
    DomainImport,
    DomainImportInput,
    DomainImportPreview,
    refuse_rows,
    to_domain_import,
    to_preview,
    to_typed_rows,
)
from sightline.scans.scheduling.models import build_check_rules

_MAX_BODY_BYTES = 1024 * 1024
_PROBLEMS = ("domain_not_found", "plan_required", "domain_exists", "prompt_limit_reached", "platform_unavailable")


async def _plan(exchange: Exchange) -> DomainImportPlan:
    """Return the plan of the import in the body. Refused: a row that cannot be created (422)."""
    payload = exchange.decode_body(DomainImportInput)
    template = None
    if payload.template_domain_id is not None:
        template = await find_template(exchange.tx, exchange.actor, parse_id(payload.template_domain_id))
    plan = await plan_domain_import(
        exchange.tx,
        exchange.actor,
        to_typed_rows(payload),
        template,
        settings=exchange.app_context.settings,
        plans=exchange.app_context.plans,
        now=exchange.now,
    )
    if plan.faults:
        raise refuse_rows(plan.faults)
    return plan


@RESOURCE.operation(
    "POST",
    "/domain-imports/preview",
    summary="Preview an import of domains",
    sdk="tracked_domains.preview_import",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=DomainImportInput,
    body_limit=_MAX_BODY_BYTES,
    idempotency="ignored",
    problems=("domain_not_found", "plan_required"),
)
async def preview_domain_import(exchange: Exchange) -> Envelope[DomainImportPreview]:
    """Return what an import would create, and what its checks would cost. Nothing is stored."""
    return Envelope(to_preview(await _plan(exchange)))


@RESOURCE.operation(
    "POST",
    "/domain-imports",
    summary="Import domains",
    sdk="tracked_domains.import_many",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=DomainImportInput,
    body_limit=_MAX_BODY_BYTES,
    idempotency="required",
    success_status=201,
    problems=_PROBLEMS,
)
async def import_domains(exchange: Exchange) -> Envelope[DomainImport]:
    """Set up to 100 domains up at once, with another domain as their template, and start their first checks.

    All of them are created, or none. A row that cannot be created is named, such as a domain that is tracked already,
    and so is a limit of the plan (422).
    """
    rules, plans = build_check_rules(exchange.app_context.settings), exchange.app_context.plans
    plan = await _plan(exchange)
    made = await save_domain_import(exchange.tx, exchange.actor, plan, rules=rules, plans=plans, now=exchange.now)
    return Envelope(to_domain_import(made))
