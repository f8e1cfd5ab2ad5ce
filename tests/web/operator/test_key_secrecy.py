"""A stored platform key is never readable again: in no response, page, log, table, saved copy, cache or export."""

import base64
import re
import uuid

import pytest
from structlog.testing import capture_logs

from sightline.accounts.operators.grant import grant_operator
from sightline.api.app import OPERATIONS
from sightline.platforms.access import find_connections
from sightline.web.app import PAGES
from tests.fakes.openai import OpenAI
from tests.fakes.server import FakeServer
from tests.installation import Installation
from tests.web.form_catalog import OPERATOR_FORMS
from tests.web.operator.test_platforms import ONE, dump_everything
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import populate_tenant
from tests.web.test_every_page import list_urls

pytestmark = pytest.mark.slow  # it opens every page and calls every operation
KEY = OpenAI.key
# Every form in which the key could be stored or shown by mistake, and parts of it beyond the last four characters.
TRACES = {
    KEY,
    KEY[:12],
    KEY[-8:],
    KEY.encode().hex(),
    KEY.encode().hex()[:24],
    base64.b64encode(KEY.encode()).decode().rstrip("="),
    base64.urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
}


def list_exports(ids: dict[str, str]) -> list[str]:
    paths = {path for page in PAGES for path in page.paths if path.endswith(".csv")}
    return [re.sub(r"\{(\w+):str\}", lambda name: ids[name[1]], path) for path in paths]


async def read_operations(installation, tenant, ids: dict[str, str]) -> list[str]:
    """Call every operation with a key of its API and return all that was answered, headers included."""
    known = {f"{name}_id": value for name, value in ids.items()} | {"scan_id": ids["done_scan"]}
    texts = []
    for operation in OPERATIONS:
        if operation.full_path.endswith("/events"):
            continue  # a stream of progress
        path = re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], str(uuid.uuid4())), operation.full_path)
        key = tenant.data if "/ext/" in path else tenant.live
        body = {} if operation.method in {"POST", "PATCH", "PUT"} else None
        async with installation.client(X_API_Key=key, Idempotency_Key=str(uuid.uuid4())) as client:
            answer = await client.request(operation.method, path, json=body)
        texts.append(f"{answer.headers} {answer.text}")
        installation.clock.advance(seconds=2)  # so that no limit hides an answer
    return texts


async def test_a_stored_key_is_nowhere_to_be_read(database_url, tmp_path):
    async with (
        FakeServer() as server,
        Installation.open(
            database_url, tmp_path, openai_base_url=server.base_url("openai"), metrics_token="t"
        ) as installation,
    ):
        async with installation.client() as client:
            tenant, ids = await populate_tenant(installation, client)
        async with installation.db.transaction() as tx:
            await grant_operator(tx, tenant.owner.id, now=installation.clock())
        texts: list[str] = []
        with capture_logs() as logs:
            async with open_browser(installation, tenant.owner) as browser:
                connected = await browser.post(f"{ONE}/connect", data={"key": KEY, "model": "gpt-mine"})
                assert "is connected.</strong> It answered" in connected.text
                assert find_connections(installation.app_context.settings)["chatgpt"][1].secret == KEY
                pages = [*list_urls(ids), *list_exports(ids), "/healthz", "/readyz"]
                metrics = await browser.get("/metrics", headers={"Authorization": "Bearer t"})
                assert metrics.status_code == 200
                texts += [
                    f"{page.headers} {page.text}"
                    for page in [connected, metrics, *[await browser.get(path) for path in pages]]
                ]
                texts += await read_operations(installation, tenant, ids)
                texts += [(await browser.post(form.path, data=form.body({}))).text for form in OPERATOR_FORMS]
        assert len(texts) > len(OPERATIONS) and f"ending in {KEY[-4:]}" in "".join(texts)
        everything = "".join([*texts, str(logs), repr(installation.app_context.settings)])
        everything += await dump_everything(installation)
        found = [trace for trace in TRACES if trace in everything]
        assert not found, [everything[max(0, everything.index(each) - 200) :][:300] for each in found]
