"""The checker says nothing of a history in which all went well, and notices each thing that can go wrong."""

import msgspec
import pytest

from chaos.checker import find_violations
from chaos.evidence import AttemptFact, EntryFact, EventFact, JobFact
from tests.process.chaos.histories import SampleHistory, W, call, message, scan


def kinds(history: SampleHistory) -> set[str]:
    return {violation.kind for violation in find_violations(history.calls, history.messages, history.evidence())}


def test_a_history_in_which_all_went_well_has_no_violation():
    assert kinds(SampleHistory()) == set()


def test_a_scan_of_a_stuck_attempt_may_appear_after_its_key_was_refused():
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


def test_a_key_that_is_still_in_progress_is_no_definite_answer():
    assert not call("submit", status=409, code="idempotency_in_progress").is_definite
    assert not call("submit", status=503).is_definite
    assert not call("submit", status=None).is_definite
    assert call("submit", status=409, code="scan_in_progress").is_definite


def test_a_read_of_a_marked_copy_may_be_old():
    history = SampleHistory()
    history.calls.append(call("read", scan="s3", scan_status="completed", degraded=True))
    history.calls.append(call("read", scan="s3", status=404, degraded=True))
    assert kinds(history) == set()


def spoil(name):
    def keep(function):
        SPOILERS[name] = function
        return function

    return keep


SPOILERS = {}


@spoil("key_with_two_scans")
def _(history):
    history.calls.append(call("submit", key="k1", status=202, scan="s2"))


@spoil("accepted_scan_lost")
def _(history):
    history.calls.append(call("submit", key="k9", status=202, scan="s9"))


@spoil("key_forgot_its_scan")
def _(history):
    history.stored["k1"] = "s7"


@spoil("refused_scan_exists")
def _(history):
    history.stored["k4"] = "s3"
    del history.stored["k3"]


@spoil("scan_without_key")
def _(history):
    history.scans.append(scan("s9", "completed"))


@spoil("scan_not_ended")
def _(history):
    history.change_scan(0, status="running")


@spoil("cancel_undone")
def _(history):
    history.change_scan(2, status="completed")


@spoil("cancelled_by_nobody")
def _(history):
    history.change_scan(0, status="cancelled")


@spoil("scan_not_found")
def _(history):
    history.calls.append(call("read", scan="s1", status=404))


@spoil("end_not_final")
def _(history):
    history.calls.append(call("read", scan="s1", scan_status="failed"))


@spoil("wrong_debit")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan="s1"))


@spoil("debit_without_scan")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan="s9"))


@spoil("wrong_refund")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=2, reason="refund", scan="s1"))


@spoil("refund_without_scan")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=2, reason="refund", scan="s9"))


@spoil("wrong_balance")
def _(history):
    history.balance += 1


@spoil("negative_balance")
def _(history):
    history.calls.append(call("balance", balance=-1))


@spoil("books")
def _(history):
    history.book_faults.append("the balance is 3, but its entries add up to 2")


@spoil("purchase_astray")
def _(history):
    history.attempts[1] = AttemptFact("co_2", W, "unpaid", 10, "paid", "lo_2")


@spoil("wrong_purchase")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=10, reason="purchase", payment="lo_1"))


@spoil("purchase_without_checkout")
def _(history):
    history.entries.append(EntryFact(workspace=W, delta=10, reason="purchase", payment="lo_9"))


@spoil("checkout_lost")
def _(history):
    history.calls.append(call("checkout", key="b2", status=201, reference="co_9"))


@spoil("answer_twice")
def _(history):
    history.change_scan(0, answers=3, completed=3)


@spoil("answers_miscounted")
def _(history):
    history.change_scan(0, completed=1)


@spoil("answers_missing")
def _(history):
    history.change_scan(0, answers=1, cells=1, completed=1)


@spoil("event_twice")
def _(history):
    history.events.append(EventFact("e-other", W, "scan.completed", "s1", ["succeeded"]))


@spoil("event_missing")
def _(history):
    del history.events[0]


@spoil("event_wrong")
def _(history):
    history.events.append(EventFact("e-other", W, "scan.failed", "s1", ["succeeded"]))


@spoil("signature")
def _(history):
    history.messages.append(message(history.events[0], is_signed=False))


@spoil("message_without_event")
def _(history):
    history.messages.append(message(history.events[0], webhook_id="e-unknown"))


@spoil("two_webhook_ids")
def _(history):
    history.messages.append(message(history.events[0], webhook_id="e-s2"))


@spoil("webhook_not_received")
def _(history):
    history.messages = [one for one in history.messages if one.subject != "s2"]


@spoil("delivery_not_recorded")
def _(history):
    history.events[0] = msgspec.structs.replace(history.events[0], deliveries=["pending"])


@spoil("lanes_left")
def _(history):
    history.lanes = 1


@spoil("job_left")
def _(history):
    history.jobs.append(JobFact("scan.finish", "failed", "finish:s1", 20, is_deferred=False))


@spoil("process_fell")
def _(history):
    history.fell.append("api-1 ended with 1")


@pytest.mark.parametrize("name", sorted(SPOILERS))
def test_it_notices(name):
    history = SampleHistory()
    SPOILERS[name](history)
    assert name in kinds(history)


def test_a_delivery_that_waits_for_its_retry_is_no_job_left_behind():
    history = SampleHistory()
    history.jobs.append(JobFact("webhook.deliver", "queued", "webhook:d:2:0", 0, is_deferred=True))
    assert kinds(history) == set()


def test_every_kind_of_violation_has_its_spoiler():
    import re
    from pathlib import Path

    import chaos.checker

    named = set(re.findall(r'Violation\(\s*"(\w+)"', Path(chaos.checker.__file__).read_text()))
    assert named == set(SPOILERS)
