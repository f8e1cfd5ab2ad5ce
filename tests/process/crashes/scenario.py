"""A tenant with credits, a domain and a webhook, and a service that crashes at a named point and is started again."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from chaos.checker import find_violations
from chaos.evidence import Evidence, gather_evidence, is_at_rest
from chaos.history import Call
from chaos.receiver import Receiver
from sightline.api.app import create_app
from sightline.credits.ledger import CreditAccount, build_credit_rules, grant_credits
from sightline.kit.clock import utc_now
from sightline.web.app import ROUTES, handle_not_found
from tests.installation import Installation, Tenant
from tests.process.serving.processes import Running, run, running

CONSOLE = "/api/v1/console"
CREDITS = 30
KEY = "one-and-only"


class CrashScenario:
    def __init__(self, installation: Installation, database_url: str, data_dir, receiver: Receiver) -> None:
        self.installation = installation
        self.receiver = receiver
        self._database_url = database_url
        self.settings = {
            "database_url": database_url,
            "secret_key": "s" * 40,
            "data_dir": data_dir,
            "worker_timeout": 1,
            "analyzer_processes": 1,
            "idempotency_lease": 1,
            "sandbox_latency_ms": 10,
            "webhook_allow_loopback": 1,
            "webhook_timeout": 3,
        }
        self.calls: list[Call] = []
        self.tenant: Tenant
        self.domain_id = ""
        self.cookie = ""

    async def prepare(self) -> None:
        self.installation.clock.now = utc_now()  # the service runs on the real clock
        self.installation.app = create_app(self.installation.app_context, ROUTES, handle_not_found)
        self.tenant = await self.installation.tenant()
        async with self.installation.db.transaction() as tx:
            rules = build_credit_rules(self.installation.app_context.settings)
            workspace_id = self.tenant.workspace.id
            await grant_credits(
                tx, CreditAccount(workspace_id, livemode=True, rules=rules), CREDITS, note="", now=utc_now()
            )
        self.domain_id = await self.installation.console_domain(self.tenant.live)
        async with self.installation.client(X_API_Key=self.tenant.live, Idempotency_Key="hook") as client:
            made = await client.post(f"{CONSOLE}/webhooks", json={"url": self.receiver.url(self.tenant.id)})
        assert made.status_code == 201, made.text
        self.receiver.secrets[self.tenant.id] = made.json()["data"]["secret"]
        browser = await self.installation.sign_in(self.tenant.owner)
        self.cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        await browser.aclose()

    # Processes

    def serving(self, **more: object):
        return running("serve", **self.settings, **more)

    async def wait_for_crash(self, process: Running) -> None:
        code = await asyncio.to_thread(process.process.wait, 40)
        assert code == 137, process.printed
        # Other workers take over the crashed worker's share of the platforms after 15 s. This skips the wait.
        await self.installation.db.execute("UPDATE workers SET seen_at = seen_at - interval '15 seconds'")

    # Actions of a customer

    async def submit(self, process: Running, *keywords: str) -> dict | None:
        """Submit a scan. Return it, or None if it was not accepted."""
        body = {"domain_id": self.domain_id, "keywords": list(keywords), "platforms": ["chatgpt", "gemini"]}
        answer = await self._post(process, "/scans", body, {"X-API-Key": self.tenant.live})
        data = answer.json().get("data", {}) if answer is not None else {}
        code = answer.json().get("code") if answer is not None else None
        status = answer.status_code if answer is not None else None
        workspace, scan = self.tenant.id, data.get("id")
        self.calls.append(
            Call(kind="submit", workspace=workspace, began=0, ended=0, key=KEY, status=status, code=code, scan=scan)
        )
        return data or None

    async def submit_until_accepted(self, process: Running, *keywords: str) -> dict:
        return await self._until(lambda: self.submit(process, *keywords))

    async def ended(self, process: Running, scan_id: str) -> dict:
        async with httpx.AsyncClient(base_url=process.url, headers={"X-API-Key": self.tenant.live}) as client:

            async def find_ended() -> dict | None:
                scan = (await client.get(f"{CONSOLE}/scans/{scan_id}")).json()["data"]
                return scan if scan["status"] not in {"pending", "running"} else None

            return await self._until(find_ended)

    async def post_as_buyer(self, process: Running, path: str, **body) -> httpx.Response | None:
        headers = {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin", "X-Workspace-Id": self.tenant.id}
        return await self._post(process, path, body, headers)

    async def post_as_buyer_until_accepted(self, process: Running, path: str, **body) -> dict:
        async def post() -> dict | None:
            answer = await self.post_as_buyer(process, path, **body)
            if answer is None or answer.status_code == 409:
                return None
            assert answer.is_success, answer.text
            return answer.json()["data"]

        return await self._until(post)

    async def pay(self, reference: str) -> None:
        session = await self.installation.db.fetchval(
            "SELECT session FROM local_orders WHERE reference = $1", reference
        )
        async with self.installation.client() as client:
            paid = await client.post(f"/checkout/local/{session}", data={"action": "pay"})
        assert paid.status_code == 303, paid.text

    async def _post(self, process: Running, path: str, body: dict, headers: dict) -> httpx.Response | None:
        async with httpx.AsyncClient(base_url=process.url, headers=headers, timeout=20) as client:
            try:
                return await client.post(f"{CONSOLE}{path}", json=body, headers={"Idempotency-Key": KEY})
            except httpx.TransportError:
                return None

    async def _until(self, condition, seconds: float = 40):
        deadline = time.monotonic() + seconds
        while (found := await condition()) is None:
            assert time.monotonic() < deadline, "it did not happen in time"
            await asyncio.sleep(0.1)
        return found

    # The result

    async def verify(self) -> Evidence:
        """Wait until nothing is running, and assert that nothing is lost or doubled."""

        async def is_idle() -> bool | None:
            return None if await is_at_rest(self._database_url) else True

        await self._until(is_idle)
        verified = await asyncio.to_thread(run, "credits", "verify", "--json", **self.settings)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert json.loads(verified.stdout) == {"faults": []}
        evidence = await gather_evidence(self._database_url, book_faults=[], fell=[])
        assert find_violations(self.calls, self.receiver.messages, evidence) == []
        return evidence


@asynccontextmanager
async def open_scenario(database_url: str, tmp_path) -> AsyncIterator[CrashScenario]:
    async with (
        Receiver(0) as receiver,
        Installation.open(database_url, tmp_path, webhook_allow_loopback=True) as installation,
    ):
        receiver.is_troubled = False
        scenario = CrashScenario(installation, database_url, tmp_path / "process", receiver)
        await scenario.prepare()
        yield scenario
