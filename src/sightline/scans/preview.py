"""Previewing a scan: what it would cost and ask, without submitting it."""

from datetime import datetime

from sightline.accounts.models import Actor
from sightline.credits import ledger
from sightline.credits.ledger import CreditRules
from sightline.db.engine import Reader
from sightline.domains import queries as domain_queries
from sightline.domains.models import ConsoleDomainRow
from sightline.scans.draft import ScanDraft
from sightline.scans.schemas.submission import ScanPreview


async def preview_scan(
    db: Reader, actor: Actor, domain: ConsoleDomainRow, draft: ScanDraft, *, rules: CreditRules, now: datetime
) -> ScanPreview:
    """Return the price and content of a scan.

    A price above `max_credits`, too few credits and an active scan are reported, not refused.
    """
    balance = await ledger.read_balance(db, ledger.CreditAccount(actor.workspace_id, actor.livemode, rules), now=now)
    return ScanPreview(
        credits_required=draft.credits,
        balance=balance,
        balance_after=balance - draft.credits,
        sufficient=balance >= draft.credits,
        exceeds_max_credits=draft.exceeds_max_credits,
        answers_total=draft.answers_total,
        platforms=list(draft.platforms),
        keywords=[prompt.text for prompt in draft.prompts or ()],
        keywords_source=draft.keywords_source,
        active_scan_id=await domain_queries.find_active_scan(db, actor.workspace_id, domain.id),
    )
