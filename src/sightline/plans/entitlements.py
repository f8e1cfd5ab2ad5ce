"""Which plans open which part of the Data API."""

from sightline.accounts.models import Plan
from sightline.errors import Problem
from sightline.plans.table import DataApi, PlanTable

_DEPTH: dict[DataApi, int] = {"none": 0, "read": 1, "insights": 2, "write": 3}


def plans_with(table: PlanTable, needed: DataApi) -> list[Plan]:
    return [plan for plan, grants in table.items() if _DEPTH[grants.data_api] >= _DEPTH[needed]]


def require_data_api(table: PlanTable, plan: Plan, needed: DataApi) -> None:
    """403 `plan_required` that lists the plans which would do."""
    enough = plans_with(table, needed)
    if plan not in enough:
        names = ", ".join(enough)
        raise Problem("plan_required", f"This needs one of the plans {names}.", required_plans=enough)
