"""The page of a report: its links, its counts, and that the Overview, the report and the e-mail count alike."""

import html
import re

import msgspec
import pytest

from sightline.reports.sharing.share_links import create_share_link
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.view import list_actions
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.insights.anvil_market import market_answer, open_market
from tests.insights.test_mutes import actor_of
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import DashboardHistory
from tests.web.page_browser import open_browser


@pytest.fixture
async def reported(installation):
    """Two Full Checks and the report of the second one."""
    history = await open_market(installation)
    await history.add_prompt("is Acme any good")  # branded: sentiment and sources count it, the headline does not
    await history.run_full_check(lambda prompt, platform: ScriptedAnswer("Globex is what most smiths use."))
    scan_id = await history.run_full_check(market_answer)
    job = ScanJob(history.workspace_id, scan_id)
    await write_report(installation.db, job, base_url="https://sightline.example", clock=installation.clock)
    (row,) = await history.rows("reports")
    return history, row


async def test_a_report_links_back_to_its_pdf_its_share_page_and_its_appendix(installation, reported):
    history, row = reported
    own = f"{DashboardHistory(history).path}/reports/{row['id']}"
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(own)).text
        toolbar = re.findall(r'<a href="([^"]+)">([^<]+)</a>', page.partition("</nav>")[0])
        assert [label for _, label in toolbar] == ["Back to reports", "PDF", "With appendix", "Deutsch", "Share"]
        for path, _ in toolbar:
            assert (await browser.get(path)).status_code == 200, path
        assert 'id="appendix"' not in page and 'id="appendix"' in (await browser.get(f"{own}?appendix=yes")).text
        short, whole = [(await browser.get(f"{own}.pdf{query}")).content for query in ("", "?appendix=yes")]
    assert short.startswith(b"%PDF-") and whole.startswith(b"%PDF-") and len(whole) > len(short)


async def test_every_link_of_a_report_opens_exactly_its_answers_and_a_shared_one_has_none(installation, reported):
    history, row = reported
    own = f"{DashboardHistory(history).path}/reports/{row['id']}"
    async with installation.db.transaction() as tx:
        made = await create_share_link(tx, actor_of(history), history.domain_id, row["id"], 7, now=installation.clock())
    document = msgspec.json.decode(row["document"], type=ReportDocument)
    await history.run_full_check(lambda *_: "Globex is good.")  # replaces the findings of the report
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(own)).text
        links = dict(re.findall(r'<a class="plain" href="([^"]+)"[^>]*>([^<]+)</a>', page))
        expected = {each.name: each.mentions for each in document.competitors}
        titles = list_actions(document)
        expected |= {html.escape(titles[place]): task.answers for place, task in enumerate(document.tasks)}
        assert set(links.values()) == set(expected) and len(expected) >= 3
        totals = {}
        for target, text in links.items():
            path = html.unescape(target).removeprefix("https://sightline.example")
            listed = (await browser.get(path)).text
            totals[text] = int(re.search(r'data-total="(\d+)"', listed)[1])
        assert totals == expected
        shared = await browser.get(f"/shared/reports/{made.token}?appendix=yes")
    assert shared.status_code == 200 and "sightline.example" not in shared.text and '/share"' not in shared.text
    assert "Back to reports" not in shared.text and f"/shared/reports/{made.token}.pdf" in shared.text


async def test_the_overview_the_report_and_the_email_have_the_same_counts(installation, reported):
    history, row = reported
    (email,) = await history.jobs("mail.send")
    async with open_browser(installation, history.tenant.owner) as browser:
        overview = _read_text((await browser.get(DashboardHistory(history).path)).text)
        tasks = _read_text((await browser.get(f"{DashboardHistory(history).path}/recommendations")).text)
        report = _read_text((await browser.get(f"{DashboardHistory(history).path}/reports/{row['id']}")).text)
    (verdict,) = re.findall(r"(No clear change since \d+ Nov\.)", report)
    assert verdict in email["text"] and verdict in email["html"] and verdict in overview
    shown = re.findall(r"(?m)^  \d\. (.+)$", email["text"])
    assert shown and all(action in report and action in tasks for action in shown)


def _read_text(page: str) -> str:
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split()).replace(" :", ":").replace(" ,", ",")
