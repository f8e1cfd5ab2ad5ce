"""Changing the e-mail address: a link to both addresses, and nobody learns who has an account."""

import email
import email.policy
import re
import ssl

import msgspec
import pytest

from sightline.accounts.sign_in.email_change import JOB, ChangeLink, send_change_link
from sightline.mail.send import send_email
from sightline.presentation.catalogs import PSEUDO
from tests.accounts.test_security_emails import take_emails
from tests.fakes.mail_server import MailServer, make_certificate
from tests.installation import PASSWORD, Installation
from tests.web.page_browser import open_browser
from tests.web.untranslated import find_untranslated_in_email

NEW = "new@example.com"


@pytest.fixture
async def mailing(database_url, tmp_path, monkeypatch):
    """Open an installation with a mail server; `links()` sends what waits and returns it by address."""
    certificate = make_certificate(tmp_path)
    tls = ssl.create_default_context(cafile=str(certificate))
    async with MailServer(certificate, tls_first=True) as server:
        url = f"smtps://127.0.0.1:{server.port}"
        async with Installation.open(database_url, tmp_path, smtp_url=url, base_url="http://test") as installation:
            # The certificate of the mail server is one that only this test trusts.
            monkeypatch.setattr(
                "sightline.accounts.sign_in.email_change.send_email",
                lambda settings, message, *, now: send_email(settings, message, now=now, tls=tls),
            )

            async def emails():
                rows = await installation.db.fetch("DELETE FROM jobs WHERE kind = $1 RETURNING payload", JOB)
                for (payload,) in rows:
                    link = msgspec.json.decode(payload, type=ChangeLink)
                    await send_change_link(
                        installation.db, installation.app_context.settings, link, now=installation.clock()
                    )
                found, server.messages[:] = [parse(raw) for raw in server.messages], []
                return found

            async def links():
                found = re.compile(r"http://test(/confirm-email\?token=\S+)")
                return {each["To"]: found.findall(each.get_content()) for each in await emails()}

            installation.emails, installation.links = emails, links
            yield installation


def parse(raw):
    return email.message_from_bytes(raw, policy=email.policy.default)


async def confirm(browser, link):
    return await browser.post("/confirm-email", data={"token": link.partition("token=")[2]})


async def request(browser, address=NEW):
    return await browser.post("/account/email", data={"email": address})


@pytest.mark.parametrize("new_first", [True, False])
async def test_the_address_changes_once_both_links_were_opened(mailing, new_first):
    user = (await mailing.tenant()).owner
    async with (
        open_browser(mailing, user) as here,
        open_browser(mailing, user) as there,
        open_browser(mailing) as other,
    ):
        assert (await request(here, f" {NEW.upper()} ")).status_code == 303
        links = await mailing.links()
        assert links.keys() == {user.email, NEW}
        ordered = [links[each][0] for each in sorted(links, key=lambda to: (to == NEW) is not new_first)]
        for link in ordered:
            shown = await other.get(link)
            assert shown.status_code == 200 and NEW in shown.text and user.email not in shown.text
        first = await confirm(other, ordered[0])
        assert "Confirmed here" in first.text
        assert "Confirmed here" in (await confirm(other, ordered[0])).text, "one link opened twice is not both"
        assert await mailing.db.fetchval("SELECT email FROM users WHERE id = $1", user.id) == user.email
        assert "E-mail address changed" in (await confirm(here, ordered[1])).text
        assert (await here.get("/account")).status_code == 200
        assert (await there.get("/account")).status_code == 303, "all other sessions end"
        assert (await other.get(ordered[1])).status_code == 404, "a link works once"
        old = await other.post("/sign-in", data={"email": user.email, "password": PASSWORD})
        new = await other.post("/sign-in", data={"email": NEW, "password": PASSWORD})
        assert (old.status_code, new.status_code) == (401, 303)
    told = [each for each in await take_emails(mailing) if "address was changed" in each.subject]
    assert [each.to for each in told] == [user.email]


async def test_nobody_learns_that_the_new_address_has_an_account(mailing):
    user, taken = (await mailing.tenant()).owner, await mailing.user()
    async with open_browser(mailing, user) as browser:
        free, used = await request(browser), await request(browser, taken.email)
        assert (free.status_code, free.headers["location"]) == (used.status_code, used.headers["location"])
        links = await mailing.links()
        assert links.keys() == {user.email, taken.email} and links[taken.email] == []
        assert "Confirmed here" in (await confirm(browser, links[user.email][0])).text
    assert await mailing.db.fetchval("SELECT count(*) FROM users WHERE email = $1", NEW) == 0


async def test_an_address_that_gets_an_account_meanwhile_stays_with_it(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing, user) as browser:
        await request(browser)
        links = await mailing.links()
        await mailing.user(NEW)
        await confirm(browser, links[user.email][0])
        assert (await confirm(browser, links[NEW][0])).status_code == 404
        assert (await browser.get("/account")).status_code == 200
    assert await mailing.db.fetchval("SELECT email FROM users WHERE id = $1", user.id) == user.email


async def test_links_end_with_a_newer_request_a_new_password_and_a_day(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing, user) as browser:
        await request(browser)
        replaced = await mailing.links()
        await request(browser, "other@example.com")
        await request(browser)
        links = await mailing.links()
        assert set(replaced) == set(links) and len(await mailing.db.fetch("SELECT FROM email_changes")) == 1
        for link in (replaced[user.email][0], replaced[NEW][0], "/confirm-email?token=ec_x", "/confirm-email"):
            assert (await browser.get(link)).status_code == 404
            assert (await confirm(browser, link)).status_code == 404
        form = {"current_password": PASSWORD, "new_password": "another horse battery"}
        assert (await browser.post("/account/password", data=form)).status_code == 303
        assert (await browser.get(links[NEW][0])).status_code == 404, "who has changed the password starts again"
        mailing.clock.advance(hours=2)
        await browser.post("/account/confirm", data={"confirm_password": "another horse battery"})
        await request(browser)
        links = await mailing.links()
        mailing.clock.advance(days=1)
        assert (await confirm(browser, links[NEW][0])).status_code == 404


async def test_bad_addresses_and_many_requests_are_refused(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing, user) as browser:
        for address in ("", "x", "a@b", user.email, "a@b.com, c@d.com"):
            assert (await request(browser, address)).status_code == 422, address
        answers = [(await request(browser)).status_code for _ in range(4)]
        assert answers == [303, 303, 303, 429]
        mailing.clock.advance(minutes=16)
        asked = await request(browser)
        assert asked.status_code == 403 and "Confirm that it is you" in asked.text
    async with open_browser(mailing) as stranger:
        assert (await request(stranger)).headers["location"].startswith("/sign-in")


async def test_without_a_mail_server_the_operator_changes_addresses(installation):
    async with open_browser(installation, (await installation.tenant()).owner) as browser:
        assert "cannot send e-mails" in (await browser.get("/account")).text
        assert (await request(browser)).status_code == 200
    assert await installation.db.fetchval("SELECT count(*) FROM email_changes") == 0


async def test_the_e_mails_are_in_the_language_of_the_person(mailing):
    user, taken = (await mailing.tenant()).owner, await mailing.user()
    await mailing.db.execute("UPDATE users SET language = $2 WHERE id = $1", user.id, PSEUDO)
    async with open_browser(mailing, user) as browser:
        for address in (NEW, taken.email):
            await request(browser, address)
            for each in await mailing.emails():
                words = find_untranslated_in_email(each["Subject"], each.get_content().replace(NEW, ""))
                assert words == []
