"""Whatever a customer, a provider, a worker and a crash do in whatever order: the books agree with a small model."""

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

from tests.process.state_machine.model import Model, Purchase, ScanModel, Submitted
from tests.process.state_machine.world import StateMachineCustomer, World

# SIGHTLINE_TEST_STATES=200 looks for longer than a usual run has time for.
EXAMPLES = int(os.environ.get("SIGHTLINE_TEST_STATES", "15"))
STEPS = 25
CREDITS = 6
PACK, PACK_CREDITS, PACK_CENTS = 1, 10, 1_900
PLATFORMS = ["chatgpt", "gemini", "perplexity"]
PROMPTS = ["best crm", "sandbox:refuse crm", "sandbox:garbage"]
NUMBER = st.integers(0, 1_000)
MOMENT = st.sampled_from([0.05, 0.1, 0.15, 0.2, 0.3, 0.5])


def one_of(things, number: int):
    return things[number % len(things)]


class Machine(RuleBasedStateMachine):
    """How far a worker gets before it crashes is not in our hands, so which rules apply must not depend on it: a rule
    that finds nothing to do does nothing.
    """

    def __init__(self, runner: asyncio.Runner, world: World) -> None:
        super().__init__()
        self._runner = runner
        self.world = world
        self.life = StateMachineCustomer(world.installation, world.stripe)
        self.model = Model(CREDITS)
        self.went_back = False
        self._keys = 0
        self._story: list[str] = []

    def teardown(self) -> None:
        """A failure that depends on how far a worker got would be called flaky, and not shown: so it is kept."""
        failure = sys.exc_info()[1]
        if isinstance(failure, AssertionError):
            self.world.failures.append("".join([*self._story, *traceback.format_exception(failure)]))
        self._run(self.life.browser.aclose())

    def _run(self, doing):
        if doing.__name__ not in {"look", "read_books"}:
            self._story.append(f"{doing.__name__} {doing.cr_frame.f_locals}\n")
        return self._runner.run(doing)

    def _new_key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    # The start

    @initialize()
    def move_in(self) -> None:
        if self.world.stripe is not None:
            self.world.stripe.outbox.clear()  # of the example before

        async def go() -> None:
            await self.life.settle_in(CREDITS)
            self.key_id, self.key = await self.life.mint()

        self._run(go())
        self.register()

    @precondition(lambda self: len(self.model.domains) < 4)
    @rule()
    def register(self) -> None:
        name = f"brand-{len(self.model.domains)}.com"
        answer = self._run(self.life.send(self.key, "/domains", {"domain": name}, self._new_key()))
        assert answer.status_code == 201, answer.text
        self.model.domains.append(answer.json()["data"]["id"])

    # Scans

    @rule(number=NUMBER, prompt=st.sampled_from(PROMPTS), platforms=st.integers(1, 3))
    def submit(self, number: int, prompt: str, platforms: int) -> None:
        self._submit(one_of(self.model.domains, number), prompt, platforms)

    @rule(number=NUMBER, prompt=st.sampled_from(PROMPTS))
    def submit_and_begin(self, number: int, prompt: str) -> None:
        """What is interesting happens to scans that a worker has begun, so there are more of them than by chance."""
        self._submit(one_of(self.model.domains, number), prompt, 1)
        if self.model.active:
            self._run(self.life.crash_once_begun())
            self._see_what_was_done()

    def _submit(self, domain_id: str, prompt: str, platforms: int) -> None:
        body = {"domain_id": domain_id, "keywords": [prompt], "platforms": PLATFORMS[:platforms]}
        expected = self.model.expect_submit(domain_id, platforms)
        key = self._new_key()
        answer = self._run(self.life.send(self.key, "/scans", body, key))
        assert (answer.status_code, answer.json().get("code")) == expected, answer.text
        if answer.status_code == 202:
            scan_id = answer.json()["data"]["id"]
            self.model.accept(ScanModel(scan_id, domain_id, platforms, is_doomed=prompt == "sandbox:garbage"))
            self.model.submitted.append(Submitted(key, body, scan_id))

    @rule(number=NUMBER, times=st.integers(1, 3))
    def replay(self, number: int, times: int) -> None:
        if not self.model.submitted:
            return
        sent = one_of(self.model.submitted, number)

        async def go():
            return await asyncio.gather(
                *(self.life.send(self.key, "/scans", sent.body, sent.key) for _ in range(times))
            )

        for answer in self._run(go()):
            assert answer.status_code == 202, answer.text
            assert answer.headers["x-idempotent-replay"] == "true"
            assert answer.json()["data"]["id"] == sent.scan_id

    @rule(number=NUMBER)
    def replay_with_another_body(self, number: int) -> None:
        if not self.model.submitted:
            return
        sent = one_of(self.model.submitted, number)
        answer = self._run(self.life.send(self.key, "/scans", {**sent.body, "max_credits": 9}, sent.key))
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")

    @rule(number=NUMBER)
    def cancel(self, number: int) -> None:
        if not self.model.scans:
            return
        scan = one_of(list(self.model.scans.values()), number)
        answer = self._run(self.life.send(self.key, f"/scans/{scan.id}/cancel", {}, self._new_key()))
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
        self._run(self.life.work_until_done())
        self._see_what_was_done()
        assert not self.model.active

    @rule(moment=MOMENT)
    def crash(self, moment: float) -> None:
        if not self.model.active:
            return
        self._run(self.life.crash_at(moment))
        self._see_what_was_done()

    @rule(seconds=st.integers(1, 60))
    def sweep_later(self, seconds: int) -> None:
        self.world.installation.clock.advance(seconds=seconds)
        self._run(self.life.sweep())

    def _see_what_was_done(self) -> None:
        for scan in self.model.active:
            answer = self._run(self.life.look(self.key, f"/scans/{scan.id}"))
            self.model.move(scan, answer.json()["data"]["status"])
        # A worker also asks for payments that nobody has told us of, once they are a minute old.
        shown = self._run(self.life.look(self.key, "/credits/checkouts")).json()["data"]
        settled = {each["checkout_reference"] for each in shown if each["status"] in {"credited", "refunded"}}
        for bought in self.model.purchases:
            if bought.payment is not None and not bought.was_credited and bought.reference in settled:
                self.model.settle(bought)

    # Purchases

    @rule()
    def start_purchase(self) -> None:
        reference = self._run(self.life.buy(PACK))
        self.model.purchases.append(Purchase(reference, PACK_CREDITS, PACK_CENTS))

    @precondition(lambda self: any(bought.payment is None for bought in self.model.purchases))
    @rule(number=NUMBER)
    def pay(self, number: int) -> None:
        bought = one_of([bought for bought in self.model.purchases if bought.payment is None], number)
        if self.world.stripe is not None:
            bought.payment = self.world.stripe.pay(bought.reference)
        else:
            self._run(self.life.pay_locally(bought.reference))
            bought.payment = "paid"

    @precondition(lambda self: self.model.purchases)
    @rule(number=NUMBER, times=st.integers(1, 3))
    def recover(self, number: int, times: int) -> None:
        bought = one_of(self.model.purchases, number)

        async def go():
            return await asyncio.gather(*(self.life.recover(bought.reference) for _ in range(times)))

        told = set(self._run(go()))
        self.model.settle(bought)
        expected = "refunded" if bought.is_returned else "credited" if bought.payment else "unpaid"
        assert told == {expected}

    @precondition(lambda self: self.model.purchases)
    @rule(number=NUMBER)
    def return_from_checkout(self, number: int) -> None:
        """The page asks the provider only while the end is open."""
        bought = one_of(self.model.purchases, number)
        assert self._run(self.life.return_from_checkout(bought.reference)).status_code == 200
        if not bought.was_credited:
            self.model.settle(bought)

    @precondition(lambda self: self.world.stripe is not None and self.world.stripe.outbox)
    @rule(times=st.integers(1, 2), backwards=st.booleans())
    def hear_from_the_provider(self, times: int, *, backwards: bool) -> None:
        told = self.world.stripe.take_outbox() * times
        for event in reversed(told) if backwards else told:
            assert self._run(self.life.deliver(event)) == 200
        for bought in self.model.purchases:  # every change is told of, and all messages have come
            if bought.payment is not None:
                self.model.settle(bought)

    def _kept(self) -> list[Purchase]:
        return [bought for bought in self.model.purchases if bought.payment is not None and bought.returned is None]

    @precondition(lambda self: self.world.stripe is not None and self._kept())
    @rule(number=NUMBER, disputed=st.booleans())
    def take_the_money_back(self, number: int, *, disputed: bool) -> None:
        bought = one_of(self._kept(), number)
        take = self.world.stripe.dispute if disputed else self.world.stripe.refund
        bought.returned = take(bought.payment, bought.cents)
        bought.is_returned = self.went_back = True

    # Keys

    @rule()
    def change_the_key(self) -> None:
        if not self.model.submitted:
            return

        async def go():
            old = self.key
            await self.life.revoke(self.key_id)
            self.key_id, self.key = await self.life.mint()
            return await self.life.look(old, "/scans")

        answer = self._run(go())
        assert (answer.status_code, answer.json()["code"]) == (401, "key_revoked")
        self.model.submitted.clear()  # what was sent with one key is not another one's

    # Always

    @invariant()
    def the_books_agree_with_the_model(self) -> None:
        if not self.model.domains:
            return
        books = self._run(self.life.read_books())
        shown = self._run(self.life.look(self.key, "/credits/balance")).json()["data"]["balance"]
        assert shown == books.balance == books.total == self.model.balance
        assert books.balance >= 0 or self.went_back
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


# A worker that crashes here leaves its sockets to the garbage collector, which says so.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("provider", ["local", "stripe"])
def test_nothing_that_can_happen_makes_the_books_disagree(database_url, tmp_path, provider):
    with asyncio.Runner() as runner:
        opening = World.open(database_url, tmp_path, with_stripe=provider == "stripe")
        world = runner.run(opening.__aenter__())
        try:
            run_state_machine_as_test(
                lambda: Machine(runner, world),
                settings=settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                    print_blob=True,
                ),
            )
        except BaseException as failure:
            failure.add_note(world.failures[0] if world.failures else "")
            raise
        finally:
            runner.run(opening.__aexit__(None, None, None))
            gc.collect()  # here, and not in somebody else's test
