"""What agencies do with clients, Slack and a file of domains, click by click."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.person import Person
from tests.browser.windows import WIDE
from tests.fakes.slack import FakeSlack
from tests.logos import SVG

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
CLIENTS = 30
SECONDS_PER_ACTION = 3
ROWS = "\n".join(f"brand{number}.com;Brand {number};Client {number};rival{number}.com" for number in range(CLIENTS))


async def import_clients(person: Person, template: str) -> None:
    """Create thirty domains with their clients, from the list of domains."""
    content = f"Domain;Marke;Kunde;Wettbewerber\n{ROWS}\n".encode("cp1252")
    await person.click("link", "Import domains")
    await person.select("Template", template)
    await person.choose_file("CSV file", "kunden.csv", "text/csv", content)
    await person.click("button", "Preview")
    preview = person.page.locator("#preview")
    await expect(preview).to_contain_text("30 domains, 300 prompts, 30 new clients.")
    await expect(preview).to_contain_text("ask for 300 answers")
    await expect(person.page.locator("#cost")).to_have_text("Nothing: the answers of the sandbox are made up.")
    await expect(preview.locator("tbody tr")).to_have_count(CLIENTS)
    await person.click("button", "Create 30 domains and start their checks")
    await expect(person.page.get_by_role("link", name="brand29.com")).to_be_visible()


async def test_thirty_clients_are_set_up_from_one_file(windows, site):
    person = Person(await windows.open("owner", f"/w/{site.studio}"))
    await import_clients(person, site.studio_domain)
    assert person.actions <= 5


@pytest.mark.slow
@pytest.mark.timeout(900)  # a worker with one platform makes 300 answers, 30 analyses and 30 reports meanwhile
async def test_an_agency_sets_up_its_month_in_under_fifteen_minutes(windows, site, capsys):
    """Thirty clients from one file, each with logo, recipients, a monthly schedule, and a link to its first report.

    Measured: 157 clicks, 33 fields and 31 files. At 3 seconds each, that is 11.1 minutes. Meanwhile, the worker writes
    the first reports.
    """
    person = Person(await windows.open())
    page = person.page
    await person.fill("E-mail", site.bureau_owner.email)
    await person.fill("Password", site.bureau_owner.password)
    await person.click("button", "Sign in")
    await import_clients(person, site.bureau_domain)
    await person.open_menu(site.bureau_owner.email)
    await person.click("link", "Members")
    await person.click("link", "Clients")
    names = sorted(f"Client {number}" for number in range(CLIENTS))
    await person.click("link", f"Look and reports of {names[0]}")
    links: dict[str, str] = {}
    for number, (name, after) in enumerate(zip(names, [*names[1:], ""], strict=True)):
        await expect(page.get_by_role("heading", level=1)).to_have_text(name)
        await person.choose_file("Logo", "logo.svg", "image/svg+xml", draw_logo(number))
        recipients = f"ada@brand{number}.example\nben@brand{number}.example"
        await person.fill("Recipients, one per line", recipients)
        await person.click("radio", "Every month")
        await person.click("button", "Save")
        await expect(page.get_by_alt_text("Current logo")).to_be_visible()
        await expect(page.get_by_label("Recipients, one per line")).to_have_value(recipients)
        await expect(page.get_by_text("Next:")).to_be_visible()
        await person.click("button", "Create link")
        links[name] = await page.locator(".secret code").inner_text()
        await person.click("button", "Copy: Your link")
        if after:
            await person.click("link", f"Next client: {after}")
    minutes = person.actions * SECONDS_PER_ACTION / 60
    with capsys.disabled():
        print(  # noqa: T201 - the figures of this test
            f"\n{person.clicks} clicks, {person.fields} fields and {person.files} files: {minutes:.1f} minutes"
        )
    assert person.actions <= 12 + 6 * CLIENTS + (CLIENTS - 1) and minutes < 15

    reader, logos = await windows.open(path=links[names[0]]), set()
    for name in names:
        await open_report(reader, links[name])
        await expect(reader.locator("header bdi")).to_have_text(name.replace("Client", "Brand"))
        logos.add(await reader.locator("header img.sign").get_attribute("src"))
    assert len(logos) == CLIENTS


async def open_report(page: Page, link: str) -> None:
    """Open a client's latest report, as soon as its first Full Check has written it."""
    for _ in range(200):
        await page.goto(link)
        if not await page.get_by_text("There is no report yet.").count():
            return
        await page.wait_for_timeout(2000)
    raise AssertionError("no report was written")


def draw_logo(number: int) -> bytes:
    """Return an SVG that differs from client to client."""
    return SVG % b'<rect width="%d" height="40" fill="#7a1f5c"/>' % (40 + number)


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
