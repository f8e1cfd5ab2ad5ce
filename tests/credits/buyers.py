"""A buyer of credits on an installation with Stripe (a fake) or with test money."""

from contextlib import asynccontextmanager

import msgspec

from sightline.credits.checkout.reconcile import reconcile_attempts_any_workspace
from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.ledger import build_credit_rules
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.kit.ids import new_id
from tests.api.assertions import CONSOLE
from tests.fakes.stripe import FakeStripe, sign
from tests.installation import Clock, Installation
from tests.web.page_browser import build_application

CHECKOUT = f"{CONSOLE}/credits/checkout"
RECOVER = f"{CONSOLE}/credits/checkout/recover"
CHECKOUTS = f"{CONSOLE}/credits/checkouts"


class Buyer:
    """A signed-in member who buys. Each way to learn the result of a payment is a method."""

    def __init__(self, installation: Installation, stripe: FakeStripe | None) -> None:
        self.installation = installation
        self.stripe = stripe
        installation.app = build_application(installation)

    async def open(self) -> None:
        self.tenant = await self.installation.tenant()
        self.browser = await self.installation.sign_in(self.tenant.owner)
        self.browser.headers["X-Workspace-Id"] = self.tenant.id

    @property
    def rules(self):
        return build_credit_rules(self.installation.app_context.settings)

    async def post(self, url: str, key: str | None = None, **body):
        return await self.browser.post(url, json=body, headers={"Idempotency-Key": key or str(new_id())})

    async def buy(self, pricing_id: int = 1) -> str:
        answer = await self.post(CHECKOUT, pricing_id=pricing_id)
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]["checkout_reference"]

    async def recover(self, reference: str) -> str:
        answer = await self.post(RECOVER, checkout_reference=reference)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]["status"]

    async def return_from_checkout(self, reference: str):
        async with self.installation.client() as client:
            return await client.get(f"/checkout/{reference}/return")

    async def reconcile(self) -> int:
        app_context = self.installation.app_context
        return await reconcile_attempts_any_workspace(
            app_context.db, app_context.payments, rules=self.rules, now=self.installation.clock()
        )

    async def settle(self, reference: str):
        app_context = self.installation.app_context
        return await settle_attempt(
            app_context.db, app_context.payments, reference, rules=self.rules, now=self.installation.clock()
        )

    async def deliver(self, event: dict) -> int:
        """Deliver one event of Stripe, and return the status of the response."""
        return await self.deliver_raw(msgspec.json.encode(event))

    async def deliver_raw(self, body: bytes, signature: str | None = None) -> int:
        async with self.installation.client() as client:
            headers = {"Stripe-Signature": sign(body) if signature is None else signature}
            return (await client.post("/webhooks/stripe", content=body, headers=headers)).status_code

    async def deliver_all(self) -> None:
        assert self.stripe is not None
        for event in self.stripe.take_outbox():
            assert await self.deliver(event) == 200

    async def attempt(self, reference: str) -> dict:
        query = "SELECT to_jsonb(a) FROM checkout_attempts a WHERE reference = $1"
        return msgspec.json.decode(await self.installation.db.fetchval(query, reference))

    async def status(self, reference: str) -> str:
        return (await self.attempt(reference))["status"]

    async def balance(self, *, livemode: bool = True) -> int:
        """Verify all ledgers, and return the balance."""
        assert await verify_ledgers_any_workspace(self.installation.db) == []
        query = "SELECT balance FROM credit_accounts WHERE workspace_id = $1 AND livemode = $2"
        return await self.installation.db.fetchval(query, self.tenant.workspace.id, livemode) or 0

    async def entries(self) -> list[tuple]:
        query = """SELECT delta, reason, payment_reference FROM credit_entries WHERE workspace_id = $1 AND livemode
                   ORDER BY created_at, id"""
        return [tuple(row) for row in await self.installation.db.fetch(query, self.tenant.workspace.id)]


@asynccontextmanager
async def open_buyer(database_url: str, data_dir, *, with_stripe: bool, **settings):
    clock = Clock()
    async with FakeStripe(clock) as stripe:
        given = {**(stripe.settings() if with_stripe else {}), **settings}
        async with Installation.open(database_url, data_dir, **given) as installation:
            installation.clock = clock
            installation.app_context = msgspec.structs.replace(installation.app_context, clock=clock)
            buyer = Buyer(installation, stripe if with_stripe else None)
            await buyer.open()
            try:
                yield buyer
            finally:
                await buyer.browser.aclose()
                await installation.app_context.payments.close()
