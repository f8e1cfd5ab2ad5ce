"""Migration 0049: a report of the commit before keeps its PDFs, and a new one has none until somebody asks."""

from importlib import import_module

from sightline.reports.weekly import read
from tests.reports.stored_reports import ReportedDomain, read_stored_pdf, store_report


async def test_a_report_of_the_commit_before_keeps_its_pdf_and_a_new_one_gets_its_own(installation):
    tracked = await ReportedDomain.open(installation)
    old_id = await store_report(installation, tracked.workspace_id, tracked.domain_id, pdf=b"%PDF-x")
    await installation.db.execute("ALTER TABLE reports ALTER COLUMN pdf SET NOT NULL")
    migration = import_module("sightline.db.migrations.versions.0049_report_pdfs_on_demand")
    await installation.db.execute(migration.STATEMENTS)
    old = await read.read_report(installation.db, tracked.workspace_id, tracked.domain_id, old_id)
    assert await read.read_pdf(installation.db, old) == b"%PDF-x"
    job = await tracked.complete_scan()
    await tracked.write(job)
    assert (await read_stored_pdf(installation, await tracked.report(job))).startswith(b"%PDF-1")
