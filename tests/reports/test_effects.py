"""Done actions in the weekly report."""

import msgspec

from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.insights.watched_market import CONCERNED, USUAL, WatchedMarket


async def test_the_report_says_whether_an_action_worked(installation):
    market = await WatchedMarket.open(installation)
    await market.run_until_marked()
    documents, pages = [], []
    for _ in range(2):
        job = ScanJob(market.history.workspace_id, await market.run_full_check(*USUAL, *CONCERNED))
        await write_report(installation.db, job, clock=installation.clock, base_url="https://sightline.example")
        row = await installation.db.fetchrow("SELECT document, html FROM reports WHERE scan_id = $1", job.scan_id)
        documents.append(msgspec.json.decode(row["document"], type=ReportDocument))
        pages.append(row["html"])
    (early,), (worked,) = (document.effects for document in documents)
    assert early.status == "too_early" and early.summary.startswith("Too early: 1 of 2 Full Checks since")
    assert (worked.status, worked.prompts) == ("up", 3) and worked.summary.startswith("Up by 100 points (")
    assert "Did it work?" in pages[1] and worked.summary in pages[1]
