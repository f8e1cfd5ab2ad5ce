"""The pages around paying: what they say, what they refuse, and that they work without a script."""

import re

import pytest

from sightline.web.pages.console.phrases import ATTEMPTS
from tests.credits.buyers import open_buyer
from tests.web.test_pages import POLICY, Page


@pytest.fixture
async def buyer(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=False) as opened:
        yield opened


@pytest.fixture
async def visitor(buyer):
    async with buyer.installation.client() as client:
        yield client


async def hosted(buyer, reference: str) -> str:
    return f"/checkout/local/{(await buyer.attempt(reference))['provider_session']}"


def buttons(html: str) -> list[str]:
    return re.findall(r'<button[^>]* name="action" value="(\w+)">', html)


async def test_the_hosted_page_says_test_money_and_offers_three_buttons(buyer, visitor):
    page = await visitor.get(await hosted(buyer, await buyer.buy(2)))
    assert page.status_code == 200
    assert '<p class="test-money">Test money</p>' in page.text
    assert "79.00 USD" in page.text
    assert buttons(page.text) == ["pay", "pay_later", "decline"]
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-security-policy"] == POLICY
    assert not Page(page.text).inline


async def test_pay_leads_back_and_the_credits_are_there(buyer, visitor):
    reference = await buyer.buy(2)
    answer = await visitor.post(await hosted(buyer, reference), data={"action": "pay"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/checkout/{reference}/return")
    assert await buyer.balance() == 0, "paying there credits nothing here; verifying does"
    page = await visitor.get(answer.headers["location"])
    assert "the credits have been added" in page.text and "Test money" in page.text
    assert await buyer.balance() == 50
    for _ in range(3):
        await visitor.get(answer.headers["location"])
        await visitor.post(await hosted(buyer, reference), data={"action": "pay"})
    assert await buyer.balance() == 50


async def test_pay_later_is_pending_and_arrives_after_a_minute(buyer, visitor):
    reference = await buyer.buy(2)
    await visitor.post(await hosted(buyer, reference), data={"action": "pay_later"})
    assert await buyer.recover(reference) == "pending"
    assert "being processed" in (await buyer.return_from_checkout(reference)).text
    buyer.installation.clock.advance(seconds=59)
    assert await buyer.recover(reference) == "pending"
    buyer.installation.clock.advance(seconds=1)
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 50


async def test_money_on_its_way_can_be_let_in_at_once(buyer, visitor):
    reference = await buyer.buy(2)
    address = await hosted(buyer, reference)
    await visitor.post(address, data={"action": "pay_later"})
    assert buttons((await visitor.get(address)).text) == ["pay"]
    await visitor.post(address, data={"action": "pay"})
    assert await buyer.recover(reference) == "credited"


async def test_decline_ends_the_checkout_unless_it_was_paid_meanwhile(buyer, visitor):
    reference = await buyer.buy(2)
    address = await hosted(buyer, reference)
    answer = await visitor.post(address, data={"action": "decline"})
    await visitor.post(address, data={"action": "pay"})
    assert "Thank you" in (await visitor.get(answer.headers["location"])).text
    assert await buyer.balance() == 50
    reference = await buyer.buy(2)
    answer = await visitor.post(await hosted(buyer, reference), data={"action": "decline"})
    assert "This checkout has ended" in (await visitor.get(answer.headers["location"])).text
    assert buttons((await visitor.get(await hosted(buyer, reference))).text) == []


async def test_the_reconciler_finds_a_customer_who_closed_the_tab(buyer, visitor):
    reference = await buyer.buy(2)
    await visitor.post(await hosted(buyer, reference), data={"action": "pay"})
    buyer.installation.clock.advance(minutes=2)
    assert await buyer.reconcile() == 1
    assert await buyer.balance() == 50


async def test_an_ended_checkout_cannot_be_paid(buyer, visitor):
    reference = await buyer.buy(2)
    address = await hosted(buyer, reference)
    buyer.installation.clock.advance(hours=24)
    assert buttons((await visitor.get(address)).text) == []
    await visitor.post(address, data={"action": "pay"})
    assert await buyer.recover(reference) == "expired"
    await visitor.post(address, data={"action": "pay"})
    assert await buyer.recover(reference) == "expired"
    assert "has ended" in (await buyer.return_from_checkout(reference)).text
    assert await buyer.balance() == 0


async def test_a_form_of_another_site_is_refused(buyer, visitor):
    reference = await buyer.buy(2)
    address = await hosted(buyer, reference)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert (await visitor.post(address, data={"action": "pay"}, headers=headers)).status_code == 403
    assert await buyer.recover(reference) == "unpaid"
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://test"}):
        assert (await visitor.post(address, data={"action": "pay"}, headers=headers)).status_code == 303
    assert (await visitor.get(address)).headers["referrer-policy"] == "same-origin"


async def test_a_choice_that_does_not_exist_changes_nothing(buyer, visitor):
    reference = await buyer.buy(2)
    address = await hosted(buyer, reference)
    answer = await visitor.post(address, data={"action": "steal"})
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    assert await buyer.recover(reference) == "unpaid"


@pytest.mark.parametrize(
    "path",
    [
        f"/checkout/co_{'x' * 32}/return",
        "/checkout/co_short/return",
        "/checkout/%00/return",
        f"/checkout/local/ls_{'x' * 32}",
        "/checkout/local/nonsense",
        "/checkout/local/%00",
    ],
)
async def test_what_does_not_exist_is_the_404_page(visitor, path):
    page = await visitor.get(path)
    assert page.status_code == 404 and "Page not found" in page.text


async def test_each_state_in_words(buyer):
    reference = await buyer.buy()
    for status, words in {
        "pending": "being processed",
        "credited": "Thank you",
        "reconciliation": "This payment needs a review",
        "refund_required": "was not credited",
        "refunded": "was refunded",
    }.items():
        await buyer.installation.db.execute("UPDATE checkout_attempts SET status = $1", status)
        page = await buyer.return_from_checkout(reference)
        assert words in page.text and f"<dd>{ATTEMPTS[status]}</dd>" in page.text
        assert reference in page.text and 'href="/"' in page.text
        assert Page(page.text).headings == [1]


async def test_looking_again_and_again_does_not_ask_the_provider_each_time(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=True) as buyer:
        reference = await buyer.buy()
        before = len(buyer.stripe.requests)
        for _ in range(40):
            assert (await buyer.return_from_checkout(reference)).status_code == 200
        assert len(buyer.stripe.requests) - before == 30


async def test_the_local_page_is_gone_when_the_installation_is_not_a_sandbox(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path / "a", with_stripe=False) as buyer:
        reference = await buyer.buy()
        address = await hosted(buyer, reference)
        async with buyer.installation.client() as client:
            await client.post(address, data={"action": "pay"})
    live = {"openai_api_key": "sk-platform"}
    async with (
        open_buyer(database_url, tmp_path / "b", with_stripe=False, **live) as buyer,
        buyer.installation.client() as client,
    ):
        assert (await client.get(address)).status_code == 404
        assert (await client.post(address, data={"action": "pay"})).status_code == 404
        page = (await client.get(f"/checkout/{reference}/return")).text
        assert "It was not paid, and nothing was charged." in page
        assert await buyer.status(reference) == "expired", "test money buys nothing in a live installation"
