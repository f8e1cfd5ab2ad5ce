"""Resetting a forgotten password by a link that is sent by e-mail."""

import email
import email.policy
import re
import ssl

import msgspec
import pytest
from structlog.testing import capture_logs

from sightline.accounts.sign_in.password_reset import JOB, ResetRequest, send_reset_link
from sightline.mail.send import send_email
from sightline.presentation.catalogs import PSEUDO
from tests.fakes.mail_server import MailServer, make_certificate
from tests.installation import PASSWORD, Installation
from tests.web.page_browser import open_browser
from tests.web.untranslated import find_untranslated_in_email

NEW = "another horse battery"


@pytest.fixture
async def mailing(database_url, tmp_path, monkeypatch):
    """Open an installation with a mail server; `emails()` sends what waits and returns it, `links()` only the links."""
    certificate = make_certificate(tmp_path)
    tls = ssl.create_default_context(cafile=str(certificate))
    async with MailServer(certificate, tls_first=True) as server:
        url = f"smtps://127.0.0.1:{server.port}"
        async with Installation.open(database_url, tmp_path, smtp_url=url, base_url="http://test") as installation:
            # The certificate of the mail server is one that only this test trusts.
            monkeypatch.setattr(
                "sightline.accounts.sign_in.password_reset.send_email",
                lambda settings, message, *, now: send_email(settings, message, now=now, tls=tls),
            )

            async def emails() -> list[email.message.EmailMessage]:
                rows = await installation.db.fetch("DELETE FROM jobs WHERE kind = $1 RETURNING payload", JOB)
                settings, now = installation.app_context.settings, installation.clock()
                for (payload,) in rows:
                    await send_reset_link(
                        installation.db, settings, msgspec.json.decode(payload, type=ResetRequest), now=now
                    )
                found, server.messages[:] = [parse(raw) for raw in server.messages], []
                return found

            async def links() -> list[str]:
                return [read_link(message) for message in await emails()]

            installation.emails, installation.links = emails, links
            yield installation


def parse(raw: bytes) -> email.message.EmailMessage:
    return email.message_from_bytes(raw, policy=email.policy.default)


def read_link(message: email.message.EmailMessage) -> str:
    (link,) = re.findall(r"http://test(/reset-password\?token=\S+)", message.get_content())
    return link


async def test_the_link_sets_a_new_password_once_and_ends_every_session(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing, user) as elsewhere, open_browser(mailing) as browser:
        assert 'href="/forgot-password"' in (await browser.get("/sign-in")).text
        assert 'action="/forgot-password"' in (await browser.get("/forgot-password")).text
        with capture_logs() as logs:
            asked = await browser.post("/forgot-password", data={"email": f" {user.email.upper()} "})
            (link,) = await mailing.links()
            token = link.partition("=")[2]
            assert (asked.status_code, asked.headers["location"]) == (303, "/forgot-password?sent=yes")
            page = await browser.get(link)
            assert page.text.count(token) == 1 and user.email in page.text and "<script" not in page.text
            assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "same-origin")
            weak = await browser.post("/reset-password", data={"token": token, "new_password": "password12"})
            assert weak.status_code == 422 and 'aria-invalid="true"' in weak.text and "too easy to guess" in weak.text
            done = await browser.post("/reset-password", data={"token": token, "new_password": NEW})
        assert (done.status_code, done.headers["location"]) == (303, "/account?done=password")
        assert token not in repr(logs), "the link is in no log"
        events = {line["event"]: line["user_id"] for line in logs if line.get("category") == "security"}
        assert [events[name] for name in ("password_reset_sent", "password_reset_used")] == [str(user.id)] * 2
        stored = await mailing.db.fetchval("SELECT string_agg(j::text, '') FROM jobs j")
        assert token not in (stored or "")
        assert (await browser.get("/account")).status_code == 200, "signed in here"
        assert (await elsewhere.get("/account")).status_code == 303, "and signed out everywhere else"
        again = await browser.post("/reset-password", data={"token": token, "new_password": "one more horse battery"})
        assert again.status_code == 404 and "This link is not valid" in again.text
    async with open_browser(mailing) as other:
        for password, status in ((PASSWORD, 401), (NEW, 303)):
            answer = await other.post("/sign-in", data={"email": user.email, "password": password})
            assert answer.status_code == status


async def test_the_e_mail_is_in_the_language_of_the_account(mailing):
    user = (await mailing.tenant()).owner
    await mailing.db.execute("UPDATE users SET language = $1 WHERE id = $2", PSEUDO, user.id)
    async with open_browser(mailing) as browser:
        await browser.post("/forgot-password", data={"email": user.email})
    (message,) = await mailing.emails()
    assert "http://test/reset-password?token=" in message.get_content()
    assert find_untranslated_in_email(message["Subject"], message.get_content()) == []


async def test_an_unknown_address_gets_the_same_answer_and_no_e_mail(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing) as browser:
        answers = []
        for address in (user.email, "nobody@acme.com"):
            answers += [await browser.post("/forgot-password", data={"email": address}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == ([303] * 3 + [429]) * 2
        assert answers[3].text.replace(user.email, "") == answers[7].text.replace("nobody@acme.com", "")
        assert len(await mailing.links()) == 1, "requests that wait count as one"
        wrong = await browser.post("/forgot-password", data={"email": "a,b@acme.com"})
        assert wrong.status_code == 422 and "one e-mail address" in wrong.text


async def test_a_link_expires_after_30_minutes_a_newer_link_or_a_password_change(mailing):
    user = (await mailing.tenant()).owner
    async with open_browser(mailing, user) as signed_in, open_browser(mailing) as browser:

        async def request() -> str:
            await browser.post("/forgot-password", data={"email": user.email})
            (link,) = await mailing.links()
            return link

        first, second = await request(), await request()
        assert [(await browser.get(link)).status_code for link in (first, second)] == [404, 200]
        mailing.clock.advance(minutes=30)
        assert (await browser.get(second)).status_code == 404
        third = await request()
        changed = {"current_password": PASSWORD, "new_password": NEW}
        assert (await signed_in.post("/account/password", data=changed)).status_code == 303
        assert (await browser.get(third)).status_code == 404
        await browser.post("/forgot-password", data={"email": user.email})
        mailing.clock.advance(minutes=31)
        assert await mailing.links() == [], "the mail server was away for too long"
        for token in ("", "pr_x", "x" * 5_000):
            assert (await browser.get("/reset-password", params={"token": token})).status_code == 404


async def test_without_a_mail_server_the_page_says_whom_to_ask(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation) as browser:
        page = await browser.get("/forgot-password")
        assert "sightline user password" in page.text and "<form" not in page.text
        refused = await browser.post("/forgot-password", data={"email": user.email})
        assert refused.status_code == 409 and "cannot send e-mails" in refused.text
    assert await installation.db.fetchval("SELECT count(*) FROM jobs") == 0
