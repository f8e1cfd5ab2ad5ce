"""A check keeps the surface that it was accepted with, whatever the operator chooses meanwhile."""

import json
import uuid

from sightline.platforms.connections.load import load_connections
from sightline.platforms.connections.save import save_surface
from sightline.platforms.costs.call_log import CallLog
from sightline.scans.queries import find_scan
from sightline.scans.running.client_pool import open_client_pool
from tests.console_customers import Customer
from tests.fakes.content import STATEMENTS
from tests.fakes.server import FakeServer
from tests.installation import Installation
from tests.running_worker import until, working


async def choose(installation, surface):
    settings = installation.app_context.settings
    async with installation.db.transaction() as tx:
        await save_surface(tx, settings, "chatgpt", surface, now=installation.clock())
    await load_connections(installation.db, settings)


async def test_a_running_check_keeps_its_surface_and_the_next_one_has_the_new_one(database_url, tmp_path):
    async with FakeServer() as server:
        keys = {name.removeprefix("SIGHTLINE_").lower(): value for name, value in server.settings().items()}
        keys = {name: value for name, value in keys.items() if name.startswith(("openai_", "dataforseo_"))}
        async with (
            Installation.open(database_url, tmp_path, analyzer_processes=0, **keys) as installation,
            installation.client() as client,
        ):
            customer = await Customer.create(installation, client)
            first = uuid.UUID(await customer.accepted())
            await choose(installation, "app")
            row = await find_scan(installation.db, customer.workspace_id, first)
            assert json.loads(row.surfaces)["chatgpt"] == "api"
            settings = installation.app_context.settings
            async with open_client_pool(settings, CallLog(installation.db, clock=installation.clock)) as pool:
                assert pool.open(row).connectors["chatgpt"][0].surface == "api"
                live = pool.open_live(customer.workspace_id, row.domain_id, ["chatgpt"])
                assert live.connectors["chatgpt"][0].surface == "app"
            other = await installation.console_domain(customer.key, "globex.com")
            second = uuid.UUID(await customer.accepted(domain_id=other))
            async with working(installation):
                answers = [await read_answers(customer, each) for each in (first, second)]
    assert [each["provenance"]["surface"] for each in answers] == ["api", "app"]
    assert [card["name"] for card in answers[1]["products"]] == ["Hooli Phone 3", "Anvil S"]
    assert answers[0]["products"] == [] and STATEMENTS[0].text.strip() in answers[1]["text"]
    assert len(server.requests["openai"]) == len(server.requests["dataforseo"]) == 1


async def read_answers(customer, scan_id):
    """Wait until the scan has ended, and return its only answer."""
    await until(lambda: has_ended(customer, scan_id))
    results = (await customer.get(f"/{scan_id}/results")).json()["data"]
    assert results["platforms"][0]["surface"] in {"api", "app"}
    answer_id = results["prompts"][0]["platforms"][0]["answer_id"]
    return (await customer.get(f"/{scan_id}/answers/{answer_id}")).json()["data"]


async def has_ended(customer, scan_id):
    return (await customer.get(f"/{scan_id}")).json()["data"]["status"] == "completed"
