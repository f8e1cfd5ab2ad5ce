"""Compares what the clients saw and the receiver got with the database, without side effects."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from chaos.evidence import Evidence, ScanFact
from chaos.history import Call
from chaos.receiver import Message
from sightline.webhooks.deliveries.models import JOB as DELIVERY

_ENDED = {"completed", "failed", "cancelled"}


class Violation(msgspec.Struct, frozen=True):
    kind: str
    detail: str


def find_violations(calls: Sequence[Call], messages: Sequence[Message], evidence: Evidence) -> list[Violation]:
    checks = (
        _check_keys(calls, evidence),
        _check_ends(evidence),
        _check_cancels(calls, evidence),
        _check_reads(calls, evidence),
        _check_debits(evidence),
        _check_refunds(evidence),
        _check_balances(calls, evidence),
        _check_purchases(calls, evidence),
        _check_answers(evidence),
        _check_events(evidence),
        _check_messages(messages, evidence),
        _check_rest(evidence),
    )
    return [violation for check in checks for violation in check]


def _check_keys(calls: Sequence[Call], evidence: Evidence) -> Iterator[Violation]:
    """Check that a key has at most one scan, the one reported to its client, and that every scan has a key.

    A refusal frees its key, so an attempt that got stuck before may still be executed afterwards. Such a scan belongs
    to its key if one of the attempts had no definite answer.
    """
    by_key: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        if call.kind == "submit" and call.key is not None:
            by_key[call.key].append(call)
    for key, attempts in by_key.items():
        yield from _check_key(key, attempts, evidence.stored.get(key), {scan.id for scan in evidence.scans})
    owners = Counter(evidence.stored.values())
    for scan in evidence.scans:
        if owners[scan.id] != 1:
            yield Violation("scan_without_key", f"{scan.id} belongs to {owners[scan.id]} keys")


def _check_key(key: str, attempts: Sequence[Call], stored: str | None, scans: set[str]) -> Iterator[Violation]:
    told = {call.scan for call in attempts if call.is_accepted}
    if len(told) > 1:
        yield Violation("key_with_two_scans", f"{key} was told {sorted(map(str, told))}")
    for scan in told:
        if scan not in scans:
            yield Violation("accepted_scan_lost", f"{scan} of {key} was accepted and is not there")
        elif scan != stored:
            yield Violation("key_forgot_its_scan", f"{key} was told {scan}, and its stored response says {stored}")
    if stored is not None and not told and all(call.is_definite for call in attempts):
        yield Violation("refused_scan_exists", f"{stored} of {key}, although every attempt was refused")


def _check_ends(evidence: Evidence) -> Iterator[Violation]:
    for scan in evidence.scans:
        if scan.status not in _ENDED:
            yield Violation("scan_not_ended", f"{scan.id} is {scan.status}")


def _check_cancels(calls: Sequence[Call], evidence: Evidence) -> Iterator[Violation]:
    status = {scan.id: scan.status for scan in evidence.scans}
    tried = {call.scan for call in calls if call.kind == "cancel" and (call.is_accepted or not call.is_definite)}
    for call in calls:
        if call.kind == "cancel" and call.is_accepted and status.get(call.scan or "") != "cancelled":
            yield Violation("cancel_undone", f"{call.scan} was cancelled and is {status.get(call.scan or '')}")
    for scan, state in status.items():
        if state == "cancelled" and scan not in tried:
            yield Violation("cancelled_by_nobody", scan)


def _check_reads(calls: Sequence[Call], evidence: Evidence) -> Iterator[Violation]:
    """Check that later reads find every accepted scan, and that an end is final. Marked copies may be old."""
    final = {scan.id: scan.status for scan in evidence.scans}
    for call in calls:
        if call.kind != "read" or call.degraded or call.scan is None:
            continue
        if call.status == 404:
            yield Violation("scan_not_found", f"{call.scan} at {call.began:.2f} s")
        elif call.scan_status in _ENDED and final.get(call.scan, call.scan_status) != call.scan_status:
            yield Violation("end_not_final", f"{call.scan} was {call.scan_status} and is {final[call.scan]}")


def _check_debits(evidence: Evidence) -> Iterator[Violation]:
    """Check that every debit has a scan, and every scan one debit in full."""
    debits: dict[str | None, list[int]] = defaultdict(list)
    for entry in evidence.entries:
        if entry.reason == "scan_consumption":
            debits[entry.scan].append(-entry.delta)
    for scan in evidence.scans:
        if debits.pop(scan.id, []) != ([scan.charged] if scan.charged else []):
            yield Violation("wrong_debit", f"{scan.id} costs {scan.charged}")
    for scan_id, amounts in debits.items():
        yield Violation("debit_without_scan", f"{amounts} for {scan_id}")


def _check_refunds(evidence: Evidence) -> Iterator[Violation]:
    refunds: dict[str | None, list[int]] = defaultdict(list)
    for entry in evidence.entries:
        if entry.reason == "refund" and entry.payment is None:
            refunds[entry.scan].append(entry.delta)
    for scan in evidence.scans:
        expected = _expected_refunds(scan)
        found = refunds.pop(scan.id, [])
        if found != expected:
            yield Violation("wrong_refund", f"{scan.id} is {scan.status}: refunds {found}, expected {expected}")
    for scan_id, amounts in refunds.items():
        yield Violation("refund_without_scan", f"{amounts} for {scan_id}")


def _expected_refunds(scan: ScanFact) -> list[int]:
    """Return the whole charge of a scan that failed or never started, else one share per refunded platform."""
    if scan.status == "failed" or (scan.status == "cancelled" and not scan.was_started):
        return [scan.charged] if scan.charged else []
    share = scan.charged // scan.platforms
    return [share] * (scan.refunded // share) if share and scan.status == "completed" else []


def _check_balances(calls: Sequence[Call], evidence: Evidence) -> Iterator[Violation]:
    sums: Counter[str] = Counter()
    for entry in evidence.entries:
        sums[entry.workspace] += entry.delta
    for workspace, balance in evidence.balances.items():
        if balance != sums[workspace]:
            yield Violation("wrong_balance", f"{workspace} has {balance}, its entries add up to {sums[workspace]}")
        if balance < 0:
            yield Violation("negative_balance", f"{workspace} has {balance}")
    for call in calls:
        if call.balance is not None and call.balance < 0:
            yield Violation("negative_balance", f"{call.workspace} was told {call.balance} at {call.began:.2f} s")
    for fault in evidence.book_faults:
        yield Violation("books", fault)


def _check_purchases(calls: Sequence[Call], evidence: Evidence) -> Iterator[Violation]:
    """Check that a paid checkout is credited once, and an unpaid one is not."""
    purchases = Counter(entry.payment for entry in evidence.entries if entry.reason == "purchase")
    known = set()
    for attempt in evidence.attempts:
        known.add(attempt.payment)
        paid = attempt.order_status == "paid"
        if paid != (attempt.status == "credited"):
            yield Violation(
                "purchase_astray", f"{attempt.reference} is {attempt.status}, its order {attempt.order_status}"
            )
        if paid and purchases[attempt.payment] != 1:
            yield Violation("wrong_purchase", f"{attempt.reference} was credited {purchases[attempt.payment]} times")
    for payment in purchases.keys() - known:
        yield Violation("purchase_without_checkout", str(payment))
    references = {attempt.reference for attempt in evidence.attempts}
    for call in calls:
        if call.kind == "checkout" and call.is_accepted and call.reference not in references:
            yield Violation("checkout_lost", str(call.reference))


def _check_answers(evidence: Evidence) -> Iterator[Violation]:
    for scan in evidence.scans:
        if scan.answers != scan.cells:
            yield Violation("answer_twice", f"{scan.id} has {scan.answers} answers to {scan.cells} cells")
        if scan.completed + scan.failed != scan.answers:
            yield Violation("answers_miscounted", f"{scan.id} counts {scan.completed}+{scan.failed} of {scan.answers}")
        if scan.status in {"completed", "failed"} and scan.answers != scan.total:
            yield Violation("answers_missing", f"{scan.id} is {scan.status} with {scan.answers} of {scan.total}")


def _check_events(evidence: Evidence) -> Iterator[Violation]:
    """Check that each end of a scan has one event, and that there are no others."""
    causes = Counter((event.workspace, event.type, event.cause) for event in evidence.events)
    for (_, kind, cause), count in causes.items():
        if count > 1:
            yield Violation("event_twice", f"{kind} of {cause}: {count} times")
    ends = {(event.type, event.cause) for event in evidence.events if event.type.startswith("scan.")}
    expected = {(f"scan.{scan.status}", scan.id) for scan in evidence.scans if scan.status in _ENDED}
    for kind, cause in expected - ends:
        yield Violation("event_missing", f"{kind} of {cause}")
    for kind, cause in ends - expected:
        yield Violation("event_wrong", f"{kind} of {cause}")


def _check_messages(messages: Sequence[Message], evidence: Evidence) -> Iterator[Violation]:
    """Check that every event reached its receiver under its own id and signed."""
    known = {event.id: event for event in evidence.events}
    taken = {message.webhook_id for message in messages if message.answered == 200}
    ids: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for message in messages:
        if not message.is_signed:
            yield Violation("signature", f"{message.type} {message.webhook_id}")
        event = known.get(message.webhook_id)
        if event is None or (event.workspace, event.type) != (message.workspace, message.type):
            yield Violation("message_without_event", f"{message.type} {message.webhook_id}")
        if message.type.startswith("scan."):
            ids[message.type, message.subject].add(message.webhook_id)
    for (kind, subject), found in ids.items():
        if len(found) > 1:
            yield Violation("two_webhook_ids", f"{kind} of {subject}: {sorted(found)}")
    for event in evidence.events:
        if event.id not in taken:
            yield Violation("webhook_not_received", f"{event.type} of {event.cause}: {event.deliveries}")
        elif event.deliveries != ["succeeded"]:
            yield Violation("delivery_not_recorded", f"{event.type} of {event.cause}: {event.deliveries}")


def _check_rest(evidence: Evidence) -> Iterator[Violation]:
    if evidence.lanes:
        yield Violation("lanes_left", f"{evidence.lanes} rows")
    for job in evidence.jobs:
        if not (job.kind == DELIVERY and job.status == "waiting" and job.is_deferred):
            yield Violation("job_left", f"{job.kind} {job.key} is {job.status} after {job.attempts} attempts")
    for name in evidence.fell:
        yield Violation("process_fell", name)
