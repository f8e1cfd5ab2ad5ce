"""Reports that are sent to the recipients of clients: when, to whom, in which look and language, and only once."""

import email.policy
import re
import uuid
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from pydantic import SecretStr

from sightline.accounts.models import build_operator_actor
from sightline.clients.manage import add_client, change_client, remove_client, set_logo
from sightline.clients.schemas import ClientChanges, ClientInput
from sightline.errors import Problem
from sightline.plans.table import Plan
from sightline.reports.mailings import queries, schedule, send
from sightline.reports.mailings.due import find_next_time
from sightline.reports.mailings.models import EMAIL_JOB, MAILING_JOB, MailingJob, ReportEmailJob, ScheduleInput
from tests.fakes.mail_server import MailServer, make_certificate
from tests.logos import make_png
from tests.reports.stored_reports import ReportedDomain
from tests.running_worker import until, working
from tests.web.page_browser import open_browser

WEEKLY = ScheduleInput(rhythm="weekly", day=1, hour=8)


@pytest.mark.parametrize(
    ("rhythm", "day", "hour", "zone", "after", "due"),
    [
        ("weekly", 1, 8, "UTC", "2026-11-15T09:30", "2026-11-16T08:00"),
        ("weekly", 1, 8, "UTC", "2026-11-16T08:00", "2026-11-23T08:00"),
        ("weekly", 7, 23, "America/Los_Angeles", "2026-11-15T09:30", "2026-11-16T07:00"),
        ("weekly", 1, 0, "Pacific/Kiritimati", "2026-11-15T09:30", "2026-11-15T10:00"),
        ("monthly", 1, 8, "Europe/Berlin", "2026-11-01T07:00", "2026-12-01T07:00"),
        ("monthly", 28, 8, "UTC", "2027-01-29T00:00", "2027-02-28T08:00"),
        ("weekly", 7, 2, "Europe/Berlin", "2027-03-27T12:00", "2027-03-28T01:00"),  # 2:00 does not exist on that day
        ("weekly", 7, 2, "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T00:00"),  # and comes twice on this one
    ],
)
def test_the_next_time_is_an_hour_of_the_clients_clock(rhythm, day, hour, zone, after, due):
    found = find_next_time(rhythm, day, hour, zone, after=datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(due).replace(tzinfo=UTC)


class Agency:
    """A workspace with clients, each with a domain that has a report."""

    def __init__(self, installation, tenant) -> None:
        self.installation, self.tenant, self.db = installation, tenant, installation.db
        self.settings = installation.app_context.settings
        self.actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)

    async def write(self, step, *arguments, **named):
        async with self.db.transaction() as tx:
            return await step(tx, self.actor, *arguments, **named)

    async def add(self, tracked=None, *, recipients=("ben@acme.com",), plan=WEEKLY, **details):
        domains = [str(tracked.domain_id)] if tracked else []
        count = await self.db.fetchval("SELECT count(*) FROM clients")
        new = ClientInput(f"Client {count}", domains, recipients=list(recipients), **details)
        client = await self.write(add_client, new, now=self.installation.clock())
        await self.write(set_logo, client.id, make_png())
        if plan is not None:
            await self.write(schedule.set_schedule, client.id, plan, now=self.installation.clock())
        return client

    async def start_due(self) -> int:
        return await schedule.start_due_mailings_any_workspace(self.db, now=self.installation.clock())

    async def run_jobs(self) -> None:
        """Run the waiting jobs of mailings as a worker does. A job that fails stays."""
        for kind, payload in ((MAILING_JOB, MailingJob), (EMAIL_JOB, ReportEmailJob)):
            for row in await self.db.fetch("SELECT id, payload, attempts FROM jobs WHERE kind = $1 ORDER BY id", kind):
                job = msgspec.json.decode(row["payload"], type=payload)
                if kind == MAILING_JOB:
                    await send.send_due_reports(self.db, self.settings, job, clock=self.installation.clock)
                else:
                    await send.send_report_email(
                        self.db, self.settings, job, row["attempts"], clock=self.installation.clock
                    )
                await self.db.execute("DELETE FROM jobs WHERE id = $1", row["id"])

    async def mail(self) -> list:
        """Send what is due, and return the e-mails that were written to files, by recipient."""
        await self.start_due()
        await self.run_jobs()
        files = sorted((self.settings.data_dir / "mail").glob("*.eml"))
        found = [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
        return sorted(found, key=lambda each: each["To"])

    async def outcome(self, client) -> str | None:
        return (await queries.find_schedule(self.db, self.tenant.workspace.id, client.id)).last_outcome


@pytest.fixture
async def agency(installation, tracked):
    return Agency(installation, tracked.tenant)


async def report(tracked, **how) -> None:
    await tracked.write(await tracked.complete_scan(**how))


def read_texts(message) -> tuple[str, str]:
    return message.get_body(("plain",)).get_content(), message.get_body(("html",)).get_content()


async def test_recipients_get_the_report_once_in_the_look_and_language_of_the_client(installation, tracked, agency):
    await report(tracked, source="live")
    await agency.add(
        tracked,
        recipients=["ben@acme.com", "anna@acme.com"],
        sender_name="Northlight",
        color="#7a1f5c",
        language="de",
        shows_maker=False,
    )
    assert await agency.mail() == []
    installation.clock.now = datetime(2026, 11, 16, 8, tzinfo=UTC)
    first, second = await agency.mail()
    assert (first["To"], second["To"]) == ("anna@acme.com", "ben@acme.com")
    for message in (first, second):
        assert message["From"] == "Northlight <sightline@localhost>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        text, html = read_texts(message)
        assert "Bericht lesen" in html and "#7a1f5c" in html and "cid:logo" in html and "cid:report" in html
        assert "sightline" not in (text + html).lower().replace("sightline.acme.com", "")
        assert [part.get_filename() for part in message.walk() if part.get_content_maintype() == "image"] == [
            "report.png",
            "logo.png",
        ]
    assert await agency.start_due() == 0
    installation.clock.advance(days=7)
    assert len(await agency.mail()) == 2
    assert await agency.db.fetchval("SELECT last_outcome FROM report_schedules") == "nothing_new"
    assert {row[0] for row in await agency.db.fetch("SELECT sent_at IS NOT NULL FROM report_emails")} == {True}


async def test_nothing_is_sent_before_a_full_check_or_without_recipients(installation, tracked, agency):
    empty, unread = await agency.add(), await agency.add(tracked, recipients=[])
    await report(tracked)
    installation.clock.advance(days=1)
    assert await agency.mail() == []
    assert [await agency.outcome(each) for each in (empty, unread)] == ["no_report", "no_recipients"]


async def test_missed_times_become_one_and_a_new_time_zone_keeps_the_hour(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked)
    installation.clock.advance(days=30)
    assert await agency.start_due() == 1 and await agency.start_due() == 0
    await agency.write(change_client, client.id, ClientChanges(timezone="Asia/Tokyo"))
    assert await agency.start_due() == 0
    row = await queries.find_schedule(agency.db, agency.actor.workspace_id, client.id)
    assert (row.timezone, row.next_at.hour) == ("Asia/Tokyo", 23)


async def test_saving_a_schedule_again_does_not_skip_a_time_that_is_due(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked)
    installation.clock.advance(days=1)
    await agency.write(schedule.set_schedule, client.id, WEEKLY, now=installation.clock())
    assert len(await agency.mail()) == 1
    installation.clock.advance(days=7)
    changed = msgspec.structs.replace(WEEKLY, hour=9)
    await agency.write(schedule.set_schedule, client.id, changed, now=installation.clock())
    assert await agency.start_due() == 0


async def test_without_the_plan_nothing_is_sent_and_links_rest(installation, tracked, agency):
    await report(tracked)
    await agency.add(tracked)
    installation.clock.advance(days=1)
    (message,) = await agency.mail()
    (path,) = set(re.findall(r"http://test(/shared/emails/[\w-]+/[\w-]{36})", read_texts(message)[0]))
    await agency.db.execute("UPDATE workspaces SET plan = $1", Plan.PROFESSIONAL)
    installation.clock.advance(days=7)
    assert await agency.start_due() == 0
    async with open_browser(installation) as reader:
        assert (await reader.get(path)).status_code == 404
    agency.actor = msgspec.structs.replace(agency.actor, plan=Plan.PROFESSIONAL)
    client_id = await agency.db.fetchval("SELECT id FROM clients")
    with pytest.raises(Problem, match="plan_required"):
        await agency.write(schedule.set_schedule, client_id, WEEKLY, now=installation.clock())


@pytest.mark.parametrize("point", ["before_mailing_commit", "after_mailing_commit"])
async def test_a_worker_that_dies_sends_no_email_twice_and_loses_none(
    installation, tracked, agency, monkeypatch, point
):
    await report(tracked)
    await agency.add(tracked, recipients=["ben@acme.com", "anna@acme.com"])
    installation.clock.advance(days=1)
    await agency.start_due()

    def die(name):
        if name == point:
            raise SystemExit

    with monkeypatch.context() as patch:
        # The worker dies at an exact moment.
        patch.setattr(send, "crash_point", die)
        with pytest.raises(SystemExit):
            await agency.run_jobs()
    assert await agency.db.fetchval("SELECT count(*) FROM jobs WHERE kind = $1", MAILING_JOB) == 1
    await agency.run_jobs()
    assert len(await agency.mail()) == 2
    assert await agency.db.fetchval("SELECT count(*) FROM report_emails") == 2


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    path = make_certificate(tmp_path)
    # A machine that trusts the certificate of the mail server.
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return path


def reach(settings, server, **changes):
    return settings.model_copy(update={"smtp_url": SecretStr(f"smtps://127.0.0.1:{server.port}"), **changes})


async def test_an_email_that_dies_after_the_mail_server_accepted_it_keeps_its_message_id(
    installation, tracked, agency, certificate, monkeypatch
):
    await report(tracked, source="live")
    await agency.add(tracked)
    installation.clock.advance(days=1)
    async with MailServer(certificate, tls_first=True) as server:
        agency.settings = reach(agency.settings, server)

        def die(name):
            if name == "after_report_email_sent":
                raise SystemExit

        await agency.start_due()
        with monkeypatch.context() as patch:
            # The worker dies at an exact moment.
            patch.setattr(send, "crash_point", die)
            with pytest.raises(SystemExit):
                await agency.run_jobs()
        await agency.run_jobs()
        ids = [email.message_from_bytes(each)["Message-ID"] for each in server.messages]
    assert len(ids) == 2 and len(set(ids)) == 1


async def test_refused_recipients_are_shown_with_the_reason_and_others_get_theirs(
    installation, tracked, agency, certificate
):
    await report(tracked, source="live")
    client = await agency.add(tracked, recipients=["gone@acme.com", "ben@acme.com", "full@acme.com"])
    installation.clock.advance(days=1)
    async with MailServer(certificate, tls_first=True) as server:
        agency.settings = reach(agency.settings, server)
        server.refused = {"gone@": b"550 no such user here", "full@": b"452 try later"}
        await agency.start_due()
        with pytest.raises(OSError, match="452"):
            await agency.run_jobs()
        server.refused.pop("full@")
        await agency.run_jobs()
        assert len(server.messages) == 2
    rows = {
        row.address: row
        for row in await queries.list_emails(agency.db, agency.actor.workspace_id, client.id, after=None, limit=9)
    }
    assert (rows["gone@acme.com"].state, rows["gone@acme.com"].failure) == ("failed", "550 no such user here")
    assert rows["ben@acme.com"].state == rows["full@acme.com"].state == "sent"
    async with open_browser(installation, tracked.tenant.owner) as owner:
        page = (await owner.get(f"/w/{agency.tenant.id}/clients/{client.id}")).text
    assert "550 no such user here" in page


async def test_a_report_of_the_sandbox_leaves_the_installation_on_no_way(installation, tracked, agency, certificate):
    await report(tracked, source="sandbox")
    await agency.add(tracked)
    installation.clock.advance(days=1)
    async with MailServer(certificate, tls_first=True) as server:
        agency.settings = reach(agency.settings, server)
        (message,) = await agency.mail()
        assert server.lines == []
    assert message["Subject"].startswith("[Sandbox]")
    assert "sandbox" in read_texts(message)[0].lower() and "sandbox" in read_texts(message)[1].lower()


@pytest.mark.slow
async def test_thirty_clients_get_their_reports_through_a_mail_server(installation, certificate):
    tenant = await installation.tenant()
    agency = Agency(installation, tenant)
    for number in range(30):
        tracked = await ReportedDomain.open(installation, tenant, name=f"client{number}.com")
        await report(tracked, source="live")
        await agency.add(tracked, recipients=[f"client{number}@example.com"], sender_name="Northlight")
    installation.clock.now = datetime(2026, 11, 16, 8, tzinfo=UTC)
    async with MailServer(certificate, tls_first=True) as server:

        async def all_arrived():
            return await agency.db.fetchval("SELECT count(*) FROM report_emails WHERE sent_at IS NOT NULL") >= 30

        async with working(installation, smtp_url=SecretStr(f"smtps://127.0.0.1:{server.port}")):
            await until(all_arrived, seconds=150)
        parsed = [email.message_from_bytes(each, policy=email.policy.default) for each in server.messages]
    messages = [each for each in parsed if each["To"].endswith("@example.com")]  # not those to the owner
    assert {each["To"] for each in messages} == {f"client{number}@example.com" for number in range(30)}
    assert len(messages) == 30 and {each["From"] for each in messages} == {"Northlight <sightline@localhost>"}


async def test_a_recipient_reads_and_unsubscribes_without_an_account(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked, sender_name="Northlight")
    installation.clock.advance(days=1)
    (message,) = await agency.mail()
    text, _ = read_texts(message)
    (page,) = re.findall(r"http://test(/shared/emails/[\w-]+/[\w-]{36})", text)
    leave = re.search(r"<http://test(\S+)>", message["List-Unsubscribe"])[1]
    assert leave in text and leave.endswith("/unsubscribe")
    async with open_browser(installation, Sec_Fetch_Site="cross-site") as reader:
        shown, pdf = await reader.get(page), await reader.get(f"{page}.pdf")
        assert shown.status_code == 200 and "data:image/png" in shown.text and pdf.content.startswith(b"%PDF")
        assert shown.headers["x-robots-tag"].startswith("noindex")
        other = page.rpartition("/")[0] + f"/{uuid.uuid4()}"
        assert [(await reader.get(path)).status_code for path in (other, page.replace("/emails/", "/emails/x"))] == [
            404,
            404,
        ]
        assert "will no longer receive" in (await reader.get(leave)).text
        assert await agency.db.fetchval("SELECT count(*) FROM report_unsubscriptions") == 0, "looking changes nothing"
        done = await reader.post(leave, data={"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200 and "no more of these e-mails" in done.text
        await report(tracked, days=6)
        installation.clock.advance(days=7)
        assert len(await agency.mail()) == 1 and await agency.outcome(client) == "no_recipients"
        again = await reader.post(leave, data={"wanted": "yes"})
        assert again.status_code == 200
        installation.clock.advance(days=7)
        assert len(await agency.mail()) == 2
        await agency.write(change_client, client.id, ClientChanges(recipients=[]))
        assert (await reader.get(page)).status_code == 404, "who is no recipient any more reads no more"


async def test_a_test_goes_to_the_member_alone_and_changes_nothing(installation, tracked, agency):
    client = await agency.add(tracked)
    path = f"/w/{agency.tenant.id}/clients/{client.id}"
    async with open_browser(installation, tracked.tenant.owner) as owner:
        early = [await owner.get(f"{path}/preview"), await owner.post(f"{path}/test")]
        assert [each.status_code for each in early] == [422, 422] and "no report yet" in early[1].text
        await report(tracked)
        preview = await owner.get(f"{path}/preview")
        assert preview.status_code == 200 and "data:image/png" in preview.text and "cid:" not in preview.text
        assert "default-src 'none'" in preview.headers["content-security-policy"]
        assert (await owner.post(f"{path}/test")).headers["location"] == f"{path}?done=test"
    (message,) = await agency.mail()
    assert (message["To"], "[Test]" in message["Subject"]) == (tracked.tenant.owner.email, True)
    async with open_browser(installation) as reader:
        leave = re.search(r"<http://test(\S+)>", message["List-Unsubscribe"])[1]
        assert "This was a test" in (await reader.post(leave)).text
    installation.clock.advance(days=1)
    assert {each["To"] for each in await agency.mail()} == {tracked.tenant.owner.email, "ben@acme.com"}


LINK = re.compile(r"http://test(/shared/latest/[\w-]+)")


async def make_link(owner, path: str, **fields: str) -> str:
    token = (await owner.get(path)).text.split('name="token" value="')[1].split('"')[0]
    made = await owner.post(f"{path}/links", data={"token": token, **fields})
    assert made.status_code == 200, made.text
    return LINK.search(made.text)[1]


async def test_a_link_shows_the_latest_report_until_it_ends(installation, tracked, agency):
    client = await agency.add(tracked, plan=None, sender_name="Northlight")
    path = f"/w/{agency.tenant.id}/clients/{client.id}"
    async with open_browser(installation, tracked.tenant.owner) as owner, open_browser(installation) as reader:
        link, ending = await make_link(owner, path), await make_link(owner, path, days="30")
        assert "There is no report yet" in (await reader.get(link)).text
        await report(tracked)
        first = await reader.get(link)
        await report(tracked, days=7)
        second = await reader.get(link)
        assert first.status_code == second.status_code == 200 and first.text != second.text
        assert "data:image/png" in second.text and second.headers["x-robots-tag"].startswith("noindex")
        pdf = await reader.get(f"{link}/{tracked.domain_id}.pdf")
        assert pdf.content.startswith(b"%PDF")
        other = await ReportedDomain.open(installation, tracked.tenant, name="second.com")
        assert "second.com" not in (await reader.get(f"{link}/{other.domain_id}")).text
        assert (await reader.get(f"{link}x")).status_code == 404
        installation.clock.advance(days=31)
        assert [(await reader.get(each)).status_code for each in (link, ending)] == [200, 404]
        async with open_browser(installation, tracked.tenant.owner) as later:
            revoke = re.search(r'action="([^"]+/links/[^"]+/revoke)"', (await later.get(path)).text)[1]
            assert (await later.post(revoke)).status_code == 303
        assert (await reader.get(link)).status_code == 404
    logged = await installation.db.fetch(
        "SELECT action, count(*) FROM audit_entries WHERE action LIKE 'share%' GROUP BY 1"
    )
    assert dict(map(tuple, logged)) == {"share_link_created": 2, "share_link_revoked": 1}


async def test_a_link_with_a_password_opens_with_it_alone(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked, plan=None)
    path = f"/w/{agency.tenant.id}/clients/{client.id}"
    async with open_browser(installation, tracked.tenant.owner) as owner, open_browser(installation) as reader:
        short = await owner.post(f"{path}/links", data={"token": str(uuid.uuid4()), "link_password": "short"})
        assert short.status_code == 422 and "8 to 1,000" in short.text
        link = await make_link(owner, path, link_password="anvils are loud")
        locked = await reader.get(link)
        assert "need a password" in locked.text and "Visibility" not in locked.text
        assert (await reader.get(f"{link}/{tracked.domain_id}.pdf")).content[:4] != b"%PDF"
        for _ in range(5):
            wrong = await reader.post(link, data={"link_password": "anvils are quiet"})
        assert wrong.status_code == 422 and "wrong" in wrong.text
        assert (await reader.post(link, data={"link_password": "anvils are loud"})).status_code == 429
        installation.clock.advance(hours=1)
        opened = await reader.post(link, data={"link_password": "anvils are loud"})
        assert opened.status_code == 303 and "HttpOnly" in opened.headers["set-cookie"]
        assert "Visibility" in (await reader.get(link)).text
    stored = await agency.db.fetchval("SELECT password_hash FROM report_links")
    assert stored.startswith("$argon2") and "anvils" not in stored


async def test_a_removed_client_takes_its_schedule_emails_and_links_with_it(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked)
    installation.clock.advance(days=1)
    await agency.start_due()
    await agency.write(remove_client, client.id)
    assert await agency.mail() == []
    for table in ("report_schedules", "report_emails"):
        assert await agency.db.fetchval(f"SELECT count(*) FROM {table}") == 0


async def test_tests_are_limited_and_old_links_end(installation, tracked, agency):
    await report(tracked)
    client = await agency.add(tracked)
    prepared = await send.prepare_test(agency.db, agency.settings, agency.actor, client)
    for _ in range(send.MAX_TESTS_A_DAY):
        await agency.write(send.send_test, tracked.tenant.owner, client, prepared, now=installation.clock())
    with pytest.raises(Problem, match="tests within a day"):
        await agency.write(send.send_test, tracked.tenant.owner, client, prepared, now=installation.clock())
    installation.clock.advance(days=1)
    (message, *_) = await agency.mail()
    (page,) = re.findall(r"http://test(/shared/emails/[\w-]+/[\w-]{36})", read_texts(message)[0])
    async with open_browser(installation) as reader:
        assert (await reader.get(page)).status_code == 200
        installation.clock.now += timedelta(days=91)
        assert (await reader.get(page)).status_code == 404
