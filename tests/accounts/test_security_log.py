"""The security log: who signed in or failed to, and who changed keys, members, webhooks, share links and the like."""

import re
from contextlib import suppress

from structlog.testing import capture_logs

from sightline.accounts.members import change_member, remove_member
from sightline.accounts.models import Role
from sightline.credits.checkout.start import set_purchases_enabled
from sightline.kit.security_log import identify_caller, omit_security_events, record_security_event
from sightline.usage.console_switch import set_console_enabled
from tests.accounts.test_invitations import build_actor
from tests.installation import PASSWORD
from tests.web.dashboard.test_sharing import LINK, Shared
from tests.web.page_browser import open_browser

CONSOLE = "/api/v1/console"
NEW = "another horse battery"


def pick(logs, *names):
    """Return the security events of a log as tuples of their name and some fields."""
    events = [line for line in logs if line.get("category") == "security"]
    return [(line["event"], *(line.get(name) for name in names)) for line in events]


async def test_sign_ins_failures_and_password_changes_are_logged_with_the_account_id(installation):
    user = await installation.user()
    async with open_browser(installation) as browser:
        with capture_logs() as logs:
            for email, password in ((user.email, "a wrong one"), ("x@acme.com", PASSWORD), (user.email, PASSWORD)):
                await browser.post("/sign-in", data={"email": email, "password": password})
            for current in ("a wrong one", PASSWORD):
                await browser.post("/account/password", data={"current_password": current, "new_password": NEW})
            await browser.post("/account/sessions/end-others")
            await browser.post("/sign-out")
        known = str(user.id)
        assert pick(logs, "user_id", "by_user_id") == [
            ("sign_in_failed", known, None),
            ("sign_in_failed", None, None),
            ("session_started", known, None),
            ("password_change_failed", known, known),
            ("password_changed", known, known),
            ("session_started", known, known),
            ("sessions_ended", known, known),
            ("signed_out", known, known),
        ]
        for secret in (user.email, "x@acme.com", PASSWORD, NEW, "a wrong one"):
            assert secret not in repr(logs)


async def test_an_attempt_during_a_wait_is_logged(installation):
    async with installation.client(Sec_Fetch_Site="same-origin") as client:
        with capture_logs() as logs:
            for _ in range(6):
                await client.post(f"{CONSOLE}/session", json={"email": "nobody@acme.com", "password": "guess"})
    assert [name for (name,) in pick(logs)] == ["sign_in_failed"] * 5 + ["sign_in_delayed"]


async def test_changes_to_keys_are_logged_with_who_made_them_and_without_the_secret(installation):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live) as client:
        with capture_logs() as logs:
            minted = (
                await client.post(f"{CONSOLE}/keys", json={"name": "CI"}, headers={"Idempotency-Key": "a"})
            ).json()
            path = f"{CONSOLE}/keys/{minted['data']['id']}"
            rotated = (await client.post(f"{path}/rotate", headers={"Idempotency-Key": "b"})).json()
            revoked = await client.delete(path, headers={"Idempotency-Key": "c"})
    workspace, key = str(tenant.workspace.id), minted["data"]["id"]
    assert pick(logs, "workspace_id", "key_id", "key_ids") == [
        ("key_created", workspace, key, None),
        ("key_rotated", workspace, key, None),
        ("keys_revoked", workspace, None, [key]),
    ]
    events = [line for line in logs if line.get("category") == "security"]
    assert len({line["by_key_id"] for line in events}) == 1 and events[0]["by_key_id"] != key
    assert events[-1]["request_id"] == revoked.headers["x-request-id"]
    assert not any(answer["data"]["key"] in repr(logs) for answer in (minted, rotated))


async def test_changes_of_roles_and_removals_are_logged_after_the_commit(installation):
    tenant = await installation.tenant()
    member = await installation.member(tenant, Role.EDITOR)
    owner = build_actor(tenant, tenant.owner, Role.OWNER)
    identify_caller(by="operator")
    with capture_logs() as logs:
        with suppress(ZeroDivisionError):
            async with installation.db.transaction() as tx:
                await remove_member(tx, owner, member.id)
                raise ZeroDivisionError
        assert logs == [], "what was rolled back did not happen"
        async with installation.db.transaction() as tx:
            await change_member(tx, owner, member.id, role=Role.ADMIN, billing=None, now=installation.clock())
            assert logs == []
        async with installation.db.transaction() as tx:
            await remove_member(tx, owner, member.id)
        record_security_event("bootstrap_refused")
    assert pick(logs, "workspace_id", "user_id", "role", "by") == [
        ("member_role_set", str(tenant.workspace.id), str(member.id), "admin", "operator"),
        ("member_removed", str(tenant.workspace.id), str(member.id), None, "operator"),
        ("bootstrap_refused", None, None, None, "operator"),
    ]


async def test_the_events_of_a_demonstration_are_left_out(installation):
    with capture_logs() as logs:
        with omit_security_events():
            async with installation.db.transaction():
                record_security_event("account_created")
            record_security_event("key_created")
        async with installation.db.transaction():
            record_security_event("signed_out")
    assert pick(logs) == [("signed_out",)]


async def test_changes_to_webhooks_are_logged_by_api_and_page_without_address_or_secret(installation):
    tenant, url = await installation.tenant(), "https://hooks.example.com/secret-path"
    with capture_logs() as logs:
        async with installation.client(X_API_Key=tenant.live) as client:
            made = (await client.post(f"{CONSOLE}/webhooks", json={"url": url})).json()["data"]
            path = f"{CONSOLE}/webhooks/{made['id']}"
            for _ in range(2):  # the second time, nothing changes
                await client.patch(path, json={"url": f"{url}/2", "status": "disabled"})
            await client.patch(path, json={"url": "ftp://nowhere"})
            rotated = await client.post(f"{path}/rotate-secret")
            assert (await client.delete(path)).status_code == 200
    async with open_browser(installation, tenant.owner) as browser:
        with capture_logs() as page_logs:
            page = f"/w/{tenant.id}/console/webhooks"
            form = {"url": url, "description": "", "events": ["scan.completed"], "token": "a" * 32}
            await browser.post(page, data=form)
            (webhook,) = await installation.db.fetch("SELECT id FROM webhook_endpoints WHERE status = 'enabled'")
            await browser.post(f"{page}/{webhook['id']}", data={"status": "disabled"})
            await browser.post(f"{page}/{webhook['id']}/rotate", data={"token": "b" * 32})
            await browser.post(f"{page}/{webhook['id']}/remove")
    logs += page_logs
    names = ["webhook_created", "webhook_changed", "webhook_secret_rotated", "webhook_removed"]
    by_key, by_person = made["id"], str(webhook["id"])
    assert pick(logs, "webhook_id", "workspace_id") == [
        (name, each, tenant.id) for each in (by_key, by_person) for name in names
    ]
    events = [line for line in logs if line.get("category") == "security"]
    assert [line["fields"] for line in events if "fields" in line] == [["url", "status"], ["status"]]
    assert ["by_key_id" in line for line in events] == [True] * 4 + [False] * 4
    assert [line.get("by_user_id") for line in events[4:]] == [str(tenant.owner.id)] * 4
    for secret in (url, made["secret"], rotated.json()["data"]["secret"]):
        assert secret not in repr(logs)


async def test_share_links_are_logged_once_and_without_their_token(installation):
    shared = await Shared.open(installation)
    async with open_browser(installation, shared.tenant.owner) as owner:
        with capture_logs() as logs:
            link = LINK.search((await shared.make(owner)).text)[1]
            (revoke,) = re.findall(r'action="([^"]+/revoke)"', (await owner.get(shared.page)).text)
            await owner.post(revoke)
            installation.clock.advance(minutes=1)
            await owner.post(revoke)
    share_id = str(await installation.db.fetchval("SELECT id FROM report_shares"))
    assert pick(logs, "workspace_id", "share_id", "by_user_id") == [
        (name, shared.tenant.id, share_id, str(shared.tenant.owner.id))
        for name in ("share_link_created", "share_link_revoked")
    ]
    assert link.rpartition("/")[2] not in repr(logs)


async def test_switches_of_the_operator_are_logged(installation):
    with capture_logs() as logs:
        async with installation.db.transaction() as tx:
            await set_console_enabled(tx, enabled=False)
            await set_purchases_enabled(tx, enabled=True)
    assert pick(logs, "enabled") == [("console_switched", False), ("purchases_switched", True)]
