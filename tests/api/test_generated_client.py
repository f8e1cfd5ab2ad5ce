"""A Python client that openapi-python-client generates from the document calls both APIs of the real application."""

import importlib
import re
import subprocess
import sys
import uuid
from pathlib import Path

import msgspec
import pytest

import sightline
from sightline.api.app import OPERATIONS
from sightline.api.openapi.document import openapi_document
from sightline.api.openapi.problems import possible_codes
from sightline.errors import CATALOG
from tests.console_customers import Customer
from tests.reports.stored_reports import store_report
from tests.tracked_domains import PROMPTS, Tracker

pytestmark = pytest.mark.slow  # generating takes several seconds

GENERATOR = Path(sightline.__file__).parents[2] / ".tools/clients/bin/openapi-python-client"
PACKAGE = "generated_sightline"
# The generator does not know these media types. Its users tell it so that their content is binary.
BINARY = {each.stream_media_type for each in OPERATIONS if not (each.stream_media_type or "text/").startswith("text/")}
CONFIG = {"post_hooks": [], "content_type_overrides": dict.fromkeys(sorted(BINARY), "application/octet-stream")}


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Generate the client and make it importable. What the generator cannot express is an error."""
    assert GENERATOR.exists(), "`make test-slow` installs the generator; so does `make .tools/clients/.done`"
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(msgspec.json.encode(openapi_document("http://test")))
    (folder / "config.json").write_bytes(msgspec.json.encode(CONFIG))
    command = [GENERATOR, "generate", "--path", "openapi.json", "--config", "config.json", "--meta", "none"]
    command += ["--output-path", PACKAGE, "--fail-on-warning"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


class GeneratedClient:
    """The generated client with one key. It counts the operations that it has called."""

    def __init__(self, installation, key: str) -> None:
        client = importlib.import_module(f"{PACKAGE}.client").AuthenticatedClient(
            base_url="http://test",
            token=key,
            prefix="",
            auth_header_name="X-API-Key",
            raise_on_unexpected_status=True,
        )
        self._client = client.set_async_httpx_client(installation.client(X_API_Key=key))
        self.models = importlib.import_module(f"{PACKAGE}.models")
        self.called: set[str] = set()

    async def call(self, name: str, *ids: uuid.UUID, **arguments):
        """Call an operation by its name and return what the client made of the response."""
        operation = next(operation for operation in OPERATIONS if operation.name == name)
        tag = re.sub(r"\W+", "_", operation.resource.tag).lower()
        module = importlib.import_module(f"{PACKAGE}.api.{tag}.{name}")
        self.called.add(name)
        response = await module.asyncio_detailed(*ids, client=self._client, **arguments)
        assert response.parsed is not None, response.content
        return response.parsed


def test_errors_have_one_class_for_each_status(generated):
    classes = [file.stem for file in (generated / "models").glob("*_problem*.py")]
    statuses = {CATALOG[code].status for operation in OPERATIONS for code in possible_codes(operation)}
    assert len([name for name in classes if name.endswith("_problem")]) == len(statuses)
    assert len(classes) <= 2 * len(statuses) + 1, "a class for each status, an enum of its codes, and one of reasons"


async def test_the_console_api(installation, client, generated):
    customer = await Customer.create(installation, client)
    api = GeneratedClient(installation, customer.key)
    models, domain_id = api.models, uuid.UUID(customer.domain)
    assert (await api.call("read_account")).data.id == customer.workspace_id
    assert {platform.key for platform in (await api.call("list_platforms")).data} >= {"chatgpt"}
    wanted = models.DomainInput(domain="globex.com", competitors=["initech.com"])
    made = (await api.call("register_domain", body=wanted, idempotency_key=str(uuid.uuid4()))).data
    listed = await api.call("list_domains", page_size=1)
    assert [row.id for row in listed.data] == [made.id] and listed.meta.has_more
    rest = await api.call("list_domains", cursor=listed.meta.next_cursor)
    assert [row.id for row in rest.data] == [domain_id]
    taken = await api.call("register_domain", body=wanted, idempotency_key=str(uuid.uuid4()))
    assert isinstance(taken, models.ConflictProblem)
    assert (taken.code, taken.domain_id) == ("domain_exists", made.id)
    scan_input = models.ScanInput(domain_id=customer.domain, keywords=["best anvil"], platforms=["chatgpt"])
    assert (await api.call("preview_scan", body=scan_input)).data.credits_required == 1
    scan = (await api.call("submit_scan", body=scan_input, idempotency_key=str(uuid.uuid4()))).data
    assert (await api.call("read_scan", scan.id)).data == scan and scan.status == "pending"
    assert (await api.call("cancel_scan", scan.id)).data.status == "cancelled"
    assert "event: end" in await api.call("follow_scan_events", scan.id)
    unfinished = await api.call("read_scan_results", scan.id)
    assert isinstance(unfinished, models.ConflictProblem) and unfinished.scan_status == "cancelled"
    assert (await api.call("read_balance")).data.balance == 100
    assert (await api.call("export_ledger")).startswith("id,created_at,reason")
    webhook = models.WebhookInput(url="https://hooks.acme.com/sightline")
    assert (await api.call("register_webhook", body=webhook)).data.secret.startswith("whsec_")
    assert len(api.called) >= 10


async def test_the_data_api(installation, generated):
    async with Tracker.open(installation) as tracker:
        domain_id = (await tracker.track()).domain.id
        report_id = await store_report(installation, tracker.workspace_id, domain_id)
        api = GeneratedClient(installation, tracker.tenant.data_write)
        models = api.models
        assert [row.id for row in (await api.call("list_tracked_domains")).data] == [domain_id]
        assert (await api.call("read_tracked_domain", domain_id)).data.domain == "acme.com"
        prompts = (await api.call("list_prompts", domain_id, cursor="")).data
        assert {row.prompt for row in prompts} == set(PROMPTS)
        wanted = models.PromptInput(prompt="which anvil rings least", language_code="en")
        added = (await api.call("add_prompt", domain_id, body=wanted, idempotency_key=str(uuid.uuid4()))).data
        assert added.user_pinned and added.country_iso_2 is None
        unpinned = await api.call("unpin_prompt", domain_id, added.id, idempotency_key=str(uuid.uuid4()))
        assert not unpinned.data.user_pinned
        removed = await api.call("remove_prompt", domain_id, added.id, idempotency_key=str(uuid.uuid4()))
        assert removed.data.deleted
        gone = await api.call("remove_prompt", domain_id, added.id, idempotency_key=str(uuid.uuid4()))
        assert isinstance(gone, models.NotFoundProblem) and gone.code == "not_found"
        invalid = models.PromptInput(prompt="x")
        refused = await api.call("add_prompt", domain_id, body=invalid, idempotency_key=str(uuid.uuid4()))
        assert isinstance(refused, models.ValidationProblem) and "prompt" in {each.field for each in refused.errors}
        competitor = (await api.call("list_competitors", domain_id)).data[0]
        assert (await api.call("read_competitor", domain_id, competitor.id)).data == competitor
        check = (await api.call("list_checks", domain_id)).data[0]
        assert (await api.call("read_check", check.id)).data == check
        assert (await api.call("list_reports", domain_id)).data[0].id == report_id
        assert (await api.call("read_report_pdf", domain_id, report_id)).payload.read().startswith(b"%PDF")
        assert isinstance(
            await api.call("read_analytics", domain_id), models.AnalyticsResponse | models.NotFoundProblem
        )
        assert len(api.called) >= 10
