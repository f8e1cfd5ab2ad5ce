"""Done actions in the weekly report."""

import msgspec

from sightline.reports.weekly.charts import build_trend
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.render import render_page
from sightline.reports.weekly.view import build_view
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.insights.watched_market import CONCERNED, USUAL, WatchedMarket
from tests.reports.stored_reports import to_report_row


async def test_the_report_says_whether_an_action_worked(installation):
    market = await WatchedMarket.open(installation)
    await market.run_until_marked()
    views, documents = [], []
    for _ in range(2):
        job = ScanJob(market.history.workspace_id, await market.run_full_check(*USUAL, *CONCERNED))
        await write_report(installation.db, job, clock=installation.clock, base_url="https://sightline.example")
        row = await installation.db.fetchrow("SELECT * FROM reports WHERE scan_id = $1", job.scan_id)
        documents.append(msgspec.json.decode(row["document"], type=ReportDocument))
        views.append(build_view(documents[-1], to_report_row(row)))
    (early,), (worked,) = (view["effects"] for view in views)
    assert (early["verdict"], early["shares"], early["tone"]) == ("Too early to tell", "", "")
    assert (worked["verdict"], worked["tone"]) == ("It worked", "up")
    assert worked["shares"] == "Acme named in 0% \u2192 100% of these answers."
    (mark,) = build_trend(documents[1]).marks
    assert worked["action"].startswith(mark.label.rstrip("\u2026"))
    page = render_page(documents[1], to_report_row(row))
    assert worked["drawing"] in page and "It worked" in page
