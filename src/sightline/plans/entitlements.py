"""Refusals for what a workspace's plan does not include."""

from sightline.errors import Problem
from sightline.plans.table import DataApi, Plan, PlanTable, list_plans_with_data_api


def require_data_api(table: PlanTable, plan: Plan, *, level: DataApi) -> None:
    """Raise 403 `plan_required`, listing plans that suffice, unless the plan includes this level of the Data API."""
    sufficient = list_plans_with_data_api(table, level=level)
    if plan not in sufficient:
        names = ", ".join(sufficient)
        raise Problem("plan_required", f"This needs one of these plans: {names}.", required_plans=sufficient)
