"""Schemathesis over the whole OpenAPI document: every response conforms to it, whatever is sent."""

import asyncio
import os
import uuid

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sightline.api.openapi.document import openapi_document
from tests.databases import run_sql, with_database
from tests.installation import Installation
from tests.process.serving.processes import running

pytestmark = pytest.mark.slow  # every operation, many requests each
schema = schemathesis.openapi.from_dict(openapi_document("http://127.0.0.1"))


# Only responses are checked. A schema cannot express everything that makes a request valid: a domain must exist.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def api(server_url, template, tmp_path_factory):
    """Run a real process with one tenant, and with rate limits too high to be reached."""
    name = f"test_{uuid.uuid4().hex}"
    asyncio.run(run_sql(server_url, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY'))
    url, folder = with_database(server_url, name), tmp_path_factory.mktemp("api")

    async def create_tenant():
        async with Installation.open(url, folder) as installation:
            return await installation.tenant()

    tenant = asyncio.run(create_tenant())
    many = 1_000_000
    limits = {"console_rate_per_minute": many, "data_rate_per_minute": many, "anonymous_rate_per_minute": many}
    with running("api", database_url=url, secret_key="s" * 40, data_dir=folder / "data", **limits) as process:
        yield process.url, tenant
    asyncio.run(run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))


@schema.parametrize()
@settings(
    max_examples=int(os.environ.get("SIGHTLINE_TEST_EXAMPLES", "20")),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_response_conforms_to_the_document(api, case):
    url, tenant = api
    key = tenant.live if "/console/" in case.path else tenant.data_write
    response = case.call(base_url=url, headers={"X-API-Key": key})
    assert response.status_code < 500, response.text
    case.validate_response(response, checks=CHECKS)
    assert "x-ratelimit-limit" in response.headers
    if not response.headers["content-type"][0].endswith("json"):  # a stream has no envelope
        return
    document = response.json()
    if response.status_code >= 400:
        assert response.headers["content-type"][0] == "application/problem+json"
        assert [document["request_id"]] == response.headers["x-request-id"]
    else:
        assert [document["meta"]["request_id"]] == response.headers["x-request-id"]
