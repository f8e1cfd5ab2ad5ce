"""The security log: who signed in or failed to, and who changed passwords, keys and members."""

from contextlib import suppress

from structlog.testing import capture_logs

from sightline.accounts.members import change_member, remove_member
from sightline.accounts.models import Role
from sightline.kit.security_log import identify_caller, omit_security_events, record_security_event
from tests.accounts.test_invitations import build_actor
from tests.installation import PASSWORD
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
