"""What agencies do with clients, Slack and a file of domains, click by click."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.windows import WIDE
from tests.fakes.slack import FakeSlack

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
CLIENTS = 30
ROWS = "\n".join(f"brand{number}.com;Brand {number};Client {number};rival{number}.com" for number in range(CLIENTS))


class Clicks:
    """Counts the clicks of a person."""

    def __init__(self, page: Page) -> None:
        self._page, self.count = page, 0

    async def on(self, role, name: str) -> None:
        await self._page.get_by_role(role, name=name, exact=True).first.click()
        self.count += 1


async def test_thirty_clients_are_set_up_from_one_file(windows, site):
    page = await windows.open("owner", f"/w/{site.studio}")
    click = Clicks(page)
    await click.on("link", "Import domains")
    await page.get_by_label("Template").select_option(site.studio_domain)
    content = f"Domain;Marke;Kunde;Wettbewerber\n{ROWS}\n".encode("cp1252")
    await page.get_by_label("CSV file").set_input_files(
        {"name": "kunden.csv", "mimeType": "text/csv", "buffer": content}
    )
    await click.on("button", "Preview")
    preview = page.locator("#preview")
    await expect(preview).to_contain_text("30 domains, 300 prompts, 30 new clients.")
    await expect(preview).to_contain_text("ask for 300 answers")
    await expect(page.locator("#cost")).to_have_text("Nothing: the answers of the sandbox are made up.")
    await expect(preview.locator("tbody tr")).to_have_count(CLIENTS)
    await click.on("button", "Create 30 domains and start their checks")
    await expect(page.get_by_role("link", name="brand29.com")).to_be_visible()
    assert click.count + 2 <= 6, "with the choice of a template and of a file"


async def test_a_hostile_file_is_refused_with_its_lines(windows, site):
    page = await windows.open("owner", f"/w/{site.studio}/import")
    await page.get_by_label("Or paste the lines").fill("domain,brand\nanvils.com,Anvils\nhooli.com,=1+1\n")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text(re.compile("Line 3: “=1\\+1” begins with"))).to_be_visible()
    await page.get_by_label("Template").select_option(site.studio_domain)
    await page.get_by_label("Or paste the lines").fill("domain,brand\nanvils.com,Anvils\n")
    await page.get_by_role("button", name=re.compile("^Preview")).click()
    await expect(page.get_by_text("Line 2: anvils.com is tracked already.")).to_be_visible()
    await expect(page.locator("#preview")).to_have_count(0)
    windows.forget_refusals(422)


async def test_a_guest_sees_the_domains_of_their_client_alone(windows, site):
    page = await windows.open("owner", f"/w/{site.studio}/clients")
    form = page.locator("section", has=page.get_by_role("heading", name="Add a client"))
    await form.get_by_label("Name").fill("Anvils Group")
    await form.get_by_label("anvils.com", exact=True).check()
    await form.get_by_role("button", name="Add").click()
    await expect(page.get_by_text("Client added.")).to_be_visible()
    await page.goto(f"/w/{site.studio}/members")
    await page.get_by_label("Sees").select_option(label="Anvils Group")
    await page.get_by_role("button", name="Create invitation").click()
    await expect(page.get_by_text("As a guest, this person sees the domains of Anvils Group")).to_be_visible()
    link = await page.locator("figure.secret code").inner_text()
    guest = await windows.open(None, link.replace(link.split("/join")[0], ""), size=WIDE)
    await expect(guest.get_by_text("You will see the domains of Anvils Group")).to_be_visible()
    await guest.get_by_label("Your name").fill("Gia")
    await guest.get_by_label("E-mail").fill("gia@anvils.example")
    await guest.get_by_label("Password").fill("a long and quiet anvil song")
    await guest.get_by_role("button", name="Create account and join").click()
    await expect(guest.get_by_role("link", name="anvils.com").first).to_be_visible()
    await expect(guest.get_by_text("brand1.com")).to_have_count(0)
    await expect(guest.get_by_role("link", name="Console")).to_have_count(0)
    for path in ("members", "clients", "slack", "import", "console"):
        refused = await guest.context.request.get(f"/w/{site.studio}/{path}")
        assert refused.status in {403, 404}, path
    shown = await guest.context.request.get(f"/w/{site.studio}/d/{site.studio_domain}/prompts")
    assert shown.status == 200 and "which anvil fits forge" in await shown.text()
    found = await guest.context.request.get(f"/w/{site.studio}/jump?q=brand")
    assert "brand1.com" not in await found.text()


async def test_slacks_test_message_arrives_and_a_failure_shows_its_reason(windows, site):
    async with FakeSlack() as slack:
        page = await windows.open("owner", f"/w/{site.studio}/slack")
        await expect(page.get_by_text("This installation is a sandbox: nothing is posted to Slack.")).to_be_visible()
        await page.get_by_label("Name").fill("#anvils")
        await page.get_by_label("Webhook address").fill(slack.url())
        for event in ("Finished Full Checks, with their findings", "New reports"):  # of the checks that run meanwhile
            await page.get_by_label(event).uncheck()
        await page.get_by_role("button", name="Add channel").click()
        await expect(page.get_by_text("Channel added.")).to_be_visible()
        assert "sEcReT" not in await page.content()
        await page.get_by_role("button", name="Post a test message").click()
        await expect(page.get_by_text("Test message sent.")).to_be_visible()
        await _reload_until(page, "Delivered")
        assert slack.posted[0].texts[0] == "*Sightline can post here*"
        slack.script("no_service")
        await page.get_by_role("button", name="Post a test message").click()
        await expect(page.get_by_text("Test message sent.")).to_be_visible()
        await _reload_until(page, "Failed: the webhook or its channel no longer exists in Slack")
        await expect(page.get_by_text("The webhook was removed or disabled in Slack.")).to_be_visible()
        await expect(page.locator(".stamp")).to_contain_text("no longer exists in Slack")
        await page.get_by_label("Webhook address").fill("https://hooks.slack.com/services/T1/B1/x")
        await page.get_by_role("button", name="Save").click()
        await page.get_by_role("button", name="Enable").click()
        await page.get_by_role("button", name="Post a test message").click()
        await _reload_until(page, "Not sent: a sandbox posts nothing to Slack")


async def _reload_until(page: Page, words: str) -> None:
    for _ in range(30):
        if await page.locator("#messages").get_by_text(words).count():
            return
        await page.wait_for_timeout(500)
        await page.reload()
    await expect(page.locator("#messages").get_by_text(words).first).to_be_visible()
