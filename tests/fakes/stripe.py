"""A fake Stripe on a loopback port: Checkout Sessions, payments, refunds, disputes and signed events.

It speaks the wire format of the real one: forms in, JSON out, with its errors and idempotency keys. Each action of a
customer, a bank or the operator is a method; the events that it causes wait in `outbox` until a test delivers them,
once, twice, in any order or never.
"""

import asyncio
import hashlib
import hmac
import itertools
import json
import re
import secrets
import time
from collections import deque
from types import TracebackType
from typing import Any, Self

from aiohttp import web

KEY = "sk_live_FakeStripeKey000000000000"
TEST_KEY = "sk_test_FakeStripeKey000000000000"
SECRET = "whsec_FakeStripeSecret0000000000"
_PART = re.compile(r"[^\[\]]+")


class FakeStripe:
    """A fake server, used as `async with FakeStripe(clock) as stripe`. Scripted faults are used up in order."""

    def __init__(self, clock, *, livemode: bool = True) -> None:
        self._clock = clock
        self.livemode = livemode
        self.key = KEY if livemode else TEST_KEY
        self._numbers = itertools.count(1)
        self._account = secrets.token_hex(4)  # no two servers create the same id
        self._runner: web.AppRunner | None = None
        self._closing = asyncio.Event()
        self._replies: dict[str, tuple[dict[str, Any], int, dict[str, Any]]] = {}
        self.url = ""
        self.sessions: dict[str, dict[str, Any]] = {}
        self.payments: dict[str, dict[str, Any]] = {}
        self.charges: dict[str, dict[str, Any]] = {}
        self.refunds: dict[str, dict[str, Any]] = {}
        self.disputes: dict[str, dict[str, Any]] = {}
        self.outbox: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str, dict[str, Any], dict[str, str]]] = []
        self.faults: deque[str] = deque()

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/checkout/sessions", self._handle(self._create_session))
        app.router.add_get("/v1/checkout/sessions", self._handle(self._list_sessions))
        app.router.add_get("/v1/checkout/sessions/{id}", self._handle(self._retrieve_session))
        app.router.add_post("/v1/checkout/sessions/{id}/expire", self._handle(self._expire_session))
        app.router.add_get("/v1/refunds", self._handle(self._list_refunds))
        app.router.add_get("/v1/disputes", self._handle(self._list_disputes))
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    def settings(self) -> dict[str, str]:
        return {"stripe_api_key": self.key, "stripe_webhook_secret": SECRET, "stripe_base_url": self.url}

    # Actions of customers, banks and the operator

    def find_session(self, reference: str) -> dict[str, Any]:
        return next(s for s in self.sessions.values() if s["client_reference_id"] == reference)

    def pay(self, reference: str, *, tax: int = 0) -> str:
        """Pay immediately, and return the id of the payment."""
        session = self.find_session(reference)
        payment = self._complete(session, tax)
        self._mark_succeeded(payment)
        session["payment_status"] = "paid"
        self._emit("checkout.session.completed", session)
        return payment["id"]

    def pay_later(self, reference: str) -> str:
        """Pay by a method that takes days: the session is complete, the money has not arrived."""
        session = self.find_session(reference)
        payment = self._complete(session, 0)
        self._emit("checkout.session.completed", session)
        return payment["id"]

    def complete_payment(self, reference: str) -> None:
        session = self.find_session(reference)
        self._mark_succeeded(self.payments[session["payment_intent"]])
        session["payment_status"] = "paid"
        self._emit("checkout.session.async_payment_succeeded", session)

    def fail_payment(self, reference: str) -> None:
        session = self.find_session(reference)
        self.payments[session["payment_intent"]]["status"] = "requires_payment_method"
        self._emit("checkout.session.async_payment_failed", session)

    def expire(self, reference: str) -> None:
        session = self.find_session(reference)
        session["status"] = "expired"
        self._emit("checkout.session.expired", session)

    def refund(self, payment: str, cents: int, *, status: str = "succeeded") -> str:
        refund = self._object("re", "refund", amount=cents, payment_intent=payment, status=status)
        self.refunds[refund["id"]] = refund
        charge = self.charges[self.payments[payment]["latest_charge"]]
        charge["amount_refunded"] += cents
        self._emit("refund.created", refund)
        self._emit("charge.refunded", charge)
        return refund["id"]

    def fail_refund(self, refund: str) -> None:
        self.refunds[refund]["status"] = "failed"
        self._emit("refund.failed", self.refunds[refund])

    def dispute(self, payment: str, cents: int) -> str:
        dispute = self._object(
            "dp",
            "dispute",
            amount=cents,
            payment_intent=payment,
            status="needs_response",
            balance_transactions=[self._object("txn", "balance_transaction", amount=-cents)],
        )
        self.disputes[dispute["id"]] = dispute
        self._emit("charge.dispute.funds_withdrawn", dispute)
        return dispute["id"]

    def win(self, dispute: str) -> None:
        found = self.disputes[dispute]
        found["status"] = "won"
        found["balance_transactions"].append(self._object("txn", "balance_transaction", amount=found["amount"]))
        self._emit("charge.dispute.funds_reinstated", found)

    def copy_session(self, reference: str) -> str:
        """Create and pay a second session of the checkout, as a retry after a lost response could."""
        made = self._object(self._session_prefix, "checkout.session")
        session = {**self.find_session(reference), **made, "status": "open", "payment_intent": None}
        self.sessions[session["id"]] = session
        payment = self._complete(session, 0)
        self._mark_succeeded(payment)
        session["payment_status"] = "paid"
        self._emit("checkout.session.completed", session)
        return payment["id"]

    # Events

    def take_outbox(self) -> list[dict[str, Any]]:
        events, self.outbox = self.outbox, []
        return events

    def event(self, kind: str, subject: dict[str, Any]) -> dict[str, Any]:
        made = self._object("evt", "event", type=kind, api_version="2026-10-28", pending_webhooks=1)
        return {**made, "data": {"object": json.loads(json.dumps(subject))}}

    def _emit(self, kind: str, subject: dict[str, Any]) -> None:
        self.outbox.append(self.event(kind, subject))

    # Objects

    def _object(self, prefix: str, kind: str, **members: Any) -> dict[str, Any]:
        number = next(self._numbers)
        return {
            "id": f"{prefix}_Fake{self._account}{number:06d}",
            "object": kind,
            "created": int(self._clock().timestamp()),
            "livemode": self.livemode,
            **members,
        }

    @property
    def _session_prefix(self) -> str:
        return "cs_live" if self.livemode else "cs_test"

    def _complete(self, session: dict[str, Any], tax: int) -> dict[str, Any]:
        assert session["status"] == "open", "a customer cannot pay a session that is not open"
        session["amount_total"] += tax
        session["total_details"]["amount_tax"] = tax
        payment = self._object(
            "pi", "payment_intent", amount=session["amount_total"], currency=session["currency"], status="processing"
        )
        charge = self._object("ch", "charge", amount=payment["amount"], amount_refunded=0, payment_intent=payment["id"])
        payment["latest_charge"] = charge["id"]
        self.payments[payment["id"]], self.charges[charge["id"]] = payment, charge
        session |= {"status": "complete", "payment_status": "unpaid", "payment_intent": payment["id"], "url": None}
        return payment

    def _mark_succeeded(self, payment: dict[str, Any]) -> None:
        payment["status"] = "succeeded"

    # The API

    def _create_session(self, form: dict[str, Any], _: str) -> dict[str, Any]:
        price = form["line_items"]["0"]["price_data"]
        assert (form["mode"], form["line_items"]["0"]["quantity"]) == ("payment", "1")
        ahead = int(form["expires_at"]) - self._clock().timestamp()
        if not 30 * 60 <= ahead <= 24 * 3_600:
            raise StripeFailure(400, "invalid_request_error", "expires_at must be 30 minutes to 24 hours away")
        session = self._object(
            self._session_prefix,
            "checkout.session",
            mode="payment",
            status="open",
            payment_status="unpaid",
            payment_intent=None,
            amount_subtotal=int(price["unit_amount"]),
            amount_total=int(price["unit_amount"]),
            total_details={"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
            automatic_tax={"enabled": form["automatic_tax"]["enabled"] == "true", "status": None},
            currency=price["currency"],
            client_reference_id=form["client_reference_id"],
            metadata=form["metadata"],
            success_url=form["success_url"],
            cancel_url=form["cancel_url"],
            expires_at=int(form["expires_at"]),
        )
        session["url"] = f"https://checkout.stripe.com/c/pay/{session['id']}"
        self.sessions[session["id"]] = session
        return session

    def _retrieve_session(self, form: dict[str, Any], object_id: str) -> dict[str, Any]:
        session = dict(self._find_session(object_id))
        if "payment_intent.latest_charge" in form.get("expand", {}).values() and session["payment_intent"]:
            payment = self.payments[session["payment_intent"]]
            session["payment_intent"] = {**payment, "latest_charge": self.charges[payment["latest_charge"]]}
        return session

    def _expire_session(self, _: dict[str, Any], object_id: str) -> dict[str, Any]:
        session = self._find_session(object_id)
        if session["status"] != "open":
            raise StripeFailure(
                400, "invalid_request_error", "Only Checkout Sessions with a status of open can be expired."
            )
        session["status"] = "expired"
        self._emit("checkout.session.expired", session)
        return session

    def _list_sessions(self, form: dict[str, Any], _: str) -> dict[str, Any]:
        found = [s for s in self.sessions.values() if s["payment_intent"] == form["payment_intent"]]
        return _as_list("/v1/checkout/sessions", found)

    def _list_refunds(self, form: dict[str, Any], _: str) -> dict[str, Any]:
        return _as_list(
            "/v1/refunds", [r for r in self.refunds.values() if r["payment_intent"] == form["payment_intent"]]
        )

    def _list_disputes(self, form: dict[str, Any], _: str) -> dict[str, Any]:
        return _as_list(
            "/v1/disputes", [d for d in self.disputes.values() if d["payment_intent"] == form["payment_intent"]]
        )

    def _find_session(self, object_id: str) -> dict[str, Any]:
        if object_id not in self.sessions:
            raise StripeFailure(
                404, "invalid_request_error", f"No such checkout.session: '{object_id}'", "resource_missing"
            )
        return self.sessions[object_id]

    def _handle(self, answer):
        async def handle(request: web.Request) -> web.StreamResponse:
            form = dict(request.query) if request.method == "GET" else dict(await request.post())
            form = _nest(form)
            headers = {name.lower(): value for name, value in request.headers.items()}
            self.requests.append((request.method, request.path, form, headers))
            fault = self.faults.popleft() if self.faults else ""
            if fault == "silence":
                await self._closing.wait()
            if fault == "reset":
                return _cut(request)
            if fault in {"500", "503", "429"}:
                kind = "rate_limit_error" if fault == "429" else "api_error"
                return web.json_response({"error": {"type": kind, "message": "Fault"}}, status=int(fault))
            if fault == "307":  # whoever follows it sends the key once more
                return web.Response(status=307, headers={"Location": request.path_qs})
            try:
                made, status = self._once(answer, form, headers, request.match_info.get("id", "")), 200
            except StripeFailure as refusal:
                made, status = refusal.document, refusal.status
            if fault == "lost":  # done, but the response is lost
                return _cut(request)
            return web.json_response(made, status=status, headers={"Request-Id": f"req_Fake{next(self._numbers)}"})

        return handle

    def _once(self, answer, form: dict[str, Any], headers: dict[str, str], object_id: str) -> dict[str, Any]:
        if headers.get("authorization") != f"Bearer {self.key}":
            raise StripeFailure(401, "invalid_request_error", "Invalid API Key provided")
        key = headers.get("idempotency-key")
        if key is None:
            return answer(form, object_id)
        if key in self._replies:
            before, _, made = self._replies[key]
            if before != form:
                raise StripeFailure(
                    400, "idempotency_error", "Keys for idempotent requests can only be used with the same"
                )
            return made
        made = answer(form, object_id)
        self._replies[key] = (form, 200, json.loads(json.dumps(made)))
        return made


class StripeFailure(Exception):
    def __init__(self, status: int, kind: str, message: str, code: str | None = None) -> None:
        self.status = status
        self.document = {"error": {"type": kind, "message": message, "code": code}}


def sign(body: bytes, *, secret: str = SECRET, at: float | None = None) -> str:
    """Return the header `Stripe-Signature` as Stripe makes it."""
    moment = int(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def _cut(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def _as_list(url: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a list object, newest first, like all lists of Stripe."""
    return {"object": "list", "url": url, "has_more": False, "data": rows[::-1]}


def _nest(form: dict[str, Any]) -> dict[str, Any]:
    """Convert `a[0][b]=c` to nested dictionaries."""
    made: dict[str, Any] = {}
    for name, value in form.items():
        *path, last = _PART.findall(name)
        node = made
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value
    return made
