"""Slack channels: what is posted, to whom, and what happens when Slack refuses it."""

import uuid

import msgspec
import pytest

from sightline.accounts.models import Role, build_operator_actor
from sightline.clients.manage import remove_client
from sightline.events import record_event
from sightline.insights.findings.schemas import CheckCompletedData, Finding
from sightline.kit.ids import new_id
from sightline.mail import emails
from sightline.plans.table import Plan
from sightline.webhooks.deliveries.sender import open_webhook_sender
from sightline.webhooks.slack.messages import REFUSALS, build_message, escape, explain_refusal
from tests.fakes.slack import FakeSlack
from tests.webhooks.webhook_steps import URL as WEBHOOKS

URL = "/api/v1/ext/slack-channels"
HOSTILE = "Acme <!channel> & <@U1> @here <https://evil.example|Slack>"


@pytest.fixture
async def slack():
    async with FakeSlack() as opened:
        yield opened


class Slack:
    """The steps of these tests: calls of the API by the owner, and events of a tracked domain."""

    def __init__(self, steps, tenant, slack) -> None:
        self.steps, self.tenant, self.slack = steps, tenant, slack
        self.installation = steps.installation

    async def call(self, method, path="", *, key=None, **body):
        headers = {"X-API-Key": key or self.tenant.data_write, "Idempotency-Key": str(new_id())}
        return await self.steps.client.request(
            method, f"{URL}{path}", headers=headers, **({"json": body} if body else {})
        )

    async def add(self, **body) -> dict:
        answer = await self.call("POST", **{"name": "#acme", "url": self.slack.url(), **body})
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def read(self, channel) -> dict:
        return (await self.call("GET", f"/{channel['id']}")).json()["data"]

    async def messages(self, channel) -> list[dict]:
        return (await self.call("GET", f"/{channel['id']}/deliveries")).json()["data"]

    async def complete_check(self, domain_id, headline="Acme is named in 12 of 40 answers.", *more, brand="Acme"):
        findings = [
            Finding(kind="brand", tier="clear", direction="up", text=text, period="last_check", since="2026-11-07")
            for text in (headline, *more)
        ]
        data = CheckCompletedData(
            domain_id=uuid.UUID(domain_id),
            headline=headline,
            scan_id=new_id(),
            against_scan_id=None,
            findings=findings,
            workspace_id=self.tenant.workspace.id,
            livemode=True,
            domain="acme.com",
            brand_name=brand,
            answers_source="sandbox",
        )
        async with self.installation.db.transaction() as tx:
            await record_event(tx, "check.completed", data, cause=str(new_id()), now=self.installation.clock())


@pytest.fixture
def channels(steps, tenant, slack):
    return Slack(steps, tenant, slack)


async def test_the_address_is_sealed_and_never_returned(installation, channels, tenant):
    added = await channels.add()
    assert added["host"] == f"127.0.0.1:{channels.slack.port}" and added["client_id"] is None
    answers = [await channels.call("GET"), await channels.call("GET", f"/{added['id']}")]
    answers.append(await channels.call("PATCH", f"/{added['id']}", name="#other"))
    assert "sEcReT" not in str(added) + "".join(each.text for each in answers)
    row = await installation.db.fetchrow("SELECT * FROM webhook_endpoints")
    assert not any("sEcReT" in str(value) for value in row) and row["kind"] == "slack"
    assert (await channels.steps.client.get(WEBHOOKS, headers={"X-API-Key": tenant.live})).json()["data"] == []
    for path in ("", "/deliveries"):
        refused = await channels.steps.client.get(f"{WEBHOOKS}/{added['id']}{path}", headers={"X-API-Key": tenant.live})
        assert refused.status_code == 404, "a Slack channel is no webhook of the Console"


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/services/T/B/x",
        "https://hooks.slack.com",
        "https://hooks.slack.com.evil.example/services/T/B/x",
        "https://me@hooks.slack.com/services/T/B/x",
        "http://hooks.slack.com/services/T/B/x",
        "https://hooks.slack.com:8443/services/T/B/x",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/services/T/B/x",
        "file:///etc/passwd",
    ],
)
async def test_other_addresses_than_those_of_slack_are_refused(channels, url):
    refused = await channels.call("POST", name="#acme", url=url)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_webhook_url"), refused.text


async def test_bad_input_is_refused_by_field(channels, installation):
    stranger = await installation.tenant()
    _, foreign = await installation.guest(stranger, Role.VIEWER)
    for field, value in (
        ("client_id", str(foreign)),
        ("client_id", "x"),
        ("name", " "),
        ("events", ["scan.completed"]),
    ):
        body = {"name": "#acme", "url": channels.slack.url(), field: value}
        refused = await channels.call("POST", **body)
        assert refused.status_code == 422 and refused.json()["errors"][0]["field"].startswith(field), refused.text
    await installation.db.execute("UPDATE workspaces SET plan = 'professional'")
    assert (await channels.call("POST", name="#acme", url=channels.slack.url())).status_code == 403


async def test_a_test_message_takes_the_path_of_real_ones(channels):
    added = await channels.add(events=["report.ready"])
    sent = await channels.call("POST", f"/{added['id']}/test")
    assert sent.status_code == 202
    assert await channels.steps.deliver(*await channels.steps.fan_out()) == []
    (posted,) = channels.slack.posted
    assert posted.path == "/services/T0001/B0001/sEcReT" and posted.texts[0] == "*Sightline can post here*"
    assert "webhook-signature" not in posted.headers
    (message,) = await channels.messages(added)
    assert (message["status"], message["attempts"][0]["response_body"]) == ("succeeded", "ok")
    assert "sEcReT" not in str(message)


async def test_a_finished_check_is_posted_with_its_findings(channels, installation, tenant):
    await channels.add()
    domain = await installation.tracked_domain(tenant)
    more = ["Globex fell.", "Initech rose.", "Hooli rose.", "One too many."]
    await channels.complete_check(domain, "Acme is named in 12 of 40 answers.", *more)
    await channels.steps.run()
    (posted,) = channels.slack.posted
    assert posted.texts == [
        "*Acme (acme.com)*",
        "Acme is named in 12 of 40 answers.",
        "• Globex fell.\n• Initech rose.\n• Hooli rose.",
        "Sandbox: these answers are made up.",
        "Open the check",
    ]
    assert f"<http://test/w/{tenant.id}/d/{domain}|Open the check>" in str(posted.message)
    assert posted.message["unfurl_links"] is False


async def test_nobody_can_mention_a_channel_or_hide_a_link(channels, installation, tenant):
    await channels.add()
    await channels.complete_check(await installation.tracked_domain(tenant), HOSTILE, HOSTILE + "!", brand=HOSTILE)
    await channels.steps.run()
    (posted,) = channels.slack.posted
    assert posted.mentions == [] and "evil.example|" not in str(posted.message).replace("&lt;https://evil.example|", "")
    assert posted.texts[1] == HOSTILE, "people read it as it was written"
    assert all(block["text"]["verbatim"] for block in posted.message["blocks"])


def test_long_texts_stay_below_slacks_limit():
    data = {"workspace_id": str(new_id()), "domain_id": str(new_id()), "title": "&" * 4_000, "summary": "<" * 9_000}
    body = msgspec.json.encode({"type": "report.ready", "timestamp": "x", "data": {**data, "id": str(new_id())}})
    blocks = msgspec.json.decode(build_message(body, "http://test"))["blocks"]
    assert all(len(block["text"]["text"]) <= 3_000 for block in blocks)
    assert escape("&lt;") == "&amp;lt;"


async def test_a_channel_of_a_client_hears_of_its_domains_only(channels, installation, tenant):
    mine, other = [await installation.tracked_domain(tenant, name) for name in ("acme.com", "globex.com")]
    _, client_id = await installation.guest(tenant, Role.VIEWER, mine)
    added = await channels.add(client_id=str(client_id))
    await channels.complete_check(other)
    await channels.steps.run()
    assert channels.slack.posted == []
    await channels.complete_check(mine)
    await channels.steps.run()
    assert len(channels.slack.posted) == 1
    await channels.complete_check(mine)
    waiting = await channels.steps.fan_out()
    async with installation.db.transaction() as tx:
        await remove_client(tx, build_operator_actor(tenant.workspace.id), client_id)
    assert await channels.steps.deliver(*waiting) == []
    assert len(channels.slack.posted) == 1 and (await channels.call("GET", f"/{added['id']}")).status_code == 404


async def test_a_smaller_plan_pauses_slack(channels, installation, tenant):
    added = await channels.add()
    domain = await installation.tracked_domain(tenant)
    await installation.db.execute("UPDATE workspaces SET plan = $1", Plan.PROFESSIONAL)
    await channels.complete_check(domain)
    await channels.steps.run()
    assert channels.slack.posted == []
    assert (await channels.call("POST", f"/{added['id']}/test")).status_code == 403


@pytest.mark.parametrize("refusal", ["no_service", "channel_not_found", "channel_is_archived"])
async def test_a_webhook_that_is_gone_ends_the_channel_and_tells_the_owners(channels, installation, tenant, refusal):
    added = await channels.add()
    await channels.complete_check(await installation.tracked_domain(tenant))
    channels.slack.script(refusal)
    assert await channels.steps.run() == [], "no attempt follows"
    assert (await channels.read(added))["disabled_reason"] == "gone"
    (message,) = await channels.messages(added)
    assert (message["status"], message["failure_reason"]) == ("failed", "gone")
    assert message["attempts"][0]["error"] == REFUSALS[refusal]
    (sent,) = [job.payload for job in await channels.steps.take(emails.JOB)]
    assert "#acme" in sent.subject and REFUSALS[refusal] in sent.text and "sEcReT" not in sent.text


@pytest.mark.parametrize("refusal", ["action_prohibited", "invalid_payload", "invalid_token"])
async def test_a_refusal_for_good_is_not_repeated(channels, installation, tenant, refusal):
    added, domain = await channels.add(), await installation.tracked_domain(tenant)
    channels.slack.script(refusal, refusal)
    await channels.complete_check(domain)
    assert await channels.steps.run() == []
    (message,) = await channels.messages(added)
    assert (message["failure_reason"], message["attempt_count"]) == ("rejected", 1)
    assert (await channels.read(added))["status"] == "enabled"
    installation.clock.advance(days=5)
    await channels.complete_check(domain)
    assert await channels.steps.run() == []
    assert (await channels.read(added))["disabled_reason"] == "failing"
    assert len(await channels.steps.take(emails.JOB)) == 1
    enabled = await channels.call("PATCH", f"/{added['id']}", status="enabled", url=channels.slack.url("/services/new"))
    assert enabled.json()["data"]["disabled_reason"] is None
    await channels.complete_check(domain)
    await channels.steps.run()
    assert channels.slack.posted[-1].path == "/services/new"


@pytest.mark.parametrize(("refusal", "wait"), [("rate_limited", 30), ("rollup_error", 5)])
async def test_what_passes_is_tried_again(channels, installation, tenant, refusal, wait):
    added = await channels.add()
    await channels.complete_check(await installation.tracked_domain(tenant))
    channels.slack.script(refusal)
    (again,) = await channels.steps.run()
    assert again.delay == pytest.approx(wait, rel=0.15)
    installation.clock.advance(minutes=1)
    assert await channels.steps.deliver(again) == []
    (message,) = await channels.messages(added)
    assert (message["status"], message["attempt_count"]) == ("succeeded", 2)


async def test_a_sandbox_posts_nothing(channels, installation, tenant):
    """The address is Slack's own, so that only the rule keeps the message inside."""
    added = await channels.add(url="https://hooks.slack.com/services/T1/B1/x")
    await channels.call("POST", f"/{added['id']}/test")
    assert await channels.steps.deliver(*await channels.steps.fan_out()) == []
    (message,) = await channels.messages(added)
    assert (message["status"], message["failure_reason"], message["attempts"]) == ("failed", "sandbox", [])
    assert (await channels.read(added))["status"] == "enabled"


async def test_a_name_that_resolves_to_our_network_is_not_contacted(channels, installation):
    """Outside of a sandbox the guard decides when the connection is made."""
    settings = installation.app_context.settings.model_copy(update={"webhook_allow_loopback": False})
    async with open_webhook_sender(settings) as sender:
        added = await channels.add()
        await channels.call("POST", f"/{added['id']}/test")
        channels.steps.sender = sender
        await channels.steps.deliver(*await channels.steps.fan_out())
    (message,) = await channels.messages(added)
    assert channels.slack.posted == [] and message["attempts"][0]["error"].startswith("not sent:")


def test_every_refusal_has_a_sentence():
    assert explain_refusal(b"no_service\n") == REFUSALS["no_service"]
    assert explain_refusal(b"<html>" * 1_000) is None


async def test_adding_twice_with_one_key_adds_one(channels):
    headers = {"X-API-Key": channels.tenant.data_write, "Idempotency-Key": str(new_id())}
    body = {"name": "#acme", "url": channels.slack.url()}
    sent = [await channels.steps.client.post(URL, headers=headers, json=body) for _ in range(2)]
    assert sent[0].json()["data"] == sent[1].json()["data"]
    assert len((await channels.call("GET")).json()["data"]) == 1
