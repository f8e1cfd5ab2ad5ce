"""The examples of requests work with the keys that the reference shows for them."""

import sys

import pytest

from sightline.api.app import OPERATIONS
from sightline.api.openapi.examples import EXAMPLES
from sightline.kit.examples import CONSOLE_DOMAIN_ID, TRACKED_DOMAIN_ID, Example
from sightline.kit.ids import new_id
from tests.console_customers import Customer
from tests.prompts.prompts_client import PromptsClient


async def send_example(client, key: str, name: str, example_id: object, domain_id: str):
    """Send the request of an operation's example, with the id of a domain that exists."""
    operation = next(operation for operation in OPERATIONS if operation.name == name)
    body = {field: domain_id if value == str(example_id) else value for field, value in EXAMPLES[name].request.items()}
    path = operation.full_path.format(domain_id=domain_id)
    headers = {"X-API-Key": key, "Idempotency-Key": str(new_id())}
    response = await client.request(operation.method, path, json=body, headers=headers)
    assert response.status_code == operation.success_status, f"{name}: {response.text}"


@pytest.mark.parametrize("livemode", [True, False])
async def test_examples_of_the_console_api(installation, client, livemode):
    customer = await Customer.create(installation, client, livemode=livemode, domain="globex.net")
    names = ["register_domain", "change_domain", "preview_scan", "submit_scan", "mint_key", "register_webhook"]
    for name in [*names, "update_account"] if livemode else names:
        await send_example(client, customer.key, name, CONSOLE_DOMAIN_ID, customer.domain)


async def test_examples_of_the_data_api(installation, client):
    prompts = await PromptsClient.open(installation, client)
    for name in ("add_prompt", "import_prompts"):
        await send_example(client, prompts.tenant.data_write, name, TRACKED_DOMAIN_ID, prompts.domain_id)


def test_every_declared_example_is_that_of_an_operation():
    modules = [module for name, module in sys.modules.items() if name.startswith("sightline.")]
    declared = {
        name: module.__name__
        for module in modules
        for name, each in getattr(module, "EXAMPLES", {}).items()
        if isinstance(each, Example)
    }
    operations = {operation.name for operation in OPERATIONS}
    assert len(declared) > 50 and declared.keys() <= operations, declared
