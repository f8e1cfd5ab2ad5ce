"""A house that sells credits: with Stripe (a fake on loopback) or with test money, and people who buy."""

from contextlib import asynccontextmanager

import msgspec

from sightline.credits.ledger import rules_of
from sightline.credits.reconcile import reconcile_attempts_any_workspace
from sightline.credits.settle import settle_attempt
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.kit.ids import new_id
from tests.api.test_edge import CONSOLE
from tests.fakes.stripe import FakeStripe, sign
from tests.house import Clock, House
from tests.web.visitor import application_of

CHECKOUT = f"{CONSOLE}/credits/checkout"
RECOVER = f"{CONSOLE}/credits/checkout/recover"
CHECKOUTS = f"{CONSOLE}/credits/checkouts"


class Shop:
    """One buyer in one workspace, signed in; every way in which the end of a payment can become known is a method."""

    def __init__(self, house: House, stripe: FakeStripe | None) -> None:
        self.house = house
        self.stripe = stripe
        house.app = application_of(house)

    async def open(self) -> None:
        self.tenant = await self.house.tenant()
        self.browser = await self.house.sign_in(self.tenant.owner)
        self.browser.headers["X-Workspace-Id"] = self.tenant.id

    @property
    def rules(self):
        return rules_of(self.house.wiring.settings)

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

    async def come_back(self, reference: str):
        async with self.house.client() as client:
            return await client.get(f"/checkout/{reference}/return")

    async def reconcile(self) -> int:
        wiring = self.house.wiring
        return await reconcile_attempts_any_workspace(
            wiring.db, wiring.payments, rules=self.rules, now=self.house.clock()
        )

    async def settle(self, reference: str):
        wiring = self.house.wiring
        return await settle_attempt(wiring.db, wiring.payments, reference, rules=self.rules, now=self.house.clock())

    async def deliver(self, event: dict) -> int:
        """One message of Stripe; the status of our answer."""
        return await self.deliver_raw(msgspec.json.encode(event))

    async def deliver_raw(self, body: bytes, signature: str | None = None) -> int:
        async with self.house.client() as client:
            headers = {"Stripe-Signature": sign(body) if signature is None else signature}
            return (await client.post("/webhooks/stripe", content=body, headers=headers)).status_code

    async def deliver_all(self) -> None:
        assert self.stripe is not None
        for event in self.stripe.take_outbox():
            assert await self.deliver(event) == 200

    async def attempt(self, reference: str) -> dict:
        query = "SELECT to_jsonb(a) FROM checkout_attempts a WHERE reference = $1"
        return msgspec.json.decode(await self.house.db.fetchval(query, reference))

    async def status(self, reference: str) -> str:
        return (await self.attempt(reference))["status"]

    async def balance(self, *, livemode: bool = True) -> int:
        """After a look through all of the books."""
        assert await verify_ledgers_any_workspace(self.house.db) == []
        query = "SELECT balance FROM credit_accounts WHERE workspace_id = $1 AND livemode = $2"
        return await self.house.db.fetchval(query, self.tenant.workspace.id, livemode) or 0

    async def entries(self) -> list[tuple]:
        query = """SELECT delta, reason, payment_reference FROM credit_entries WHERE workspace_id = $1 AND livemode
                   ORDER BY created_at, id"""
        return [tuple(row) for row in await self.house.db.fetch(query, self.tenant.workspace.id)]


@asynccontextmanager
async def open_shop(database_url: str, data_dir, *, with_stripe: bool, **settings):
    clock = Clock()
    async with FakeStripe(clock) as stripe:
        given = {**(stripe.settings() if with_stripe else {}), **settings}
        async with House.open(database_url, data_dir, **given) as house:
            house.clock = clock
            house.wiring = msgspec.structs.replace(house.wiring, clock=clock)
            shop = Shop(house, stripe if with_stripe else None)
            await shop.open()
            try:
                yield shop
            finally:
                await shop.browser.aclose()
                await house.wiring.payments.close()
