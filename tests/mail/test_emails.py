"""Outgoing e-mail: what it may contain, delivery by a mail server, and files in its absence."""

import base64
import contextlib
import email.policy
import re
import smtplib
import ssl
import uuid
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sightline.accounts.users import clean_email
from sightline.errors import Problem
from sightline.kit.email_addresses import is_email_address
from sightline.mail.emails import (
    JOB,
    EmailText,
    OutgoingEmail,
    Recipient,
    build_emails,
    enqueue_emails,
    to_message,
)
from sightline.mail.send import send_email
from sightline.mail.smtp import parse_smtp_url
from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.language import current_language
from sightline.settings import Settings, SettingsError
from sightline.webhooks.deliveries.emails import build_disabled_emails
from sightline.webhooks.models import EndpointHealth
from tests.fakes.mail_server import MailServer, make_certificate
from tests.property_testing import prove
from tests.web.untranslated import find_untranslated

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


def read(raw: bytes):
    return email.message_from_bytes(raw, policy=email.policy.default)


@pytest.mark.parametrize(
    "to",
    [
        "a@acme.com\r\nBcc: b@evil.com", "a@acme.com\nX: y", "a@acme.com,b@evil.com", "a@acme.com b@evil.com", "a", "",
        "@", "a@", "<a@acme.com>", "A <a@acme.com>", "a@b@c", "a@acme.com\0", "a@acme.com;b@evil.com", "a\r@acme.com",
        "zoe,adam@acme.com", '"zoe adam"@acme.com', "a..b@acme.com", ".a@acme.com", "a.@acme.com", "a@acme..com",
        "a@-acme.com", "a@[127.0.0.1]", "a@localhost", "a\u2028@acme.com", f"{'a' * 65}@acme.com", f"a@{'b.' * 130}com",
    ],
)  # fmt: skip
def test_accounts_and_emails_refuse_what_is_not_one_address(to):
    with pytest.raises(ValueError, match="one recipient address"):
        OutgoingEmail(to, "Subject", "Text")
    with pytest.raises(Problem, match="email must be one e-mail address"):
        clean_email(to)


@prove
@given(st.from_regex(re.compile(r"[a-z0-9.+'*?=_éß-]{1,12}@([a-zéß0-9-]{1,9}\.){1,2}(com|москва)"), fullmatch=True))
def test_an_address_that_an_account_accepts_is_the_one_recipient_of_an_email(address):
    assume(is_email_address(address))
    assert clean_email(f" {address} ") == address.lower()
    raw = to_message(OutgoingEmail(address, "Subject", "Text"), "us@acme.com", now=NOW)
    message = read(raw.as_bytes(policy=email.policy.SMTPUTF8))
    assert str(message["To"]) == address and len(message["To"].addresses) == 1


def test_a_recipient_without_a_usable_address_is_left_out():
    everyone = [Recipient(address, None) for address in ("a@acme.com", "zoe,adam@acme.com", "b@acme.com")]
    made = build_emails(everyone, lambda: EmailText("Two\nlines", "Text"))
    assert [message.to for message in made] == ["a@acme.com", "b@acme.com"]
    assert {message.subject for message in made} == {"Two lines"}


def test_direction_controls_of_names_are_visible_in_subject_and_text():
    (made,) = build_emails([Recipient("a@acme.com", None)], lambda: EmailText("Ac\u202eme", "Join Ac\u2066me.\n"))
    assert (made.subject, made.text) == ("Ac[U+202E]me", "Join Ac[U+2066]me.\n")


def test_each_recipient_reads_their_own_language():
    people = [Recipient("a@acme.com", "de"), Recipient("b@acme.com", None), Recipient("c@acme.com", PSEUDO)]
    health = EndpointHealth("enabled", None, "https://acme.com/hook", livemode=True, kind="webhook", description="")
    emails = build_disabled_emails(people, uuid.UUID(int=1), health, "failing", None)
    german, english, pseudo = emails
    assert german.subject == "Ihr Webhook an acme.com wurde deaktiviert" and german.text.startswith("Guten Tag,\n\n")
    assert english.subject == "Your webhook to acme.com was disabled" and english.text.startswith("Hello,\n\n")
    assert find_untranslated(pseudo.subject + pseudo.text) == []
    assert current_language() == "en"


@pytest.mark.parametrize("subject", ["a\r\nBcc: b@evil.com", "a\nb", "a\rb", "a\0b", "a\u2028b", "a\x0bb"])
def test_a_subject_is_one_line(subject):
    with pytest.raises(ValueError, match="one printable line"):
        OutgoingEmail("a@acme.com", subject, "Text")


def test_a_stored_job_cannot_smuggle_in_a_recipient():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"to":"a@acme.com\\r\\nBcc: b@c.com","subject":"s","text":"t"}', type=OutgoingEmail)


def test_a_message_has_sender_recipient_subject_and_date():
    outgoing = OutgoingEmail("zoë@acme.com", "Grüße", "Hello Zoë,\n\n.\nFrom us\n")
    message = read(
        to_message(outgoing, "Sightline <no-reply@sightline.example>", now=NOW).as_bytes(policy=email.policy.SMTPUTF8)
    )
    assert message["To"] == "zoë@acme.com"
    assert message["Subject"] == "Grüße"
    assert message["From"] == "Sightline <no-reply@sightline.example>"
    assert message["Date"].datetime == NOW
    assert message["Message-ID"] == f"<{outgoing.id}@sightline.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content().replace("\r\n", "\n") == outgoing.text


def test_headers_are_ascii_for_a_server_without_smtputf8():
    outgoing = OutgoingEmail("zoe@acme.com", "Grüße", "Text")
    raw = to_message(outgoing, "us@sightline.example", now=NOW).as_bytes()
    assert raw.partition(b"\r\n\r\n")[0].isascii()
    assert read(raw)["Subject"] == "Grüße"


async def test_without_a_mail_server_an_email_becomes_a_private_file(tmp_path):
    settings = Settings(data_dir=tmp_path)
    outgoing = OutgoingEmail("owner@acme.com", "Hello", "Text")
    for _ in range(2):
        await send_email(settings, outgoing, now=NOW)
    (path,) = (tmp_path / "mail").iterdir()
    assert path.name == f"{outgoing.id}.eml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert read(path.read_bytes())["To"] == "owner@acme.com"


@pytest.fixture
def certificate(tmp_path):
    return make_certificate(tmp_path)


@pytest.fixture
def trusting(certificate):
    return ssl.create_default_context(cafile=str(certificate))


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_mail_server_receives_it_encrypted_and_after_authentication(tmp_path, certificate, trusting, scheme):
    outgoing = OutgoingEmail("owner@acme.com", "Hello", "Text\n.\n")
    async with MailServer(certificate, tls_first=scheme == "smtps") as server:
        url = f"{scheme}://us%40er:p%2Fw@127.0.0.1:{server.port}"
        settings = Settings(data_dir=tmp_path, smtp_url=url, mail_from="us@sightline.example")
        await send_email(settings, outgoing, now=NOW, tls=trusting)
    (raw,) = server.messages
    assert read(raw)["Subject"] == "Hello"
    assert all(encrypted for line, encrypted in server.lines if line.split(" ")[0] not in {"ehlo", "STARTTLS"})
    auth = next(line for line, _ in server.lines if line.startswith("AUTH"))
    assert base64.b64decode(auth.split(" ")[2]) == b"\0us@er\0p/w"
    assert any(line.lower().startswith("mail from:<us@sightline.example>") for line, _ in server.lines)
    assert not (tmp_path / "mail").exists()


async def test_a_server_without_tls_receives_neither_email_nor_password(tmp_path, certificate, trusting):
    async with MailServer(certificate, tls_first=False, offers_tls=False) as server:
        settings = Settings(data_dir=tmp_path, smtp_url=f"smtp://user:word@127.0.0.1:{server.port}")
        with pytest.raises(smtplib.SMTPNotSupportedError):
            await send_email(settings, OutgoingEmail("a@acme.com", "s", "t"), now=NOW, tls=trusting)
    assert server.messages == []
    assert not any(line.startswith("AUTH") for line, _ in server.lines)


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_server_with_an_untrusted_certificate_receives_nothing(tmp_path, certificate, scheme):
    async with MailServer(certificate, tls_first=scheme == "smtps") as server:
        settings = Settings(data_dir=tmp_path, smtp_url=f"{scheme}://127.0.0.1:{server.port}")
        with pytest.raises(ssl.SSLError):
            await send_email(settings, OutgoingEmail("a@acme.com", "s", "t"), now=NOW)
    assert server.messages == []


def test_the_url_of_a_mail_server_is_parsed():
    server = parse_smtp_url("smtp://mail.acme.com")
    assert (server.host, server.port, server.tls_first, server.user) == ("mail.acme.com", 587, False, None)
    assert parse_smtp_url("smtps://mail.acme.com").port == 465
    for url in ("mail.acme.com", "http://mail.acme.com", "smtp://", "smtp://user:geheim@host:nonsense"):
        with pytest.raises(SettingsError) as refused:
            parse_smtp_url(url)
        assert "geheim" not in str(refused.value)


async def test_emails_are_sent_if_and_only_if_the_transaction_commits(installation):
    outgoing = OutgoingEmail("a@acme.com", "s", "t")
    query = "SELECT payload FROM jobs WHERE kind = $1"
    with contextlib.suppress(ZeroDivisionError):
        async with installation.db.transaction() as tx:
            await enqueue_emails(tx, outgoing)
            raise ZeroDivisionError
    assert await installation.db.fetch(query, JOB) == []
    async with installation.db.transaction() as tx:
        await enqueue_emails(tx, outgoing, outgoing)
    (row,) = await installation.db.fetch(query, JOB)
    assert msgspec.json.decode(row[0], type=OutgoingEmail) == outgoing
