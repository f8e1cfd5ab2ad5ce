"""A second opinion through the pages: upload, confirm the columns, read the result, delete it."""

import html
import json
import re
import zlib
from datetime import date, timedelta

import pytest

from sightline.accounts.models import Role
from sightline.scans.second_opinions import form
from sightline.scans.second_opinions.form import form_opinion
from sightline.scans.second_opinions.models import MAX_A_DAY, MAX_FILE_BYTES, MAX_WAITING, OpinionJob
from sightline.scans.second_opinions.request import inspect_file
from sightline.worker.housekeeping import run_housekeeping
from tests.running_worker import until, working
from tests.scan_history import ScanHistory
from tests.web.page_browser import open_browser

HEAD = "Antwort-Nr;Frage;Modell;Datum;Antwort;Notiz\n"
NAMED = "1. **Globex** is a good place for notes.\n2. **Notion** is a good app for notes."
OTHER = "The notion that one tool fits all is wrong. Use Globex."


def make_csv(rows=40):
    lines = [
        f'{day}-{number};best notes app {number};ChatGPT;{day}.11.2026;"{NAMED if number < named else OTHER}";x\n'
        for day, named in (("02", 30), ("16", 2))
        for number in range(rows)
    ]
    return (HEAD + "".join(lines)).encode("cp1252")


class Uploads:
    """The pages of second opinions of one tenant."""

    def __init__(self, installation, tenant, browser):
        self.installation, self.tenant, self.browser = installation, tenant, browser
        self.path = f"/w/{tenant.id}/second-opinion"

    async def send(self, content=None, name="Export März.csv", **fields):
        data = {"brand": "Notion", "domain": "notion.so", "competitors": "Globex=globex.com", **fields}
        files = None if content is None else {"file": (name, content, "text/csv")}
        return await self.browser.post(self.path, data=data, files=files)

    async def rows(self):
        return await self.installation.db.fetch("SELECT * FROM second_opinions ORDER BY created_at, id")

    async def confirm(self, page, **changes):
        columns = dict(re.findall(r'<select id="(\w+)".*?<option value="([^"]*)" selected', page.text))
        return await self.browser.post(str(page.url), data=columns | changes)

    async def measure(self, address):
        job = OpinionJob(self.tenant.workspace.id, (await self.rows())[-1]["id"])
        await form_opinion(self.installation.db, job, processes=0, clock=self.installation.clock)
        return await self.browser.get(address)


@pytest.fixture
async def uploads(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        yield Uploads(installation, tenant, browser)


async def test_from_the_upload_to_the_result(uploads, installation):
    assert "At most 50 MB" in (await uploads.browser.get(uploads.path)).text
    sent = await uploads.send(make_csv())
    assert sent.status_code == 303
    address = sent.headers["location"]
    columns = await uploads.browser.get(address)
    for field, name in (("text", "Antwort"), ("prompt", "Frage"), ("platform", "Modell"), ("answered_at", "Datum")):
        assert re.search(rf'<select id="{field}".*?<option value="{name}" selected', columns.text), field
    assert "best notes app 0" in columns.text and "No column holds sources." in columns.text
    assert (await uploads.confirm(columns)).status_code == 303
    waiting = await uploads.browser.get(address)
    assert waiting.headers["refresh"] == "3" and "The answers are being read for Notion." in waiting.text
    async with working(installation, analyzer_processes=0):
        result = await until(lambda: _find_result(uploads, address))
    assert "Notion in AI answers" in result.text and "Globex is ahead for these prompts." in result.text
    assert "30 → 2 of 40" in result.text and "Clear" in result.text
    assert '<mark class="competitor">notion</mark>' in result.text and "style-src 'unsafe-inline'" in str(
        result.headers
    )
    (row,) = await uploads.rows()
    assert row["content"] is None, "the file is deleted once it is measured"
    stored = zlib.decompress(row["record"])
    assert NAMED.encode() not in stored, "no text of an answer is kept"


async def _find_result(uploads, address):
    page = await uploads.browser.get(address)
    return page if "AI answers" in page.text and "being read" not in page.text else None


async def test_what_is_wrong_with_an_upload_is_said_and_nothing_is_stored(uploads):
    for content, fields, said in (
        (None, {}, "Choose a file with answers."),
        (b"PK\x03\x04", {}, "This is a ZIP archive or an Excel file."),
        (b"", {}, "The file is empty."),
        (make_csv(1), {"brand": " "}, "eeds a name"),
        (make_csv(1), {"domain": "no domain"}, "is not a domain"),
        (make_csv(1), {"competitors": "notion"}, "cannot be one of its competitors"),
        (make_csv(1), {"competitors": ",".join(f"brand {number}" for number in range(21))}, "at most 20 competitors"),
    ):
        refused = await uploads.send(content, **fields)
        assert refused.status_code == 422 and said in refused.text, said
    assert await uploads.rows() == []


async def test_a_file_above_the_limit_is_refused_while_it_arrives(uploads):
    refused = await uploads.send(b"x" * (MAX_FILE_BYTES + 70_000))
    assert refused.status_code == 413 and await uploads.rows() == []


async def test_a_column_for_the_answers_is_required_and_can_be_chosen(uploads):
    sent = await uploads.send(b"what;said\nbest crm;Globex is what most teams use.\n" * 3)
    columns = await uploads.browser.get(sent.headers["location"])
    assert "No column is recognized as the answers." in columns.text
    refused = await uploads.confirm(columns)
    assert refused.status_code == 422 and "No column holds the answers." in refused.text
    twice = await uploads.confirm(columns, text="said", prompt="said")
    assert twice.status_code == 422 and "is chosen for two fields" in twice.text
    unknown = await uploads.confirm(columns, text="other")
    assert unknown.status_code == 422 and "There is no column" in unknown.text
    assert (await uploads.confirm(columns, text="said", prompt="what")).status_code == 303


async def test_a_file_that_is_mostly_no_answers_is_refused_with_its_lines(uploads):
    sent = await uploads.send(b"prompt,text\nbest crm,\nbest crm,Globex is what most teams use.\n")
    address = sent.headers["location"]
    await uploads.confirm(await uploads.browser.get(address))
    failed = await uploads.measure(address)
    assert "1 row of the file cannot be used" in failed.text and "row 2: `text` is missing" in failed.text
    (row,) = await uploads.rows()
    assert (row["state"], row["content"]) == ("failed", None)


async def test_a_file_with_too_many_answers_is_refused(uploads, monkeypatch):
    # 20,000 answers would take minutes.
    monkeypatch.setattr(form, "MAX_ANSWERS", 30)
    address = (await uploads.send(make_csv())).headers["location"]
    await uploads.confirm(await uploads.browser.get(address))
    assert "The file has more than 30 answers. Split it." in (await uploads.measure(address)).text


async def test_files_that_wait_and_files_of_a_day_are_limited(uploads):
    for _ in range(MAX_WAITING):
        assert (await uploads.send(make_csv(1))).status_code == 303
    full = await uploads.send(make_csv(1))
    assert full.status_code == 422 and f"{MAX_WAITING} files are not measured yet." in full.text
    await uploads.installation.db.execute("UPDATE second_opinions SET state = 'done'")
    (row, *_) = await uploads.rows()
    for number in range(MAX_A_DAY - MAX_WAITING):
        await uploads.installation.db.execute(
            """INSERT INTO second_opinions SELECT workspace_id, gen_random_uuid(), $2, state, request, head, NULL, NULL,
               NULL, created_at, expires_at FROM second_opinions WHERE id = $1""",
            row["id"],
            str(number),
        )
    assert f"The workspace has {MAX_A_DAY} second opinions." in (await uploads.send(make_csv(1))).text


async def test_a_viewer_and_another_workspace_cannot_upload_confirm_or_delete(uploads, installation):
    address = (await uploads.send(make_csv(1))).headers["location"]
    viewer = await installation.member(uploads.tenant, Role.VIEWER)
    stranger = await installation.tenant()
    async with open_browser(installation, viewer) as browser:
        shown = await browser.get(address)
        assert shown.status_code == 200 and "Get the second opinion" not in shown.text
        for path in (uploads.path, address, f"{address}/delete"):
            assert (await browser.post(path, data={"brand": "Acme"})).status_code == 403, path
    async with open_browser(installation, stranger.owner) as browser:
        own = address.replace(uploads.tenant.id, stranger.id)
        for path in (address, own):
            assert (await browser.get(path)).status_code == 404, path
            assert (await browser.post(f"{path}/delete")).status_code == 404, path
    assert len(await uploads.rows()) == 1


async def test_a_deleted_file_is_gone_and_an_expired_one_is_never_shown(uploads, installation):
    first = (await uploads.send(make_csv(1))).headers["location"]
    assert (await uploads.browser.post(f"{first}/delete")).headers["location"] == uploads.path
    assert await uploads.rows() == [] and (await uploads.browser.get(first)).status_code == 404
    second = (await uploads.send(make_csv(1))).headers["location"]
    await installation.db.execute(
        "UPDATE second_opinions SET expires_at = $1", installation.clock() - timedelta(seconds=1)
    )
    assert (await uploads.browser.get(second)).status_code == 404
    assert "Export März" not in (await uploads.browser.get(uploads.path)).text
    await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
    assert await uploads.rows() == []


async def test_housekeeping_leaves_what_has_not_expired(uploads, installation):
    await uploads.send(make_csv(1))
    almost = installation.clock() + timedelta(hours=24, seconds=-1)
    await run_housekeeping(installation.db, installation.app_context.settings, now=almost)
    assert len(await uploads.rows()) == 1


async def test_a_file_is_measured_once_however_often_it_is_confirmed(uploads):
    address = (await uploads.send(make_csv())).headers["location"]
    columns = await uploads.browser.get(address)
    await uploads.confirm(columns)
    await uploads.confirm(columns)
    jobs = await uploads.installation.db.fetch("SELECT payload FROM jobs WHERE kind = 'opinion.form'")
    assert len(jobs) == 1 and json.loads(jobs[0]["payload"])["opinion_id"]
    done = await uploads.measure(address)
    assert (await uploads.measure(address)).text == done.text


def test_a_file_is_compressed_in_parts(tmp_path):
    path = tmp_path / "answers"
    path.write_bytes(content := make_csv(5_000) * 6)
    with path.open("rb") as file:
        _, packed = inspect_file(file, "answers.csv")
    assert len(packed) < len(content) / 4 and zlib.decompress(packed) == content
    form.unpack_file(packed, other := tmp_path / "other")
    assert other.read_bytes() == content


async def keep(uploads, address, domain_id):
    return await uploads.browser.post(f"{address}/keep", data={"domain_id": domain_id})


async def upload_and_measure(uploads, **fields):
    address = (await uploads.send(make_csv(), **fields)).headers["location"]
    await uploads.confirm(await uploads.browser.get(address))
    await uploads.measure(address)
    return address


async def test_a_file_is_kept_as_the_first_weeks_of_a_domain_and_removed_as_a_whole(installation):
    installation.clock.advance(days=(date(2026, 12, 1) - installation.clock().date()).days)
    history = await ScanHistory.open(installation, "best notes app 1", "best notes app 2")
    for _ in range(2):
        await history.run_full_check(lambda *_: "Acme is a good app for notes.")
    async with open_browser(installation, history.tenant.owner) as browser:
        uploads = Uploads(installation, history.tenant, browser)
        domain = str(history.domain_id)
        overview = f"/w/{history.tenant.id}/d/{domain}"
        before = (await browser.get(overview)).text
        scans = await installation.db.fetchval("SELECT count(*) FROM scans")
        other = await upload_and_measure(uploads)
        refused = await keep(uploads, other, domain)
        assert refused.status_code == 422 and "it is about another brand" in refused.text
        address = await upload_and_measure(uploads, brand="Acme", domain="acme.com", aliases="Notion")
        kept = await keep(uploads, address, domain)
        assert kept.status_code == 303 and kept.headers["location"] == f"{overview}#trend"
        shown = html.unescape((await browser.get(overview)).text)
        assert "The weeks from 2 Nov 2026 to 16 Nov 2026 are imported from Export März.csv." in shown
        assert "First check" in shown and '2 Nov 2026 <span class="note">import</span>' in shown
        stored = await installation.db.fetch("SELECT * FROM imported_weeks ORDER BY first_day")
        assert [(str(row["first_day"]), row["platforms"]) for row in stored] == [
            ("2026-11-02", ["chatgpt"]), ("2026-11-16", ["chatgpt"]),
        ]  # fmt: skip
        assert NAMED.encode() not in b"".join(row["figures"] for row in stored)
        assert await installation.db.fetchval("SELECT count(*) FROM scans") == scans, "no check was added"
        again = await keep(uploads, address, domain)
        assert again.status_code == 422 and "already has an imported history" in again.text
        listed = (await browser.get(uploads.path)).text
        assert "Imported histories" in listed and "2 Nov 2026" in listed
        await browser.post(f"{uploads.path}/{address.rsplit('/', 1)[1]}/delete")
        assert len(await installation.db.fetch("SELECT FROM imported_weeks")) == 2, "it outlives its file"
        assert (await browser.post(f"{uploads.path}/history/{domain}/remove")).status_code == 303
        assert await installation.db.fetch("SELECT FROM imported_weeks") == []
        after = (await browser.get(overview)).text
        assert "imported from" not in after and "First check" not in after
        assert [part for part in ("league", "map") if part not in before] == []


async def test_weeks_since_the_first_check_are_not_kept(installation):
    installation.clock.advance(days=(date(2026, 11, 10) - installation.clock().date()).days)
    history = await ScanHistory.open(installation, "best notes app 1")
    await history.run_full_check(lambda *_: "Acme is a good app for notes.")
    async with open_browser(installation, history.tenant.owner) as browser:
        uploads = Uploads(installation, history.tenant, browser)
        address = await upload_and_measure(uploads, brand="Acme", domain="", aliases="Notion")
        assert (await keep(uploads, address, str(history.domain_id))).status_code == 303
        assert [str(row[0]) for row in await installation.db.fetch("SELECT first_day FROM imported_weeks")] == [
            "2026-11-02"
        ]


async def test_a_viewer_and_another_workspace_cannot_keep_or_remove(uploads, installation):
    address = await upload_and_measure(uploads)
    domain = await installation.tracked_domain(uploads.tenant)
    viewer, stranger = await installation.member(uploads.tenant, Role.VIEWER), await installation.tenant()
    foreign = await installation.tracked_domain(stranger)
    assert (await keep(uploads, address, foreign)).status_code == 404
    assert (await uploads.browser.post(f"{uploads.path}/history/{foreign}/remove")).status_code == 404
    async with open_browser(installation, viewer) as browser:
        for path in (f"{address}/keep", f"{uploads.path}/history/{domain}/remove"):
            assert (await browser.post(path, data={"domain_id": domain})).status_code == 403, path
    assert await installation.db.fetch("SELECT FROM imported_weeks") == []
