"""The one caller of the editor: puts requests to its platform, within what they may cost, and stores the replies.

An equal request is asked once: its stored reply is the same for ever, also after a crash. One line is logged for each
request that is sent.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
import structlog
from prometheus_client import Counter as CounterMetric

from sightline.insights.editor.requests import EditorRequest, RequestKind
from sightline.platforms.models import OUTAGES, Outcome
from sightline.scans.editor_platform import EditorPlatform

log = structlog.get_logger()

AT_ONCE = 4
MOST_REQUESTS = 200
"""For each Full Check, whatever they cost."""
COST_SHARE = 0.05
"""The part of a check's own cost that its edition may cost."""
FEWEST_REQUESTS = 8
"""Where costs are not known."""
_MOST_OUTAGES = 3  # in one round: the platform is down
_REPLY_TOKENS: Mapping[RequestKind, int] = {
    "sorting": 600,
    "names": 2_500,
    "themes": 1_500,
    "wording": 2_000,
    "claims": 1_500,
}
_USUAL_REPLY_TOKENS = 1_000
_REQUESTS = CounterMetric(
    "sightline_editor_requests", "Requests to the editor by kind and outcome.", ["platform", "kind", "outcome"]
)

Left = Literal["budget", "failed", "outage", "later"]
"""Why a request has no reply: it would cost too much, the platform refused it or is down, or time was up."""


class StoredReply(msgspec.Struct, frozen=True, kw_only=True):
    """A reply, and what it took to get it."""

    request: EditorRequest
    text: str
    model: str | None
    latency_ms: int
    cost_usd: float | None


class ReplyStore(Protocol):
    """Keeps replies, by request and editor."""

    async def find(self, requests: Sequence[EditorRequest]) -> dict[str, str]:
        """Return the replies that are stored, by the key of the request."""
        ...

    async def save(self, reply: StoredReply) -> str:
        """Store a reply, and return the one that counts: the first that was stored."""
        ...


class EditionLimit(NamedTuple):
    """The most that an edition may cost, if that is known, and the most requests that it may send."""

    cost_usd: float | None
    requests: int


def limit_edition(answers: int, cost_usd: float | None) -> EditionLimit:
    """Return the limit for a check with so many answers, which cost so much. None: their cost or ours is not known."""
    if cost_usd is not None:
        return EditionLimit(COST_SHARE * cost_usd, MOST_REQUESTS)
    return EditionLimit(None, min(MOST_REQUESTS, max(FEWEST_REQUESTS, round(COST_SHARE * answers))))


class Budget:
    """What the requests of one edition may still cost."""

    def __init__(self, editor: EditorPlatform, limit_usd: float | None, requests: int = MOST_REQUESTS) -> None:
        self._editor, self._limit, self._requests = editor, limit_usd, requests
        self.cost_usd = 0.0

    @classmethod
    def of_check(cls, editor: EditorPlatform, costs: Sequence[float | None]) -> "Budget":
        """Return the budget of a check whose answers cost so much.

        Where a cost or the prices are not known, the number of requests is limited instead. The sandbox costs nothing.
        """
        if editor.clients.source == "sandbox":
            return cls(editor, None)
        known = [cost for cost in costs if cost is not None]
        is_known = known and len(known) == len(costs) and editor.estimate_cost(0, 0) is not None
        return cls(editor, *limit_edition(len(costs), sum(known) if is_known else None))

    def count(self, requests: int, cost_usd: float) -> None:
        """Count requests that an interrupted run of the same edition has sent."""
        self._requests -= requests
        self.cost_usd += cost_usd

    def estimate(self, request: EditorRequest) -> float:
        tokens = _REPLY_TOKENS.get(request.kind, _USUAL_REPLY_TOKENS)
        return self._editor.estimate_cost(len(request.text), tokens) or 0.0

    def allows(self, requests: Sequence[EditorRequest]) -> bool:
        cost = self.cost_usd + sum(map(self.estimate, requests))
        return len(requests) <= self._requests and (self._limit is None or cost <= self._limit)

    def reserve(self, request: EditorRequest) -> float | None:
        """Return the reserved amount, or None if the request would cost too much."""
        if not self.allows([request]):
            return None
        estimate = self.estimate(request)
        self._requests -= 1
        self.cost_usd += estimate
        return estimate

    def settle(self, reserved: float, cost_usd: float | None) -> None:
        """Replace a reserved amount by what the request cost, if that is known."""
        if cost_usd is not None:
            self.cost_usd += cost_usd - reserved


class PlatformEditor:
    """Puts requests to a platform. `left` counts those without a reply, by their reason and kind."""

    def __init__(
        self,
        editor: EditorPlatform,
        replies: ReplyStore | None = None,
        budget: Budget | None = None,
        *,
        seconds: float = math.inf,
    ) -> None:
        """Open the caller. After `seconds`, it sends no more requests."""
        self._editor, self._replies = editor, replies
        self._deadline = time.monotonic() + seconds
        self.budget = budget or Budget(editor, None)
        self.left: Counter[tuple[Left, RequestKind]] = Counter()
        self.fault: str | None = None
        """What went wrong last."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._outages = 0

    @property
    def name(self) -> str:
        return self._editor.name

    def has_left(self, reason: Left) -> bool:
        return any(each == reason for each, _ in self.left)

    async def can_ask(self, requests: Sequence[EditorRequest]) -> bool:
        """Return whether all of the requests can have a reply. If not, they count as left for their cost."""
        stored = await self._replies.find(requests) if self._replies else {}
        missing = [each for each in requests if each.key not in stored]
        if self.budget.allows(missing):
            return True
        for each in missing:
            self._leave("budget", each)
        return False

    async def ask(self, requests: Sequence[EditorRequest]) -> list[str | None]:
        stored = await self._replies.find(requests) if self._replies else {}
        self._outages = 0
        missing = [each for each in dict.fromkeys(requests) if each.key not in stored]
        replies = await asyncio.gather(*map(self._ask_one, missing))
        found = stored | dict(zip((each.key for each in missing), replies, strict=True))
        return [found[each.key] for each in requests]

    async def _ask_one(self, request: EditorRequest) -> str | None:
        async with self._places:
            if self._outages >= _MOST_OUTAGES:
                self._leave("outage", request)
                return None
            if time.monotonic() > self._deadline:
                self._leave("later", request)
                return None
            reserved = self.budget.reserve(request)
            if reserved is None:
                self._leave("budget", request)
                return None
            outcome = await self._editor.ask(request.text)
        self.budget.settle(reserved, outcome.cost_usd)
        self._note(request, outcome)
        if outcome.status != "ok":
            self.fault = outcome.fault.message if outcome.fault else outcome.status
            is_outage = outcome.fault is not None and outcome.fault.kind in OUTAGES
            self._outages += is_outage
            self._leave("outage" if is_outage else "failed", request)
            return None
        reply = StoredReply(
            request=request,
            text=outcome.answer.text,
            model=outcome.answer.model,
            latency_ms=outcome.latency_ms,
            cost_usd=outcome.cost_usd,
        )
        return await self._replies.save(reply) if self._replies else reply.text

    def _leave(self, reason: Left, request: EditorRequest) -> None:
        self.left[reason, request.kind] += 1

    def _note(self, request: EditorRequest, outcome: Outcome) -> None:
        result = outcome.fault.kind if outcome.fault else outcome.status
        _REQUESTS.labels(outcome.platform, request.kind, result).inc()
        if self._replies is None:
            return  # a command says itself what it did
        log.info(
            "editor_asked",
            request=request.key,
            editor=self.name,
            outcome=result,
            latency_ms=outcome.latency_ms,
            cost_usd=outcome.cost_usd,
        )
