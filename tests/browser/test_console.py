"""What developers do in the Console, click by click."""

import re

import pytest
from playwright.async_api import expect

from tests.fakes.receiver import Receiver
from tests.running_worker import until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
MANY = "\n".join(f"best crm for team number {number}" for number in range(50))


async def submit(page, prompts: str) -> None:
    await page.get_by_label("Prompts").fill(prompts)
    await page.get_by_role("button", name="Preview").click()
    await page.get_by_role("button", name=re.compile("^Start scan for")).click()
    await expect(page.get_by_text("Scan submitted.")).to_be_visible()


async def test_a_scan_is_submitted_followed_live_and_cancelled_and_the_next_one_completes(windows, site):
    page = await windows.open("owner", f"{site.console}/scans/new?domain={site.console_domain}")
    await expect(page.locator("[data-total]")).to_contain_text("Credits needed")
    await submit(page, MANY)
    progress = page.locator("[data-progress]")
    await expect(progress).to_have_text(re.compile("^[1-9]"))  # it counts up without a reload
    await expect(page.locator("[data-status]")).to_have_text("Running")  # the only state on the page
    await expect(page.get_by_text("Waiting to start")).to_have_count(0)
    await page.locator("summary", has_text="Cancel this scan").click()
    await expect(page.get_by_text("Once it runs, you get no refund")).to_be_visible()
    await page.get_by_role("button", name="Cancel the scan").click()
    await expect(page.get_by_text("The scan was canceled while it ran")).to_be_visible()
    await page.goto(f"{site.console}/scans/new?domain={site.console_domain}")
    await submit(page, "best crm\nbest crm for teams")
    await expect(page.get_by_role("heading", name="Prompts by platform")).to_be_visible()
    await page.locator("a.q").first.click()
    await expect(page.get_by_role("heading", name="How it was measured")).to_be_visible()


async def test_a_pack_is_bought_with_test_money_and_an_abandoned_payment_is_recovered(windows, site):
    page = await windows.open("owner", f"{site.console}/credits")
    balance = page.locator(".card").filter(has_text="Balance").locator(".value")
    before = await balance.inner_text()
    await page.get_by_role("button", name=re.compile("^Buy")).first.click()
    await page.get_by_role("button", name="Pay", exact=True).click()
    await expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    await page.goto(f"{site.console}/credits")
    await expect(balance).not_to_have_text(before)
    after_one = await balance.inner_text()

    await page.get_by_role("button", name=re.compile("^Buy")).first.click()
    await expect(page.get_by_role("button", name="Pay", exact=True)).to_be_visible()
    paid = await page.context.request.post(page.url, form={"action": "pay"}, max_redirects=0)
    assert paid.status == 303
    await page.goto(f"{site.console}/credits")
    newest = page.locator("#purchases tbody tr").first
    await expect(newest).to_contain_text("Not paid")
    await newest.get_by_role("button", name="Check payment").click()
    await expect(page.locator("#purchases tbody tr").first).to_contain_text("Credited")
    await expect(balance).not_to_have_text(after_one)


async def test_a_key_is_minted_shown_once_and_revoked(windows, site):
    page = await windows.open("admin", f"{site.console}/keys")
    await page.get_by_label("Name", exact=True).fill("Browser journey")
    await page.get_by_role("button", name="Create key").click()
    secret = await page.locator("pre[data-copy]").first.inner_text()
    assert secret.startswith("sk_live_")
    await page.get_by_role("link", name="I have copied it").click()
    row = page.get_by_role("row").filter(has_text="Browser journey")
    await expect(row).to_contain_text(secret[-4:])
    assert secret not in await page.content()
    await row.locator("summary", has_text="Revoke").click()
    await row.get_by_role("button", name="Revoke this key").click()
    await expect(page.get_by_role("row").filter(has_text="Browser journey")).to_contain_text("revoked")


async def test_a_webhook_is_tried_out_and_its_delivery_sent_again_with_the_same_id(windows, site):
    async with Receiver() as receiver:
        page = await windows.open("admin", f"{site.console}/webhooks")
        await page.get_by_label("Endpoint URL").fill(receiver.url())
        await page.get_by_role("button", name="Add webhook").click()
        secret = await page.locator("pre[data-copy]").inner_text()
        await page.get_by_role("link", name="I have copied it").click()
        await page.get_by_role("button", name="Send a test event").click()
        tried = page.locator("#deliveries tr").filter(has_text="webhook.test")

        async def received_tests(times: int):
            tests = [each for each in receiver.received if b"webhook.test" in each.body]
            return tests if len(tests) >= times else None

        (first,) = await until(lambda: received_tests(1))
        assert first.signed_by(secret)
        await expect(tried).to_be_visible()  # a reload while the form still navigates fails

        async def is_delivered():
            await page.reload()
            return await tried.locator(".state.succeeded").count()

        await until(is_delivered)
        await tried.get_by_role("link").click()
        await expect(page.get_by_role("heading", name="Attempt 1: 200")).to_be_visible()
        await page.get_by_role("button", name="Send again").click()
        await expect(page.get_by_text("Event sent again with the same ID.")).to_be_visible()
        assert {each.id for each in await until(lambda: received_tests(2))} == {first.id}


async def test_test_mode_shows_a_banner_and_only_test_data(windows, site):
    page = await windows.open("editor", f"{site.console}/domains")
    await expect(page.get_by_role("link", name="acme.com")).to_be_visible()
    await page.get_by_role("link", name="Turn test mode on").click()
    await expect(page.locator(".test-band")).to_be_visible()
    await expect(page.get_by_role("link", name="acme.example")).to_be_visible()
    await expect(page.get_by_role("link", name="acme.com")).to_have_count(0)
    await page.get_by_role("link", name="Turn test mode off").click()
    await expect(page.locator(".test-band")).to_have_count(0)
