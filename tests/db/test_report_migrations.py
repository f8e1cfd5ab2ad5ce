"""Migrations 0049, 0053 and 0072: what a report of the commit before stored is still read."""

from importlib import import_module

from sightline.reports.weekly import read
from tests.reports.stored_reports import ReportedDomain, store_report


async def test_a_report_of_the_commit_before_keeps_its_pdf(installation):
    tracked = await ReportedDomain.open(installation)
    old_id = await store_report(installation, tracked.workspace_id, tracked.domain_id, pdf=b"%PDF-x")
    await installation.db.execute("ALTER TABLE reports ALTER COLUMN pdf SET NOT NULL")
    migration = import_module("sightline.db.migrations.versions.0049_report_pdfs_on_demand")
    await installation.db.execute(migration.STATEMENTS)
    old = await read.read_report(installation.db, tracked.workspace_id, tracked.domain_id, old_id)
    assert await read.read_pdf(installation.db, old) == b"%PDF-x"
    assert await read.read_pdf(installation.db, old, with_appendix=True) == b"%PDF-x"


async def test_a_report_of_the_commit_before_has_no_note_and_no_owners(installation):
    tracked = await ReportedDomain.open(installation)
    await installation.db.execute("ALTER TABLE reports DROP COLUMN note, DROP COLUMN owners")
    await installation.db.execute(
        """INSERT INTO reports (workspace_id, id, domain_id, scan_id, title, summary, period_start, period_end,
                                document, html, created_at)
           VALUES ($1, gen_random_uuid(), $2, gen_random_uuid(), 'Acme', 'Fine.', now(), now(), '{}', 'Old', now())""",
        tracked.workspace_id,
        tracked.domain_id,
    )
    migration = import_module("sightline.db.migrations.versions.0053_report_settings")
    await installation.db.execute(migration.STATEMENTS)
    report_id = await installation.db.fetchval("SELECT id FROM reports")
    old = await read.read_report(installation.db, tracked.workspace_id, tracked.domain_id, report_id)
    assert (old.note, old.owners) == (None, [])
    assert await read.read_html(installation.db, old) == "Old"


async def test_a_report_of_the_commit_before_keeps_its_page_and_a_new_one_has_none(installation):
    db, tracked = installation.db, await ReportedDomain.open(installation)
    old_id = await store_report(installation, tracked.workspace_id, tracked.domain_id, html="Old")
    await db.execute("CREATE TABLE kept_forms (); CREATE TABLE judged_answers ()")
    await db.execute("ALTER TABLE reports ALTER COLUMN html SET NOT NULL")
    await db.execute(import_module("sightline.db.migrations.versions.0072_unused_tables").STATEMENTS)
    old = await read.read_report(db, tracked.workspace_id, tracked.domain_id, old_id)
    assert await read.read_html(db, old) == "Old"
    job = await tracked.complete_scan()
    await tracked.write(job)
    row = await tracked.report(job)
    assert row["html"] is None
    new = await read.read_report(db, tracked.workspace_id, tracked.domain_id, row["id"])
    assert (await read.read_html(db, new)).startswith("<!doctype html>")
