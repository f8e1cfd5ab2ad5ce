"""E-mails to a person about their own account: a changed password, and a browser that is new to it."""

import msgspec

from sightline.mail.emails import JOB, OutgoingEmail
from sightline.presentation.catalogs import PSEUDO
from tests.installation import PASSWORD, Installation
from tests.web.page_browser import open_browser
from tests.web.untranslated import find_untranslated_in_email

NEW = "another horse battery"


async def take_emails(installation) -> list[OutgoingEmail]:
    rows = await installation.db.fetch("DELETE FROM jobs WHERE kind = $1 RETURNING payload", JOB)
    return [msgspec.json.decode(payload, type=OutgoingEmail) for (payload,) in rows]


async def sign_in(browser, user, password=PASSWORD):
    answer = await browser.post("/sign-in", data={"email": user.email, "password": password})
    assert answer.status_code == 303


async def test_a_person_hears_of_a_new_browser_and_of_a_changed_password(database_url, tmp_path):
    given = {"smtp_url": "smtp://127.0.0.1:9", "base_url": "http://test"}
    async with Installation.open(database_url, tmp_path, **given) as installation:
        user = await installation.user()
        async with open_browser(installation, User_Agent="Call 555-0100 now") as browser:
            await sign_in(browser, user)
            (told,) = await take_emails(installation)
            assert (told.to, told.subject) == (user.email, "A new browser signed in to your account")
            assert " UTC, in a new browser." in told.text
            assert "http://test/account" in told.text and "555" not in told.text
            await sign_in(browser, user)
            assert await take_emails(installation) == [], "the browser is known by now"
            form = {"current_password": PASSWORD, "new_password": NEW}
            assert (await browser.post("/account/password", data=form)).status_code == 303
            (told,) = await take_emails(installation)
            assert (told.to, told.subject) == (user.email, "Your password was changed")
            assert "http://test/forgot-password" in told.text and NEW not in told.text
        await installation.db.execute("UPDATE users SET language = $1", PSEUDO)
        for _ in range(6):
            async with open_browser(installation) as other:
                await sign_in(other, user, NEW)
        told = await take_emails(installation)
        assert len(told) == 2, "a program that signs in again and again is no flood"
        assert find_untranslated_in_email(told[0].subject, told[0].text) == []


async def test_nothing_is_sent_without_a_mail_server(installation):
    user = await installation.user()
    async with open_browser(installation) as browser:
        await sign_in(browser, user)
        await browser.post("/account/password", data={"current_password": PASSWORD, "new_password": NEW})
    assert await take_emails(installation) == []
