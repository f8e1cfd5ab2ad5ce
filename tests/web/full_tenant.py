"""A tenant who owns one of everything that a form or a page can name. Where others have the say, they say a script."""

import uuid

from sightline.accounts.models import Role
from sightline.insights.recommendation_tasks import read_tasks
from sightline.kit.ids import new_id
from sightline.platforms.models import Source
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.console_customers import Customer
from tests.insights.anvil_market import LIST
from tests.scan_history import ScanHistory, ScriptedAnswer
from tests.web.console.browser import at_desk

SCRIPT = "<script>alert(1)</script>"
_PROMPTS = tuple(f"which anvil is right for forge number {place} {SCRIPT}" for place in range(8))
_CITED = (Source(LIST, f"A list {SCRIPT}"), Source("https://acme.com/anvils", f"Ours {SCRIPT}"))


def _weigh(prompt, _):
    """For half of the prompts the brand and a theme, for the others a gap with a list page behind it."""
    if _PROMPTS.index(prompt.text) % 2:
        return ScriptedAnswer(
            f"1. Globex is a sound pick {SCRIPT}.\n2. Initech comes next.\n3. Hooli {SCRIPT}.", cited=_CITED
        )
    return ScriptedAnswer(f"Acme is easy to use and Acme has a hardened face {SCRIPT}. Globex is heavy.", cited=_CITED)


async def furnish(installation, client):
    """The tenant, and the names of all that is theirs."""
    history = await ScanHistory.open(installation, *_PROMPTS)
    full = await history.run_full_check(_weigh)
    await history.run_daily_check(lambda *_: f"Smiths like Acme and Globex {SCRIPT}.")
    await history.run_daily_check(lambda *_: f"Smiths like Globex {SCRIPT}.")
    await write_report(
        installation.db,
        ScanJob(history.workspace_id, full),
        base_url="https://sightline.example",
        clock=installation.clock,
    )
    tenant = history.tenant
    estate = {
        "workspace": tenant.id,
        "domain": str(history.domain_id),
        "check": str(full),
        "suggestion": await _suggest(history),
        "member": str((await installation.member(tenant, Role.VIEWER, billing=True)).id),
    }
    for name, table in (("prompt", "prompts"), ("alert", "alerts"), ("report", "reports")):
        estate[name] = str((await history.rows(table))[-1]["id"])
    estate["task"] = (await read_tasks(installation.db, history.workspace_id, history.domain_id)).open[0].key
    estate["check_answer"] = await _find(installation, "answers", tenant.id, "scan_id = $2", full)
    await _sign_contracts(installation, client, tenant, estate)
    return tenant, estate


async def _suggest(history) -> str:
    found = NewSuggestion(
        prompt=f"which anvil lasts {SCRIPT}", language_code="en", country_iso_2=None, priority=1.0, origin="question"
    )
    async with history.installation.db.transaction() as tx:
        await store_suggestions(tx, history.workspace_id, history.domain_id, [found], now=history.installation.clock())
    return str((await history.rows("prompt_suggestions"))[-1]["id"])


async def _find(
    installation, table: str, workspace_id: str, condition: str = "true", *values: object, column="id"
) -> str:
    """The newest of a table: ids grow with time."""
    query = f"SELECT {column} FROM {table} WHERE workspace_id = $1 AND {condition} ORDER BY id DESC LIMIT 1"
    return str(await installation.db.fetchval(query, uuid.UUID(workspace_id), *values))


async def _sign_contracts(installation, client, tenant, estate: dict[str, str]) -> None:
    """What is made most simply on the pages and in the Console."""
    customer = Customer(installation, client, tenant, tenant.live)
    await customer.receive(100)
    customer.domain = estate["console_domain"] = await installation.console_domain(customer.key)
    estate["done_scan"], _ = await customer.completed()
    estate["done_answer"] = await _find(
        installation, "answers", tenant.id, "scan_id = $2", uuid.UUID(estate["done_scan"])
    )
    estate["scan"] = await customer.accepted(keywords=[f"best crm {SCRIPT}"])
    estate["pack"] = str(await installation.db.fetchval("SELECT min(pricing_id) FROM credit_packs"))
    async with at_desk(installation, tenant) as desk:

        async def send(path: str, **fields: str) -> None:
            fields = {"token": str(new_id()), **fields}
            answer = await desk.browser.post(path.format(**estate), data=fields)
            assert answer.status_code in {200, 303}, (path, answer.text)

        await send("/w/{workspace}/d/{domain}/competitors", domain="globex.com", names=f"Globex {SCRIPT}")
        estate["competitor"] = await _find(installation, "competitors", tenant.id)
        await send("/w/{workspace}/d/{domain}/reports/{report}/share", days="7")
        estate["link"] = await _find(installation, "report_shares", tenant.id)
        await send("/w/{workspace}/members/invitations", role="viewer", email="new@acme.com")
        estate["invitation"] = await _find(installation, "invitations", tenant.id)
        await send("/w/{workspace}/console/keys", name=f"CI {SCRIPT}", kind="console", mode="live")
        estate["key"] = await _find(installation, "api_keys", tenant.id)
        await send("/w/{workspace}/console/credits/checkout", pricing_id=estate["pack"])
        estate["reference"] = await _find(installation, "checkout_attempts", tenant.id, column="reference")
        estate["order"] = await installation.db.fetchval(
            "SELECT session FROM local_orders WHERE reference = $1", estate["reference"]
        )
        await send("/w/{workspace}/console/webhooks", url="https://hooks.acme.com/in", description=SCRIPT)
        estate["webhook"] = await _find(installation, "webhook_endpoints", tenant.id)
        await send("/w/{workspace}/console/webhooks/{webhook}/test")
        estate["delivery"] = await _find(installation, "webhook_deliveries", tenant.id)
        for page in ("/test/credits", "/test/scans/new"):  # a purse of test credits is opened by the first look
            await desk.get(page)
    await _let_others_speak(installation, tenant, estate)


async def _let_others_speak(installation, tenant, estate: dict[str, str]) -> None:
    """The receiver of a webhook, and whoever named the brand, the workspace and the person."""
    execute, workspace_id = installation.db.execute, tenant.workspace.id
    await execute(
        """INSERT INTO webhook_attempts (workspace_id, delivery_id, attempt, attempted_at, request_headers,
               response_status, response_body, error, duration_ms)
           VALUES ($1, $2, 1, now(), $3, 500, $4, NULL, 12)""",
        workspace_id,
        uuid.UUID(estate["delivery"]),
        '{"webhook-id": "' + SCRIPT + '"}',
        SCRIPT.encode(),
    )
    await execute(
        "UPDATE domains SET brand_name = $2, aliases = $3 WHERE workspace_id = $1",
        workspace_id,
        f"Acme {SCRIPT}",
        [f"Anvils {SCRIPT}"],
    )
    await execute("UPDATE workspaces SET name = $2 WHERE id = $1", workspace_id, f"Forge {SCRIPT}")
    await execute("UPDATE users SET name = $2 WHERE id = $1", tenant.owner.id, f"Smith {SCRIPT}")
    estate["session"] = str(
        await installation.db.fetchval("SELECT id FROM sessions WHERE user_id = $1", tenant.owner.id)
    )
