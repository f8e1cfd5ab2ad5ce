"""The ledger account of a workspace, with rows of scans and checkouts that other features would write."""

from datetime import datetime

from sightline.credits import ledger
from sightline.credits.ledger import CreditAccount, NewEntry, build_credit_rules
from sightline.kit.ids import new_id


class LedgerAccount:
    """The credits of one workspace in one mode."""

    def __init__(self, installation, tenant, *, livemode: bool = True) -> None:
        self.installation = installation
        self.tenant = tenant
        self.workspace_id = tenant.workspace.id
        self.livemode = livemode
        self.rules = build_credit_rules(installation.app_context.settings)
        self.domain_id = None

    @property
    def account(self) -> CreditAccount:
        return CreditAccount(self.workspace_id, self.livemode, self.rules)

    @property
    def now(self) -> datetime:
        return self.installation.clock()

    async def balance(self) -> int:
        return await ledger.read_balance(self.installation.db, self.account, now=self.now)

    async def post(self, delta: int, reason: str, cause: str | None = None, **more) -> bool:
        async with self.installation.db.transaction() as tx:
            entry = NewEntry(delta, reason, cause or f"made:{new_id()}", **{"description": "By hand", **more})
            return await ledger.post_entry(tx, self.account, entry, now=self.now)

    async def grant(self, amount: int) -> None:
        await self.post(amount, "promotional_grant")

    async def charge(self, cost: int, scan_id=None):
        scan_id = scan_id or new_id()
        async with self.installation.db.transaction() as tx:
            await ledger.charge_scan(
                tx, self.account, scan_id, cost, description="Console Check of acme.com", now=self.now
            )
        return scan_id

    async def refund(self, scan_id) -> int:
        async with self.installation.db.transaction() as tx:
            return await ledger.refund_scan(
                tx, self.account, scan_id, description="Console Check of acme.com failed", now=self.now
            )

    async def entries(self) -> list[tuple]:
        return [
            tuple(row)
            for row in await self.installation.db.fetch(
                """SELECT delta, reason, cause, scan_id, payment_reference FROM credit_entries
                   WHERE workspace_id = $1 AND livemode = $2 ORDER BY created_at, id""",
                self.workspace_id,
                self.livemode,
            )
        ]

    async def scan(self, status: str, charged: int, *, scan_id=None, started: bool = False, livemode=None):
        """Insert the row of a scan as the scans feature would."""
        scan_id = scan_id or new_id()
        if self.domain_id is None:
            key = self.tenant.live if self.livemode else self.tenant.test
            self.domain_id = await self.installation.console_domain(key)
        ended = status in {"completed", "failed", "cancelled"}
        await self.installation.db.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                                  answers_source, brand, selected_platforms, customer_keywords, credits_charged,
                                  answers_total, created_at, started_at, completed_at)
               VALUES ($1, $2, $3, 'acme.com', $4, 'console_check', $5, 0, 'sandbox', '{}', '{chatgpt}', '{}', $6, 1,
                       $7, $8, $9)""",
            self.workspace_id,
            scan_id,
            self.domain_id,
            self.livemode if livemode is None else livemode,
            status,
            charged,
            self.installation.clock(),
            self.installation.clock() if started else None,
            self.installation.clock() if ended else None,
        )
        return scan_id

    async def checkout(
        self,
        status: str,
        *,
        amount_cents: int = 7_900,
        credited_at=None,
        expires_at=None,
        refunded_cents: int = 0,
        payment_reference: str | None = None,
    ) -> None:
        now = self.installation.clock()
        attempt_id = new_id()
        await self.installation.db.execute(
            """INSERT INTO checkout_attempts (workspace_id, id, reference, livemode, user_id, pricing_id, credits,
                                              amount_cents, currency, provider, status, payment_reference,
                                              refunded_cents, credited_at, expires_at, created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, 2, $6, $7, 'usd', 'local', $8, $9, $10, $11, $12, $13, $13)""",
            self.workspace_id,
            attempt_id,
            f"ref-{attempt_id}",
            self.livemode,
            self.tenant.owner.id,
            50,
            amount_cents,
            status,
            payment_reference,
            refunded_cents,
            credited_at,
            expires_at or now,
            now,
        )
