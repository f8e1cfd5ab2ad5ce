"""Counted calls: the key by which they are counted, and their totals."""

import uuid
from datetime import date
from decimal import Decimal
from typing import NamedTuple, TypeVar

import msgspec

from sightline.kit.structs import convert_struct
from sightline.platforms.models import PlatformCall

# No call uses or costs more. A larger value is a mistake of the provider and counts as not reported.
_MAX_AMOUNT = 1_000_000_000
_MAX_COST = 10_000.0
Amount = TypeVar("Amount", int, Decimal)


class CostKey(NamedTuple):
    """What calls are counted by. The day is in UTC."""

    workspace_id: uuid.UUID
    day: date
    domain_id: uuid.UUID
    platform: str


class CallTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Sums over calls. A sum is None if no call has reported the value, which is not the same as 0."""

    calls: int = 0
    failed_calls: int = 0
    priced_calls: int = 0
    """Calls whose cost is known, and is part of `cost_usd`."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    searches: int | None = None
    cost_usd: Decimal | None = None
    editor_calls: int = 0
    """The part of `calls` that was for the editor."""
    editor_cost_usd: Decimal | None = None
    answers: int = 0
    """The usable answers that the calls brought, without those of the editor."""
    priced_answers: int = 0
    """Answers whose cost is known."""

    def plus(self, other: "CallTotals") -> "CallTotals":
        return CallTotals(
            calls=self.calls + other.calls,
            failed_calls=self.failed_calls + other.failed_calls,
            priced_calls=self.priced_calls + other.priced_calls,
            input_tokens=_add(self.input_tokens, other.input_tokens),
            output_tokens=_add(self.output_tokens, other.output_tokens),
            searches=_add(self.searches, other.searches),
            cost_usd=_add(self.cost_usd, other.cost_usd),
            editor_calls=self.editor_calls + other.editor_calls,
            editor_cost_usd=_add(self.editor_cost_usd, other.editor_cost_usd),
            answers=self.answers + other.answers,
            priced_answers=self.priced_answers + other.priced_answers,
        )


def _add(one: Amount | None, two: Amount | None) -> Amount | None:
    return one if two is None else two if one is None else one + two


class CostRow(msgspec.Struct, frozen=True):
    """The calls of one domain to one platform on one day."""

    workspace_id: uuid.UUID
    day: date
    domain_id: uuid.UUID
    platform: str
    domain: str
    calls: int
    failed_calls: int
    priced_calls: int
    input_tokens: int | None
    output_tokens: int | None
    searches: int | None
    cost_usd: Decimal | None
    editor_calls: int
    editor_cost_usd: Decimal | None
    answers: int
    priced_answers: int

    @property
    def totals(self) -> CallTotals:
        return convert_struct(CallTotals, self)


def count_call(call: PlatformCall, *, for_editor: bool = False) -> CallTotals:
    """Return the totals of one call."""
    usage, cost = call.usage, call.cost_usd
    known = cost is not None and 0 <= cost <= _MAX_COST
    cost_usd = Decimal(str(cost)) if known else None
    is_answer = call.is_answer and not (for_editor or call.failed)
    return CallTotals(
        calls=call.requests,
        failed_calls=int(call.failed),
        priced_calls=call.requests if known else 0,
        input_tokens=_plausible(usage.input_tokens),
        output_tokens=_plausible(usage.output_tokens),
        searches=_plausible(usage.searches),
        cost_usd=cost_usd,
        editor_calls=call.requests if for_editor else 0,
        editor_cost_usd=cost_usd if for_editor else None,
        answers=int(is_answer),
        priced_answers=int(is_answer and known),
    )


def _plausible(amount: int | None) -> int | None:
    return amount if amount is not None and 0 <= amount <= _MAX_AMOUNT else None
