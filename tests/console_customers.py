"""A customer of the Console API: with credits, a domain, and scans in any state that a test needs."""

import uuid

import msgspec

from sightline.credits.ledger import CreditAccount, build_credit_rules, grant_credits
from sightline.kit.ids import new_id
from sightline.scans.queries import move_scan
from sightline.scans.record import summarize_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanMetrics, encode_prompts, to_record
from tests.api.assertions import CONSOLE
from tests.scans.small_scans import small_scan

URL = f"{CONSOLE}/scans"
METRICS = ScanMetrics(
    visibility_score=46.25, brand_coverage_pct=66.66666, ai_mentions=2, citation_count=1, market_position=None
)


class Customer:
    """One tenant in one mode, who submits by key."""

    def __init__(self, installation, client, tenant, key, *, livemode=True) -> None:
        self.installation, self.client, self.tenant, self.key, self.livemode = (
            installation,
            client,
            tenant,
            key,
            livemode,
        )
        self.domain = ""

    @classmethod
    async def create(cls, installation, client, *, balance=100, livemode=True, domain="acme.com"):
        tenant = await installation.tenant()
        customer = cls(installation, client, tenant, tenant.live if livemode else tenant.test, livemode=livemode)
        if balance:
            await customer.receive(balance)
        customer.domain = await installation.console_domain(customer.key, domain)
        return customer

    @property
    def workspace_id(self) -> uuid.UUID:
        return self.tenant.workspace.id

    async def receive(self, amount):
        rules, now = build_credit_rules(self.installation.app_context.settings), self.installation.clock()
        async with self.installation.db.transaction() as tx:
            await grant_credits(
                tx, CreditAccount(self.workspace_id, self.livemode, rules), amount, note="For the test", now=now
            )

    async def balance(self) -> int:
        query = "SELECT balance FROM credit_accounts WHERE workspace_id = $1 AND livemode = $2"
        return await self.installation.db.fetchval(query, self.workspace_id, self.livemode) or 0

    async def ledger(self) -> list[tuple[str, int]]:
        query = "SELECT reason, delta FROM credit_entries WHERE workspace_id = $1 AND scan_id IS NOT NULL ORDER BY id"
        return [tuple(row) for row in await self.installation.db.fetch(query, self.workspace_id)]

    async def submit(self, idempotency=None, **body):
        body = {"domain_id": self.domain, **body}
        headers = {"X-API-Key": self.key, "Idempotency-Key": idempotency or str(new_id())}
        return await self.client.post(URL, json=body, headers=headers)

    async def preview(self, **body):
        body = {"domain_id": self.domain, **body}
        return await self.client.post(f"{URL}/preview", json=body, headers={"X-API-Key": self.key})

    async def accepted(self, **body):
        """Submit a scan and return its id: pending, on one platform unless the test says otherwise."""
        answer = await self.submit(**{"platforms": ["chatgpt"], "keywords": ["best crm"], **body})
        assert answer.status_code == 202, answer.text
        return answer.json()["data"]["id"]

    async def get(self, path="", key=None):
        return await self.client.get(f"{URL}{path}", headers={"X-API-Key": key or self.key})

    async def cancel(self, scan_id, key=None, **headers):
        return await self.client.post(f"{URL}/{scan_id}/cancel", headers={"X-API-Key": key or self.key, **headers})

    async def move(self, scan_id, *states, error_message=None, metrics=None):
        """Move a scan from pending through the given states, as the worker does."""
        status = ScanStatus.PENDING
        for to in map(ScanStatus, states):
            async with self.installation.db.transaction() as tx:
                moved = await move_scan(
                    tx,
                    self.workspace_id,
                    uuid.UUID(scan_id),
                    from_=status,
                    to=to,
                    now=self.installation.clock(),
                    error_message=error_message if to is ScanStatus.FAILED else None,
                    metrics=metrics if to is ScanStatus.COMPLETED else None,
                )
            assert moved is not None
            status = to
            self.installation.clock.advance(seconds=5)

    async def completed(self):
        """Complete a scan with four answers and their results, stored as the worker stores them; return its id."""
        plan, answers = small_scan()
        scan_id = await self.accepted(platforms=list(plan.platforms), keywords=[prompt.text for prompt in plan.prompts])
        prompts = [msgspec.structs.replace(prompt, id=str(place)) for place, prompt in enumerate(plan.prompts)]
        plan = msgspec.structs.replace(plan, prompts=tuple(prompts))
        answers = [
            msgspec.structs.replace(each, id=str(new_id()), prompt=prompts[int(each.prompt.id) - 1]) for each in answers
        ]
        check = summarize_scan(
            plan,
            answers,
            answers_source="sandbox",
            prompts_source="given",
            started_at=self.installation.clock(),
            stopped=False,
        )
        execute = self.installation.db.execute
        place = (self.workspace_id, uuid.UUID(scan_id))
        await execute(
            "UPDATE scans SET prompts = $3 WHERE workspace_id = $1 AND id = $2", *place, encode_prompts(prompts)
        )
        for each in reversed(check.answers):  # they come in any order
            await execute(
                "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, NULL, $6, $7, $8, $9)",
                *place,
                uuid.UUID(each.id),
                int(each.prompt.id),
                each.platform,
                each.status,
                each.text,
                to_record(each),
                self.installation.clock(),
            )
        results = msgspec.json.encode(check.results)
        await execute("INSERT INTO scan_results VALUES ($1, $2, $3, '1', '2')", *place, results)
        await self.move(scan_id, "running", "completed", metrics=METRICS)
        return scan_id, check
