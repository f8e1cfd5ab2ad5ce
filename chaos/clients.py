"""Customers that submit, cancel, read and buy, retry what was not answered, and record everything."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import aiohttp
import msgspec

from chaos.history import Call, History
from chaos.world import Tenant

_CONSOLE = "/api/v1/console"
_TIMEOUT = aiohttp.ClientTimeout(total=6)
_PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude", "grok", "mistral")
_PROMPTS = ("best crm for small teams", "which crm is cheapest", "crm with good support", "sandbox:refuse")
# Prompts that no platform answers well, by whether the sandbox answers.
_DOOMED = {True: "sandbox:garbage", False: "fake:blank"}
_PACK = 1


class Answer(msgspec.Struct, frozen=True):
    status: int | None
    body: Any
    headers: dict[str, str]
    error: str | None = None
    cookies: str = ""
    """What the response sets, as a request sends it."""

    @property
    def data(self) -> dict[str, Any]:
        found = self.body.get("data") if isinstance(self.body, dict) else None
        return found if isinstance(found, dict) else {}


class ApiClient:
    """A client that chooses one of the APIs at random for each attempt."""

    def __init__(self, urls: Sequence[str], chance: random.Random, history: History) -> None:
        self._urls = urls
        self._chance = chance
        self.history = history
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        await self._session.close()

    async def send(self, method: str, path: str, headers: dict[str, str], body: Any = None, **options: Any) -> Answer:
        url = f"{self._chance.choice(self._urls)}{path}"
        try:
            async with self._session.request(
                method, url, json=body, headers=headers, allow_redirects=False, **options
            ) as response:
                text = await response.read()
                parsed = _parse(text)
                cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in response.cookies.items())
                headers_seen = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status, parsed, headers_seen, cookies=cookies)
        except (aiohttp.ClientError, OSError) as failure:  # a timeout is an OSError
            return Answer(None, None, {}, type(failure).__name__)


def _parse(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None


class Customer:
    """A customer of one tenant, who repeats a request until there is a definite answer."""

    def __init__(
        self, name: str, tenant: Tenant, api_client: ApiClient, chance: random.Random, *, is_sandbox: bool
    ) -> None:
        self.name = name
        self.tenant = tenant
        self._api_client = api_client
        self._chance = chance
        self._headers = {"X-API-Key": tenant.key}
        self._is_sandbox = is_sandbox
        self._cookie: str | None = None
        self._sent = 0
        self.domains: list[str] = []
        self.scans: list[str] = []
        self.bodies: dict[str, dict[str, Any]] = {}
        """The submitted bodies by idempotency key."""
        self.references: list[str] = []

    # Before the chaos

    async def settle_in(self, names: Sequence[str], hook: str) -> str:
        """Register domains and a webhook, and return the secret of the webhook."""
        for name in names:
            made = await self._until_definite("POST", "/domains", {"domain": name}, "setup", f"{self.name}-{name}")
            self.domains.append(made.data["id"])
        made = await self._until_definite("POST", "/webhooks", {"url": hook}, "setup", f"{self.name}-hook")
        return str(made.data["secret"])

    # During the chaos

    async def live(self, stopping: asyncio.Event) -> None:
        steps = [self.submit, self.cancel, self.read, self.read_balance, self.buy]
        weights = [10, 3, 4, 1, 1 if self._is_sandbox else 0]  # test money buys live credits in a sandbox only
        while not stopping.is_set():
            await self._chance.choices(steps, weights)[0]()
            await asyncio.sleep(self._chance.uniform(0.02, 0.3))

    async def submit(self) -> None:
        doomed = self._chance.random() < 0.15
        body = {
            "domain_id": self._chance.choice(self.domains),
            "keywords": [_DOOMED[self._is_sandbox]]
            if doomed
            else self._chance.sample(_PROMPTS, self._chance.randint(1, 3)),
            "platforms": self._chance.sample(_PLATFORMS, self._chance.randint(1, 3)),
        }
        self._sent += 1
        key = f"{self.name}-submit-{self._sent}"
        self.bodies[key] = body
        answer = await self._until_definite("POST", "/scans", body, "submit", key)
        if answer.status == 202:
            self.scans.append(answer.data["id"])
            if self._chance.random() < 0.2:
                await self._cancel(answer.data["id"])

    async def cancel(self) -> None:
        if self.scans:
            await self._cancel(self._chance.choice(self.scans[-3:]))

    async def _cancel(self, scan: str) -> None:
        self._sent += 1
        await self._until_definite(
            "POST", f"/scans/{scan}/cancel", {}, "cancel", f"{self.name}-cancel-{self._sent}", scan=scan
        )

    async def read(self) -> None:
        if self.scans:
            scan = self._chance.choice(self.scans[-6:])
            await self._call("GET", f"/scans/{scan}", None, "read", None, scan=scan)

    async def read_balance(self) -> None:
        await self._call("GET", "/credits/balance", None, "balance", None)

    async def buy(self) -> None:
        """Start, pay and verify a checkout. Requests without an answer are sent again."""
        if not await self._sign_in():
            return
        self._sent += 1
        body, key = {"pricing_id": _PACK}, f"{self.name}-buy-{self._sent}"
        started = await self._until_definite("POST", "/credits/checkout", body, "checkout", key, session=True)
        assert started.status != 401, "customers that cannot sign in test nothing"
        if started.status != 201:
            return
        reference, page = started.data["checkout_reference"], started.data["checkout_url"]
        self.references.append(reference)
        await self.pay(reference, "/checkout/" + page.partition("/checkout/")[2])
        await self.recover(reference)

    async def pay(self, reference: str, path: str) -> None:
        while True:
            began = self._api_client.history.now()
            answer = await self._api_client.send("POST", path, {}, data={"action": "pay"})
            self._note("pay", answer, began, key=None, reference=reference)
            if answer.status is not None and answer.status < 500:
                return
            await asyncio.sleep(0.3)

    async def recover(self, reference: str) -> Answer:
        self._sent += 1
        body, key = {"checkout_reference": reference}, f"{self.name}-recover-{self._sent}"
        path = "/credits/checkout/recover"
        return await self._until_definite("POST", path, body, "recover", key, session=True, reference=reference)

    async def _sign_in(self) -> bool:
        if self._cookie is None:
            body = {"email": self.tenant.email, "password": self.tenant.password}
            answer = await self._api_client.send("POST", f"{_CONSOLE}/session", {"Sec-Fetch-Site": "same-origin"}, body)
            if answer.status == 201:
                self._cookie = answer.cookies
        return self._cookie is not None

    # After the chaos

    async def replay(self, key: str) -> Answer:
        return await self._until_definite("POST", "/scans", self.bodies[key], "submit", key)

    # Requests

    async def _until_definite(
        self, method: str, path: str, body: Any, kind: str, key: str, *, session: bool = False, **about: Any
    ) -> Answer:
        while True:
            answer, call = await self._call(method, path, body, kind, key, session=session, **about)
            if call.is_definite:
                return answer
            await asyncio.sleep(self._chance.uniform(0.1, 0.8))

    async def _call(
        self, method: str, path: str, body: Any, kind: str, key: str | None, *, session: bool = False, **about: Any
    ) -> tuple[Answer, Call]:
        headers = self._session_headers() if session else dict(self._headers)
        if key is not None:
            headers["Idempotency-Key"] = key
        began = self._api_client.history.now()
        answer = await self._api_client.send(method, f"{_CONSOLE}{path}", headers, body)
        return answer, self._note(kind, answer, began, key=key, **about)

    def _session_headers(self) -> dict[str, str]:
        return {
            "Sec-Fetch-Site": "same-origin",
            "Cookie": self._cookie or "",
            "X-Workspace-Id": self.tenant.workspace,
        }

    def _note(
        self,
        kind: str,
        answer: Answer,
        began: float,
        *,
        key: str | None,
        scan: str | None = None,
        reference: str | None = None,
    ) -> Call:
        history, data = self._api_client.history, answer.data
        problem = answer.body if isinstance(answer.body, dict) else {}
        call = Call(
            kind=kind,
            workspace=self.tenant.workspace,
            began=began,
            ended=history.now(),
            key=key,
            domain=data.get("domain_id") if kind == "submit" else None,
            status=answer.status,
            code=problem.get("code"),
            scan=data.get("id") if kind == "submit" else scan,
            scan_status=data.get("status") if kind in {"submit", "cancel", "read"} else None,
            balance=data.get("balance") if kind == "balance" else None,
            reference=reference or data.get("checkout_reference"),
            degraded=answer.headers.get("x-data-degraded") == "true",
            replayed=answer.headers.get("x-idempotent-replay") == "true",
            error=answer.error,
            healed=history.healed,
        )
        history.add(call)
        return call
