"""From the setup of a domain to its first report, through the real worker."""

from tests.running_worker import until, working
from tests.tracked_domains import Tracker


async def test_the_first_full_check_ends_in_a_report(installation):
    async with Tracker.open(installation) as tracker:
        made = await tracker.track()

        async def list_reports():
            return await tracker.read(f"/domains/{made.domain.id}/reports")

        async with working(installation, sandbox_latency_ms=0):
            (report,) = await until(list_reports, seconds=90)
        assert report["scan_id"] == str(made.first_check.id)
        assert "first report" in report["title"] and "This is the first Full Check" in report["summary"]
        path = report["html_url"].removeprefix("http://test/api/v1/ext")
        page = await tracker.get(path)
        assert "Sandbox: all answers are made up." in page.text
        pdf = await tracker.get(path.replace(".html", ".pdf"))
        assert pdf.content.startswith(b"%PDF-")
        events = await installation.db.fetch("SELECT cause FROM events WHERE type = 'report.ready'")
        assert [row[0] for row in events] == [report["scan_id"]]
