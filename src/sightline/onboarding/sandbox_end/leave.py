"""Leaving the sandbox: once, when the first platform is connected, however it was connected.

Test money and demonstrations must not make the operator pay for answers. Everything happens in one transaction: a
process that dies has done nothing, and if two start at once, the second finds it done.
"""

import uuid
from datetime import datetime

import msgspec
import structlog

from sightline.accounts.models import build_operator_actor
from sightline.accounts.workspaces import close_workspace
from sightline.api_keys.issue import revoke_all_keys
from sightline.competitors.queries import delete_suggested, dismiss_competitors
from sightline.credits import ledger
from sightline.credits.ledger import CreditRules, build_credit_rules
from sightline.credits.sandbox_money import has_sandbox_ended, read_live_credits, read_unspent
from sightline.db.engine import Database, Reader, Transaction
from sightline.db.installation import read_fact, store_fact
from sightline.domains.queries import update_domain
from sightline.domains.tracking.queries import update_competitor_count
from sightline.facts.queries import delete_checks
from sightline.insights.alerts.queries import delete_alerts
from sightline.insights.editor.queries import delete_editions
from sightline.insights.queries import delete_insights
from sightline.kit.crash import crash_point
from sightline.onboarding.sandbox_end import queries
from sightline.onboarding.sandbox_end.models import WorkspaceEnding, describe_ending
from sightline.platforms.access import is_sandbox
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.prompts.remove import remove_tracked_domain
from sightline.prompts.suggestions.queries import delete_open
from sightline.scans.cancel import cancel_scan
from sightline.scoreboard.queries import delete_board
from sightline.settings import Settings

log = structlog.get_logger()

_CAUSE = "sandbox-end"


async def leave_sandbox(db: Database, settings: Settings, *, now: datetime) -> None:
    """End test money and demonstrations if a platform is connected and this was not done before.

    Call it wherever a platform may have been connected: when a process starts, and after connecting one. Workspaces
    made for a demonstration are closed; a demonstration domain elsewhere is no longer tracked; live credits bought with
    test money are removed by one entry for each workspace. The week of every other tracked domain starts again, with
    its first live Full Check due at once; what was derived from made-up answers is no longer shown or suggested, and
    invented competitors are dismissed.
    """
    if is_sandbox(settings) or await has_sandbox_ended(db):
        return
    rules = build_credit_rules(settings)
    async with db.transaction() as tx:
        if await read_fact(tx, "sandbox_ended_at", lock="FOR UPDATE") is not None:
            return
        endings = [await _end_in_workspace(tx, *each, rules=rules, now=now) for each in await _list_concerned(tx)]
        await _dismiss_invented_competitors(tx, now=now)
        restarted = await _start_again(tx, now=now)
        await store_fact(tx, "sandbox_ended_at", now)
        crash_point("before_sandbox_end_commit")
    for ending in endings:
        log.warning("sandbox_ended", workspace_id=str(ending.workspace_id), ended=describe_ending(ending))
    log.info("sandbox_left", workspaces=len(endings), domains_restarted=restarted)


async def _dismiss_invented_competitors(tx: Transaction, *, now: datetime) -> None:
    """Dismiss competitors of the made-up market that somebody has confirmed: live answers cannot name them."""
    for workspace_id, domain_id, domain, brand, confirmed in await queries.list_confirmed_any_workspace(tx):
        invented = {rival.domain for rival in build_market(Subject(domain, brand)).rivals}
        found = [competitor for competitor in confirmed if competitor in invented]
        if found:
            await dismiss_competitors(tx, workspace_id, domain_id, found, now=now)
            await update_competitor_count(tx, workspace_id, domain_id)


async def _start_again(tx: Transaction, *, now: datetime) -> int:
    """Start the week of every tracked domain now, with a Full Check that is due at once; return how many there are.

    What was derived from made-up answers and is shown as the present is deleted, and so are open suggestions. Scans,
    answers and reports stay. The choice of platforms is reset, because others are connected now.
    """
    domains = await queries.list_own_domains_any_workspace(tx)
    for workspace_id, domain_id in domains:
        await delete_board(tx, workspace_id, domain_id)
        await delete_insights(tx, workspace_id, domain_id)
        await delete_editions(tx, workspace_id, domain_id)
        await delete_checks(tx, workspace_id, domain_id)
        await delete_alerts(tx, workspace_id, domain_id)
        await delete_open(tx, workspace_id, domain_id)
        await delete_suggested(tx, workspace_id, domain_id)
        await update_domain(
            tx,
            workspace_id,
            domain_id,
            anchor_at=now,
            next_check_at=now,
            next_check_scope="full_check",
            chosen_platforms=None,
            latest_visibility_score=None,
            latest_brand_coverage_pct=None,
            latest_ai_mentions=None,
            latest_market_position=None,
            last_full_check_at=None,
            last_daily_check_at=None,
            last_audit_at=None,
        )
    return len(domains)


async def find_endings(db: Reader) -> tuple[bool, list[WorkspaceEnding]]:
    """Return whether the sandbox has ended, and what ended with it or would end now."""
    if await has_sandbox_ended(db):
        return True, await queries.list_endings_any_workspace(db)
    return False, [ending for ending, _ in await _list_concerned(db) if describe_ending(ending)]


async def _list_concerned(db: Reader) -> list[tuple[WorkspaceEnding, list[uuid.UUID]]]:
    """Return what ends in each workspace, and the ids of the domains."""
    found = []
    for workspace_id, name, made_for_demo, domain_ids, domains in await queries.list_concerned_any_workspace(db):
        credits_left = await _read_credits(db, workspace_id, closes=made_for_demo)
        found.append((WorkspaceEnding(workspace_id, name, made_for_demo, domains, credits_left), domain_ids))
    return found


async def _read_credits(db: Reader, workspace_id: uuid.UUID, *, closes: bool) -> int:
    return await (read_live_credits if closes else read_unspent)(db, workspace_id)


async def _end_in_workspace(
    tx: Transaction, planned: WorkspaceEnding, domain_ids: list[uuid.UUID], *, rules: CreditRules, now: datetime
) -> WorkspaceEnding:
    """End everything in one workspace, and record it. Paid scans that wait are cancelled first, with a refund.

    Otherwise the credits of a scan could come back later, when nothing removes them.
    """
    workspace_id = planned.workspace_id
    operator = build_operator_actor(workspace_id)
    for domain_id in domain_ids:
        await remove_tracked_domain(tx, workspace_id, domain_id, now=now)
    for scan_id in await queries.lock_active_sandbox_scans(tx, workspace_id):
        await cancel_scan(tx, operator, scan_id, rules=rules, now=now)
    if planned.closes:
        await revoke_all_keys(tx, operator, now=now)
        await close_workspace(tx, workspace_id, now=now)
    account = ledger.CreditAccount(workspace_id, livemode=True, rules=rules)
    await ledger.lock_balance(tx, account, now=now)
    removed = await _read_credits(tx, workspace_id, closes=planned.closes)
    if removed:
        await ledger.post_entry(
            tx,
            account,
            ledger.NewEntry(
                -removed,
                "manual_adjustment",
                _CAUSE,
                "Demonstration closed: a platform is connected"
                if planned.closes
                else "Credits bought with test money: a platform is connected",
            ),
            now=now,
        )
    ending = msgspec.structs.replace(planned, credits=removed, ended_at=now)
    if describe_ending(ending):
        await queries.insert_ending(tx, ending)
    return ending
