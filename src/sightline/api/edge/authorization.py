"""Whether the actor may run an operation: plan first, then scope, role and billing permission."""

from sightline.accounts.models import Actor
from sightline.accounts.workspaces import read_profile
from sightline.api.edge.operations import Operation
from sightline.api_keys.scopes import require_scope
from sightline.db.engine import Reader
from sightline.errors import Problem, role_required
from sightline.plans.entitlements import require_data_api
from sightline.plans.table import PlanTable, list_plans_with_data_api


def authorize(operation: Operation, actor: Actor, plans: PlanTable) -> None:
    """Refuse with 403 when a condition is missing. Writing to the Data API has one code for all of them."""
    if operation.data_api == "write":
        _require_write(actor, plans)
    elif operation.data_api is not None:
        require_data_api(plans, actor.plan, level=operation.data_api)
    if actor.key_id is not None and operation.scope is not None:
        require_scope(actor.scopes, operation.scope)
    if operation.live_only and not actor.livemode:
        detail = "This changes what live and test mode share, so it needs live mode."
        raise Problem("workspace_access_required", detail, reason="mode")
    if actor.role is None or not actor.role.covers(operation.role):
        raise role_required(operation.role, actor.role, by_key=actor.via != "session")


async def require_payer(db: Reader, actor: Actor) -> None:
    """Refuse with 403 unless the member has billing permission and pays for the workspace, both as of now."""
    workspace = await read_profile(db, actor)
    if not actor.billing or workspace.payer_user_id != actor.user_id:
        raise Problem("billing_permission_required")


def _require_write(actor: Actor, plans: PlanTable) -> None:
    sufficient = list_plans_with_data_api(plans, level="write")
    if actor.plan not in sufficient:
        names = " or ".join(plan.capitalize() for plan in sufficient)
        raise Problem("workspace_access_required", f"Adding and removing requires the {names} plan.", reason="plan")
    if "write" not in actor.scopes:
        raise Problem("workspace_access_required", "The key lacks the scope `write`.", reason="scope")
