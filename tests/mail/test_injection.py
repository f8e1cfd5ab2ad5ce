"""Names that try to add a recipient, a header, a part or lines of their own to an e-mail."""

import email
import email.policy
import ssl
from datetime import UTC, datetime

import pytest

from sightline.accounts.invitations.invite import build_invitation_email
from sightline.answers.models import Brand
from sightline.kit.ids import new_id
from sightline.mail.emails import OutgoingEmail
from sightline.mail.send import send_email
from sightline.settings import Settings
from tests.accounts.test_invitations import create_invitation
from tests.api.assertions import CONSOLE
from tests.fakes.mail_server import MailServer, make_certificate
from tests.insights.daily_answers import answers_naming, open_history
from tests.reports.stored_reports import ReportedDomain
from tests.reports.test_write import list_emails

INJECTED = ("Bcc: a@evil.test", "Content-Type: text/html", "<script>alert(1)</script>", ".", "RCPT TO:<a@evil.test>")
EVIL = "Acme\r\n" + "\r\n\r\n".join(INJECTED) + '\u2028\uffff"<b>%(x)s {0}'
HEADERS = {
    "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Type", "Content-Transfer-Encoding",
    "MIME-Version",
}  # fmt: skip


async def write_invitation(installation) -> list[OutgoingEmail]:
    tenant = await installation.tenant()
    await installation.db.execute("UPDATE users SET name = $1", EVIL)
    invitation, _ = await create_invitation(installation, tenant, email="grace@acme.com")
    return [await build_invitation_email(installation.db, invitation, EVIL, "UTC", "http://test/join?token=x")]


async def write_alerts(installation) -> list[OutgoingEmail]:
    history = await open_history(installation)
    await installation.db.execute("UPDATE domains SET brand_name = $1, aliases = '{Acme}'", EVIL)
    for named in (12, 3, 3):
        await history.run_daily_check(answers_naming(chatgpt=named))
    return await list_emails(installation)


async def write_report(installation) -> list[OutgoingEmail]:
    rival = Brand(EVIL.replace("Acme", "Globex"), ("Globex",), ("globex.com",))
    tracked = await ReportedDomain.open(installation, brand=Brand(EVIL, ("Acme",), ("acme.com",)), rivals=(rival,))
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.write(job)
    return await list_emails(installation)


@pytest.mark.parametrize("write", [write_invitation, write_alerts, write_report])
async def test_a_name_adds_neither_recipient_nor_header_nor_part_nor_line(installation, tmp_path, write):
    """The names are stored as no form accepts them."""
    emails = await write(installation)
    certificate = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificate))
    async with MailServer(certificate, tls_first=True) as server:
        settings = Settings(data_dir=tmp_path, smtp_url=f"smtps://127.0.0.1:{server.port}", mail_from="us@s.example")
        for each in emails:
            await send_email(settings, each, now=datetime(2026, 11, 15, tzinfo=UTC), tls=trusting)
    sent = [line for line, _ in server.lines if line.lower().startswith("rcpt")]
    assert len(server.messages) == len(emails) == len(sent) and emails
    assert all(f"<{each.to}>" in line for each, line in zip(emails, sent, strict=True))
    for each, raw in zip(emails, server.messages, strict=True):
        message = email.message_from_bytes(raw, policy=email.policy.default)
        expected = HEADERS - {"Content-Transfer-Encoding"} if each.html else HEADERS
        assert set(message.keys()) == expected and len(message.keys()) == len(expected)
        assert (str(message["To"]), str(message["From"])) == (each.to, "us@s.example")
        parts = [part for part in message.walk() if not part.is_multipart()]
        kinds = ["text/plain", "text/html", "image/png"] if each.html else ["text/plain"]
        assert [part.get_content_type() for part in parts] == kinds
        lines = [line.strip() for line in parts[0].get_content().splitlines()]
        assert "Acme" in each.text and not set(INJECTED) & set(lines), lines
        assert "<script" not in each.html


async def test_names_of_a_workspace_and_a_brand_are_stored_on_one_line(installation):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live, Idempotency_Key=str(new_id())) as client:
        renamed = await client.patch(f"{CONSOLE}/account", json={"name": " Acme\r\n\r\nBcc:\ta@evil.test "})
        assert renamed.json()["data"]["name"] == "Acme Bcc: a@evil.test"
        names = {"domain": "acme.com", "brand_name": "Acme\nForge", "aliases": ["The\r\nForge"]}
        made = (await client.post(f"{CONSOLE}/domains", json=names)).json()["data"]
        assert (made["brand_name"], made["aliases"]) == ("Acme Forge", ["The Forge"])
