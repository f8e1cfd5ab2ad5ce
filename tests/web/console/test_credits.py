"""Credits on the pages: the ledger, buying, and checking a payment."""

import re

import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.web.console.console_browser import create_customer, open_console_browser


@pytest.fixture
async def customer(installation, client):
    return await create_customer(installation, client)


async def attempts(installation) -> list[str]:
    return [
        row[0] for row in await installation.db.fetch("SELECT reference FROM checkout_attempts ORDER BY created_at")
    ]


async def test_buying_leads_to_the_payment_page_and_a_form_sent_twice_to_the_same_one(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.get("/credits")).text
        pack = re.search(r'name="pricing_id" value="(\d+)"', page)[1]
        form = {"token": await console.token("/credits"), "pricing_id": pack}
        first, second = await console.post("/credits/checkout", **form), await console.post("/credits/checkout", **form)
        assert first.status_code == second.status_code == 303
        assert first.headers["location"] == second.headers["location"]
        assert first.headers["location"].startswith("/checkout/local/")
        assert len(await attempts(installation)) == 1


async def test_check_payment_credits_what_was_paid_once(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.get("/credits")).text
        pack = re.search(r'name="pricing_id" value="(\d+)"', page)[1]
        started = await console.post("/credits/checkout", token=str(new_id()), pricing_id=pack)
        await console.browser.post(started.headers["location"], data={"action": "pay"})
        (reference,) = await attempts(installation)
        before = await customer.balance()
        for _ in range(2):
            answer = await console.post(f"/credits/checkouts/{reference}/recover")
            assert answer.status_code == 303
        told = (await console.browser.get(answer.headers["location"])).text
        assert "Payment checked: it has arrived, and its credits are in your balance." in told
        bought = await installation.db.fetchval("SELECT credits FROM checkout_attempts")
        assert await customer.balance() == before + bought == 100 + bought
        assert "Credited" in (await console.get("/credits")).text


async def test_only_the_payer_with_billing_permission_may_buy_and_others_see_why_not(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        pack = re.search(r'name="pricing_id" value="(\d+)"', (await console.get("/credits")).text)[1]
        await console.post("/credits/checkout", token=str(new_id()), pricing_id=pack)
    (reference,) = await attempts(installation)
    admin = await installation.member(customer.tenant, Role.ADMIN, billing=True)
    async with open_console_browser(installation, customer.tenant, admin) as console:
        page = (await console.get("/credits")).text
        assert "Only the payer of this workspace" in page
        assert "/credits/checkout" not in page.replace("/credits/checkouts", "")
        assert "Check payment</button>" not in page
        assert (await console.post("/credits/checkout", token=str(new_id()), pricing_id=pack)).status_code == 403
        assert (await console.post(f"/credits/checkouts/{reference}/recover")).status_code == 403
    async with open_console_browser(installation, customer.tenant) as console:
        crossed = {"headers": {"Sec-Fetch-Site": "cross-site"}}
        form = {"token": str(new_id()), "pricing_id": pack}
        assert (await console.post("/credits/checkout", **crossed, **form)).status_code == 403
        assert (await console.post(f"/credits/checkouts/{reference}/recover", **crossed)).status_code == 403
    other = await installation.tenant()
    async with open_console_browser(installation, other) as console:
        assert (await console.post(f"/credits/checkouts/{reference}/recover")).status_code == 404
    assert len(await attempts(installation)) == 1


@pytest.mark.parametrize("pack", ["999999", "x", "-1", "", "9" * 30])
async def test_an_unknown_pack_is_refused_on_the_page(installation, customer, pack):
    async with open_console_browser(installation, customer.tenant) as console:
        page = await console.post("/credits/checkout", token=str(new_id()), pricing_id=pack)
        assert (page.status_code, "This pack is no longer on sale." in page.text) == (422, True)


async def test_the_spend_cap_is_said_where_it_is_passed(installation, customer):
    await installation.db.execute("UPDATE credit_accounts SET spend_cap_cents = 7900")
    async with open_console_browser(installation, customer.tenant) as console:
        offered = (await console.get("/credits")).text
        assert re.findall(r'name="pricing_id" value="(\d+)"', offered) == ["1", "2"]
        assert offered.count("Not available: this pack would exceed the monthly spending limit.") == 2
        page = await console.post("/credits/checkout", token=str(new_id()), pricing_id="3")
        assert (page.status_code, "This purchase would exceed the limit." in page.text) == (409, True)


async def test_the_ledger_is_narrowed_by_reason_and_exported(installation, customer):
    scan = await customer.accepted()
    async with open_console_browser(installation, customer.tenant) as console:
        everything = (await console.get("/credits")).text
        assert "Scan of acme.com" in everything and "For the test" in everything and scan in everything
        gifts = (await console.get("/credits", reason="promotional_grant")).text
        assert "For the test" in gifts and "Scan of acme.com" not in gifts
        export = await console.get("/credits/ledger.csv")
        assert export.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in export.headers["content-disposition"]
        assert len(export.text.splitlines()) == 3 and scan in export.text
        api = await customer.client.get("/api/v1/console/credits/ledger.csv", headers={"X-API-Key": customer.key})
        assert api.content == export.content


async def test_the_first_packs_are_in_the_language_of_the_reader_and_others_as_written(installation, customer):
    await installation.db.execute("UPDATE credit_packs SET name = 'Start 5%', badge = '5% off' WHERE credits = 50")
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.browser.get(f"{console.base}/credits", headers={"Accept-Language": "de"})).text
        assert ">10 Credits</h3>" in page and ">1.000 Credits</h3>" in page
        assert "Zehn Scans auf einer Plattform" in page and page.count(" pro Credit, zzgl. Steuern") == 3
        assert "Start 5%" in page and "5% off" in page
        assert ">1,000 credits</h3>" in (await console.get("/credits")).text


async def test_an_external_payment_page_is_shown_as_a_link(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        pack = re.search(r'name="pricing_id" value="(\d+)"', (await console.get("/credits")).text)[1]
        form = {"token": str(new_id()), "pricing_id": pack}
        await console.post("/credits/checkout", **form)
        elsewhere = '[["location", "https://pay.example.com/c/1"]]'
        await installation.db.execute(
            "UPDATE idempotency_keys SET headers = $1 WHERE headers::text LIKE '%/checkout/local/%'", elsewhere
        )
        page = await console.post("/credits/checkout", **form)
        assert page.status_code == 200 and 'href="https://pay.example.com/c/1" rel="noreferrer"' in page.text
