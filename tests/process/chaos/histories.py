"""A short history without a fault. Each test of the checker breaks one thing in it."""

import msgspec

from chaos.evidence import AttemptFact, EntryFact, EventFact, Evidence, JobFact, ScanFact
from chaos.history import Call
from chaos.receiver import Message

W = "workspace"


def call(kind: str, **members) -> Call:
    return Call(**{"kind": kind, "workspace": W, "began": 1.0, "ended": 2.0, "status": 200, **members})


def scan(name: str, status: str, **members) -> ScanFact:
    answers = 0 if status == "cancelled" else 2
    failed = 2 if status == "failed" else 0
    usual = {
        "was_started": status != "cancelled",
        "charged": 2,
        "total": 2,
        "refunded": 0 if status == "completed" else 2,
        "platforms": 2,
    }
    counts = {"completed": answers - failed, "failed": failed, "answers": answers, "cells": answers}
    return ScanFact(**{"id": name, "workspace": W, "status": status, **usual, **counts, **members})


def message(event: EventFact, **members) -> Message:
    usual = Message(W, event.id, event.type, event.cause, is_signed=True, answered=200)
    return msgspec.structs.replace(usual, **members)


class SampleHistory:
    """Three scans (completed, failed, cancelled before the start), a purchase, and their effects."""

    def __init__(self) -> None:
        self.scans = [scan("s1", "completed"), scan("s2", "failed"), scan("s3", "cancelled")]
        self.calls = [
            call("submit", key="k1", status=None, error="ServerDisconnectedError"),
            call("submit", key="k1", status=202, scan="s1"),
            call("submit", key="k1", status=202, scan="s1", replayed=True),
            call("submit", key="k2", status=202, scan="s2"),
            call("submit", key="k3", status=202, scan="s3"),
            call("submit", key="k4", status=409, code="scan_in_progress"),
            call("cancel", key="c3", scan="s3", scan_status="cancelled"),
            call("read", scan="s1", scan_status="running"),
            call("read", scan="s1", scan_status="completed"),
            call("balance", balance=18),
            call("checkout", key="b1", status=201, reference="co_1"),
        ]
        self.entries = [
            EntryFact(workspace=W, delta=20, reason="promotional_grant"),
            *(EntryFact(workspace=W, delta=-2, reason="scan_consumption", scan=s.id) for s in self.scans),
            EntryFact(workspace=W, delta=2, reason="refund", scan="s2"),
            EntryFact(workspace=W, delta=2, reason="refund", scan="s3"),
            EntryFact(workspace=W, delta=10, reason="purchase", payment="lo_1"),
        ]
        self.events = [EventFact(f"e-{s.id}", W, f"scan.{s.status}", s.id, ["succeeded"]) for s in self.scans]
        self.messages = [message(event) for event in self.events]
        self.messages.append(message(self.events[0], answered=500))
        self.attempts = [
            AttemptFact("co_1", W, "credited", 10, "paid", "lo_1"),
            AttemptFact("co_2", W, "unpaid", 10, None, None),
        ]
        self.stored = {"k1": "s1", "k2": "s2", "k3": "s3"}
        self.jobs: list[JobFact] = []
        self.balance = 28
        self.lanes = 0
        self.book_faults: list[str] = []
        self.fell: list[str] = []

    def change_scan(self, index: int, **members) -> None:
        self.scans[index] = msgspec.structs.replace(self.scans[index], **members)

    def evidence(self) -> Evidence:
        return Evidence(
            scans=self.scans,
            entries=self.entries,
            events=self.events,
            attempts=self.attempts,
            jobs=self.jobs,
            balances={W: self.balance},
            stored=self.stored,
            lanes=self.lanes,
            book_faults=self.book_faults,
            fell=self.fell,
        )
