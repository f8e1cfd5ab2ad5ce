"""Webhooks on the pages: secrets shown once, test events, deliveries and sending again."""

import re
import uuid

import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.web.console.console_browser import open_console_browser

SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{20,}")
URL = "https://hooks.acme.com/in"


async def registered(console, **fields) -> tuple[str, str]:
    """Register a webhook and return its path below the Console and its secret."""
    page = await console.post("/webhooks", **{"token": str(new_id()), "url": URL, **fields})
    assert page.status_code == 200, page.text
    found = re.search(r"/console(?:/test)?(/webhooks/[0-9a-f-]{36})", page.text)
    return found[1], SECRET.search(page.text)[0]


async def test_the_secret_is_shown_once(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant, await installation.member(tenant, Role.ADMIN)) as console:
        form = {"token": await console.token("/webhooks"), "url": URL, "events": ["scan.completed", "credits.low"]}
        first = await console.post("/webhooks", **form)
        assert SECRET.search(first.text) and first.headers["cache-control"] == "no-store"
        again = await console.post("/webhooks", **form)
        assert again.headers["location"].endswith("?done=webhook_made_before")
        listed = (await console.get("/webhooks")).text
        assert URL in listed and "scan.completed, credits.low" in listed and not SECRET.search(listed)
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_endpoints") == 1


async def test_rotating_shows_a_new_secret_once_and_sent_twice_rotates_once(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        path, old = await registered(console)
        form = {"token": str(new_id())}
        rotated = await console.post(f"{path}/rotate", **form)
        new = SECRET.search(rotated.text)[0]
        assert new != old and "two signatures" in rotated.text
        again = await console.post(f"{path}/rotate", **form)
        assert again.status_code == 303 and again.headers["location"].endswith("?done=webhook_rotated_before")
        assert not SECRET.search((await console.get(path)).text)


async def test_a_test_event_is_sent_seen_and_sent_again(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        path, _ = await registered(console)
        form = {"token": str(new_id())}
        for _ in range(2):
            assert (await console.post(f"{path}/test", **form)).status_code == 303
        page = (await console.get(path)).text
        (delivery,) = set(re.findall(r"/deliveries/([0-9a-f-]{36})", page))
        await installation.db.execute(
            """INSERT INTO webhook_attempts (workspace_id, delivery_id, attempt, attempted_at, request_headers,
                   response_status, response_body, error, duration_ms)
               SELECT workspace_id, id, 1, now(), '{"webhook-id": "<b>x</b>"}', 500, $1, NULL, 12
               FROM webhook_deliveries""",
            b"<script>alert(1)</script>" + b"\xff" * 9,
        )
        await installation.db.execute("UPDATE webhook_deliveries SET attempts = 1")
        assert ">Pending<" in page and ">Pending<" not in (await console.get(path)).text
        shown = (await console.get(f"{path}/deliveries/{delivery}")).text
        assert "Failed, will be retried" in shown and ">Pending<" not in shown
        assert "webhook.test" in shown and "Attempt 1: 500" in shown and "12 ms" in shown
        assert "<script>alert" not in shown and "<b>x</b>" not in shown
        again = await console.post(f"{path}/deliveries/{delivery}/redeliver", token=str(new_id()))
        assert again.headers["location"].endswith(f"{delivery}?done=redelivered")
        assert ">Pending<" in (await console.get(f"{path}/deliveries/{delivery}")).text, "of this round, none failed"
        assert (await console.get(f"{path}/deliveries/{uuid.uuid4()}")).status_code == 404
        assert (await console.post(f"{path}/deliveries/{uuid.uuid4()}/redeliver", token="x")).status_code == 404
        other, _ = await registered(console)
        assert (await console.get(f"{other}/deliveries/{delivery}")).status_code == 404


async def test_disabling_enabling_changing_and_removing(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        path, _ = await registered(console, description="Ours")
        assert (await console.post(path, status="disabled")).headers["location"].endswith("done=webhook_disabled")
        page = (await console.get(path)).text
        assert "Disabled by a member" in page and "Send a test event</button>" not in page
        refused = await console.post(f"{path}/test", token=str(new_id()))
        assert refused.status_code == 422 and "Enable it first." in refused.text
        assert (await console.post(path, status="enabled")).headers["location"].endswith("done=webhook_enabled")
        changed = await console.post(path, url="https://hooks.acme.com/new", description="Theirs", events="scan.failed")
        assert changed.status_code == 303
        page = (await console.get(path)).text
        assert "https://hooks.acme.com/new" in page and "Theirs" in page
        assert re.search(r'value="scan.failed" checked', page)
        assert (await console.post(f"{path}/remove")).headers["location"].endswith("done=webhook_removed")
        assert (await console.get(path)).status_code == 404


@pytest.mark.parametrize(
    "fields",
    [{"url": "http://acme.com"}, {"url": "https://127.0.0.1/"}, {"url": "x"}, {"url": ""}, {"events": "scan.eaten"}],
)
async def test_what_is_wrong_is_said_on_the_page(installation, fields):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        page = await console.post("/webhooks", **{"token": str(new_id()), "url": URL, **fields})
        assert page.status_code == 422 and 'role="alert"' in page.text
        path, _ = await registered(console)
        assert (await console.post(path, **{"url": URL, **fields})).status_code == 422
        assert (await console.post(path, status="broken")).status_code == 422


async def test_editors_foreigners_other_modes_and_other_sites_change_nothing(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        path, _ = await registered(console)
        actions = (path, f"{path}/rotate", f"{path}/test", f"{path}/remove")
        form = {"token": str(new_id()), "url": "https://evil.com/"}
        for action in (*actions, "/webhooks"):
            refused = await console.post(action, headers={"Sec-Fetch-Site": "cross-site"}, **form)
            assert refused.status_code == 403
    async with open_console_browser(installation, tenant, await installation.member(tenant, Role.EDITOR)) as console:
        assert (await console.get(path)).status_code == 403
        for action in (*actions, "/webhooks"):
            assert (await console.post(action, **form)).status_code == 403
    for someone, livemode in ((other, True), (tenant, False)):
        async with open_console_browser(installation, someone, livemode=livemode) as console:
            assert (await console.get(path)).status_code == 404
            for action in actions:
                assert (await console.post(action, **form)).status_code == 404, action
    assert await installation.db.fetch("SELECT url, status FROM webhook_endpoints") == [(URL, "enabled")]
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_deliveries") == 0


async def test_a_description_with_a_script_is_inert(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        path, _ = await registered(console, description="<script>alert(1)</script>")
        for shown in (path, "/webhooks"):
            page = (await console.get(shown)).text
            assert "<script>alert" not in page and "&lt;script&gt;" in page
