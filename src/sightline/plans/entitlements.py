"""Refusals for what a workspace's plan does not include."""

from sightline.errors import Problem
from sightline.plans.table import PLANS_WITH_CLIENTS, DataApi, Plan, PlanTable, has_clients, list_plans_with_data_api


def require_data_api(table: PlanTable, plan: Plan, *, level: DataApi) -> None:
    """Raise 403 `plan_required`, listing plans that suffice, unless the plan includes this level of the Data API."""
    sufficient = list_plans_with_data_api(table, level=level)
    if plan not in sufficient:
        names = ", ".join(sufficient)
        raise Problem("plan_required", f"This needs one of these plans: {names}.", required_plans=sufficient)


def require_clients(plan: Plan) -> None:
    """Raise 403 `plan_required` unless the plan includes clients."""
    if not has_clients(plan):
        names = ", ".join(sorted(PLANS_WITH_CLIENTS))
        raise Problem("plan_required", f"Clients need this plan: {names}.", required_plans=sorted(PLANS_WITH_CLIENTS))
