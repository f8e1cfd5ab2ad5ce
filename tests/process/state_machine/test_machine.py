"""The books agree with a small model, in any order of actions of a customer, a provider, a worker and crashes."""

import asyncio
import gc
import os
import sys
import traceback

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.process.state_machine.customer import SharedInstallation, StateMachineCustomer
from tests.process.state_machine.model import Model, Purchase, ScanModel, Submitted

# SIGHTLINE_TEST_STATES=200 searches for longer than a usual run.
EXAMPLES = int(os.environ.get("SIGHTLINE_TEST_STATES", "15"))
STEPS = 25
CREDITS = 6
PACK, PACK_CREDITS, PACK_CENTS = 1, 10, 1_900
PLATFORMS = ["chatgpt", "gemini", "perplexity"]
PROMPTS = ["best crm", "sandbox:refuse crm", "sandbox:garbage"]
NUMBER = st.integers(0, 1_000)
MOMENT = st.sampled_from([0.05, 0.1, 0.15, 0.2, 0.3, 0.5])


def pick(items, number: int):
    return items[number % len(items)]


class Machine(RuleBasedStateMachine):
    """The actions of one example.

    How far a worker gets before it crashes is not deterministic, so the choice of rules must not depend on it. A rule
    that has nothing to do does nothing.
    """

    def __init__(self, runner: asyncio.Runner, shared: SharedInstallation) -> None:
        super().__init__()
        self._runner = runner
        self.shared = shared
        self.customer = StateMachineCustomer(shared.installation, shared.stripe)
        self.model = Model(CREDITS)
        self.had_reversal = False
        self._keys = 0
        self._log: list[str] = []

    def teardown(self) -> None:
        """Store the failure: Hypothesis would report one that depends on timing only as flaky."""
        failure = sys.exc_info()[1]
        if isinstance(failure, AssertionError):
            self.shared.failures.append("".join([*self._log, *traceback.format_exception(failure)]))
        self._run(self.customer.browser.aclose())

    def _run(self, action):
        if action.__name__ not in {"read", "read_books"}:
            self._log.append(f"{action.__name__} {action.cr_frame.f_locals}\n")
        return self._runner.run(action)

    def _new_key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    # The start

    @initialize()
    def set_up(self) -> None:
        if self.shared.stripe is not None:
            self.shared.stripe.outbox.clear()  # events of the previous example

        async def open_account() -> None:
            await self.customer.open_with(CREDITS)
            self.key_id, self.key = await self.customer.mint()

        self._run(open_account())
        self.register()

    @precondition(lambda self: len(self.model.domains) < 4)
    @rule()
    def register(self) -> None:
        name = f"brand-{len(self.model.domains)}.com"
        answer = self._run(self.customer.send(self.key, "/domains", {"domain": name}, self._new_key()))
        assert answer.status_code == 201, answer.text
        self.model.domains.append(answer.json()["data"]["id"])

    # Scans

    @rule(number=NUMBER, prompt=st.sampled_from(PROMPTS), platforms=st.integers(1, 3))
    def submit(self, number: int, prompt: str, platforms: int) -> None:
        self._submit(pick(self.model.domains, number), prompt, platforms)

    @rule(number=NUMBER, prompt=st.sampled_from(PROMPTS))
    def submit_and_start(self, number: int, prompt: str) -> None:
        """Make started scans more frequent than by chance: most faults concern them."""
        self._submit(pick(self.model.domains, number), prompt, 1)
        if self.model.active:
            self._run(self.customer.crash_once_started())
            self._follow_worker()

    def _submit(self, domain_id: str, prompt: str, platforms: int) -> None:
        body = {"domain_id": domain_id, "keywords": [prompt], "platforms": PLATFORMS[:platforms]}
        expected = self.model.expect_submit(domain_id, platforms)
        key = self._new_key()
        answer = self._run(self.customer.send(self.key, "/scans", body, key))
        assert (answer.status_code, answer.json().get("code")) == expected, answer.text
        if answer.status_code == 202:
            scan_id = answer.json()["data"]["id"]
            self.model.accept(ScanModel(scan_id, domain_id, platforms, is_doomed=prompt == "sandbox:garbage"))
            self.model.submitted.append(Submitted(key, body, scan_id))

    @rule(number=NUMBER, times=st.integers(1, 3))
    def replay(self, number: int, times: int) -> None:
        if not self.model.submitted:
            return
        sent = pick(self.model.submitted, number)

        async def send_all():
            return await asyncio.gather(
                *(self.customer.send(self.key, "/scans", sent.body, sent.key) for _ in range(times))
            )

        for answer in self._run(send_all()):
            assert answer.status_code == 202, answer.text
            assert answer.headers["x-idempotent-replay"] == "true"
            assert answer.json()["data"]["id"] == sent.scan_id

    @rule(number=NUMBER)
    def replay_with_another_body(self, number: int) -> None:
        if not self.model.submitted:
            return
        sent = pick(self.model.submitted, number)
        answer = self._run(self.customer.send(self.key, "/scans", {**sent.body, "max_credits": 9}, sent.key))
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")

    @rule(number=NUMBER)
    def cancel(self, number: int) -> None:
        if not self.model.scans:
            return
        scan = pick(list(self.model.scans.values()), number)
        answer = self._run(self.customer.send(self.key, f"/scans/{scan.id}/cancel", {}, self._new_key()))
        if scan.is_active:
            assert answer.status_code == 200, answer.text
            self.model.cancel(scan)
        else:
            assert (answer.status_code, answer.json()["code"]) == (409, "scan_not_cancellable")

    # The worker

    @rule()
    def work(self) -> None:
        if not self.model.active:
            return
        self._run(self.customer.work_until_done())
        self._follow_worker()
        assert not self.model.active

    @rule(moment=MOMENT)
    def crash(self, moment: float) -> None:
        if not self.model.active:
            return
        self._run(self.customer.crash_at(moment))
        self._follow_worker()

    @rule(seconds=st.integers(1, 60))
    def sweep_later(self, seconds: int) -> None:
        self.shared.installation.clock.advance(seconds=seconds)
        self._run(self.customer.sweep())

    def _follow_worker(self) -> None:
        for scan in self.model.active:
            answer = self._run(self.customer.read(self.key, f"/scans/{scan.id}"))
            self.model.move(scan, answer.json()["data"]["status"])
        # A worker also asks the provider about unreported payments once they are a minute old.
        shown = self._run(self.customer.read(self.key, "/credits/checkouts")).json()["data"]
        settled = {each["checkout_reference"] for each in shown if each["status"] in {"credited", "refunded"}}
        for bought in self.model.purchases:
            if bought.payment is not None and not bought.was_credited and bought.reference in settled:
                self.model.settle(bought)

    # Purchases

    @rule()
    def start_purchase(self) -> None:
        reference = self._run(self.customer.buy(PACK))
        for bought in self.model.purchases:  # the provider is asked about all that are not known to be paid
            if not bought.was_credited:
                bought.is_replaced = bought.payment is None
                self.model.settle(bought)
        self.model.purchases.append(Purchase(reference, PACK_CREDITS, PACK_CENTS))

    def _payable(self) -> list[Purchase]:
        return [bought for bought in self.model.purchases if bought.payment is None and not bought.is_replaced]

    @precondition(lambda self: self._payable())
    @rule(number=NUMBER)
    def pay(self, number: int) -> None:
        bought = pick(self._payable(), number)
        if self.shared.stripe is not None:
            bought.payment = self.shared.stripe.pay(bought.reference)
        else:
            self._run(self.customer.pay_locally(bought.reference))
            bought.payment = "paid"

    @precondition(lambda self: self.model.purchases)
    @rule(number=NUMBER, times=st.integers(1, 3))
    def recover(self, number: int, times: int) -> None:
        bought = pick(self.model.purchases, number)

        async def recover_all():
            return await asyncio.gather(*(self.customer.recover(bought.reference) for _ in range(times)))

        statuses = set(self._run(recover_all()))
        self.model.settle(bought)
        unpaid = "expired" if bought.is_replaced else "unpaid"
        expected = "refunded" if bought.is_reversed else "credited" if bought.payment else unpaid
        assert statuses == {expected}

    @precondition(lambda self: self.model.purchases)
    @rule(number=NUMBER)
    def return_from_checkout(self, number: int) -> None:
        """The page asks the provider only while the result of the checkout is unknown."""
        bought = pick(self.model.purchases, number)
        assert self._run(self.customer.return_from_checkout(bought.reference)).status_code == 200
        if not bought.was_credited:
            self.model.settle(bought)

    @precondition(lambda self: self.shared.stripe is not None and self.shared.stripe.outbox)
    @rule(times=st.integers(1, 2), backwards=st.booleans())
    def deliver_provider_events(self, times: int, *, backwards: bool) -> None:
        events = self.shared.stripe.take_outbox() * times
        for event in reversed(events) if backwards else events:
            assert self._run(self.customer.deliver(event)) == 200
        for bought in self.model.purchases:  # every change has an event, and all events were delivered
            if bought.payment is not None:
                self.model.settle(bought)

    def _reversible(self) -> list[Purchase]:
        return [bought for bought in self.model.purchases if bought.payment is not None and bought.reversal is None]

    @precondition(lambda self: self.shared.stripe is not None and self._reversible())
    @rule(number=NUMBER, disputed=st.booleans())
    def reverse_payment(self, number: int, *, disputed: bool) -> None:
        bought = pick(self._reversible(), number)
        reverse = self.shared.stripe.dispute if disputed else self.shared.stripe.refund
        bought.reversal = reverse(bought.payment, bought.cents)
        bought.is_reversed = self.had_reversal = True

    # Keys

    @rule()
    def replace_key(self) -> None:
        if not self.model.submitted:
            return

        async def replace():
            old = self.key
            await self.customer.revoke(self.key_id)
            self.key_id, self.key = await self.customer.mint()
            return await self.customer.read(old, "/scans")

        answer = self._run(replace())
        assert (answer.status_code, answer.json()["code"]) == (401, "key_revoked")
        self.model.submitted.clear()  # requests of one key cannot be replayed with another key

    # Invariants

    @invariant()
    def the_books_agree_with_the_model(self) -> None:
        if not self.model.domains:
            return
        books = self._run(self.customer.read_books())
        shown = self._run(self.customer.read(self.key, "/credits/balance")).json()["data"]["balance"]
        assert shown == books.balance == books.total == self.model.balance
        assert books.balance >= 0 or self.had_reversal
        assert {(scan_id, status) for scan_id, status, _ in books.scans} == {
            (scan.id, scan.status) for scan in self.model.scans.values()
        }
        active = [domain_id for _, status, domain_id in books.scans if status in {"pending", "running"}]
        assert len(active) == len(set(active))
        assert all(count == 1 for _, _, count in books.events)
        ends = {(kind, cause) for kind, cause, _ in books.events if kind.startswith("scan.")}
        assert ends == {(f"scan.{scan.status}", scan.id) for scan in self.model.scans.values() if not scan.is_active}
        assert books.doubled_answers == 0
        assert books.faults == []


# A worker that crashes here leaves its sockets open, and the garbage collector warns about them.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("provider", ["local", "stripe"])
def test_the_books_agree_with_the_model_after_any_sequence_of_actions(database_url, tmp_path, provider):
    with asyncio.Runner() as runner:
        opening = SharedInstallation.open(database_url, tmp_path, with_stripe=provider == "stripe")
        shared = runner.run(opening.__aenter__())
        try:
            run_state_machine_as_test(
                lambda: Machine(runner, shared),
                settings=settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                    print_blob=True,
                ),
            )
        except BaseException as failure:
            failure.add_note(shared.failures[0] if shared.failures else "")
            raise
        finally:
            runner.run(opening.__aexit__(None, None, None))
            gc.collect()  # warn here, not during another test
