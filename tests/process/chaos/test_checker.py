"""The checker reports nothing for a history without a fault, and reports every kind of fault."""

import msgspec
import pytest

from chaos.checker import find_violations
from chaos.evidence import AttemptFact, EntryFact, EventFact, JobFact
from tests.process.chaos.histories import SampleHistory, W, call, message, scan


def kinds(history: SampleHistory) -> set[str]:
    return {violation.kind for violation in find_violations(history.calls, history.messages, history.evidence())}


def test_a_history_without_a_fault_has_no_violation():
    assert kinds(SampleHistory()) == set()


def test_a_delayed_attempt_may_create_its_scan_after_a_later_attempt_was_refused():
    history = SampleHistory()
    history.calls += [
        call("submit", key="k5", status=503),
        call("submit", key="k5", status=409, code="scan_in_progress"),
    ]
    history.scans.append(scan("s5", "completed"))
    history.entries.append(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan="s5"))
    history.balance -= 2
    history.events.append(EventFact("e-s5", W, "scan.completed", "s5", ["succeeded"]))
    history.messages.append(message(history.events[-1]))
    history.stored["k5"] = "s5"
    assert kinds(history) == set()


def test_a_response_is_not_definite_while_its_key_is_in_progress():
    assert not call("submit", status=409, code="idempotency_in_progress").is_definite
    assert not call("submit", status=503).is_definite
    assert not call("submit", status=None).is_definite
    assert call("submit", status=409, code="scan_in_progress").is_definite


def test_a_degraded_read_may_be_outdated():
    history = SampleHistory()
    history.calls.append(call("read", scan="s3", scan_status="completed", degraded=True))
    history.calls.append(call("read", scan="s3", status=404, degraded=True))
    assert kinds(history) == set()


FAULTS = {}


def causes(kind):
    """Register a function that changes a history so that it has a violation of this kind."""

    def register(function):
        FAULTS[kind] = function
        return function

    return register


@causes("key_with_two_scans")
def _(history):
    history.calls.append(call("submit", key="k1", status=202, scan="s2"))


@causes("accepted_scan_lost")
def _(history):
    history.calls.append(call("submit", key="k9", status=202, scan="s9"))


@causes("key_forgot_its_scan")
def _(history):
    history.stored["k1"] = "s7"


@causes("refused_scan_exists")
def _(history):
    history.stored["k4"] = "s3"
    del history.stored["k3"]


@causes("scan_without_key")
def _(history):
    history.scans.append(scan("s9", "completed"))


@causes("scan_not_ended")
def _(history):
    history.change_scan(0, status="running")


@causes("cancel_undone")
def _(history):
    history.change_scan(2, status="completed")


@causes("cancelled_by_nobody")
def _(history):
    history.change_scan(0, status="cancelled")


@causes("scan_not_found")
def _(history):
    history.calls.append(call("read", scan="s1", status=404))


@causes("end_not_final")
def _(history):
    history.calls.append(call("read", scan="s1", scan_status="failed"))


@causes("wrong_debit")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan="s1"))


@causes("debit_without_scan")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan="s9"))


@causes("wrong_refund")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=2, reason="refund", scan="s1"))


@causes("refund_without_scan")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=2, reason="refund", scan="s9"))


@causes("wrong_balance")
def _(history):
    history.balance += 1


@causes("negative_balance")
def _(history):
    history.calls.append(call("balance", balance=-1))


@causes("books")
def _(history):
    history.book_faults.append("the balance is 3, but its entries add up to 2")


@causes("purchase_astray")
def _(history):
    history.attempts[1] = AttemptFact("co_2", W, "unpaid", 10, "paid", "lo_2")


@causes("wrong_purchase")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=10, reason="purchase", payment="lo_1"))


@causes("purchase_without_checkout")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=10, reason="purchase", payment="lo_9"))


@causes("checkout_lost")
def _(history):
    history.calls.append(call("checkout", key="b2", status=201, reference="co_9"))


@causes("answer_twice")
def _(history):
    history.change_scan(0, answers=3, completed=3)


@causes("answers_miscounted")
def _(history):
    history.change_scan(0, completed=1)


@causes("answers_missing")
def _(history):
    history.change_scan(0, answers=1, cells=1, completed=1)


@causes("event_twice")
def _(history):
    history.events.append(EventFact("e-other", W, "scan.completed", "s1", ["succeeded"]))


@causes("event_missing")
def _(history):
    del history.events[0]


@causes("event_wrong")
def _(history):
    history.events.append(EventFact("e-other", W, "scan.failed", "s1", ["succeeded"]))


@causes("signature")
def _(history):
    history.messages.append(message(history.events[0], is_signed=False))


@causes("message_without_event")
def _(history):
    history.messages.append(message(history.events[0], webhook_id="e-unknown"))


@causes("two_webhook_ids")
def _(history):
    history.messages.append(message(history.events[0], webhook_id="e-s2"))


@causes("webhook_not_received")
def _(history):
    history.messages = [sent for sent in history.messages if sent.subject != "s2"]


@causes("delivery_not_recorded")
def _(history):
    history.events[0] = msgspec.structs.replace(history.events[0], deliveries=["pending"])


@causes("lanes_left")
def _(history):
    history.lanes = 1


@causes("job_left")
def _(history):
    history.jobs.append(JobFact("scan.finish", "failed", "finish:s1", 20, is_deferred=False))


@causes("process_fell")
def _(history):
    history.fell.append("api-1 ended with 1")


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_each_kind_of_violation_is_found(kind):
    history = SampleHistory()
    FAULTS[kind](history)
    assert kind in kinds(history)


def test_a_delivery_that_waits_for_its_retry_is_not_a_violation():
    history = SampleHistory()
    history.jobs.append(JobFact("webhook.deliver", "waiting", "webhook:d:2:0", 0, is_deferred=True))
    assert kinds(history) == set()


def test_every_kind_of_violation_has_a_test():
    import re
    from pathlib import Path

    import chaos.checker

    kinds_in_source = set(re.findall(r'Violation\(\s*"(\w+)"', Path(chaos.checker.__file__).read_text()))
    assert kinds_in_source == set(FAULTS)
