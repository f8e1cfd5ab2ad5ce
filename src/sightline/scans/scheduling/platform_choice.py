"""Which platforms of its plan a tracked domain is asked on: all of them, unless some were chosen."""

import uuid
from collections.abc import Collection, Sequence

from sightline.accounts.queries import lock_workspace
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.queries import update_domain
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.errors import Problem, invalid_field
from sightline.plans.table import Entitlements, Plan, runs_scheduled_checks
from sightline.platforms.names import platform_name
from sightline.platforms.pauses import read_enabled
from sightline.scans.scheduling.models import CheckRules, plan_platforms


def select_platforms(grants: Entitlements, chosen: Collection[str] | None) -> tuple[str, ...]:
    """Return the chosen platforms of a plan; all of them if none was chosen, or the plan no longer has any of these."""
    included = plan_platforms(grants)
    return tuple(key for key in included if chosen is None or key in chosen) or included


async def choose_platforms(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, chosen: Sequence[str] | None, *, rules: CheckRules
) -> None:
    """Choose the platforms of all further checks. None stands for all, including those that are connected later.

    Choosing all that can be asked now means the same. A free audit always asks all platforms of its plan. Refused: no
    platform, and one that is not part of the plan (422).
    """
    workspace = await lock_workspace(tx, workspace_id)  # before the domain, as everywhere, to avoid deadlocks
    if workspace is None or await lock_tracked_domain(tx, workspace_id, domain_id) is None:
        raise Problem("domain_not_found")
    enabled = await read_enabled(tx, rules.enabled)
    cleaned = clean_choice(chosen, workspace.plan, rules.plans[workspace.plan], enabled)
    await update_domain(tx, workspace_id, domain_id, chosen_platforms=cleaned)
    await record_audit(tx, workspace_id, "platforms_chosen", domain_id=domain_id, platforms=cleaned)


def clean_choice(
    chosen: Sequence[str] | None, plan: Plan, grants: Entitlements, enabled: Collection[str]
) -> list[str] | None:
    if chosen is None or not runs_scheduled_checks(plan):
        return None
    included = plan_platforms(grants)
    foreign = [platform_name(key) for key in chosen if key not in included]
    if foreign:
        raise invalid_field("platforms", f"the plan does not include {', '.join(foreign)}", "plan")
    if not chosen:
        raise invalid_field("platforms", "choose at least one platform", "required")
    askable = {key for key in included if key in enabled}
    return None if askable and askable <= set(chosen) else [key for key in included if key in chosen]
