"""A tenant with one of everything that a URL or a form can name. Every text from outside is hostile."""

import uuid

from sightline.accounts.models import Role, build_operator_actor
from sightline.facts.record import enter_fact
from sightline.facts.schemas import FactInput
from sightline.insights.editor.queries import add_themes
from sightline.insights.editor.sorting import CodebookTheme
from sightline.insights.recommendations.tasks import read_tasks
from sightline.kit.ids import new_id
from sightline.platforms.models import Source
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from sightline.site_review.models import Found
from sightline.site_review.queries import store_findings
from tests.console_customers import Customer
from tests.facts.stored_claims import build_claim, store_check
from tests.insights.anvil_market import LIST
from tests.scan_history import ScanHistory, ScriptedAnswer
from tests.web.console.console_browser import open_console_browser

SCRIPT = "<script>alert(1)</script>"
HOSTILE = f"{SCRIPT}\u202e"  # ends with a right-to-left override
_PROMPTS = tuple(f"which anvil is right for forge number {place} {HOSTILE}" for place in range(8))
_LIST = Source(LIST, f"A list {HOSTILE}")
_OURS = Source("https://acme.com/anvils", f"Ours {HOSTILE}")


def _answer_prompt(prompt, _):
    """Answer half of the prompts with the brand and a theme, the others with a gap and a cited list page."""
    if _PROMPTS.index(prompt.text) % 2:
        return ScriptedAnswer(
            f"1. Globex is a sound pick {HOSTILE}.\n2. Initech comes next.\n3. Hooli {HOSTILE}.", cited=(_LIST,)
        )
    return ScriptedAnswer(
        f"Acme is easy to use and Acme has a hardened face {HOSTILE}. Globex is heavy.", cited=(_OURS,)
    )


async def populate_tenant(installation, client):
    """Return the tenant, and the ids of everything they own by name."""
    history = await ScanHistory.open(installation, *_PROMPTS)
    full = await history.run_full_check(_answer_prompt)
    await history.run_daily_check(lambda *_: f"Smiths like Acme and Globex {HOSTILE}.")
    await history.run_daily_check(lambda *_: f"Smiths like Globex {HOSTILE}.")
    await write_report(
        installation.db,
        ScanJob(history.workspace_id, full),
        base_url="https://sightline.example",
        clock=installation.clock,
    )
    tenant = history.tenant
    ids = {
        "workspace": tenant.id,
        "domain": str(history.domain_id),
        "check": str(full),
        "site": "g2.com",
        "suggestion": await _store_suggestion(history),
        "member": str((await installation.member(tenant, Role.VIEWER, billing=True)).id),
    }
    await installation.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", full)
    async with installation.db.transaction() as tx:
        lost = Found(kind="cited_gone", url=f"acme.com/{SCRIPT}", evidence="404", answers=3)
        await store_findings(tx, history.workspace_id, history.domain_id, [lost], (), now=installation.clock())
    ids["finding"] = str((await history.rows("site_findings"))[-1]["id"])
    guest, client_id = await installation.guest(tenant, Role.VIEWER, ids["domain"])
    ids |= {"guest": str(guest.id), "client": str(client_id)}
    for name, table in (("prompt", "prompts"), ("alert", "alerts"), ("report", "reports")):
        ids[name] = str((await history.rows(table))[-1]["id"])
    async with installation.db.transaction() as tx:
        theme = CodebookTheme("t1", f"price {SCRIPT}"[:40], f"what it costs {HOSTILE}")
        await add_themes(tx, history.workspace_id, history.domain_id, [theme])
    ids["theme"] = "t1"
    ids["fact"] = await _store_fact(history)
    ids["task"] = (await read_tasks(installation.db, history.workspace_id, history.domain_id)).open[0].key
    ids["check_answer"] = await _find_newest(installation, "answers", tenant.id, "scan_id = $2", full)
    await _create_through_pages(installation, client, tenant, ids)
    return tenant, ids


async def _store_fact(history) -> str:
    """Store a fact that an answer contradicts."""
    actor = build_operator_actor(history.workspace_id, user_id=history.tenant.owner.id)
    entered = FactInput(kind="price", subject=f"Acme {HOSTILE}", value="20", currency="USD")
    async with history.installation.db.transaction() as tx:
        fact = await enter_fact(tx, actor, history.domain_id, entered, now=history.installation.clock())
    passage = f"Acme costs USD 40 {HOSTILE}"
    await store_check(history.installation, history.domain_id, build_claim(fact.id, "USD 40", passage=passage))
    return str(fact.id)


async def _store_suggestion(history) -> str:
    found = NewSuggestion(
        prompt=f"which anvil lasts {HOSTILE}", language_code="en", country_iso_2=None, priority=1.0, origin="question"
    )
    async with history.installation.db.transaction() as tx:
        await store_suggestions(tx, history.workspace_id, history.domain_id, [found], now=history.installation.clock())
    return str((await history.rows("prompt_suggestions"))[-1]["id"])


async def _find_newest(
    installation, table: str, workspace_id: str, condition: str = "true", *values: object, column="id"
) -> str:
    """Return the newest row's column of a table; ids grow with time."""
    query = f"SELECT {column} FROM {table} WHERE workspace_id = $1 AND {condition} ORDER BY id DESC LIMIT 1"
    return str(await installation.db.fetchval(query, uuid.UUID(workspace_id), *values))


async def _create_through_pages(installation, client, tenant, ids: dict[str, str]) -> None:
    """Create what is easiest to create through the Console API and the pages."""
    customer = Customer(installation, client, tenant, tenant.live)
    await customer.receive(100)
    customer.domain = ids["console_domain"] = await installation.console_domain(customer.key)
    ids["done_scan"], _ = await customer.completed()
    ids["done_answer"] = await _find_newest(
        installation, "answers", tenant.id, "scan_id = $2", uuid.UUID(ids["done_scan"])
    )
    ids["scan"] = await customer.accepted(keywords=[f"best crm {HOSTILE}"])
    ids["pack"] = str(await installation.db.fetchval("SELECT min(pricing_id) FROM credit_packs"))
    async with open_console_browser(installation, tenant) as console:

        async def send(path: str, **fields: str) -> None:
            fields = {"token": str(new_id()), **fields}
            answer = await console.browser.post(path.format(**ids), data=fields)
            assert answer.status_code in {200, 303}, (path, answer.text)

        await console.browser.post(
            f"/w/{tenant.id}/second-opinion",
            data={"brand": "Acme"},
            files={"file": (f"{HOSTILE}.csv", f"prompt,text,{SCRIPT}\nbest anvil {HOSTILE},Acme is good.\n".encode())},
        )
        ids["opinion"] = await _find_newest(installation, "second_opinions", tenant.id)
        await send("/w/{workspace}/d/{domain}/competitors", domain="globex.com", names=f"Globex {HOSTILE}")
        ids["competitor"] = await _find_newest(installation, "competitors", tenant.id)
        await send("/w/{workspace}/d/{domain}/answers/{check}/{check_answer}/corrections", words="Hooli")
        ids["correction"] = await _find_newest(installation, "corrections", tenant.id)
        await send("/w/{workspace}/d/{domain}/reports/{report}/share", days="7")
        await send("/w/{workspace}/clients/{client}/links")
        ids["client_link"] = await _find_newest(installation, "report_links", tenant.id)
        ids["link"] = await _find_newest(installation, "report_shares", tenant.id)
        await send("/w/{workspace}/members/invitations", role="viewer", email="new@acme.com")
        ids["invitation"] = await _find_newest(installation, "invitations", tenant.id)
        await send("/w/{workspace}/console/keys", name=f"CI {HOSTILE}", kind="console", mode="live")
        ids["key"] = await _find_newest(installation, "api_keys", tenant.id)
        await send("/w/{workspace}/console/credits/checkout", pricing_id=ids["pack"])
        ids["reference"] = await _find_newest(installation, "checkout_attempts", tenant.id, column="reference")
        ids["order"] = await installation.db.fetchval(
            "SELECT session FROM local_orders WHERE reference = $1", ids["reference"]
        )
        await send("/w/{workspace}/console/webhooks", url="https://hooks.acme.com/in", description=HOSTILE)
        ids["webhook"] = await _find_newest(installation, "webhook_endpoints", tenant.id)
        await send("/w/{workspace}/console/webhooks/{webhook}/test")
        ids["delivery"] = await _find_newest(installation, "webhook_deliveries", tenant.id)
        await send("/w/{workspace}/slack", name=f"#acme {SCRIPT}", url="https://hooks.slack.com/services/T1/B1/x")
        ids["channel"] = await _find_newest(installation, "webhook_endpoints", tenant.id)
        await send("/w/{workspace}/slack/{channel}/test")
        for page in ("/test/credits", "/test/scans/new"):  # the first visit opens the account of test credits
            await console.get(page)
    await _inject_foreign_text(installation, tenant, ids)


async def _inject_foreign_text(installation, tenant, ids: dict[str, str]) -> None:
    """Store hostile text where outsiders and members can: webhook responses and names."""
    execute, workspace_id = installation.db.execute, tenant.workspace.id
    await execute(
        """INSERT INTO webhook_attempts (workspace_id, delivery_id, attempt, attempted_at, request_headers,
               response_status, response_body, error, duration_ms)
           VALUES ($1, $2, 1, now(), $3, 500, $4, NULL, 12)""",
        workspace_id,
        uuid.UUID(ids["delivery"]),
        '{"webhook-id": "' + HOSTILE + '"}',
        HOSTILE.encode(),
    )
    await execute(
        "UPDATE domains SET brand_name = $2, aliases = $3 WHERE workspace_id = $1",
        workspace_id,
        f"Acme {HOSTILE}",
        [f"Anvils {HOSTILE}"],
    )
    await execute("UPDATE corrections SET words = $2, name = $2 WHERE workspace_id = $1", workspace_id, HOSTILE)
    await execute("UPDATE workspaces SET name = $2 WHERE id = $1", workspace_id, f"Forge {HOSTILE}")
    await execute("UPDATE users SET name = $2 WHERE id = $1", tenant.owner.id, f"Smith {HOSTILE}")
    ids["factor"] = str(new_id())
    await execute(
        """INSERT INTO second_factors (user_id, id, kind, name, secret, credential_id, counter, created_at)
           VALUES ($1, $2, 'passkey', $3, 'key', $4, 0, $5)""",
        tenant.owner.id,
        ids["factor"],
        f"Laptop {HOSTILE}",
        ids["factor"].encode(),
        installation.clock(),
    )
    ids["session"] = str(await installation.db.fetchval("SELECT id FROM sessions WHERE user_id = $1", tenant.owner.id))
