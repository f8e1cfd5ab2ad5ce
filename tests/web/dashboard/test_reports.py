"""The page of a report: its links, its counts, and that the Overview, the report and the e-mail count alike."""

import html
import re
from urllib.parse import unquote

import pytest

from sightline.reports.sharing.share_links import create_share_link
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.insights.anvil_market import market_answer, open_market
from tests.insights.test_mutes import actor_of
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import DashboardHistory
from tests.web.page_browser import open_browser

_COUNT = re.compile(r'data-count="(\d+)" href="([^"]+)"')


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
    (row,) = await history.rows("reports")
    assert short == bytes(row["pdf"]) and whole == bytes(row["appendix_pdf"]) and short != whole


async def test_every_count_of_a_report_opens_exactly_its_answers_and_a_shared_one_has_no_links(installation, reported):
    history, row = reported
    own = f"{DashboardHistory(history).path}/reports/{row['id']}"
    async with installation.db.transaction() as tx:
        made = await create_share_link(tx, actor_of(history), history.domain_id, row["id"], 7, now=installation.clock())
    await history.run_full_check(lambda *_: "Globex is good.")  # replaces the findings of the report
    async with open_browser(installation, history.tenant.owner) as browser:
        counts = set(_COUNT.findall((await browser.get(f"{own}?appendix=yes")).text))
        assert len(counts) >= 15, counts
        findings = {unquote(target).rpartition(":")[0].rpartition(":")[2] for _, target in counts if "report" in target}
        assert findings == {"theme", "task"}
        wrong = []
        for number, target in counts:
            listed = (await browser.get(html.unescape(target).replace("..", DashboardHistory(history).path, 1))).text
            total = re.search(r'data-total="(\d+)"', listed)
            if total is None or total[1] != number:
                wrong.append((number, target, total and total[1]))
        assert wrong == []
        shared = await browser.get(f"/shared/reports/{made.token}?appendix=yes")
    assert shared.status_code == 200 and 'class="count"' not in shared.text and '/share"' not in shared.text
    assert "Back to reports" not in shared.text and f"/shared/reports/{made.token}.pdf" in shared.text


async def test_the_overview_the_report_and_the_email_have_the_same_counts(installation, reported):
    history, row = reported
    (email,) = await history.jobs("mail.send")
    async with open_browser(installation, history.tenant.owner) as browser:
        overview = _read_text((await browser.get(DashboardHistory(history).path)).text)
        tasks = _read_text((await browser.get(f"{DashboardHistory(history).path}/recommendations")).text)
        report = _read_text((await browser.get(f"{DashboardHistory(history).path}/reports/{row['id']}")).text)
    named = re.search(r"named in (\d+ of \d+ answers) \(([\d.]+%)\)", row["summary"])
    moved = re.search(r"(newly named in \d+ and no longer named in \d+ of \d+ answers)", report)
    for text in (report, email["text"]):
        assert f"named in {named[1]} ({named[2]})" in text
    assert named[1] in report.replace(f"named in {named[1]}", "") and named[1] in overview
    assert moved is not None
    gained, lost = re.findall(r"\d+", moved[1])[:2]
    assert f"Answers that now name Acme: {gained}" in report and lost == "0"
    total = re.search(r"(\d+) recommendations?\.", row["summary"])[1]
    shown = len(re.findall(r"(?m)^  \d\. ", email["text"]))
    more = re.search(r"These are (?:the )?(\d+) of (\d+) recommendations", email["text"])
    assert (more.groups() == (str(shown), total) if more else int(total) == shown) and shown <= 3
    assert re.search(rf"\b{total} recommendations?, largest", tasks)
    assert (f"{more[0]}" if more else "What to do") in report


def _read_text(page: str) -> str:
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split()).replace(" :", ":").replace(" ,", ",")
