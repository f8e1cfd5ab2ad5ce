"""The end of the sandbox: what made-up money and demonstrations leave behind when a platform is connected."""

import asyncio
import uuid

import asyncpg
import pytest
from pydantic import SecretStr

from sightline.accounts.operators.grant import grant_operator
from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.credits.ledger import CreditAccount, build_credit_rules, grant_credits
from sightline.credits.sandbox_money import CreditMove, count_unspent
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.errors import Problem
from sightline.onboarding.demo.build import build_demo
from sightline.onboarding.sandbox_end.leave import find_endings, leave_sandbox
from sightline.onboarding.sandbox_end.models import describe_ending
from sightline.plans.table import Plan
from sightline.platforms.connections.load import load_connections
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from sightline.scans.scheduling.tick import tick
from sightline.scoreboard.queries import find_board, find_latest_source
from tests.api.assertions import assert_problem
from tests.credits.buyers import CHECKOUT, open_buyer
from tests.installation import build_settings
from tests.running_worker import Console
from tests.scan_history import ScanHistory
from tests.tracked_domains import Tracker
from tests.web.page_browser import open_browser

S1, S2 = uuid.UUID(int=1), uuid.UUID(int=2)


def test_credits_that_leave_take_test_money_first():
    bought, granted = CreditMove(50, None, is_test_money=True), CreditMove(100, None, is_test_money=False)

    def charge(amount, scan=S1):
        return CreditMove(-amount, scan, is_test_money=False)

    def refund(amount, scan=S1):
        return CreditMove(amount, scan, is_test_money=False)

    assert count_unspent([bought]) == 50
    assert count_unspent([bought, granted, charge(30)]) == 20
    assert count_unspent([bought, granted, charge(70)]) == 0
    assert count_unspent([granted, charge(100), bought]) == 50, "what was spent before was not test money"
    assert count_unspent([bought, granted, charge(70), refund(70)]) == 50
    assert count_unspent([bought, granted, charge(40), charge(40, S2), refund(5, S2), refund(35, S2)]) == 10
    assert count_unspent([bought, CreditMove(-20, None, is_test_money=True)]) == 30, "a reversed purchase"
    assert count_unspent([bought, CreditMove(-45, None, is_test_money=False)]) == 5, "taken by the operator"


@pytest.fixture
async def buyer(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=False) as opened:
        yield opened


def connected(buyer):
    """Return the settings after a platform was connected."""
    return buyer.installation.app_context.settings.model_copy(update={"openai_api_key": SecretStr("sk-platform")})


async def leave(buyer) -> None:
    await leave_sandbox(buyer.installation.db, connected(buyer), now=buyer.installation.clock())


async def pay(buyer, pricing_id: int = 1) -> str:
    reference = await buyer.buy(pricing_id)
    session = (await buyer.attempt(reference))["provider_session"]
    async with buyer.installation.client() as client:
        await client.post(f"/checkout/local/{session}", data={"action": "pay"})
    return reference


async def buy_and_pay(buyer) -> None:
    assert await buyer.recover(await pay(buyer)) == "credited"


async def grant(buyer, amount: int) -> None:
    async with buyer.installation.db.transaction() as tx:
        rules = build_credit_rules(buyer.installation.app_context.settings)
        workspace_id, now = buyer.tenant.workspace.id, buyer.installation.clock()
        await grant_credits(tx, CreditAccount(workspace_id, livemode=True, rules=rules), amount, note="Hello", now=now)


async def test_test_money_ends_once_and_what_was_granted_stays(buyer):
    installation = buyer.installation
    await grant(buyer, 5)
    await buy_and_pay(buyer)
    unverified = await pay(buyer)
    async with Console(installation, buyer.tenant.live) as console:
        domain = await console.domain()
        await console.submit(domain, keywords=["best anvil"], platforms=["chatgpt", "gemini"])
    assert await buyer.balance() == 13
    ended, (planned,) = await find_endings(installation.db)
    assert (ended, planned.credits, planned.closes) == (False, 10, False)
    await leave_sandbox(installation.db, installation.app_context.settings, now=installation.clock())
    assert await buyer.balance() == 13, "still a sandbox"
    await asyncio.gather(*(leave(buyer) for _ in range(4)))
    await leave(buyer)
    assert await buyer.balance() == 5, "the pending scan was cancelled, its credits returned and removed"
    removed = [row for row in await buyer.entries() if row[1] == "manual_adjustment"]
    assert removed == [(-10, "manual_adjustment", None)]
    assert (await find_endings(installation.db))[0] is True
    # A process that still has the old settings.
    assert await buyer.recover(unverified) == "expired"
    assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 503, "service_unavailable")
    assert await buyer.balance() == 5
    assert await verify_ledgers_any_workspace(installation.db) == []


async def test_a_process_that_dies_has_done_nothing_and_the_next_does_it_all(buyer):
    db = buyer.installation.db
    await buy_and_pay(buyer)
    await build_demo(db, base_url="http://test", rules=buyer.rules, now=buyer.installation.clock())
    await db.execute("CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dead'; END $$")
    await db.execute("CREATE TRIGGER die BEFORE UPDATE ON installation FOR EACH ROW EXECUTE FUNCTION die()")
    with pytest.raises(asyncpg.RaiseError):
        await leave(buyer)
    assert await buyer.balance() == 10
    assert await db.fetchval("SELECT count(*) FROM workspaces WHERE closed_at IS NOT NULL") == 0
    assert await db.fetchval("SELECT count(*) FROM sandbox_endings") == 0
    await db.execute("DROP TRIGGER die ON installation")
    await leave(buyer)
    assert await buyer.balance() == 0
    assert await db.fetchval("SELECT count(*) FROM workspaces WHERE closed_at IS NOT NULL") == 4


async def test_demonstration_workspaces_are_closed_and_their_users_signed_out(buyer):
    installation, db = buyer.installation, buyer.installation.db
    demo = await build_demo(db, base_url="http://test", rules=buyer.rules, now=installation.clock())
    assert all(len(login.password) >= 22 for login in demo.users.values()), "128 bits in base64"
    user_id = await db.fetchval("SELECT id FROM users WHERE email = 'owner@demo.example'")
    async with installation.client(Sec_Fetch_Site="same-origin") as browser:
        signing_in = {"email": demo.users["owner"].email, "password": demo.users["owner"].password}
        assert (await browser.post("/api/v1/console/session", json=signing_in)).status_code == 201
        await leave(buyer)
        assert await db.fetchval("SELECT count(*) FROM sessions WHERE user_id = $1", user_id) == 0
        assert (await browser.get("/api/v1/console/session")).status_code == 401
        again = await browser.post("/api/v1/console/session", json=signing_in)
        assert again.json()["data"]["workspaces"] == []
        agency = {"X-Workspace-Id": str(demo.workspaces["agency"]["id"])}
        closed = await browser.get("/api/v1/console/scans", headers=agency)
        assert_problem(closed, 404, "workspace_not_found")
        account = (await browser.get("/account")).text
        assert "The demo workspace “Demo Agency” is closed." in account
    async with installation.client() as client:
        paths = {"console_live": "console/scans", "console_test": "console/scans", "data_starter": "ext/domains"}
        for name, path in paths.items():
            refused = await client.get(f"/api/v1/{path}", headers={"X-API-Key": demo.keys[name]})
            assert_problem(refused, 401, "key_revoked")
    left = "SELECT sum(balance) FROM credit_accounts WHERE workspace_id = ANY($1) AND livemode"
    workspaces = [each["id"] for each in demo.workspaces.values()]
    assert await db.fetchval(left, workspaces) == 0
    tracked = "SELECT count(*) FROM domains WHERE workspace_id = ANY($1) AND kind = 'tracked' AND status <> 'removed'"
    assert await db.fetchval(tracked, workspaces) == 0
    _, endings = await find_endings(db)
    assert describe_ending(endings[0]) == ["closed", "demonstration of acme.com ended", "100 credits removed"]
    assert len(endings) == 4 and endings[0].ended_at == installation.clock()
    with pytest.raises(Problem, match="connected"):
        await build_demo(db, base_url="http://test", rules=buyer.rules, now=installation.clock())


@pytest.mark.parametrize("plan", [Plan.STARTER, Plan.FREE])
async def test_the_demonstration_of_the_button_ends_and_its_owner_reads_it(buyer, plan):
    installation, db = buyer.installation, buyer.installation.db
    tenant = await installation.tenant(plan)
    home = f"/w/{tenant.id}"
    async with open_browser(installation, tenant.owner) as browser:
        await browser.post(f"{home}/demo")
        shown_in = await db.fetchval("SELECT shown_in FROM demonstrations")
        assert (plan is Plan.FREE) == (str(shown_in) != tenant.id)
        await leave(buyer)
        tracked = "SELECT count(*) FROM domains WHERE kind = 'tracked' AND status <> 'removed'"
        assert await db.fetchval(tracked) == 0
        page = (await browser.get(home)).text
        if plan is Plan.FREE:
            assert "The demo workspace “Demonstration” is closed." in page
            assert (await browser.get(f"/w/{shown_in}")).status_code == 404
            left = f"member {shown_in} {tenant.owner.id}"
            assert await db.fetchval("SELECT is_over FROM ended_access WHERE subject = $1", left), (
                "in saved copies, too"
            )
        else:
            assert "Demo domains that are no longer tracked: acme.com." in page
            assert "no longer tracked" in (await browser.get(f"{home}/console")).text
        assert "Load the demo" not in page
        assert (await browser.post(f"{home}/demo")).status_code == 409
        installation.clock.advance(days=31)
        await installation.open_session_for(browser, tenant.owner)
        assert "the sandbox ended" not in (await browser.get(home)).text


async def test_a_domain_that_a_person_tracks_again_is_no_demonstration(buyer):
    installation, db = buyer.installation, buyer.installation.db
    tenant = await installation.tenant(Plan.STARTER)
    async with open_browser(installation, tenant.owner) as browser:
        await browser.post(f"/w/{tenant.id}/demo")
        domain_id = await db.fetchval("SELECT domain_id FROM demonstrations")
        assert await db.fetchval("SELECT made_for_demo FROM domains WHERE id = $1", domain_id)
        await db.execute("UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", domain_id)
        await browser.post(f"/w/{tenant.id}/new", data={"domain": "acme.com"})
    await leave(buyer)
    assert await db.fetchval("SELECT status FROM domains WHERE id = $1", domain_id) == "setup"


async def test_each_tracked_domain_starts_again_with_a_live_full_check_due_at_once(installation):
    history = await ScanHistory.open(installation, "which anvil is best")
    await history.run_full_check(lambda *_: "Acme is a fine anvil.")
    key = (history.workspace_id, history.domain_id)
    await installation.db.execute("UPDATE scans SET answers_source = 'sandbox'")
    await installation.db.execute("UPDATE prompt_checks SET answers_source = 'sandbox'")
    await installation.db.execute(
        "UPDATE domains SET status = 'active', anchor_at = coalesce(anchor_at, created_at) WHERE id = $1", key[1]
    )
    assert await find_latest_source(installation.db, *key) == "sandbox"
    demo = await installation.tracked_domain(history.tenant, "demo.com")
    started = installation.clock()
    await installation.db.execute(
        "UPDATE domains SET status = 'active', made_for_demo = true, anchor_at = $2 WHERE id = $1", demo, started
    )
    installation.clock.advance(days=3, hours=1)
    live = build_settings(openai_api_key="sk-platform")
    await leave_sandbox(installation.db, live, now=installation.clock())
    row = await installation.db.fetchrow(
        "SELECT anchor_at, next_check_at, next_check_scope, last_full_check_at FROM domains WHERE id = $1", key[1]
    )
    assert tuple(row) == (installation.clock(), installation.clock(), "full_check", None)
    assert await installation.db.fetchval("SELECT anchor_at FROM domains WHERE id = $1", demo) == started
    assert await find_latest_source(installation.db, *key) is None, "made-up scans count no longer"
    assert await find_board(installation.db, *key) is None
    assert await installation.db.fetchval("SELECT count(*) FROM scans") == 1, "they are kept"
    assert await tick(installation.db, live, now=installation.clock()) == 1
    check = await installation.db.fetchrow(
        "SELECT answers_source, measurement_scope, selected_platforms FROM scans ORDER BY created_at DESC LIMIT 1"
    )
    assert tuple(check) == ("live", "full_check", ["chatgpt"])
    await leave_sandbox(installation.db, live, now=installation.clock())
    assert await tick(installation.db, live, now=installation.clock()) == 0, "it happens once"


async def test_sandbox_suggestions_end_with_it_and_a_free_audit_is_repeated_with_live_answers(installation):
    db, now = installation.db, installation.clock()
    invented = build_market(Subject("acme.com", "Acme")).rivals[0].domain
    async with Tracker.open(installation, Plan.FREE) as tracker:
        made = await tracker.track(prompts=["best anvil"], competitors=(invented, "globex.com"))
    key = (tracker.workspace_id, made.domain.id)
    found = NewSuggestion(prompt="Which anvil?", language_code="en", country_iso_2=None, priority=1, origin="question")
    async with db.transaction() as tx:
        await store_suggestions(tx, *key, [found], now=now)
        await suggest_competitors(tx, *key, [DetectedCompetitor("Bramwick", "bramwick.io", 1.0)], now=now)
    await db.execute("UPDATE scans SET status = 'completed', completed_at = $1", now)
    assert await tick(db, installation.app_context.settings, now=now) == 0
    live = build_settings(openai_api_key="sk-platform")
    await leave_sandbox(db, live, now=now)
    assert await db.fetchval("SELECT count(*) FROM prompt_suggestions") == 0
    rows = await db.fetch("SELECT competitor_domain, status FROM competitors ORDER BY status")
    assert [tuple(row) for row in rows] == [("globex.com", "confirmed"), (invented, "dismissed")]
    assert await db.fetchval("SELECT competitor_count FROM domains") == 1
    elsewhere = build_settings(anthropic_api_key="sk-platform")  # not a platform of the Free plan
    assert await tick(db, elsewhere, now=now) == 0, "it waits for a platform of the plan"
    assert [await tick(db, live, now=now) for _ in range(2)] == [1, 0]
    scans = await db.fetch("SELECT measurement_scope, answers_source FROM scans ORDER BY answers_source")
    assert [tuple(row) for row in scans] == [("free_audit", "live"), ("free_audit", "sandbox")]
    await db.execute("UPDATE scans SET status = 'completed', completed_at = $1", now)
    installation.clock.advance(days=8)
    assert await tick(db, live, now=installation.clock()) == 0, "once per workspace, ever"


async def test_made_up_checks_are_hidden_after_the_sandbox_and_marked_where_they_are_shown(installation):
    history = await ScanHistory.open(installation, "which anvil is best")
    await history.run_full_check(lambda *_: "Acme is a fine anvil.")
    await installation.db.execute("UPDATE scans SET answers_source = 'sandbox'")
    path = f"/w/{history.tenant.id}/d/{history.domain_id}/checks"
    scan = str(await installation.db.fetchval("SELECT id FROM scans"))
    async with open_browser(installation, history.tenant.owner) as browser:
        assert scan in (await browser.get(path)).text
        settings = installation.app_context.settings
        await leave_sandbox(installation.db, build_settings(openai_api_key="sk-p"), now=installation.clock())
        await load_connections(installation.db, settings)
        assert scan not in (await browser.get(path)).text
        shown = await browser.get(f"{path}?sandbox=yes")
        assert scan in shown.text and "Sandbox: made up" in shown.text


async def test_made_up_answers_are_hidden_after_the_sandbox_and_marked_where_they_are_shown(installation):
    history = await ScanHistory.open(installation, "which anvil is best")
    await history.run_full_check(lambda *_: "Acme is a fine anvil.")
    await installation.db.execute("UPDATE domains SET status = 'active', anchor_at = created_at")
    path = f"/w/{history.tenant.id}/d/{history.domain_id}/answers"
    scan = await installation.db.fetchval("SELECT id FROM scans")
    async with open_browser(installation, history.tenant.owner) as browser:
        before = (await browser.get(path)).text
        assert "is a fine anvil." in before and "Sandbox: made up" not in before
        await leave_sandbox(installation.db, build_settings(openai_api_key="sk-p"), now=installation.clock())
        await load_connections(installation.db, installation.app_context.settings)
        for hidden in ("", "?checks=all", "?since=2026-01-01"):
            assert "is a fine anvil." not in (await browser.get(path + hidden)).text
        listed = await browser.get(path)
        assert '<a class="chip" href="' + path + '?sandbox=yes">Sandbox answers</a>' in listed.text
        for shown in ("?sandbox=yes", "?sandbox=yes&since=2026-01-01", f"?check={scan}"):
            page = (await browser.get(path + shown)).text
            assert "is a fine anvil." in page and "Sandbox: made up" in page
        assert "Sandbox answers are made up." in (await browser.get(f"{path}?sandbox=yes")).text
        assert (await browser.get(f"{path}?sandbox=no")).status_code == 422


async def test_the_banner_leads_operators_to_the_platforms_and_tells_others_whom_to_ask(installation):
    tenant = await installation.tenant()
    path = f"/w/{tenant.id}"
    async with open_browser(installation, tenant.owner) as browser:
        assert "ask the operator of this installation" in (await browser.get(path)).text
        operator = await installation.user("ops@acme.com")
        async with installation.db.transaction() as tx:
            await grant_operator(tx, operator.id, now=installation.clock())
        assert "ask ops@acme.com to connect one" in (await browser.get(path)).text
        async with installation.db.transaction() as tx:
            await grant_operator(tx, tenant.owner.id, now=installation.clock())
        assert '<a href="/operator/platforms">Connect a platform</a>' in (await browser.get(path)).text
