"""Letters: what they may hold, by a mail server, and as files."""

import base64
import contextlib
import email.policy
import smtplib
import ssl
from datetime import UTC, datetime

import msgspec
import pytest

from sightline.mail.letters import JOB, Letter, post_letters, to_message
from sightline.mail.send import send_letter
from sightline.mail.smtp import read_smtp_url
from sightline.settings import Settings, SettingsError
from tests.fakes.mail_server import MailServer, make_certificate

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


def read(raw: bytes):
    return email.message_from_bytes(raw, policy=email.policy.default)


@pytest.mark.parametrize(
    "to",
    [
        "a@acme.com\r\nBcc: b@evil.com", "a@acme.com\nX: y", "a@acme.com,b@evil.com", "a@acme.com b@evil.com", "a", "",
        "@", "a@", "<a@acme.com>", "A <a@acme.com>", "a@b@c", "a@acme.com\0", "a@acme.com;b@evil.com", "a\r@acme.com",
    ],
)  # fmt: skip
def test_a_letter_goes_to_one_address_and_nothing_else(to):
    with pytest.raises(ValueError, match="one e-mail address"):
        Letter(to, "Subject", "Text")


@pytest.mark.parametrize("subject", ["a\r\nBcc: b@evil.com", "a\nb", "a\rb", "a\0b", "a\u2028b", "a\x0bb"])
def test_a_subject_is_one_line(subject):
    with pytest.raises(ValueError, match="one line"):
        Letter("a@acme.com", subject, "Text")


def test_a_job_cannot_smuggle_one_in():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"to":"a@acme.com\\r\\nBcc: b@c.com","subject":"s","text":"t"}', type=Letter)


def test_a_message_says_who_to_whom_what_and_when():
    letter = Letter("zoë@acme.com", "Grüße", "Hello Zoë,\n\n.\nFrom us\n")
    message = read(
        to_message(letter, "Sightline <no-reply@sightline.example>", now=NOW).as_bytes(policy=email.policy.SMTPUTF8)
    )
    assert message["To"] == "zoë@acme.com"
    assert message["Subject"] == "Grüße"
    assert message["From"] == "Sightline <no-reply@sightline.example>"
    assert message["Date"].datetime == NOW
    assert message["Message-ID"] == f"<{letter.id}@sightline.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content().replace("\r\n", "\n") == letter.text


def test_headers_are_ascii_for_a_server_that_knows_no_more():
    letter = Letter("zoe@acme.com", "Grüße", "Text")
    raw = to_message(letter, "us@sightline.example", now=NOW).as_bytes()
    assert raw.partition(b"\r\n\r\n")[0].isascii()
    assert read(raw)["Subject"] == "Grüße"


async def test_without_a_mail_server_a_letter_becomes_a_file_that_only_we_may_read(tmp_path):
    settings = Settings(data_dir=tmp_path)
    letter = Letter("owner@acme.com", "Hello", "Text")
    for _ in range(2):
        await send_letter(settings, letter, now=NOW)
    (path,) = (tmp_path / "mail").iterdir()
    assert path.name == f"{letter.id}.eml"
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
async def test_a_mail_server_gets_it_encrypted_and_after_signing_in(tmp_path, certificate, trusting, scheme):
    letter = Letter("owner@acme.com", "Hello", "Text\n.\n")
    async with MailServer(certificate, tls_first=scheme == "smtps") as server:
        url = f"{scheme}://us%40er:p%2Fw@127.0.0.1:{server.port}"
        settings = Settings(data_dir=tmp_path, smtp_url=url, mail_from="us@sightline.example")
        await send_letter(settings, letter, now=NOW, tls=trusting)
    (raw,) = server.taken
    assert read(raw)["Subject"] == "Hello"
    assert all(encrypted for said, encrypted in server.said if said.split(" ")[0] not in {"ehlo", "STARTTLS"})
    auth = next(said for said, _ in server.said if said.startswith("AUTH"))
    assert base64.b64decode(auth.split(" ")[2]) == b"\0us@er\0p/w"
    assert any(said.lower().startswith("mail from:<us@sightline.example>") for said, _ in server.said)
    assert not (tmp_path / "mail").exists()


async def test_a_server_without_tls_gets_neither_letter_nor_password(tmp_path, certificate, trusting):
    async with MailServer(certificate, tls_first=False, offers_tls=False) as server:
        settings = Settings(data_dir=tmp_path, smtp_url=f"smtp://user:word@127.0.0.1:{server.port}")
        with pytest.raises(smtplib.SMTPNotSupportedError):
            await send_letter(settings, Letter("a@acme.com", "s", "t"), now=NOW, tls=trusting)
    assert server.taken == []
    assert not any(said.startswith("AUTH") for said, _ in server.said)


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_server_with_a_certificate_that_nobody_knows_gets_nothing(tmp_path, certificate, scheme):
    async with MailServer(certificate, tls_first=scheme == "smtps") as server:
        settings = Settings(data_dir=tmp_path, smtp_url=f"{scheme}://127.0.0.1:{server.port}")
        with pytest.raises(ssl.SSLError):
            await send_letter(settings, Letter("a@acme.com", "s", "t"), now=NOW)
    assert server.taken == []


def test_the_address_of_a_mail_server():
    server = read_smtp_url("smtp://mail.acme.com")
    assert (server.host, server.port, server.tls_first, server.user) == ("mail.acme.com", 587, False, None)
    assert read_smtp_url("smtps://mail.acme.com").port == 465
    for url in ("mail.acme.com", "http://mail.acme.com", "smtp://", "smtp://user:geheim@host:nonsense"):
        with pytest.raises(SettingsError) as refused:
            read_smtp_url(url)
        assert "geheim" not in str(refused.value)


async def test_letters_are_sent_if_and_only_if_their_cause_commits(installation):
    letter = Letter("a@acme.com", "s", "t")
    query = "SELECT payload FROM jobs.pgqueuer WHERE entrypoint = $1"
    with contextlib.suppress(ZeroDivisionError):
        async with installation.db.transaction() as tx:
            await post_letters(tx, letter)
            raise ZeroDivisionError
    assert await installation.db.fetch(query, JOB) == []
    async with installation.db.transaction() as tx:
        await post_letters(tx, letter, letter)
    (row,) = await installation.db.fetch(query, JOB)
    assert msgspec.json.decode(row[0], type=Letter) == letter
