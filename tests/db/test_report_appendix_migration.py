"""Migration 0037: a report of the commit before has no appendix of its own, and is served whole."""

from importlib import import_module

from sightline.reports.weekly import read
from tests.reports.stored_reports import store_report


async def test_a_report_of_the_commit_before_is_served_as_it_was(installation):
    tenant = await installation.tenant()
    domain_id = await installation.tracked_domain(tenant)
    report_id = await store_report(installation, tenant.workspace.id, domain_id, html="<body>all of it", pdf=b"%PDF-x")
    await installation.db.execute("ALTER TABLE reports DROP COLUMN appendix_html, DROP COLUMN appendix_pdf")
    migration = import_module("sightline.db.migrations.versions.0037_report_appendix")
    await installation.db.execute(migration.STATEMENTS)
    report = await read.read_report(installation.db, tenant.workspace.id, domain_id, report_id)
    for with_appendix in (False, True):
        assert await read.read_html(installation.db, report, with_appendix=with_appendix) == "<body>all of it"
        assert await read.read_pdf(installation.db, report, with_appendix=with_appendix) == b"%PDF-x"
