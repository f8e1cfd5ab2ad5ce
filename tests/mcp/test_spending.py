"""The spend guard: no credit is spent without a valid quote, twice for one quote, or beyond the caps."""

import asyncio
import secrets
import uuid

import pytest
from mcp_types import ElicitResult

from sightline.api_keys.format import digest_key, make_key
from sightline.kit.clock import utc_now
from sightline.mcp.spending import SpendLimits
from sightline.mcp.stdio.sdk_source import SdkSource
from tests.mcp.conftest import World, connect_by_sdk, open_customer

CONTENT = {"platforms": ["chatgpt", "gemini"], "keywords": ["best anvil"]}


class Buyer:
    """An assistant with a Console key and a domain."""

    def __init__(self, client, customer) -> None:
        self.client, self.customer = client, customer

    async def call(self, name, **arguments):
        result = await self.client.call_tool(name, {"domain_id": self.customer.domain, **CONTENT, **arguments})
        return result.content[0].text if result.is_error else result.structured_content

    async def quote(self, **arguments) -> str:
        preview = await self.call("preview_scan", **arguments)
        assert preview["quote"], preview["no_quote_reason"]
        assert preview["livemode"] == self.customer.key.startswith("sk_live_")
        assert preview["quote_expires_at"].endswith("+00:00")
        return preview["quote"]

    async def spent(self) -> int:
        return 100 - await self.customer.balance()


@pytest.fixture
async def customer(installation):
    return await open_customer(installation)


async def test_a_quote_charges_once_however_often_it_is_sent(world, customer):
    async with world.running(), world.connect(customer.key) as client:
        buyer = Buyer(client, customer)
        quote = await buyer.quote()
        sent = await asyncio.gather(*(buyer.call("submit_scan", quote=quote) for _ in range(3)))
        replayed = await buyer.call("submit_scan", quote=quote)
        scans = {each["scan_id"] for each in (*sent, replayed) if isinstance(each, dict)}
        assert len(scans) == 1 and await buyer.spent() == 2
        assert all("idempotency_in_progress" in each for each in sent if isinstance(each, str))


async def test_foreign_mismatched_damaged_and_expired_quotes_spend_nothing(world, installation, customer):
    other = await open_customer(installation)
    second_key = await installation.mint(customer.tenant, customer.tenant.owner, "console")
    async with world.running(), world.connect(customer.key) as client:
        buyer = Buyer(client, customer)
        quote = await buyer.quote()
        for change in ({"platforms": ["chatgpt"]}, {"keywords": ["best anvil", "worst anvil"]}, {"platforms": None}):
            assert "another scan" in await buyer.call("submit_scan", quote=quote, **change)
        assert "another scan" in await buyer.call("submit_scan", quote=quote, domain_id=other.domain)
        for damaged in (quote[:-8], quote[4:], "", "x" * 80, quote.swapcase()):
            assert "not valid for this key" in await buyer.call("submit_scan", quote=damaged)
        for key in (other.key, second_key, customer.tenant.test):
            async with world.connect(key) as foreign:
                assert "not valid for this key" in await Buyer(foreign, customer).call("submit_scan", quote=quote)
        installation.clock.advance(minutes=10)
        assert "ten minutes" in await buyer.call("submit_scan", quote=quote)
        assert await buyer.spent() == 0 and await other.balance() == 100


async def test_caps_bound_a_quote_and_the_day_of_a_key(installation, customer):
    settings = installation.app_context.settings
    settings.__dict__.update(mcp_quote_credits=2, mcp_daily_credits=3)
    try:
        world = World(installation)
        second = await installation.console_domain(customer.key, "globex.com")
        async with world.running(), world.connect(customer.key) as client:
            buyer = Buyer(client, customer)
            preview = await buyer.call("preview_scan", platforms=["chatgpt", "gemini", "perplexity"])
            assert preview["quote"] is None and "at most 2" in preview["no_quote_reason"]
            quotes = [(domain, await buyer.quote(domain_id=domain)) for domain in (customer.domain, second)]
            made = await asyncio.gather(
                *(buyer.call("submit_scan", domain_id=domain, quote=quote) for domain, quote in quotes)
            )
            refused = [each for each in made if isinstance(each, str)]
            assert len(refused) == 1 and "3 credits with this key in a day, and 2 are spent" in refused[0]
            assert await buyer.spent() == 2
            installation.clock.advance(days=1)
            open_domain = second if made[1] == refused[0] else customer.domain
            quote = await buyer.quote(domain_id=open_domain)
            assert (await buyer.call("submit_scan", domain_id=open_domain, quote=quote))["status"] == "pending"
    finally:
        settings.__dict__.update(mcp_quote_credits=20, mcp_daily_credits=50)


async def change_key(customer, method: str, path: str, key: str, **body) -> dict:
    """Create, rotate or revoke a key as the holder of a key, and return it."""
    headers = {"X-API-Key": key, "Idempotency-Key": secrets.token_hex(8)}
    async with customer.installation.client(**headers) as client:
        answer = await client.request(method, f"/api/v1/console/keys{path}", json=body or None)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()["data"]


async def test_rotated_keys_and_the_keys_that_a_key_creates_continue_its_day(installation, customer):
    settings = installation.app_context.settings
    settings.__dict__.update(mcp_daily_credits=3)
    second = await installation.console_domain(customer.key, "globex.com")
    child = await change_key(customer, "POST", "", customer.key, name="child")
    path = f"/{child['parent_id']}/rotate"
    try:
        world = World(installation)
        async with world.running():

            async def submit(key: str, domain: str):
                async with world.connect(key) as client:
                    buyer = Buyer(client, customer)
                    return await buyer.call("submit_scan", domain_id=domain, quote=await buyer.quote(domain_id=domain))

            assert (await submit(child["key"], customer.domain))["status"] == "pending"
            await change_key(customer, "DELETE", f"/{child['id']}", customer.key)
            sibling = await change_key(customer, "POST", "", customer.key, name="again")
            rotated = [await change_key(customer, "POST", path, customer.key) for _ in range(2)]
            for key in (sibling["key"], rotated[1]["key"]):
                assert "and 2 are spent" in await submit(key, second)
            assert 100 - await customer.balance() == 2
            # A key that a person creates has a day of its own.
            other = await installation.mint(customer.tenant, customer.tenant.owner, "console")
            assert (await submit(other, second))["status"] == "pending"
    finally:
        settings.__dict__.update(mcp_daily_credits=50)


async def test_a_quote_is_valid_for_the_rotated_key(world, customer):
    async with world.running():
        async with world.connect(customer.key) as client:
            quote = await Buyer(client, customer).quote()
        child = await change_key(customer, "POST", "", customer.key, name="child")
        rotated = await change_key(customer, "POST", f"/{child['parent_id']}/rotate", customer.key)
        async with world.connect(rotated["key"]) as client:
            assert (await Buyer(client, customer).call("submit_scan", quote=quote))["status"] == "pending"


async def test_scans_of_a_process_of_the_version_before_count_for_the_key(installation, customer):
    """It named them after the secret of the key, as `sightline mcp` does."""
    settings = installation.app_context.settings
    settings.__dict__.update(mcp_daily_credits=3)
    reference = f"mcp:{digest_key(customer.key).hex()[:16]}:{uuid.uuid4()}"
    await customer.accepted(platforms=["chatgpt", "gemini"], content_project_id=reference)
    second = await installation.console_domain(customer.key, "globex.com")
    try:
        world = World(installation)
        async with world.running(), world.connect(customer.key) as client:
            buyer = Buyer(client, customer)
            quote = await buyer.quote(domain_id=second)
            assert "and 2 are spent" in await buyer.call("submit_scan", domain_id=second, quote=quote)
    finally:
        settings.__dict__.update(mcp_daily_credits=50)


@pytest.mark.parametrize(
    ("answer", "spent"),
    [
        (ElicitResult(action="accept", content={"submit": True}), 2),
        (ElicitResult(action="accept", content={"submit": False}), 0),
        (ElicitResult(action="decline"), 0),
        (ElicitResult(action="cancel"), 0),
    ],
    ids=["agreed", "unticked", "declined", "closed"],
)
async def test_the_person_is_asked_and_only_a_yes_spends(world, customer, answer, spent):
    asked = []

    async def ask(_, question):
        asked.append(question.message)
        return answer

    async with world.running(), world.connect(customer.key, elicitation_callback=ask) as client:
        buyer = Buyer(client, customer)
        assert "not valid" in await buyer.call("submit_scan", quote="made up") and not asked
        result = await buyer.call("submit_scan", quote=await buyer.quote())
    expected = "Submit this scan? 1 prompt on chatgpt, gemini: 2 answers for 2 of 100 credits."
    assert asked == [expected] and await buyer.spent() == spent
    assert result["asked_person"] if spent else "did not agree" in result


async def test_without_credits_there_is_no_quote(world, installation, customer):
    poor = await type(customer).create(installation, installation.client(), balance=1)
    async with world.running(), world.connect(poor.key) as client:
        preview = await Buyer(client, poor).call("preview_scan")
    assert preview["quote"] is None and "too few credits" in preview["no_quote_reason"]


async def test_over_stdio_the_day_is_counted_from_stored_scans(installation, customer):
    """A process that starts again knows what was spent; a quote of before is not its own."""
    second = await installation.console_domain(customer.key, "globex.com")
    connection = {"data": None, "console": customer.key, "limits": SpendLimits(2, 3)}
    async with connect_by_sdk(installation, **connection) as client:
        buyer = Buyer(client, customer)
        quote = await buyer.quote()
        first, replayed = [await buyer.call("submit_scan", quote=quote) for _ in range(2)]
        assert first["scan_id"] == replayed["scan_id"] and await buyer.spent() == 2
    async with connect_by_sdk(installation, **connection) as client:
        buyer = Buyer(client, customer)
        assert "not valid" in await buyer.call("submit_scan", quote=quote)
        quote = await buyer.quote(domain_id=second)
        refused = await buyer.call("submit_scan", domain_id=second, quote=quote)
        assert "and 2 are spent" in refused and await buyer.spent() == 2
    child = await change_key(customer, "POST", "", customer.key, name="child")
    rotated = await change_key(customer, "POST", f"/{child['parent_id']}/rotate", customer.key)
    async with connect_by_sdk(installation, **connection | {"console": rotated["key"]}) as client:
        buyer = Buyer(client, customer)
        quote = await buyer.quote(domain_id=second)
        refused = await buyer.call("submit_scan", domain_id=second, quote=quote)
        assert "and 2 are spent" in refused, "a rotated key continues the day"


async def test_over_stdio_a_client_of_the_earlier_protocol_asks_the_person(installation, customer):
    async def decline(_, question):
        return ElicitResult(action="decline")

    connection = {"data": None, "console": customer.key, "mode": "legacy", "elicitation_callback": decline}
    async with connect_by_sdk(installation, **connection) as client:
        buyer = Buyer(client, customer)
        assert "did not agree" in await buyer.call("submit_scan", quote=await buyer.quote())
    assert await buyer.spent() == 0


@pytest.mark.parametrize("livemode", [True, False])
def test_a_preview_says_the_mode_of_the_key(livemode):
    key = make_key("console", livemode=livemode)
    assert SdkSource(None, None, key, SpendLimits(10, 10), utc_now).spending.livemode is livemode
