"""Schemathesis over the whole OpenAPI document: every response conforms to it, whatever is sent."""

import asyncio
import os
import uuid

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from sightline.api.openapi.document import openapi_document
from tests.databases import run_sql, with_database
from tests.installation import Installation
from tests.process.serving.processes import running

pytestmark = pytest.mark.slow  # every operation, many requests each
schema = schemathesis.openapi.from_dict(openapi_document("http://127.0.0.1"))
schema.config.generation.update(with_security_parameters=False)  # every request has a key

# Codes of refusals, and of errors in fields, that a request may get although the schema allows it, and why.
REFUSED_THOUGH_VALID = {
    "invalid_cursor": "A cursor is opaque and signed.",
    "invalid_domain": "A domain needs a public suffix.",
    "invalid_webhook_url": "The rules of webhooks are stricter than any format of URLs.",
    "unknown_platform": "Which platforms there are depends on the installation.",
    "insufficient_credits": "It depends on the balance.",
    "too_many": "It depends on what the workspace has.",
    "duplicate": "It depends on what is stored.",
    "limit": "It depends on what the workspace has.",
    "own_domain": "It depends on another field.",
    "mismatch": "It depends on another field.",
    "unknown": "It depends on what is stored.",
    "unsupported": "Languages, countries and time zones are listed elsewhere.",
    "format": "Dates, addresses and URLs have rules beyond their format.",
    "email": "E-mail addresses have rules beyond their format.",
    "row_refused": "It depends on other rows, on the template and on what is stored.",
}
REFUSED_EVERYWHERE = (
    "must not contain control characters",  # holds for every text, and for the names of members
    "must be a whole number",  # JSON Schema takes 7.0 for one
)
# Why a request that the schema does not allow may be accepted.
ACCEPTED_THOUGH_INVALID = {
    ("Idempotency-Key", ""): "An empty header that is not required is treated as absent.",
}


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
    max_examples=int(os.environ.get("SIGHTLINE_TEST_EXAMPLES", "5")),
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_response_conforms_to_the_document(api, case):
    url, tenant = api
    case.headers.pop("X-Sightline-Mode", None)  # for sessions: with a key of the other mode everything is refused
    headers = {"X-API-Key": tenant.live if "/console/" in case.path else tenant.data_write}
    response = case.call(base_url=url, headers=headers)
    document = response.json() if response.headers["content-type"][0].endswith("json") else None
    excluded = []
    refused = response.text if document and response.status_code >= 400 else ""
    if any(text in refused for text in REFUSED_EVERYWHERE) or any(
        f'"code":"{code}"' in refused for code in REFUSED_THOUGH_VALID
    ):
        excluded.append(positive_data_acceptance)
    is_too_large = response.status_code == 413  # a refusal, which the check does not know
    if is_too_large or any(case.headers.get(name) == value for name, value in ACCEPTED_THOUGH_INVALID):
        excluded.append(negative_data_rejection)
    case.validate_response(response, headers=headers, excluded_checks=excluded)
    assert "x-ratelimit-limit" in response.headers
    if document is None:  # a stream has no envelope
        return
    if response.status_code == 405:  # for a method that is not in the document
        return
    if response.status_code >= 400:
        declared = case.operation.definition.raw["responses"][str(response.status_code)]["content"]
        assert document["code"] in declared["application/problem+json"]["examples"]
        assert [document["request_id"]] == response.headers["x-request-id"]
    else:
        assert [document["meta"]["request_id"]] == response.headers["x-request-id"]
