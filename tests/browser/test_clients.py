"""An agency's client, click by click: its look, its report, its e-mails, and what people without an account see."""

import asyncio
import email.policy
import re

import pytest
from playwright.async_api import expect

from tests.browser.windows import PHONE, check_themes_and_widths, save_screenshot
from tests.databases import run_sql
from tests.logos import SVG

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
LOGO = (
    SVG
    % b"""<script>alert(1)</script><rect width="100" height="40" rx="6" fill="#7a1f5c"/>
    <circle cx="20" cy="20" r="10" fill="#fff"/><path d="M40 14h46M40 26h34" stroke="#fff" stroke-width="5"/>"""
)


async def open_client(windows, site, name: str):
    """Add a client with the demo's domain, and open its page."""
    page = await windows.open("owner", f"/w/{site.agency}/clients")
    form = page.locator("form", has=page.get_by_role("button", name="Add", exact=True))
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("acme.com").check()
    await form.get_by_role("button", name="Add", exact=True).click()
    await page.get_by_role("link", name=f"Look and reports of {name}").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page


async def remove_client(page, site, name: str) -> None:
    await page.goto(f"/w/{site.agency}/clients")
    person = page.locator(".person", has_text=name)
    await person.locator("summary", has_text="Remove").click()
    await person.get_by_role("button", name=re.compile("Remove")).click()


async def test_a_report_gets_the_look_of_a_client_on_every_way_to_it(windows, site, base_url):
    page = await open_client(windows, site, "Look Group")
    await page.get_by_label("Color", exact=True).fill("#ffee00")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("cannot be read on white").first).to_be_visible()
    windows.forget_refusals(422)
    await page.get_by_label("Color", exact=True).fill("#7a1f5c")
    await page.get_by_label("Sender").fill("Northlight Agency")
    await page.get_by_label("Logo", exact=True).set_input_files(
        {"name": "logo.svg", "mimeType": "image/svg+xml", "buffer": LOGO}
    )
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_alt_text("Current logo")).to_be_visible()
    await check_themes_and_widths(page, "client")
    await save_screenshot(page, "client")
    await page.get_by_label("Say “Made with Sightline” at the end").uncheck()
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_label("Password (optional)").fill("anvils are loud")
    await page.get_by_role("button", name="Create link").click()
    link = await page.locator(".secret code").first.inner_text()

    await page.goto(f"{site.dashboard}/reports/{site.report}")
    logo = page.locator("header img.sign")
    await expect(logo).to_have_attribute("alt", "Northlight Agency")
    assert await logo.evaluate("image => image.naturalWidth") == 360
    await save_screenshot(page, "report-with-look")

    reader = await windows.open(path=link, size=PHONE)
    await reader.get_by_label("Password").fill("anvils are loud")
    await save_screenshot(reader, "latest-report-password")
    await reader.get_by_role("button", name="Open the reports").click()
    await expect(reader.locator("header img.sign")).to_be_visible()
    assert "sightline" not in (await reader.locator("body").inner_text()).lower()
    await remove_client(page, site, "Look Group")


async def test_reports_are_sent_on_a_schedule_and_stopped_without_an_account(
    windows, site, site_database, site_home, base_url
):
    page = await open_client(windows, site, "Mail Group")
    await page.get_by_label("Recipients, one per line").fill("ben@acme.example\nanna@acme.example")
    await page.get_by_label("Every week").check()
    await page.get_by_label("Language").select_option("de")
    await page.get_by_label("Time zone").fill("Europe/Berlin")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Next:")).to_be_visible()
    await page.get_by_role("link", name="Preview").click()
    await expect(page.get_by_role("link", name="Bericht lesen")).to_be_visible()
    await save_screenshot(page, "client-email")
    await page.go_back()
    await page.get_by_role("button", name="Send a test to me").click()
    await expect(page.get_by_text("The test is on its way to you.")).to_be_visible()

    await run_sql(site_database, "UPDATE report_schedules SET next_at = now() - interval '1 minute'")
    for _ in range(60):
        await page.reload()
        if await page.get_by_text("Written to a file").count() == 3:
            break
        await asyncio.sleep(1)
    await expect(page.get_by_text("Written to a file")).to_have_count(3)
    await expect(page.get_by_text("Last sent:")).to_be_visible()
    await save_screenshot(page, "client-emails")
    files = [file.read_bytes() for file in (site_home / "server" / "mail").glob("*.eml")]
    messages = [email.message_from_bytes(each, policy=email.policy.default) for each in files]
    (message,) = [each for each in messages if each["To"] == "ben@acme.example"]
    assert message["Subject"].startswith("[Sandbox]")
    text = message.get_body(("plain",)).get_content()

    read, leave = re.findall(r"https?://[^/]+(/shared/emails/\S+)", text)
    reader = await windows.open(path=read)
    await expect(reader.get_by_role("heading", level=1)).to_contain_text("Acme")
    await reader.goto(leave)
    await reader.get_by_role("button", name="Diese E-Mails abbestellen").click()
    await expect(reader.get_by_role("heading", level=1)).to_have_text("Sie erhalten diese E-Mails nicht mehr")
    await page.reload()
    await expect(page.get_by_text("Unsubscribed: ben@acme.example.")).to_be_visible()
    await remove_client(page, site, "Mail Group")
