"""What a security desk asks to see: the audit log read and filtered, an export downloaded, a workspace deleted."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.async_api import expect

from sightline.accounts.models import Role
from sightline.kit.clock import utc_now
from sightline.offboarding.delete import erase_workspace
from sightline.offboarding.models import GRACE, EraseJob
from sightline.scans.payloads.object_store import IN_DATABASE
from tests.browser.windows import save_screenshot, sign_in
from tests.installation import PASSWORD, Installation

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_admin_reads_filters_and_downloads_the_audit_log(windows, site_database, tmp_path):
    async with Installation.open(site_database, tmp_path) as installation:
        tenant = await installation.tenant()
        admin = await installation.member(tenant, Role.ADMIN)
    page = await windows.open()
    await sign_in(page, admin.email, PASSWORD)
    await page.goto(f"/w/{tenant.id}/members")
    await page.get_by_label("E-mail (optional)").fill("ada@acme.com")
    await page.get_by_role("button", name="Create invitation").click()
    await page.goto(f"/w/{tenant.id}/members")
    await page.get_by_role("link", name="Audit log").click()
    rows = page.locator("tbody tr")
    await expect(rows.filter(has_text="Invitation created")).to_have_count(1)
    await expect(rows.filter(has_text="Key created").first).to_be_visible()
    await save_screenshot(page, "journey-audit-log")
    await page.get_by_label("What", exact=True).select_option(label="Members")
    await page.get_by_label("Who", exact=True).select_option(label=admin.name)
    await page.get_by_role("button", name="Show").click()
    await expect(rows).to_have_count(1)
    await expect(rows.first).to_contain_text("Invitation created")
    await save_screenshot(page, "journey-audit-log-filtered")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download as CSV").click()
    content = Path(await (await download.value).path()).read_text()
    found = list(csv.DictReader(io.StringIO(content)))
    assert [(each["action"], each["by_id"]) for each in found] == [("member_invited", str(admin.id))]
    assert "ada@acme.com" not in content


async def test_an_owner_downloads_an_export(windows, site_database, tmp_path):
    async with Installation.open(site_database, tmp_path) as installation:
        tenant = await installation.tenant()
    page = await windows.open()
    await sign_in(page, tenant.owner.email, PASSWORD)
    await page.goto(f"/w/{tenant.id}/data")
    await page.get_by_role("button", name="Request an export").click()
    await expect(page.get_by_text("The export is being made.")).to_be_visible()
    link = page.get_by_role("link", name="Export of")
    for _ in range(60):
        await page.goto(f"/w/{tenant.id}/data")
        if await link.count():
            break
        await page.wait_for_timeout(500)
    await save_screenshot(page, "journey-export")
    async with page.expect_download() as download:
        await link.click()
    with zipfile.ZipFile(await (await download.value).path()) as archive:
        assert archive.testzip() is None
        assert json.loads(archive.read("manifest.json"))["workspace_id"] == tenant.id
        people = archive.read(next(name for name in archive.namelist() if "people" in name)).decode()
    assert tenant.owner.email in people


async def test_a_deletion_is_requested_canceled_and_comes_to_its_end(windows, site_database, tmp_path):
    async with Installation.open(site_database, tmp_path) as installation:
        tenant = await installation.tenant()
        page = await windows.open()
        await sign_in(page, tenant.owner.email, PASSWORD)
        await page.goto(f"/w/{tenant.id}/data")
        await request_deletion(page, "another name")
        await expect(page.get_by_role("dialog").get_by_text("This is not the name of the workspace.")).to_be_visible()
        await save_screenshot(page, "journey-deletion-refused")
        await confirm_deletion(page, tenant.workspace.name)
        await expect(page.get_by_text("This workspace will be deleted after")).to_be_visible()
        await save_screenshot(page, "journey-deletion")
        await page.get_by_role("button", name="Cancel the deletion").click()
        await expect(page.get_by_text("The deletion was canceled.")).to_be_visible()
        await request_deletion(page, tenant.workspace.name)
        await expect(page.get_by_text("This workspace will be deleted after")).to_be_visible()
        job, settings = EraseJob(tenant.workspace.id), installation.app_context.settings
        stores = (IN_DATABASE, installation.app_context.sealed)
        await erase_workspace(installation.db, settings, *stores, job, now=utc_now() + GRACE)
        await page.goto(f"/w/{tenant.id}/data")
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert await installation.db.fetchval("SELECT count(*) FROM workspaces WHERE id = $1", tenant.workspace.id) == 0
        assert await installation.db.fetchval("SELECT name FROM users WHERE id = $1", tenant.owner.id) != "owner"
    windows.forget_refusals(422)


async def request_deletion(page, name):
    await page.locator("summary", has_text="Delete this workspace").click()
    await confirm_deletion(page, name)


async def confirm_deletion(page, name):
    await page.get_by_label("Name of the workspace").fill(name)
    await page.get_by_role("button", name="Delete after seven days").click()
