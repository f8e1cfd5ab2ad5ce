"""The expected state in its simplest form: no queue, no locks, no transactions."""

import msgspec

ENDED = {"completed", "failed", "cancelled"}


class ScanModel(msgspec.Struct):
    id: str
    domain_id: str
    cost: int
    is_doomed: bool
    """All of its answers fail."""
    status: str = "pending"

    @property
    def is_active(self) -> bool:
        return self.status not in ENDED


class Submitted(msgspec.Struct, frozen=True):
    """A request that was accepted with an idempotency key. It can be sent again."""

    key: str
    body: dict
    scan_id: str


class Purchase(msgspec.Struct):
    reference: str
    credits: int
    cents: int
    payment: str | None = None
    reversal: str | None = None
    """The refund or dispute that returned the money to the buyer."""
    is_reversed: bool = False
    credited: int = 0
    """The credits granted for it when we last asked the provider."""
    was_credited: bool = False
    is_replaced: bool = False
    """Another purchase was started while this one was unpaid: it can no longer be paid."""

    @property
    def owed(self) -> int:
        return self.credits if self.payment is not None and not self.is_reversed else 0


class Model:
    def __init__(self, balance: int) -> None:
        self.balance = balance
        self.domains: list[str] = []
        self.scans: dict[str, ScanModel] = {}
        self.submitted: list[Submitted] = []
        self.purchases: list[Purchase] = []

    def active_on(self, domain_id: str) -> ScanModel | None:
        return next((scan for scan in self.scans.values() if scan.is_active and scan.domain_id == domain_id), None)

    @property
    def active(self) -> list[ScanModel]:
        return [scan for scan in self.scans.values() if scan.is_active]

    def expect_submit(self, domain_id: str, cost: int) -> tuple[int, str | None]:
        if self.active_on(domain_id) is not None:
            return 409, "scan_in_progress"
        if self.balance < cost or self.balance < 0:
            return 402, "insufficient_credits"
        return 202, None

    def accept(self, scan: ScanModel) -> None:
        self.scans[scan.id] = scan
        self.balance -= scan.cost

    def cancel(self, scan: ScanModel) -> None:
        """Cancel a scan. Credits are refunded only if it has not started."""
        if scan.status == "pending":
            self.balance += scan.cost
        scan.status = "cancelled"

    def move(self, scan: ScanModel, status: str) -> None:
        """Record a status that the worker has set. A scan only moves forward, to the end that its prompts decide."""
        order = ["pending", "running", "failed" if scan.is_doomed else "completed"]
        assert status in order, f"{scan.id} became {status}"
        assert order.index(status) >= order.index(scan.status), f"{scan.id} went back from {scan.status} to {status}"
        if status == "failed" and scan.status != "failed":
            self.balance += scan.cost
        scan.status = status

    def settle(self, purchase: Purchase) -> None:
        """Record that the provider was asked: the account now has the credits that the payment is worth."""
        self.balance += purchase.owed - purchase.credited
        purchase.credited = purchase.owed
        purchase.was_credited = purchase.was_credited or purchase.payment is not None
