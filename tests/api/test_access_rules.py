"""Every operation of the OpenAPI document, called with every kind of credential, role and plan.

The access rules are written here by hand, from the specification and the decisions. A read, and a write of the Data
API, has the usual rule unless it is listed; a new write of the Console fails the first test until it is listed.
"""

import json
from base64 import b64encode
from uuid import UUID

import msgspec
import pytest

from sightline.accounts.members import end_membership
from sightline.accounts.models import MEMBER_ROLES, Role, build_operator_actor
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Resource
from sightline.api.openapi.document import openapi_document
from sightline.api_keys.format import digest_key, make_key
from sightline.api_keys.scopes import CONSOLE_SCOPES
from sightline.competitors.review import add_competitor
from sightline.facts.record import enter_fact
from sightline.facts.schemas import FactInput
from sightline.insights.editor.queries import add_themes
from sightline.insights.editor.sorting import CodebookTheme
from sightline.insights.models import StoredRecommendation
from sightline.insights.queries import replace_ranked
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.prompts.add import add_prompts_at_setup
from sightline.prompts.models import NewPrompt
from sightline.reports.mailings.models import ScheduleInput
from sightline.reports.mailings.schedule import set_schedule
from sightline.site_review.models import Found
from sightline.site_review.queries import list_findings, store_findings
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.secrets import SecretBox
from sightline.webhooks.slack.channels import add_channel
from sightline.webhooks.slack.schemas import SlackChannelInput
from tests.api.assertions import assert_problem
from tests.console_customers import Customer
from tests.facts.stored_claims import build_claim, store_check
from tests.installation import PASSWORD
from tests.logos import make_png
from tests.reports.stored_reports import store_report
from tests.second_opinions import store_opinion

WEEKLY = ScheduleInput(rhythm="weekly", day=1, hour=8)
ALL_PLANS = set(Plan)
PAID = {Plan.STARTER, Plan.PROFESSIONAL, Plan.AGENCY}
# Access is "public", "session" or the lowest role; and the plans that include the operation. The usual rules:
CONSOLE_READ = (Role.VIEWER, ALL_PLANS)
DATA_READ = (Role.VIEWER, {Plan.PROFESSIONAL, Plan.AGENCY})
DATA_WRITE = (Role.EDITOR, {Plan.AGENCY})
# All writes of the Console, and the operations with other rules.
ACCESS_RULES = {
    "create_session": ("public", ALL_PLANS),
    "continue_session": ("public", ALL_PLANS),
    "confirm_session": ("session", ALL_PLANS),
    "read_session": ("session", ALL_PLANS),
    "delete_session": ("session", ALL_PLANS),
    "bootstrap_account": ("public", ALL_PLANS),
    "update_account": (Role.ADMIN, ALL_PLANS),
    "list_audit_entries": (Role.ADMIN, ALL_PLANS),
    "export_audit_log": (Role.ADMIN, ALL_PLANS),
    "list_keys": (Role.ADMIN, ALL_PLANS),
    "mint_key": (Role.ADMIN, ALL_PLANS),
    "rotate_key": (Role.ADMIN, ALL_PLANS),
    "revoke_key": (Role.ADMIN, ALL_PLANS),
    "revoke_all_keys": ("session", ALL_PLANS),
    "list_platform_costs": (Role.ADMIN, ALL_PLANS),
    "read_cost_forecast": (Role.ADMIN, PAID),
    "register_domain": (Role.EDITOR, ALL_PLANS),
    "change_domain": (Role.EDITOR, ALL_PLANS),
    "remove_domain": (Role.EDITOR, ALL_PLANS),
    "submit_scan": (Role.EDITOR, ALL_PLANS),
    "preview_scan": (Role.EDITOR, ALL_PLANS),
    "cancel_scan": (Role.EDITOR, ALL_PLANS),
    "start_checkout": ("session", ALL_PLANS),
    "recover_checkout": ("session", ALL_PLANS),
    "list_webhooks": (Role.ADMIN, ALL_PLANS),
    "register_webhook": (Role.ADMIN, ALL_PLANS),
    "read_webhook": (Role.ADMIN, ALL_PLANS),
    "change_webhook": (Role.ADMIN, ALL_PLANS),
    "remove_webhook": (Role.ADMIN, ALL_PLANS),
    "rotate_webhook_secret": (Role.ADMIN, ALL_PLANS),
    "send_test_webhook": (Role.ADMIN, ALL_PLANS),
    "list_webhook_deliveries": (Role.ADMIN, ALL_PLANS),
    "redeliver_webhook": (Role.ADMIN, ALL_PLANS),
    "create_client": (Role.ADMIN, {Plan.AGENCY}),
    "change_client": (Role.ADMIN, {Plan.AGENCY}),
    "set_client_logo": (Role.ADMIN, {Plan.AGENCY}),
    "set_schedule": (Role.ADMIN, {Plan.AGENCY}),
    "remove_schedule": (Role.ADMIN, {Plan.AGENCY}),
    "remove_client_logo": (Role.ADMIN, {Plan.AGENCY}),
    "remove_client": (Role.ADMIN, {Plan.AGENCY}),
    "preview_domain_import": (Role.ADMIN, {Plan.AGENCY}),
    "import_domains": (Role.ADMIN, {Plan.AGENCY}),
    "list_slack_channels": (Role.ADMIN, DATA_READ[1]),
    "read_slack_channel": (Role.ADMIN, DATA_READ[1]),
    "list_slack_deliveries": (Role.ADMIN, DATA_READ[1]),
    "add_slack_channel": (Role.ADMIN, {Plan.AGENCY}),
    "change_slack_channel": (Role.ADMIN, {Plan.AGENCY}),
    "remove_slack_channel": (Role.ADMIN, {Plan.AGENCY}),
    "send_slack_test": (Role.ADMIN, {Plan.AGENCY}),
    "list_tracked_domains": (Role.VIEWER, PAID),
    "read_tracked_domain": (Role.VIEWER, PAID),
    "list_corrections": (Role.VIEWER, PAID),
    "list_checks": (Role.VIEWER, PAID),
    "read_check": (Role.VIEWER, PAID),
    "list_check_answers": (Role.VIEWER, PAID),
    "list_answers": (Role.VIEWER, PAID),
    "read_check_answer": (Role.VIEWER, PAID),
    "read_analytics": (Role.VIEWER, PAID),
    "list_second_opinions": (Role.VIEWER, PAID),
    "read_second_opinion": (Role.VIEWER, PAID),
    "read_second_opinion_result": (Role.VIEWER, PAID),
    "read_imported_history": (Role.VIEWER, PAID),
}
# operations of the Console that need another scope than `read` → that scope; None where no key may call
SCOPE_RULES = {
    "create_session": None,
    "continue_session": None,
    "confirm_session": None,
    "read_session": None,
    "delete_session": None,
    "bootstrap_account": None,
    "update_account": "billing",
    "list_audit_entries": "audit",
    "export_audit_log": "audit",
    "mint_key": "keys",
    "rotate_key": "keys",
    "revoke_key": "keys",
    "revoke_all_keys": None,
    "register_domain": "domains",
    "change_domain": "domains",
    "remove_domain": "domains",
    "submit_scan": "scans",
    "preview_scan": "scans",
    "cancel_scan": "scans",
    "start_checkout": None,
    "recover_checkout": None,
    "register_webhook": "webhooks",
    "change_webhook": "webhooks",
    "remove_webhook": "webhooks",
    "rotate_webhook_secret": "webhooks",
    "send_test_webhook": "webhooks",
    "redeliver_webhook": "webhooks",
}
BODIES = {
    "create_session": {"email": "nobody@acme.com", "password": "x"},
    "continue_session": {"factor_token": "x", "code": "000000"},
    "confirm_session": {"password": PASSWORD},
    "bootstrap_account": {"token": "x", "email": "a@acme.com", "password": PASSWORD, "workspace_name": "A"},
    "update_account": {"company": "Changed by a stranger"},
    "mint_key": {"name": "Minted by a stranger"},
    "register_domain": {"domain": "walk.com"},
    "change_domain": {"aliases": ["Changed by a stranger"]},
    "submit_scan": {"domain_id": "{domain_id}", "platforms": ["chatgpt"]},
    "preview_scan": {"domain_id": "{domain_id}"},
    "start_checkout": {"pricing_id": 1},
    "recover_checkout": {"checkout_reference": "co_" + "x" * 32},
    "register_webhook": {"url": "https://hooks.walk.com/"},
    "change_webhook": {"description": "Changed by a stranger"},
    "create_client": {"name": "Added by a stranger"},
    "change_client": {"name": "Renamed by a stranger"},
    "set_schedule": {"rhythm": "weekly", "day": 1, "hour": 8},
    "set_client_logo": {"logo": b64encode(make_png()).decode()},
    "preview_domain_import": {"rows": [{"domain": "stranger.com", "prompts": ["best anvil"], "language_code": "en"}]},
    "import_domains": {"rows": [{"domain": "stranger.com", "prompts": ["best anvil"], "language_code": "en"}]},
    "add_slack_channel": {"name": "Added by a stranger", "url": "https://hooks.slack.com/services/T1/B1/stranger"},
    "change_slack_channel": {"name": "Renamed by a stranger"},
    "add_prompt": {"prompt": "added by a stranger", "language_code": "en"},
    "import_prompts": {"prompts": [{"prompt": "imported by a stranger", "language_code": "en"}]},
    "change_prompt_tags": {"prompt_ids": ["{prompt_id}"], "add": ["tagged by a stranger"]},
    "correct_answer": {"kind": "not_this_brand"},
    "mark_recommendation_done": {},
    "correct_domain_market": {"singular": "sign", "plural": "signs", "audience": "strangers", "language": "en"},
    "change_domain_theme": {"label": "named by a stranger"},
    "enter_domain_fact": {"kind": "founded", "value": "1976"},
    "change_domain_fact": {"value": "1977"},
    "ignore_site_finding": {"reason": "It is sold out."},
    "answer_domain_claim": {"stated": "1986", "answer": "right"},
    "dismiss_recommendation": {"reason": "Dismissed by a stranger"},
    "update_report": {"note": "Written by a stranger."},
    "create_second_opinion": {"brand_name": "Acme", "content": "prompt,text\nbest anvil,sent by a stranger\n"},
    "keep_second_opinion": {"domain_id": "{domain_id}"},
}


class OperationCase(msgspec.Struct):
    """An operation of the document with its access rule."""

    name: str
    method: str
    path: str
    access: str
    plans: set[str]

    @property
    def is_console(self) -> bool:
        return "/console/" in self.path

    @property
    def refers_to_a_resource(self) -> bool:
        """Return whether a path parameter or the body contains the id of a resource."""
        return "{" in self.path or self.name in {"submit_scan", "preview_scan"}


def find_rule(name: str, method: str, path: str) -> tuple:
    if "/console/" in path:
        return ACCESS_RULES.get(name, CONSOLE_READ if method == "get" else ("no rule", ALL_PLANS))
    return ACCESS_RULES.get(name, DATA_READ if method == "get" else DATA_WRITE)


def list_cases() -> list[OperationCase]:
    document = openapi_document("http://test")
    return [
        OperationCase(name := operation["operationId"], method.upper(), path, *find_rule(name, method, path))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in {"get", "post", "patch", "delete"}
    ]


CASES_BY_KEY = [case for case in list_cases() if case.access not in {"public", "session"}]


def test_every_operation_has_an_access_rule():
    assert [case.name for case in list_cases() if case.access == "no rule"] == []
    assert ACCESS_RULES.keys() <= {case.name for case in list_cases()}


class Caller:
    """A client that calls operations on the resources of one tenant with the credentials of another."""

    def __init__(self, installation, client) -> None:
        self.installation = installation
        self.client = client
        self.place = {"start": 0, "end": 4, "text": "Acme"}

    async def create_resources(self, tenant) -> dict[str, str]:
        console = await self.installation.console_domain(tenant.live, "owned.com")
        tracked = await self.installation.tracked_domain(tenant, "owned.com")
        query = "SELECT id::text FROM api_keys WHERE workspace_id = $1 AND last_four = $2"
        key_id = await self.installation.db.fetchval(query, tenant.workspace.id, tenant.data_write[-4:])
        async with self.installation.db.transaction() as tx:
            rival = await add_competitor(
                tx, tenant.workspace.id, UUID(tracked), "rival.com", now=self.installation.clock()
            )
            prompts = [NewPrompt("best anvil", "en")]
            (prompt,) = await add_prompts_at_setup(
                tx,
                tenant.workspace.id,
                UUID(tracked),
                prompts,
                self.installation.app_context.plans,
                now=self.installation.clock(),
            )
        ids = {"console": console, "tracked": tracked, "key": key_id, "competitor": str(rival.id)}
        ids["prompt"] = str(prompt.id)
        ids["report"] = str(await store_report(self.installation, tenant.workspace.id, UUID(tracked)))
        ids["client"] = str((await self.installation.guest(tenant, Role.VIEWER))[1])
        async with self.installation.db.transaction() as tx:
            actor = build_operator_actor(tenant.workspace.id)
            await set_schedule(tx, actor, UUID(ids["client"]), WEEKLY, now=self.installation.clock())
        ids |= await self.webhook_ids(tenant)
        ids |= await self.scan_ids(tenant)
        ids["check"] = await self.track_scan(tenant, UUID(tracked), UUID(ids["scan"]))
        ids["correction"] = await self.store_correction(tenant, ids)
        ids["task"] = await self.store_task(tenant, ids)
        ids["fact"] = await self.store_fact(tenant, UUID(tracked))
        ids["finding"] = await self.store_site_finding(tenant, ids)
        ids["opinion"] = str(await store_opinion(self.installation, tenant.workspace.id, "owned.com"))
        return ids

    async def store_task(self, tenant, ids: dict[str, str]) -> str:
        """Store a recommendation of the check; return its key."""
        found = StoredRecommendation(kind="get_listed", subject="g2.com/anvils", proofs=())
        async with self.installation.db.transaction() as tx:
            domain_key, check = (tenant.workspace.id, UUID(ids["tracked"])), UUID(ids["check"])
            await replace_ranked(tx, *domain_key, "recommendation", check, [found])
            await add_themes(tx, *domain_key, [CodebookTheme("t1", "ease of use", "How easy it is to use.")])
        return found.key

    async def store_fact(self, tenant, domain_id: UUID) -> str:
        """Store a fact that answers contradict."""
        now, actor = self.installation.clock(), build_operator_actor(tenant.workspace.id)
        actor = msgspec.structs.replace(actor, user_id=tenant.owner.id)
        entered = FactInput(kind="price", subject="Acme Pro", value="20", currency="USD")
        async with self.installation.db.transaction() as tx:
            fact = await enter_fact(tx, actor, domain_id, entered, now=now)
        await store_check(self.installation, domain_id, build_claim(fact.id, "1986"))
        return str(fact.id)

    async def store_site_finding(self, tenant, ids: dict[str, str]) -> str:
        """Store a finding of the site review, and make the check one with live answers, which a review needs."""
        domain_key = (tenant.workspace.id, UUID(ids["tracked"]))
        async with self.installation.db.transaction() as tx:
            await tx.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", UUID(ids["check"]))
            lost = Found(kind="cited_gone", url="owned.com/anvil", evidence="404")
            await store_findings(tx, *domain_key, [lost], (), now=self.installation.clock())
            (row,) = await list_findings(tx, *domain_key)
        return str(row.id)

    async def store_correction(self, tenant, ids: dict[str, str]) -> str:
        """Store a correction far away from the place that `correct_answer` corrects."""
        correction_id: UUID = await self.installation.db.fetchval(
            """INSERT INTO corrections (workspace_id, id, domain_id, scan_id, answer_id, kind, span_start, span_end,
                                        words, created_by, created_at)
               VALUES ($1, $2, $3, $4, $5, 'missing', 1000000, 1000004, 'Akme', $6, now()) RETURNING id""",
            tenant.workspace.id,
            new_id(),
            *(UUID(ids[name]) for name in ("tracked", "check", "answer")),
            tenant.owner.id,
        )
        return str(correction_id)

    async def track_scan(self, tenant, domain_id: UUID, scan_id: UUID) -> str:
        """Copy the scan to the tracked domain as a Full Check. Its answers keep their ids."""
        check_id = new_id()
        async with self.installation.db.transaction() as tx:
            for table, named in (("scans", "id"), ("answers", "scan_id")):
                await tx.execute(
                    f"""INSERT INTO {table} SELECT (jsonb_populate_record(t, $3::jsonb)).* FROM {table} t
                        WHERE t.workspace_id = $1 AND t.{named} = $2""",
                    tenant.workspace.id,
                    scan_id,
                    json.dumps(
                        {"id": str(check_id), "domain_id": str(domain_id), "measurement_scope": "full_check"}
                        if table == "scans"
                        else {"scan_id": str(check_id)}
                    ),
                )
        return str(check_id)

    async def scan_ids(self, tenant) -> dict[str, str]:
        customer = Customer(self.installation, self.client, tenant, tenant.live)
        await customer.receive(20)
        customer.domain = await self.installation.console_domain(tenant.live, "scanned.com")
        scan_id, check = await customer.completed()
        named = next(each for each in check.answers if each.analysis and each.analysis.brands[0].occurrences)
        place = named.analysis.brands[0].occurrences[0]
        self.place = {"start": place.start, "end": place.end, "text": named.text[place.start : place.end]}
        return {"scan": scan_id, "answer": named.id, "active": await customer.accepted()}

    async def webhook_ids(self, tenant) -> dict[str, str]:
        async with self.installation.client(X_API_Key=tenant.live) as owner:
            registered = await owner.post("/api/v1/console/webhooks", json={"url": "https://hooks.owned.com/"})
            webhook_id = registered.json()["data"]["id"]
            tested = await owner.post(f"/api/v1/console/webhooks/{webhook_id}/test")
        settings, actor = self.installation.app_context.settings, build_operator_actor(tenant.workspace.id)
        async with self.installation.db.transaction() as tx:
            channel = await add_channel(
                tx,
                actor,
                SlackChannelInput("#owned", "https://hooks.slack.com/services/T1/B1/owned"),
                guard=build_webhook_guard(settings),
                box=SecretBox(*settings.signing_keys),
                now=self.installation.clock(),
            )
        return {"webhook": webhook_id, "delivery": tested.json()["data"]["id"], "channel": str(channel.id)}

    async def find_key_id(self, key: str) -> str:
        return await self.installation.db.fetchval("SELECT id::text FROM api_keys WHERE digest = $1", digest_key(key))

    async def call(self, case: OperationCase, ids: dict[str, str], key: str | None = None, **headers: str):
        # A key may rotate itself, and no key that it did not mint.
        path = case.path.replace(
            "{key_id}", ids.get("own_key", ids["key"]) if case.name == "rotate_key" else ids["key"]
        )
        path = path.replace("{domain_id}", ids["console" if case.is_console else "tracked"])
        path = path.replace("{webhook_id}", ids["webhook"]).replace("{delivery_id}", ids["delivery"])
        checked = "scan" if case.is_console else "check"
        path = path.replace("{scan_id}", ids["active" if case.name == "cancel_scan" else checked])
        path = path.replace("{answer_id}", ids["answer"]).replace("{competitor_id}", ids["competitor"])
        path = path.replace("{prompt_id}", ids["prompt"]).replace("{report_id}", ids["report"])
        path = path.replace("{correction_id}", ids["correction"]).replace("{recommendation_key}", ids["task"])
        path = path.replace("{theme_key}", "t1").replace("{client_id}", ids["client"])
        path = path.replace("{table_name}", "mentions").replace("{opinion_id}", ids["opinion"])
        path = path.replace("{channel_id}", ids["channel"]).replace("{fact_id}", ids["fact"])
        path = path.replace("{finding_id}", ids["finding"])
        sent = {"Idempotency-Key": str(new_id()), **headers, **({"X-API-Key": key} if key else {})}
        body = {"json": dict(BODIES[case.name])} if case.name in BODIES else {}
        if "domain_id" in body.get("json", {}):
            body["json"]["domain_id"] = ids["console" if case.is_console else "tracked"]
        if case.name == "change_prompt_tags":
            body["json"]["prompt_ids"] = [ids["prompt"]]
        if case.name == "correct_answer":
            body["json"] |= {"scan_id": ids["check"], "answer_id": ids["answer"], **self.place}
        return await self.client.request(case.method, path, headers=sent, **body)


@pytest.fixture
def caller(installation, client):
    return Caller(installation, client)


UNKNOWN_IDS = {
    "console": str(new_id()),
    "tracked": str(new_id()),
    "key": str(new_id()),
    "webhook": str(new_id()),
    "delivery": str(new_id()),
    "scan": str(new_id()),
    "check": str(new_id()),
    "answer": str(new_id()),
    "active": str(new_id()),
    "competitor": str(new_id()),
    "prompt": str(new_id()),
    "report": str(new_id()),
    "correction": str(new_id()),
    "task": "get_listed-0",
    "client": str(new_id()),
    "opinion": str(new_id()),
    "channel": str(new_id()),
    "fact": str(new_id()),
    "finding": str(new_id()),
}


async def test_no_key(installation, caller):
    for case in list_cases():
        installation.clock.advance(minutes=1)  # callers without a key have 60 requests a minute
        response = await caller.call(case, UNKNOWN_IDS)
        if case.access == "public":
            assert response.status_code == 401, f"{case.name}: their own credentials are wrong"
            assert response.json()["code"] in {"sign_in_failed", "sign_in_expired", "bootstrap_token_invalid"}
        else:
            assert_problem(response, 401, "session_required" if case.access == "session" else "key_missing")


async def test_malformed_wrong_kind_and_revoked_keys(installation, caller):
    tenant = await installation.tenant()
    ids = await caller.create_resources(tenant)
    for case in CASES_BY_KEY:
        installation.clock.advance(minutes=1)
        assert_problem(await caller.call(case, ids, "sk_live_nonsense"), 401, "key_invalid")
        unknown = make_key("console" if case.is_console else "data", livemode=True)
        assert_problem(await caller.call(case, ids, unknown), 401, "key_invalid")
        assert_problem(
            await caller.call(case, ids, tenant.data if case.is_console else tenant.live), 403, "wrong_key_kind"
        )
    await installation.db.execute("UPDATE api_keys SET revoked_at = now()")
    for case in CASES_BY_KEY:
        installation.clock.advance(minutes=1)
        key = tenant.live if case.is_console else tenant.data_write
        assert_problem(await caller.call(case, ids, key), 401, "key_revoked")


async def snapshot(installation, tenant) -> list[object]:
    """Return all rows of the tenant that another tenant could have changed."""
    tables = {
        "workspaces": "id",
        "members": "workspace_id",
        "api_keys": "workspace_id",
        "domains": "workspace_id",
    } | dict.fromkeys(
        (
            "webhook_endpoints",
            "webhook_deliveries",
            "scans",
            "credit_entries",
            "competitors",
            "prompts",
            "corrections",
            "recommendation_marks",
            "second_opinions",
            "imported_weeks",
            "dismissed_recommendations",
            "codebook_themes",
            "brand_facts",
            "fact_claims",
            "editions",
            "site_reviews",
            "site_findings",
        ),
        "workspace_id",
    )
    rows = []
    for table, column in tables.items():
        hidden = "- 'last_used_at'" if table == "api_keys" else ""
        query = f"SELECT to_jsonb(t) {hidden} FROM {table} t WHERE {column} = $1 ORDER BY 1"
        rows += [row[0] for row in await installation.db.fetch(query, tenant.workspace.id)]
    return rows


async def test_no_data_of_another_workspace_is_readable_or_writable(installation, caller):
    """With a key and with a session of another workspace, ids of this workspace are not found."""
    mine, theirs = await installation.tenant(), await installation.tenant()
    ids = await caller.create_resources(theirs)
    before = await snapshot(installation, theirs)
    browser = await installation.sign_in(mine.owner)
    other = Caller(installation, browser)
    for case in CASES_BY_KEY:
        installation.clock.advance(minutes=1)
        await installation.db.execute("UPDATE sessions SET confirmed_at = $1", installation.clock())
        response = await caller.call(case, ids, mine.live if case.is_console else mine.data_write)
        if case.refers_to_a_resource:
            named = next(
                (
                    part
                    for part in (
                        "keys",
                        "webhooks",
                        "clients",
                        "slack-channels",
                        "second-opinions",
                        "scans/{scan_id}",
                    )
                    if part in case.path
                ),
                "domains",
            )
            codes = {"domains": "domain_not_found", "scans/{scan_id}": "scan_not_found"}
            assert_problem(response, 404, codes.get(named, "not_found"))
        else:
            assert response.status_code in {200, 201, 202}, (case.name, response.text)
            assert not any(value in response.text for value in (*ids.values(), theirs.id, theirs.owner.email))
        if case.is_console:
            response = await other.call(case, ids, **{"X-Workspace-Id": theirs.id})
            assert_problem(response, 404, "workspace_not_found")
            if case.refers_to_a_resource:
                response = await other.call(case, ids, **{"X-Workspace-Id": mine.id})
                assert response.status_code == 404, case.name
        assert await snapshot(installation, theirs) == before, case.name
    await browser.aclose()


class SharedResources:
    """Resources for calls of one kind of caller. A call that is accepted and writes uses them up."""

    def __init__(self, create) -> None:
        self._create = create
        self._made = None

    async def get(self):
        if self._made is None:
            self._made = await self._create()
        return self._made

    def release(self, case: OperationCase, response) -> None:
        if case.method != "GET" and response.is_success:
            self._made = None


@pytest.mark.parametrize("role", [*MEMBER_ROLES, None], ids=str)
async def test_each_role_can_call_only_its_operations(installation, caller, role):
    """Call with the key of a member with that role; None is a member who has left."""

    async def create():
        tenant = await installation.tenant()
        ids = await caller.create_resources(tenant)
        member = await installation.member(tenant, role or Role.ADMIN)
        console = await installation.mint(tenant, member, "console")
        data = await installation.mint(tenant, member, "data", write=True)
        if role is None:
            async with installation.db.transaction() as tx:
                await end_membership(tx, tenant.workspace.id, member.id)
        return ids | {"own_key": await caller.find_key_id(console)}, console, data

    resources = SharedResources(create)
    for case in CASES_BY_KEY:
        installation.clock.advance(minutes=1)
        ids, console, data = await resources.get()
        response = await caller.call(case, ids, console if case.is_console else data)
        if role is not None and role.covers(case.access):
            assert response.status_code in {200, 201, 202}, (case.name, response.text)
        else:
            document = assert_problem(response, 403, "workspace_access_required")
            assert (document["reason"], document["required_role"]) == ("role", case.access), case.name
        resources.release(case, response)


@pytest.mark.parametrize("plan", Plan, ids=str)
async def test_each_plan_can_call_only_its_operations(installation, caller, plan):
    async def create():
        tenant = await installation.tenant(plan)
        ids = await caller.create_resources(tenant)
        return ids | {"own_key": await caller.find_key_id(tenant.live)}, tenant.live, tenant.data_write

    resources = SharedResources(create)
    for case in CASES_BY_KEY:
        installation.clock.advance(minutes=1)
        ids, console, data = await resources.get()
        response = await caller.call(case, ids, console if case.is_console else data)
        if plan in case.plans:
            assert response.status_code in {200, 201, 202}, (case.name, response.text)
        elif case.name in {
            "preview_domain_import",
            "import_domains",
            "add_slack_channel",
            "change_slack_channel",
            "remove_slack_channel",
            "send_slack_test",
            "create_client",
            "change_client",
            "set_client_logo",
            "remove_client_logo",
            "set_schedule",
            "remove_schedule",
            "remove_client",
            "add_prompt",
            "unpin_prompt",
            "remove_prompt",
            "import_prompts",
            "change_prompt_tags",
            "correct_answer",
            "undo_correction",
            "mark_recommendation_done",
            "reopen_recommendation",
            "correct_domain_market",
            "forget_domain_market",
            "change_domain_theme",
            "start_site_review",
            "ignore_site_finding",
            "reopen_site_finding",
            "enter_domain_fact",
            "change_domain_fact",
            "remove_domain_fact",
            "answer_domain_claim",
            "propose_domain_facts",
            "dismiss_domain_competitor",
            "dismiss_recommendation",
            "restore_recommendation",
            "update_report",
            "create_second_opinion",
            "delete_second_opinion",
            "keep_second_opinion",
            "remove_imported_history",
        }:
            assert assert_problem(response, 403, "workspace_access_required")["reason"] == "plan", case.name
        else:
            required = assert_problem(response, 403, "plan_required")["required_plans"]
            assert set(required) == case.plans, case.name
        resources.release(case, response)


def test_every_operation_declares_its_scope():
    """Every GET needs `read`; every write that a key may call names its scope, in the OpenAPI document, too."""
    document = openapi_document("http://test")
    declared = {
        operation["operationId"]: operation.get("x-required-scope")
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    by_key = {case.name: case for case in CASES_BY_KEY}
    expected = {name: "read" if case.method == "GET" else "write" for name, case in by_key.items()} | SCOPE_RULES
    assert declared == expected
    assert {operation.name: operation.scope for operation in OPERATIONS} == expected
    with pytest.raises(AssertionError, match="the scope of forgotten"):
        Resource("console", "Keys", "").operation("POST", "/forgotten", summary="Forgotten")(forgotten)


async def forgotten(exchange: object) -> None:
    """Stand for a handler whose operation names no scope."""


@pytest.mark.parametrize("missing", CONSOLE_SCOPES)
async def test_each_missing_scope_refuses_exactly_its_operations(installation, caller, missing):
    tenant = await installation.tenant()
    scopes = [scope for scope in CONSOLE_SCOPES if scope != missing]
    key = await installation.mint(tenant, tenant.owner, "console", scopes=scopes)
    for case in CASES_BY_KEY:
        if not case.is_console:
            continue
        response = await caller.call(case, UNKNOWN_IDS, key)
        if SCOPE_RULES.get(case.name, "read") == missing:
            assert assert_problem(response, 403, "scope_required")["required_scope"] == missing, case.name
        else:
            assert response.status_code in {200, 201, 404}, (case.name, response.text)


async def test_session_operations_refuse_every_key(installation, caller):
    tenant = await installation.tenant()
    for case in list_cases():
        if case.access != "session":
            continue
        for key in (tenant.live, tenant.test):
            assert_problem(await caller.call(case, UNKNOWN_IDS, key), 403, "session_only")
        assert_problem(await caller.call(case, UNKNOWN_IDS, tenant.data), 403, "wrong_key_kind")
        response = await caller.call(case, UNKNOWN_IDS, Cookie="sightline_session=nonsense")
        assert_problem(response, 401, "session_expired")
