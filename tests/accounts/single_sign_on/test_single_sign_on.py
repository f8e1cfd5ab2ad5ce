"""Single sign-on: who is signed in and who is not, what a provider must prove, and what an owner can require."""

import base64
import hashlib
import html
import json
import re
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from sightline.accounts.invitations.invite import invite
from sightline.accounts.invitations.models import InvitationInput
from sightline.accounts.models import Role, build_operator_actor
from sightline.accounts.operators.grant import grant_operator
from sightline.accounts.single_sign_on import providers
from sightline.audit.models import INSTALLATION_ID, AuditFilter
from sightline.audit.queries import list_entries
from tests.accounts.second_factor.authenticators import add_app, show_code
from tests.accounts.test_security_emails import take_emails
from tests.fakes.identity_provider import DISCOVERY, IdentityProvider
from tests.installation import PASSWORD, Installation, build_settings
from tests.web.page_browser import open_browser

DOMAIN = "acme.com"
SECRET = "s3cret & more"
SESSION = "/api/v1/console/session"


@pytest.fixture(scope="module")
def idp():
    with IdentityProvider() as provider:
        yield provider


@pytest.fixture
async def site(database_url, tmp_path, idp):
    """An installation whose workspaces may have a provider on this machine, at the time of the provider."""
    idp.faults.clear()
    idp.requests.clear()
    given = {"webhook_allow_loopback": True, "smtp_url": "smtp://127.0.0.1:9"}
    async with Installation.open(database_url, tmp_path, **given) as opened:
        opened.clock.now = datetime.now(UTC)
        yield opened


async def assign(site, tenant, domain=DOMAIN):
    async with site.db.transaction() as tx:
        return await providers.assign_domain(tx, tenant.workspace.id, domain, now=site.clock())


async def configure(site, tenant, idp, **changes):
    fields = {"issuer": idp.url, "client_id": "sightline", "client_secret": SECRET} | changes
    async with open_browser(site, tenant.owner) as browser:
        return await browser.post(f"/w/{tenant.id}/single-sign-on", data=fields)


@pytest.fixture
async def tenant(site, idp):
    """A workspace whose provider signs in people of `DOMAIN`."""
    tenant = await site.tenant()
    await assign(site, tenant)
    assert (await configure(site, tenant, idp)).status_code == 303
    return tenant


async def leave(browser, email, next_path=""):
    """Choose single sign-on on the sign-in page; return where the browser goes."""
    page = await browser.post("/sign-in/sso", data={"email": email, "next": next_path})
    assert page.status_code == 200, page.text
    return html.unescape(re.search(r'content="0; url=([^"]+)"', page.text)[1])


async def sign_in(browser, idp, email, subject=None, next_path=""):
    """Sign in through the provider; return the answer to the browser that comes back."""
    return await browser.get(idp.sign_in(await leave(browser, email, next_path), subject or email))


async def list_reasons(site, workspace_id):
    found = await list_entries(
        site.db, workspace_id, AuditFilter(action="single_sign_on_refused"), after=None, limit=50
    )
    return [each.details["reason"] for each in found]


@asynccontextmanager
async def refused(site, tenant, *reasons):
    """Assert that nobody is signed in within the block, and why."""
    before = await site.db.fetchval("SELECT count(*) FROM sessions")
    yield
    assert await site.db.fetchval("SELECT count(*) FROM sessions") == before
    assert (await list_reasons(site, tenant.workspace.id))[: len(reasons)] == list(reasons)


async def test_a_member_signs_in_with_pkce_and_gets_where_they_wanted(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email, name="Ada")
    wanted = f"/w/{tenant.id}/members"
    async with open_browser(site) as browser:
        assert "Use single sign-on" in (await browser.get("/sign-in")).text
        location = await leave(browser, member.email.upper(), wanted)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        assert asked["redirect_uri"] == f"http://test/sign-in/sso/{tenant.id}/callback"
        assert (asked["scope"], asked["code_challenge_method"]) == ("openid email profile", "S256")
        assert asked["login_hint"] == member.email and "prompt" not in asked
        back = idp.sign_in(location, "ada")
        done = await browser.get(back)
        assert (done.status_code, done.headers["location"]) == (303, wanted)
        assert (await browser.get(wanted)).status_code == 200
        account = (await browser.get("/account")).text
        assert ">single sign-on</span>" in account
        session = (await browser.get(SESSION)).json()["data"]
        assert (session["signed_in_by"], session["user"]["email"]) == ("single_sign_on", member.email)
    [(authorization, sent)] = idp.requests
    challenge = base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"][0].encode()).digest()).decode()
    assert challenge.rstrip("=") == asked["code_challenge"]
    pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
    assert pair == "sightline:s3cret+%26+more"
    entries = await list_entries(site.db, tenant.workspace.id, AuditFilter(group="sign_in"), after=None, limit=50)
    linked = [each for each in entries if each.details.get("user_id") == str(member.id)]
    assert [(each.action, each.details.get("by")) for each in linked] == [
        ("session_started", "single_sign_on"),
        ("password_changed", None),
        ("identity_linked", None),
    ]


async def test_the_first_sign_in_ends_a_password_that_somebody_else_may_know(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    async with open_browser(site, member) as stranger, open_browser(site) as browser:
        assert (await sign_in(browser, idp, member.email, "ada")).status_code == 303
        assert (await stranger.get("/account")).status_code == 303, "the session of who made the account has ended"
        with_password = await stranger.post("/sign-in", data={"email": member.email, "password": PASSWORD})
        assert with_password.status_code == 401
    [email] = await take_emails(site)
    assert "Your password no longer works" in email.text
    async with open_browser(site, tenant.owner) as browser:
        idp.set_person("owner", tenant.owner.email)
        assert (await sign_in(browser, idp, tenant.owner.email, "owner")).status_code == 303
        assert (
            await browser.post("/sign-in", data={"email": tenant.owner.email, "password": PASSWORD})
        ).status_code == 303, "they were signed in to the account, so it is theirs"
    assert "Your password still works" in (await take_emails(site))[-1].text


async def test_a_person_is_known_by_issuer_and_subject_and_not_by_the_address(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    async with open_browser(site) as browser:
        await sign_in(browser, idp, member.email, "ada")
        idp.set_person("ada", f"renamed@{DOMAIN}")
        assert (await sign_in(browser, idp, member.email, "ada")).status_code == 303
        assert (await browser.get(SESSION)).json()["data"]["user"]["id"] == str(member.id)
        idp.set_person("ada", "ada@elsewhere.com")
        async with refused(site, tenant, "domain_not_assigned"):
            assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401


async def test_an_open_invitation_makes_an_account_without_a_password(site, tenant, idp):
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    async with open_browser(site) as browser:
        idp.set_person("new", f"new@{DOMAIN}", name="Noor\nNew" * 100)
        async with refused(site, tenant, "account_missing"):
            missing = await sign_in(browser, idp, f"new@{DOMAIN}", "new")
            assert missing.status_code == 403 and "There is no account for this address" in missing.text
        assert await site.db.fetchval("SELECT count(*) FROM users WHERE email = $1", f"new@{DOMAIN}") == 0
        async with site.db.transaction() as tx:
            invitation = InvitationInput(Role.ADMIN, email=f"new@{DOMAIN}")
            await invite(tx, actor, invitation, now=site.clock())
        assert (await sign_in(browser, idp, f"new@{DOMAIN}", "new")).status_code == 303
        page = await browser.get(f"/w/{tenant.id}/members")
        assert page.status_code == 200 and "Admin" in page.text
        for password in ("", "!", PASSWORD):
            answer = await browser.post("/sign-in", data={"email": f"new@{DOMAIN}", "password": password})
            assert answer.status_code == 401
    assert await site.db.fetchval("SELECT count(*) FROM invitations WHERE accepted_at IS NOT NULL") == 1


async def test_a_second_factor_is_asked_for_all_the_same(site, tenant, idp):
    async with open_browser(site, tenant.owner) as browser:
        key, _ = await add_app(browser, site.clock())
        idp.set_person("owner", tenant.owner.email)
        done = await sign_in(browser, idp, tenant.owner.email, "owner", f"/w/{tenant.id}")
        assert done.headers["location"] == f"/sign-in/factor?next=%2Fw%2F{tenant.id}"
        site.clock.advance(seconds=31)
        code = {"code": show_code(key, site.clock()), "next": f"/w/{tenant.id}"}
        assert (await browser.post("/sign-in/factor", data=code)).status_code == 303
        assert (await browser.get(SESSION)).json()["data"]["signed_in_by"] == "single_sign_on"


# What a provider must prove


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"aud": "another"}, "token_for_another_client"),
        ({"aud": ["sightline", "another"]}, "token_for_another_client"),
        ({"nonce": "another"}, "token_of_another_sign_in"),
        ({"iss": "https://login.evil.test"}, "token_of_another_issuer"),
        ({"exp": 1}, "token_expired"),
        ({"exp": "tomorrow"}, "token_expired"),
        ({"iat": 99_999_999_999}, "token_of_the_future"),
        ({"email": 5}, "email_missing"),
        ({"email": "ada"}, "email_missing"),
        ({"verified": False}, "email_unverified"),
        ({"verified": "true"}, "email_unverified"),
        ({"email": "ada@elsewhere.com"}, "domain_not_assigned"),
    ],
)
async def test_a_token_of_somebody_or_something_else_is_refused(site, tenant, idp, claims, reason):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", **{"email": member.email, **claims})
    async with open_browser(site) as browser, refused(site, tenant, reason):
        answer = await sign_in(browser, idp, member.email, "ada")
        assert answer.status_code == 401 and "Single sign-on did not succeed" in answer.text
        assert reason not in answer.text


async def test_rotated_keys_work_at_once_and_removed_ones_no_longer(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    async with open_browser(site) as browser:
        assert (await sign_in(browser, idp, member.email, "ada")).status_code == 303
        old_keys = httpx.get(f"{idp.url}/jwks").content
        idp.rotate_key()
        assert (await sign_in(browser, idp, member.email, "ada")).status_code == 303
        idp.faults["/jwks"] = (200, old_keys)
        symmetric = json.dumps({"keys": [{"kty": "oct", "k": "c2VjcmV0"}, {"kty": "RSA"}, {}]}).encode()
        async with refused(site, tenant, "signature_wrong", "signature_wrong"):
            assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401
            idp.faults["/jwks"] = (200, symmetric)
            assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401


def forge(token, **header):
    """Return a token with another header and no valid signature."""
    content = token.split(".")[1]
    start = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    return f"{start}.{content}."


async def test_an_unsigned_token_is_refused(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    for header in ({"alg": "none"}, {"alg": "HS256"}, {}):
        async with open_browser(site) as browser, refused(site, tenant, "signature_wrong"):

            def change(body, header=header):
                tokens = json.loads(body)
                return json.dumps({**tokens, "id_token": forge(tokens["id_token"], **header)}).encode()

            idp.faults["/oauth2/token"] = change
            assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401


async def test_an_address_that_only_userinfo_has_counts_for_the_same_person(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", None)
    told = {"sub": "ada", "email": member.email, "email_verified": True}
    async with open_browser(site) as browser:
        idp.faults["/userinfo"] = (200, json.dumps(told | {"sub": "eve"}).encode())
        async with refused(site, tenant, "userinfo_of_another_person"):
            assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401
        idp.faults["/userinfo"] = (200, json.dumps(told).encode())
        assert (await sign_in(browser, idp, member.email, "ada")).status_code == 303


async def test_a_code_and_a_state_work_once_and_in_the_browser_that_asked(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    async with open_browser(site) as browser, open_browser(site) as other:
        back = idp.sign_in(await leave(browser, member.email), "ada")
        cookie = browser.cookies["sightline_sso"]
        assert (await other.get(back)).status_code == 401, "another browser did not ask"
        await leave(other, member.email)
        assert (await other.get(back)).status_code == 401, "it asked for something else"
        assert (await browser.get(back)).status_code == 303
        assert "sightline_sso" not in browser.cookies
        assert (await browser.get(back)).status_code == 401, "the cookie was used up"
        async with refused(site, tenant, "code_refused"):
            replayed = await other.get(back, headers={"Cookie": f"sightline_sso={cookie}"})
            assert replayed.status_code == 401, "the provider accepts a code once"
        late = idp.sign_in(await leave(browser, member.email), "ada")
        site.clock.advance(minutes=10)
        assert (await browser.get(late)).status_code == 401
        for damaged in ("", "x", "AA==", "é", cookie[:-8], "A" * 5000):
            headers = {"Cookie": f"sightline_sso={damaged}".encode()}
            assert (await browser.get(back, headers=headers)).status_code in {401, 429}


async def test_the_answer_of_one_issuer_is_not_taken_for_that_of_another(site, tenant, idp):
    member = await site.member(tenant, Role.EDITOR)
    idp.set_person("ada", member.email)
    second = await site.tenant()
    await assign(site, second, "other.com")
    with IdentityProvider() as evil:
        assert (await configure(site, second, evil)).status_code == 303
        evil.set_person("ada", member.email)
        async with open_browser(site) as browser:
            back = idp.sign_in(await leave(browser, member.email), "ada")
            crossed = back.replace(str(tenant.id), str(second.id))
            assert (await browser.get(crossed)).status_code == 401, "it has a return address of its own"
            back = idp.sign_in(await leave(browser, member.email), "ada")
            async with refused(site, tenant, "answer_of_another_issuer"):
                assert (await browser.get(f"{back}&iss={evil.url}")).status_code == 401
            idp.declare(authorization_response_iss_parameter_supported=True)
            async with refused(site, tenant, "answer_of_another_issuer"):
                assert (await sign_in(browser, idp, member.email, "ada")).status_code == 401
            back = idp.sign_in(await leave(browser, member.email), "ada")
            assert (await browser.get(f"{back}&iss={idp.url}")).status_code == 303
            async with refused(site, second, "domain_not_assigned"):
                answer = await sign_in(browser, evil, "who@other.com", "ada")
                assert answer.status_code == 401, "a provider decides about its own domains"
    assert await site.db.fetchval("SELECT count(*) FROM identities WHERE issuer = $1", evil.url) == 0


async def test_a_refusal_at_the_provider_leads_back_to_the_sign_in_page(site, tenant, idp):
    async with open_browser(site) as browser:
        state = parse_qs(urlsplit(await leave(browser, f"ada@{DOMAIN}")).query)["state"][0]
        async with refused(site, tenant, "denied_by_provider"):
            answer = await browser.get(f"/sign-in/sso/{tenant.id}/callback?error=access_denied&state={state}")
        assert answer.status_code == 401 and 'name="password"' in answer.text


async def test_an_issuer_that_is_down_or_hostile_signs_in_nobody(site, tenant, idp):
    for fault, status, reason in (
        ((500, b""), 503, "discovery_unavailable"),
        ((404, b"{}"), 401, "discovery_refused"),
        ((302, b"{}"), 401, "discovery_refused"),
        ((200, b"<html>"), 401, "discovery_unreadable"),
        ((200, b"[" * 200_000), 401, "discovery_unreadable"),
        ((200, b'{"issuer": "' + b"x" * 2_000_000), 401, "discovery_too_large"),
    ):
        idp.faults[DISCOVERY] = fault
        async with open_browser(site) as browser, refused(site, tenant, reason):
            answer = await browser.post("/sign-in/sso", data={"email": f"ada@{DOMAIN}"})
            assert answer.status_code == status, reason
    for changes, reason in (
        ({"issuer": "https://login.evil.test"}, "discovery_of_another_issuer"),
        ({"token_endpoint": "http://169.254.169.254/latest"}, "address_refused"),
        ({"jwks_uri": "https://10.0.0.1/keys"}, "address_refused"),
        ({"userinfo_endpoint": "file:///etc/passwd"}, "address_refused"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "address_refused"),
        ({"authorization_endpoint": None}, "discovery_unreadable"),
    ):
        idp.declare(**changes)
        async with open_browser(site) as browser, refused(site, tenant, reason):
            answer = await browser.post("/sign-in/sso", data={"email": f"ada@{DOMAIN}"})
            assert answer.status_code == 401 and 'http-equiv="refresh"' not in answer.text, reason
    await site.db.execute("DELETE FROM failed_attempts")
    idp.faults.clear()
    async with open_browser(site) as browser:
        back = idp.sign_in(await leave(browser, f"ada@{DOMAIN}"), "ada")
        idp.faults["/oauth2/token"] = (500, b"")
        async with refused(site, tenant, "code_unavailable"):
            answer = await browser.get(back)
            assert answer.status_code == 503 and "does not respond" in answer.text


async def test_many_failures_from_one_network_have_to_wait(site, tenant, idp):
    idp.faults[DISCOVERY] = (500, b"")
    async with open_browser(site) as browser:
        statuses = [
            (await browser.post("/sign-in/sso", data={"email": f"ada@{DOMAIN}"})).status_code for _ in range(21)
        ]
    assert statuses == [503] * 20 + [429]


async def test_without_permission_no_workspace_asks_a_provider_on_this_machine(database_url, tmp_path, idp):
    idp.faults.clear()
    async with Installation.open(database_url, tmp_path) as installation:
        tenant = await installation.tenant()
        for issuer in (idp.url, "https://10.0.0.1", "https://[::1]", "ftp://x.test", "https://a b", "x" * 600):
            answer = await configure(installation, tenant, idp, issuer=issuer)
            assert answer.status_code == 422, issuer
        assert await installation.db.fetchval("SELECT count(*) FROM identity_providers") == 0
        async with open_browser(installation) as browser:
            assert "Use single sign-on" not in (await browser.get("/sign-in")).text
            none = await browser.post("/sign-in/sso", data={"email": "ada@acme.com"})
            assert none.status_code == 422 and "There is no single sign-on for this e-mail address" in none.text


# Whom a provider decides about


async def test_a_workspace_signs_in_people_of_its_assigned_domains_and_no_operator(site, idp):
    tenant, operator = await site.tenant(), await site.user(f"root@{DOMAIN}")
    async with site.db.transaction() as tx:
        await grant_operator(tx, operator.id, now=site.clock())
    assert (await configure(site, tenant, idp)).status_code == 303
    async with open_browser(site) as browser:
        none = await browser.post("/sign-in/sso", data={"email": operator.email})
        assert none.status_code == 422, "the owner cannot claim a domain"
        assert await assign(site, tenant) == tenant.workspace.id
        assert await assign(site, await site.tenant()) == tenant.workspace.id, "it stays where it is"
        idp.set_person("root", operator.email)
        async with refused(site, tenant, "not_for_this_provider"):
            assert (await sign_in(browser, idp, operator.email, "root")).status_code == 401
        async with site.db.transaction() as tx:
            assert await providers.unassign_domain(tx, DOMAIN) == tenant.workspace.id
        assert (await browser.post("/sign-in/sso", data={"email": operator.email})).status_code == 422


async def test_the_installation_has_a_provider_in_its_settings_even_on_this_machine(database_url, tmp_path, idp):
    idp.faults.clear()
    given = {"oidc_issuer": idp.url, "oidc_client_id": "all", "oidc_client_secret": SECRET, "oidc_domains": DOMAIN}
    async with Installation.open(database_url, tmp_path, **given) as installation:
        installation.clock.now = datetime.now(UTC)
        tenant, operator = await installation.tenant(), await installation.user()
        async with installation.db.transaction() as tx:
            await grant_operator(tx, operator.id, now=installation.clock())
        idp.set_person("root", operator.email)
        async with open_browser(installation) as browser:
            done = await sign_in(browser, idp, operator.email, "root", "/operator/platforms")
            assert done.headers["location"] == "/operator/platforms"
            assert (await browser.get("/operator/platforms")).status_code == 200
            assert (await browser.post("/sign-in/sso", data={"email": "ada@other.com"})).status_code == 422
            direct = await browser.get("/sign-in/sso/installation?next=//evil.test")
            assert direct.headers["location"].startswith(f"{idp.url}/oauth2/authorize?")
            assert (await browser.get(idp.sign_in(direct.headers["location"], "root"))).headers["location"] == "/"
            assert (await browser.get("/sign-in/sso/nowhere")).status_code == 404
            idp.set_person("root", operator.email, verified=False)
            assert (await sign_in(browser, idp, operator.email, "root")).status_code == 401
        assert await list_reasons(installation, INSTALLATION_ID) == ["email_unverified"]
        idp.set_person("owner", tenant.owner.email)
        async with open_browser(installation, tenant.owner) as browser:
            await sign_in(browser, idp, tenant.owner.email, "owner")
            assert (await require(browser, tenant)).status_code == 303
            assert (await browser.get(f"/w/{tenant.id}/members")).status_code == 200
    with pytest.raises(ValueError, match="SIGHTLINE_OIDC_CLIENT_ID"):
        build_settings(oidc_issuer="https://login.acme.com")


# Only through single sign-on


async def require(browser, tenant, required="yes"):
    return await browser.post(f"/w/{tenant.id}/single-sign-on/require", data={"required": required})


async def test_only_somebody_who_uses_it_can_require_it_and_then_a_password_opens_nothing(site, tenant, idp):
    member, operator = await site.member(tenant, Role.ADMIN), await site.member(tenant, Role.ADMIN)
    guest, _ = await site.guest(tenant, Role.VIEWER)
    async with site.db.transaction() as tx:
        await grant_operator(tx, operator.id, now=site.clock())
    page = f"/w/{tenant.id}/members"
    async with open_browser(site, tenant.owner) as owner, open_browser(site, member) as other:
        early = await require(owner, tenant)
        assert early.status_code == 409 and "cannot lock yourself out" in early.text
        idp.set_person("owner", tenant.owner.email)
        await sign_in(owner, idp, tenant.owner.email, "owner")
        assert (await require(other, tenant)).status_code == 403, "owners alone"
        assert (await require(owner, tenant)).status_code == 303
        assert (await owner.get(page)).status_code == 200
        closed = await other.get(page)
        assert closed.status_code == 403 and "This workspace requires single sign-on" in closed.text
        api = await other.get("/api/v1/console/keys", headers={"X-Workspace-Id": str(tenant.id)})
        assert (api.status_code, api.json()["code"]) == (403, "single_sign_on_required")
        assert (await other.get("/account")).status_code == 200, "their own account is theirs"
        async with site.client(X_API_Key=tenant.live) as client:
            assert (await client.get("/api/v1/console/keys")).status_code == 200, "keys are not asked"
        async with open_browser(site, operator) as root, open_browser(site, guest) as visitor:
            assert (await root.get(page)).status_code == 200, "operators keep a way in"
            assert (await visitor.get(f"/w/{tenant.id}")).status_code == 200, "guests have other providers"
        for path in ("", "/remove"):
            fields = {"issuer": idp.url, "client_id": "other", "client_secret": "x"}
            stays = await owner.post(f"/w/{tenant.id}/single-sign-on{path}", data=fields)
            assert stays.status_code == 409, "members have to use it"
        idp.set_person("member", member.email)
        await sign_in(other, idp, member.email, "member")
        assert (await other.get(page)).status_code == 200
        assert (await require(owner, tenant, "")).status_code == 303
        removed = await owner.post(f"/w/{tenant.id}/single-sign-on/remove")
        assert removed.status_code == 303
        assert (await owner.get(page)).status_code == 200
        none = await owner.post("/sign-in/sso", data={"email": member.email})
        assert none.status_code == 422
    async with site.db.transaction() as tx:
        assert not await providers.end_requirement(tx, tenant.workspace.id)


async def test_the_operator_ends_the_requirement_when_the_provider_is_lost(site, tenant, idp):
    async with open_browser(site, tenant.owner) as owner:
        idp.set_person("owner", tenant.owner.email)
        await sign_in(owner, idp, tenant.owner.email, "owner")
        await require(owner, tenant)
    idp.faults[DISCOVERY] = (500, b"")
    async with open_browser(site, tenant.owner) as owner:
        assert (await owner.get(f"/w/{tenant.id}/members")).status_code == 403
        async with site.db.transaction() as tx:
            assert await providers.end_requirement(tx, tenant.workspace.id)
        assert (await owner.get(f"/w/{tenant.id}/members")).status_code == 200
    actions = [
        each.action
        for each in await list_entries(
            site.db, tenant.workspace.id, AuditFilter(group="workspace"), after=None, limit=9
        )
    ]
    assert actions[:4] == [
        "single_sign_on_required_set",
        "single_sign_on_required_set",
        "identity_provider_set",
        "sign_in_domain_assigned",
    ]


# Recent sign-in


async def test_a_person_without_a_password_proves_at_the_provider_who_they_are(site, tenant, idp):
    member, page = await site.member(tenant, Role.OWNER), f"/w/{tenant.id}/single-sign-on"
    now = int(time.time())
    idp.set_person("ada", member.email, auth_time=now - 3600)
    async with open_browser(site) as browser:
        await sign_in(browser, idp, member.email, "ada")
        asked = await browser.post(f"{page}/require", data={"required": "yes"})
        assert asked.status_code == 403, "the provider knew the person from an hour ago"
        assert 'name="confirm_password"' not in asked.text
        path = html.unescape(re.search(r'href="(/account/confirm/sso[^"]*)"', asked.text)[1])
        assert path == f"/account/confirm/sso?next={page}/require"
        leaving = await browser.get(path)
        query = parse_qs(urlsplit(leaving.headers["location"]).query)
        assert (query["prompt"], query["max_age"]) == (["login"], ["0"])
        async with refused(site, tenant, "not_asked_again"):
            not_asked = await browser.get(idp.sign_in(leaving.headers["location"], "ada"))
            assert not_asked.status_code == 401
        assert (await browser.post(f"{page}/require", data={"required": "yes"})).status_code == 403
        idp.set_person("eve", f"eve@{DOMAIN}", auth_time=now + 1)
        leaving = await browser.get(path)
        async with refused(site, tenant, "another_person"):
            await browser.get(idp.sign_in(leaving.headers["location"], "eve"))
        idp.set_person("ada", member.email, auth_time=now + 1)
        leaving = await browser.get(path)
        back = idp.sign_in(leaving.headers["location"], "ada")
        async with open_browser(site, member) as other:
            cookie = {"Cookie": f"sightline_sso={browser.cookies['sightline_sso']}"}
            assert (await other.get(back, headers=cookie)).status_code == 401, "it confirms the session that asked"
        leaving = await browser.get(path)
        assert (await browser.get(idp.sign_in(leaving.headers["location"], "ada"))).status_code == 303
        assert (await browser.post(f"{page}/require", data={"required": "yes"})).status_code == 303


# Configuring


async def test_the_client_secret_is_sealed_and_never_goes_to_another_issuer(site, tenant, idp):
    [row] = await site.db.fetch("SELECT client_secret FROM identity_providers")
    assert SECRET.encode() not in row[0]
    with IdentityProvider() as other:
        moved = await configure(site, tenant, other, client_secret="")
        assert moved.status_code == 422 and "Enter the client secret" in moved.text
    renamed = await configure(site, tenant, idp, client_id="renamed", client_secret="", issuer=idp.url + "/")
    assert renamed.status_code == 303
    async with open_browser(site, tenant.owner) as browser:
        page = (await browser.get(f"/w/{tenant.id}/single-sign-on")).text
    assert "renamed" in page and SECRET not in page and f"/sign-in/sso/{tenant.id}/callback" in page
    await site.db.execute("UPDATE identity_providers SET issuer = 'https://login.evil.test'")
    async with open_browser(site) as browser:
        assert (await browser.post("/sign-in/sso", data={"email": f"ada@{DOMAIN}"})).status_code == 422


async def test_rotating_the_key_of_the_installation_seals_the_secrets_again(site, tenant):
    changed = build_settings(secret_key="n" * 40, secret_key_previous="s" * 40)
    async with site.db.transaction() as tx:
        assert await providers.reseal_providers(tx, changed) == (1, 0, 0)
        assert await providers.reseal_providers(tx, build_settings(secret_key="n" * 40)) == (0, 1, 0)
        assert await providers.reseal_providers(tx, build_settings(secret_key="x" * 40)) == (0, 0, 1)
