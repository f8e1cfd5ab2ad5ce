"""An empty query value is an absent one, for every operation and for pages."""

import pytest

from sightline.accounts.models import Role, build_operator_actor
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import PREFIXES
from sightline.api.edge.query import drop_empty_values, read_parameters
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.secrets import SecretBox
from sightline.webhooks.slack.channels import add_channel
from sightline.webhooks.slack.schemas import SlackChannelInput
from tests.api.assertions import CONSOLE
from tests.console_customers import Customer
from tests.insights.anvil_market import market_answer, open_market
from tests.web.page_browser import open_browser

READS = [each for each in OPERATIONS if each.is_read and (each.paged or each.filters) and not each.stream_media_type]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        (b"", b""),
        (b"cursor=", b""),
        (b"cursor", b""),
        (b"=", b""),
        (b"&&", b""),
        (b"a=1&cursor=&b=2", b"a=1&b=2"),
        (b"cursor=x&cursor=", b"cursor=x"),
        (b"q=%20", b"q=%20"),
        (b"a==", b"a=="),
    ],
)
def test_parameters_without_a_value_are_dropped(query, kept):
    assert drop_empty_values(query) == kept


def test_the_last_value_of_a_repeated_parameter_counts():
    assert read_parameters("a=1&b=%C3%A9+x&a=2") == {"a": "2", "b": "é x"}


@pytest.mark.parametrize("api", PREFIXES)
async def test_every_parameter_of_an_api_may_be_empty(installation, client, api):
    paths, key = await (open_console if api == "console" else open_data)(installation, client)
    for operation in (each for each in READS if each.api == api):
        names = [each.name for each in operation.filters]
        names += ["cursor"] * operation.paged + ["page_size"] * operation.page_size
        path = operation.full_path.format_map(paths)
        installation.clock.advance(minutes=1)
        plain = await client.get(path, headers={"X-API-Key": key})
        assert plain.status_code == 200, plain.text
        for query in ("&".join(f"{name}=" for name in names), "&".join(names)):
            response = await client.get(f"{path}?{query}", headers={"X-API-Key": key})
            assert (response.status_code, response.json().get("data")) == (200, plain.json()["data"]), path


async def test_an_empty_value_does_not_confirm_a_choice(installation, client):
    """`keep_children` is read by a write."""
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live}
    minted = await client.post(f"{CONSOLE}/keys", json={"name": "Child", "kind": "console"}, headers=headers)
    path = f"{CONSOLE}/keys/{minted.json()['data']['id']}"
    assert (await client.delete(f"{path}?keep_children=", headers=headers)).status_code == 200


async def open_console(installation, client) -> tuple[dict[str, str], str]:
    customer = await Customer.create(installation, client)
    scan_id, _ = await customer.completed()
    webhook = await client.post(
        f"{CONSOLE}/webhooks", json={"url": "https://acme.com/hook"}, headers={"X-API-Key": customer.key}
    )
    return {"scan_id": scan_id, "webhook_id": webhook.json()["data"]["id"]}, customer.key


async def open_data(installation, _client) -> tuple[dict[str, str], str]:
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    _, client_id = await installation.guest(history.tenant, Role.VIEWER)
    settings = installation.app_context.settings
    async with installation.db.transaction() as tx:
        channel = await add_channel(
            tx,
            build_operator_actor(history.workspace_id),
            SlackChannelInput("#acme", "https://hooks.slack.com/services/T1/B1/acme"),
            guard=build_webhook_guard(settings),
            box=SecretBox(*settings.signing_keys),
            now=installation.clock(),
        )
    ids = {"domain_id": history.domain_id, "scan_id": scan_id, "client_id": client_id, "channel_id": channel.id}
    return {"table_name": "answers", **{name: str(each) for name, each in ids.items()}}, str(history.tenant.data)


async def test_an_empty_value_of_a_page_is_absent(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    dashboard, console = f"/w/{history.tenant.id}/d/{history.domain_id}", f"/w/{history.tenant.id}/console"
    paths = (
        f"{dashboard}?period=&metric=&platform=&tag=",
        f"{dashboard}/answers?cursor=&check=&prompt=&evidence=&brand=",
        f"{dashboard}/prompts?q=&page=&show=&restore=",
        f"{dashboard}/opportunities?cursor=&country=",
        f"{dashboard}/alerts?state=&cursor=",
        f"{dashboard}/checks?page=&scope=",
        f"{console}/usage?cursor=",
        f"{console}/scans?domain=",
    )
    async with open_browser(installation, history.tenant.owner) as browser:
        for path in paths:
            assert (await browser.get(path)).text == (await browser.get(path.partition("?")[0])).text, path
