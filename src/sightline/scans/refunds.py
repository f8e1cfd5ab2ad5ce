"""Refunds of scans: all credits of a scan that failed or never started, else those of platforms that answered nothing.

The ledger has one refund for each cause, so running an action again refunds nothing more. The scan's
`credits_refunded` changes in the same transaction.
"""

from collections.abc import Sequence
from datetime import datetime

from sightline.credits import ledger
from sightline.credits.ledger import CreditRules
from sightline.db.engine import Transaction
from sightline.platforms.names import platform_name
from sightline.scans import queries
from sightline.scans.stored import AnswerRow, ScanRow


async def refund_whole_scan(
    tx: Transaction, scan: ScanRow, *, description: str, rules: CreditRules, now: datetime
) -> ScanRow:
    """Refund everything that the scan was charged, and return it. The caller holds its row."""
    refunded = await ledger.refund_scan(
        tx, ledger.CreditAccount(scan.workspace_id, scan.livemode, rules), scan.id, description=description, now=now
    )
    return await _add_refunded(tx, scan, refunded)


async def refund_failed_platforms(
    tx: Transaction, scan: ScanRow, platforms: Sequence[str], *, rules: CreditRules, now: datetime
) -> ScanRow:
    """Refund the credits of each of these platforms of a scan, and return the scan. The caller holds its row."""
    share = scan.credits_charged // len(scan.selected_platforms)
    if share == 0:
        return scan
    account, refunded = ledger.CreditAccount(scan.workspace_id, scan.livemode, rules), 0
    for platform in platforms:
        description = f"Refund: every answer of {platform_name(platform)} failed in the scan of {scan.domain}"
        entry = ledger.build_platform_refund(scan.id, platform, share, description)
        refunded += share if await ledger.post_entry(tx, account, entry, now=now) else 0
    return await _add_refunded(tx, scan, refunded)


def find_failed_platforms(scan: ScanRow, answers: Sequence[AnswerRow]) -> list[str]:
    """Return the platforms of a scan all of whose answers failed. Answers without an AI surface are valid ones."""
    answered = {row.platform for row in answers if row.status != "failed"}
    return [platform for platform in scan.selected_platforms if platform not in answered]


async def _add_refunded(tx: Transaction, scan: ScanRow, refunded: int) -> ScanRow:
    return await queries.add_refunded_credits(tx, scan.workspace_id, scan.id, refunded) if refunded else scan
