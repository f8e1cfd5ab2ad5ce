"""Every method of the SDK against the real application: sync and async, and nothing of a response is lost."""

import asyncio
import inspect
import re
import uuid
from base64 import b64encode
from datetime import UTC, date, datetime

import msgspec

from scripts.sdk.names import select_operations
from sightline.api.app import OPERATIONS
from sightline.site_review.models import Found
from sightline.site_review.queries import store_findings
from sightline_sdk import AsyncSightline, Page, Sightline, models
from tests.facts.stored_claims import build_claim, store_check
from tests.insights.watched_market import CONCERNED
from tests.logos import make_png
from tests.sdk.clients import open_client, open_plain_client
from tests.sdk.workspace import ConsoleWorkspace, DataWorkspace
from tests.second_opinions import CONTENT, store_opinion


class Caller:
    """Calls each method twice: with asyncio, and in another thread without. A write is a replay the second time."""

    def __init__(self, installation, key: str) -> None:
        self._clock = installation.clock
        self._client, self._plain = open_client(installation, key), open_plain_client(installation, key)
        self.called: set[str] = set()

    async def __call__(self, name: str, /, *path: str, **members):
        self._clock.advance(seconds=2)  # the rate limit is per minute
        self.called.add(name)
        method, plain = _find(self._client, name), _find(self._plain, name)
        if "idempotency_key" in inspect.signature(method).parameters:
            members["idempotency_key"] = f"{name}-{len(self.called)}"
        first = await _consume(method(*path, **members))
        again = await asyncio.to_thread(lambda: _consume_plain(plain(*path, **members)))
        _assert_same(name, first, again)
        return first


def _find(client: object, name: str):
    resource, _, method = name.partition(".")
    return getattr(getattr(client, resource), method)


async def _consume(result):
    if inspect.isawaitable(result):
        return await result
    if hasattr(result, "pages"):
        return [page async for page in result.pages()]
    return [chunk async for chunk in result]


def _consume_plain(result):
    if hasattr(result, "pages"):
        return list(result.pages())
    return result if isinstance(result, msgspec.Struct) else list(result)


def _assert_same(name: str, first, again) -> None:
    if name == "audit.csv":  # each export is an entry of the log
        assert b"".join(again).splitlines()[2:] == b"".join(first).splitlines()[1:]
    elif isinstance(first, list):
        assert [str(each) for each in first] == [str(each) for each in again], name
        for page in first:
            if isinstance(page, Page) and name != "tables.rows":  # its model has the columns that all tables share
                _assert_complete(msgspec.to_builtins(page)["data"], msgspec.json.decode(page.response.body)["data"])
    else:
        has_secret = name in {"keys.mint", "keys.rotate", "webhooks.register", "webhooks.rotate_secret"}
        assert first == again or has_secret, name  # a replay shows no secret
        _assert_complete(first.to_dict(), msgspec.json.decode(first.response.body)["data"])


def _assert_complete(read, sent) -> None:
    """Assert that the model has every member that the server sent, with the same value."""
    if isinstance(sent, dict):
        assert read.keys() == sent.keys()
        for name, value in sent.items():
            _assert_complete(read[name], value)
    elif isinstance(sent, list):
        assert len(read) == len(sent)
        for one, other in zip(read, sent, strict=True):
            _assert_complete(one, other)
    elif read != sent:  # a time, which the server writes in another form
        assert datetime.fromisoformat(read) == datetime.fromisoformat(sent)


async def call_reads(call: Caller, api: str, **path_ids: str) -> None:
    """Call each read that has not been called and needs no more than these ids."""
    for operation in select_operations(OPERATIONS):
        wanted = re.findall(r"\{(\w+)\}", operation.path)
        is_open = operation.is_read and operation.api == api and operation.sdk not in call.called
        if is_open and path_ids.keys() >= set(wanted):
            assert await call(operation.sdk, *(path_ids[each] for each in wanted)), operation.sdk


async def test_every_operation_of_the_console_api(installation):
    workspace = await ConsoleWorkspace.open(installation)
    call = Caller(installation, workspace.key)
    assert (await call("account.update", name="Acme Inc.", company=None)).name == "Acme Inc."
    minted = await call("keys.mint", name="CI", kind="console", expires_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert minted.key.startswith("sk_live_")
    await call("keys.rotate", minted.id)
    assert [page.data[0].name for page in await call("keys.list")] == ["CI"]
    await call("keys.revoke", minted.id)
    await call("usage.costs", since="2026-11-01")
    made = await call("domains.register", domain="globex.com", aliases=["Globex"], competitors=["initech.com"])
    changed = await call("domains.update", made.id, brand_name="Globex Co", aliases=[])
    assert (changed.brand_name, changed.aliases, len(changed.competitors)) == ("Globex Co", [], 1)
    await call("domains.retrieve", made.id)
    assert [len(page.data) for page in await call("domains.list", page_size=1)] == [1, 1]
    price = await call("scans.preview", domain_id=made.id, keywords=["anvil"], platforms=["chatgpt"])
    scan = await call("scans.submit", domain_id=made.id, keywords=["anvil"], platforms=["chatgpt"], max_credits=9)
    assert scan.credits_charged == price.credits_required
    await call("scans.cancel", scan.id)
    await call("domains.remove", made.id)
    assert [scan.id for page in await call("scans.list", domain_id=made.id) for scan in page.data] == [scan.id]
    assert (await call("scans.retrieve", workspace.scan_id)).status == "completed"
    events = await call("scans.events", workspace.scan_id)
    assert [event.type for event in events] == ["progress", "end"]
    assert [event.type for event in await call("scans.events", workspace.scan_id, last_event_id=events[0].id)] == [
        "end"
    ]
    (page,) = await call("scans.answers", workspace.scan_id)
    await call("scans.answer", workspace.scan_id, page.data[0].id)
    (page,) = await call("credits.ledger", reason="refund")
    assert [entry.scan_id for entry in page.data] == [scan.id]
    await _walk_webhooks(call)
    await call_reads(call, "console", scan_id=workspace.scan_id)
    assert call.called == _methods_of("console")


async def _walk_webhooks(call: Caller) -> None:
    made = await call("webhooks.register", url="https://hooks.acme.com/sightline", events=["scan.completed"])
    assert made.secret.startswith("whsec_")
    await call("webhooks.rotate_secret", made.id)
    await call("webhooks.update", made.id, description="Ours")
    await call("webhooks.retrieve", made.id)
    await call("webhooks.list")
    sent = await call("webhooks.send_test", made.id)
    await call("webhooks.redeliver", made.id, sent.id)
    assert [page.data[0].event_type for page in await call("webhooks.deliveries", made.id)] == ["webhook.test"]
    await call("webhooks.remove", made.id)


async def _walk_site_review(installation, call, domain_id, workspace):
    """Start a review, as a Full Check with live answers allows it, and decide about a finding."""
    check_id = uuid.UUID(str(workspace.check_id))
    await installation.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", check_id)
    workspace_id = await installation.db.fetchval("SELECT workspace_id FROM scans WHERE id = $1", check_id)
    async with installation.db.transaction() as tx:
        lost = Found(kind="cited_gone", url="acme.com/mini", evidence="404")
        await store_findings(tx, workspace_id, uuid.UUID(str(domain_id)), [lost], (), now=installation.clock())
    assert (await call("site_review.retrieve", domain_id)).status == "none"
    assert (await call("site_review.start", domain_id)).status == "running"
    (page,) = await call("site_review.list_findings", domain_id)
    (found,) = page.data
    assert (found.group, found.page) == ("broken", "acme.com/mini")
    ignored = await call("site_review.ignore_finding", domain_id, found.id, reason="Sold out.")
    assert (ignored.state, ignored.reason) == ("ignored", "Sold out.")
    assert (await call("site_review.reopen_finding", domain_id, found.id)).state == "open"


async def _walk_overrides(call, domain_id, workspace):
    """Correct what the editor says."""
    await call("recommendations.dismiss", domain_id, workspace.recommendation, reason="We do not sell there.")
    (page,) = await call("recommendations.list_dismissed", domain_id)
    assert [each.key for each in page.data] == [workspace.recommendation]
    await call("recommendations.restore", domain_id, workspace.recommendation)
    await call("edition.correct_market", domain_id, singular="anvil", plural="anvils", audience="smiths", language="en")
    assert (await call("edition.retrieve", domain_id)).market.corrected
    assert (await call("edition.forget_market", domain_id)).market is None
    theme = await call("themes.update", domain_id, workspace.theme, pinned=True)
    assert (theme.theme_key, theme.pinned) == (workspace.theme, True)
    (page,) = await call("competitors.list_suggested", domain_id)
    assert [each.status for each in page.data] == ["suggested"]
    assert (await call("competitors.dismiss", domain_id, page.data[0].id)).status == "dismissed"


async def _walk_facts(call, domain_id, installation):
    """Enter a fact, change it, answer what contradicts it, and remove it."""
    fact = await call("facts.create", domain_id, kind="price", subject="Acme Pro", value="20", currency="USD")
    changed = await call("facts.update", domain_id, fact.id, value="25", valid_from="2026-06-01")
    assert [each.value for each in changed.former] == ["20"]
    await store_check(installation, domain_id, build_claim(fact.id, "USD 40"))
    assert [each.stated for each in (await call("facts.accuracy", domain_id)).statements] == ["USD 40"]
    assert (await call("facts.answer", domain_id, fact.id, stated="USD 40", answer="right")).accepted == ["USD 40"]
    assert (await call("facts.propose", domain_id)).found == 0
    assert (await call("facts.delete", domain_id, fact.id)).deleted


async def test_every_operation_of_the_data_api(installation):
    workspace = await DataWorkspace.open(installation)
    call = Caller(installation, workspace.key)
    domain_id = workspace.domain_id
    ids = {"domain_id": domain_id, "scan_id": workspace.check_id, "report_id": workspace.report_id}
    await call_reads(call, "data", **ids, competitor_id=workspace.competitor_id)
    await call("analytics.retrieve", domain_id, scan_id=workspace.check_id)
    (page,) = await call("checks.answers", workspace.check_id)
    answer = next(each for each in page.data if "Acme" in each.text)
    await call("checks.answer", workspace.check_id, answer.id)
    (page,) = await call("answers.list", domain_id, brand="named", q="excellent", platform="chatgpt")
    assert page.data and {each.platform for each in page.data} == {"chatgpt"}
    start = answer.text.index("Globex")
    made = await call(
        "corrections.create",
        domain_id,
        scan_id=workspace.check_id,
        answer_id=answer.id,
        kind="missing",
        start=start,
        end=start + len("Globex leads"),
        text="Globex leads",
    )
    await call("corrections.undo", domain_id, made.id)
    await _walk_prompts(call, domain_id)
    await call("recommendations.mark_done", domain_id, workspace.recommendation)
    (page,) = await call("recommendations.list_done", domain_id)
    assert [each.key for each in page.data] == [workspace.recommendation]
    await call("recommendations.reopen", domain_id, workspace.recommendation)
    await _walk_overrides(call, domain_id, workspace)
    await _walk_site_review(installation, call, domain_id, workspace)
    await _walk_facts(call, domain_id, installation)
    changed = await call("reports.update", domain_id, workspace.report_id, note="A good week.", owners=["Agency"])
    assert (changed.note, list(changed.owners)) == ("A good week.", ["Agency"])
    (page,) = await call("tables.rows", domain_id, "prompt_metrics", from_=date(2026, 11, 1))
    assert workspace.check_id in {row.scan_id for row in page.data}
    assert {row.members["prompt"] for row in page.data} >= set(CONCERNED)  # a column that only some tables have
    later = {"from_": date(2026, 11, 1), "cursor": page.response.resume_cursor}
    assert [page.data for page in await call("tables.rows", domain_id, "prompt_metrics", **later)] == [[]]
    changed = {"changed_since": datetime(2030, 1, 1, tzinfo=UTC)}
    assert [page.data for page in await call("tables.rows", domain_id, "prompt_metrics", **changed)] == [[]]
    for name in ("csv", "jsonl", "parquet"):
        assert await call(f"tables.{name}", domain_id, "prompt_metrics"), name
    client = await call("clients.create", name="Globex Group", domain_ids=[domain_id])
    assert (await call("clients.update", client.id, name="Acme Group")).domain_ids == [domain_id]
    assert [each.name for page in await call("clients.list") for each in page.data] == ["Acme Group"]
    await call("clients.retrieve", client.id)
    assert (await call("clients.set_logo", client.id, logo=b64encode(make_png()).decode())).has_logo
    assert await call("clients.logo", client.id)
    assert not (await call("clients.remove_logo", client.id)).has_logo
    assert (await call("schedules.set", client.id, rhythm="monthly", day=28, hour=8)).rhythm == "monthly"
    assert (await call("schedules.retrieve", client.id)).last_at is None
    assert [page.data for page in await call("schedules.emails", client.id)] == [[]]
    await call("schedules.remove", client.id)
    await call("clients.remove", client.id)
    await _walk_second_opinions(call, installation, domain_id)
    await _walk_agency(call)
    assert call.called == _methods_of("data")


async def _walk_second_opinions(call: Caller, installation, domain_id: str) -> None:
    workspace_id = await installation.db.fetchval("SELECT workspace_id FROM domains WHERE id = $1", domain_id)
    opinion_id = str(await store_opinion(installation, workspace_id))
    assert (await call("second_opinions.result", opinion_id)).lead is not None
    assert (await call("second_opinions.retrieve", opinion_id)).status == "done"
    kept = await call("second_opinions.keep", opinion_id, domain_id=domain_id)
    assert [each.surface for each in (await call("second_opinions.history", domain_id)).weeks] == ["import", "import"]
    assert len(kept.weeks) == 2
    await call("second_opinions.remove_history", domain_id)
    made = await call("second_opinions.create", content=CONTENT, brand_name="Acme")
    assert [each.id for page in await call("second_opinions.list") for each in page.data] == [made.id, opinion_id]
    await call("second_opinions.remove", made.id)


async def _walk_agency(call: Caller) -> None:
    new = {"rows": [{"domain": "globex.org", "prompts": ["best anvil"], "language_code": "en"}]}
    assert (await call("tracked_domains.preview_import", **new)).prompts == 1
    assert [each.domain for each in (await call("tracked_domains.import_many", **new)).domains] == ["globex.org"]
    channel = await call("slack_channels.create", name="#acme", url="https://hooks.slack.com/services/T1/B1/x")
    assert (await call("slack_channels.update", channel.id, events=["report.ready"])).events == ["report.ready"]
    assert [each.id for page in await call("slack_channels.list") for each in page.data] == [channel.id]
    await call("slack_channels.retrieve", channel.id)
    await call("slack_channels.send_test", channel.id)
    await call("slack_channels.deliveries", channel.id)
    await call("slack_channels.remove", channel.id)


async def _walk_prompts(call: Caller, domain_id: str) -> None:
    added = await call("prompts.add", domain_id, prompt="which anvil lasts", language_code="en")
    await call("prompts.spot_checks", domain_id, added.id)
    await call("prompts.source_changes", domain_id, added.id)
    assert [each.tag for each in (await call("prompts.change_tags", domain_id, prompt_ids=[added.id], add=["X"])).tags]
    await call("prompts.unpin", domain_id, added.id)
    await call("prompts.remove", domain_id, added.id)
    wanted = [models.ImportedPromptInput(prompt="which anvil is loud", language_code="en", tags=["sound"])]
    assert (await call("prompts.import_many", domain_id, prompts=wanted)).added == 1


def _methods_of(api: str) -> set[str]:
    return {operation.sdk for operation in select_operations(OPERATIONS) if operation.api == api}


def test_both_clients_have_the_same_methods():
    plain, other = Sightline("sk_live_x"), AsyncSightline("sk_live_x")
    for name in (operation.sdk for operation in select_operations(OPERATIONS)):
        assert inspect.signature(_find(plain, name)).parameters == inspect.signature(_find(other, name)).parameters
    plain.close()
