"""Reports in the look of a client: page, PDF and shared link, and no trace of Sightline where that is switched off."""

import httpx

from sightline.accounts.models import build_operator_actor
from sightline.clients.manage import add_client, set_logo
from sightline.clients.schemas import ClientInput
from sightline.plans.table import Plan
from sightline.reports.sharing.share_links import create_share_link
from sightline.reports.weekly.read import read_html, read_pdf
from tests.logos import make_png
from tests.reports.stored_reports import to_report_row
from tests.web.page_browser import open_browser

COLOR = "#7a1f5c"


async def write_report(tracked):
    job = await tracked.complete_scan()
    await tracked.write(job)
    return to_report_row(await tracked.report(job))


async def dress(tracked, *, logo=True, **look) -> None:
    """Give the domain to a client with a look."""
    installation, actor = tracked.installation, build_operator_actor(tracked.workspace_id)
    async with installation.db.transaction() as tx:
        new = ClientInput("Acme Group", [str(tracked.domain_id)], color=COLOR, **look)
        client = await add_client(tx, actor, new, now=installation.clock())
        await set_logo(tx, actor, client.id, make_png() if logo else None)


async def test_page_pdf_and_shared_link_have_the_look_of_the_client(installation, tracked):
    db, report = installation.db, await write_report(tracked)
    plain, plain_pdf = await read_html(db, report), await read_pdf(db, report)
    assert "Sightline</bdi>" in plain and "data:image/png" not in plain and "Made with" not in plain
    await dress(tracked, sender_name="Northlight & Co's")
    page = await read_html(db, report)
    assert 'src="data:image/png;base64,' in page and 'alt="Northlight &amp; Co&#39;s"' in page
    assert f"--accent: {COLOR}" in page and "Made with Sightline" in page and "Sightline</bdi>" not in page
    assert await read_pdf(db, report) != plain_pdf
    actor = build_operator_actor(tracked.workspace_id, user_id=tracked.tenant.owner.id)
    async with db.transaction() as tx:
        made = await create_share_link(tx, actor, tracked.domain_id, report.id, 7, now=installation.clock())
    async with open_browser(installation) as browser:
        shared = await browser.get(f"/shared/reports/{made.token}")
    assert shared.status_code == 200 and f"--accent: {COLOR}" in shared.text and "data:image/png" in shared.text


async def test_no_trace_of_sightline_remains_where_it_is_switched_off(installation, tracked):
    db, report = installation.db, await write_report(tracked)
    await dress(tracked, logo=False, sender_name="Northlight", shows_maker=False)
    page = await read_html(db, report, with_appendix=True)
    assert "sightline" not in page.lower() and "Northlight</bdi>" in page
    assert b"Sightline" not in await read_pdf(db, report, with_appendix=True)


async def test_without_the_plan_reports_look_as_before(installation, tracked):
    db, report = installation.db, await write_report(tracked)
    await dress(tracked, sender_name="Northlight")
    await db.execute("UPDATE workspaces SET plan = $1", Plan.PROFESSIONAL)
    page = await read_html(db, report)
    assert "Sightline</bdi>" in page and COLOR not in page


async def test_a_guest_sees_the_look_of_their_client_and_others_do_not(installation, tracked):
    await dress(tracked, sender_name="Northlight", shows_maker=False)
    client_id = await installation.db.fetchval("SELECT id FROM clients")
    async with open_browser(installation, tracked.tenant.owner) as member:
        page = await member.get(f"/w/{tracked.workspace_id}/d/{tracked.domain_id}")
        assert "Northlight" not in page.text
    guest_user = await installation.user()
    await installation.db.execute(
        "INSERT INTO guests VALUES ($1, $2, $3, 'viewer', now())", tracked.workspace_id, client_id, guest_user.id
    )
    own = f"/w/{tracked.workspace_id}/clients/{client_id}"
    async with open_browser(installation, guest_user) as guest:
        for rest in ("", f"/d/{tracked.domain_id}"):
            shown = (await guest.get(f"/w/{tracked.workspace_id}{rest}")).text
            assert f'src="{own}/logo.png"' in shown and f'href="{own}/look.css"' in shown
            assert "Sightline" not in shown
        logo, colors = await guest.get(f"{own}/logo.png"), await guest.get(f"{own}/look.css")
    assert logo.headers["content-type"] == "image/png" and logo.content == make_png()
    assert "default-src 'none'" in logo.headers["content-security-policy"]
    assert colors.headers["content-type"].startswith("text/css") and COLOR in colors.text
    other, _ = await installation.guest(tracked.tenant, "viewer")
    for user in (await installation.user(), other):
        async with open_browser(installation, user) as stranger:
            assert [(await stranger.get(f"{own}/{name}")).status_code for name in ("logo.png", "look.css")] == [
                404,
                404,
            ]


async def upload(browser: httpx.AsyncClient, path: str, content: bytes, **fields: str) -> httpx.Response:
    return await browser.post(path, data=fields, files={"logo": ("logo.png", content)})


async def test_an_admin_uploads_a_logo_and_a_refused_one_changes_nothing(installation, tracked):
    await dress(tracked, logo=False)
    client_id = await installation.db.fetchval("SELECT id FROM clients")
    path = f"/w/{tracked.workspace_id}/clients/{client_id}"
    async with open_browser(installation, tracked.tenant.owner) as owner:
        refused = await upload(owner, f"{path}/settings", b"<svg", color="#0e6e78", sender_name="Changed")
        assert refused.status_code == 422 and "damaged" in refused.text
        assert await installation.db.fetchval("SELECT sender_name FROM clients") is None
        saved = await upload(owner, f"{path}/settings", make_png(), color="", sender_name="Northlight")
        assert saved.status_code == 303
        row = await installation.db.fetchrow("SELECT * FROM clients")
        assert row["logo"].startswith(b"\x89PNG") and (row["color"], row["shows_maker"]) == (None, False)
        assert "Remove the logo" in (await owner.get(path)).text
        removed = await owner.post(f"{path}/settings", data={"remove_logo": "yes", "shows_maker": "yes"})
    assert removed.status_code == 303 and await installation.db.fetchval("SELECT logo FROM clients") is None
