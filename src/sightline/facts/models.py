"""Facts of a brand, and claims of answers about them."""

import uuid
from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

FactKind = Literal["price", "founded", "place", "product", "availability", "certification", "ability"]
"""`ability`: what the brand does or does not do. The subject says which one, also for all other kinds."""
FactUnit = Literal["month", "year", "user_month", "user_year"]
FactStatus = Literal["proposed", "confirmed"]
Verdict = Literal["agrees", "contradicts", "outdated", "cannot_tell"]
Manner = Literal["states", "denies", "unclear"]
"""How the editor reads a claim: it says that something is so, that it is not, or neither for certain."""
YES_OR_NO: frozenset[FactKind] = frozenset({"product", "availability", "certification", "ability"})
WRONG: frozenset[Verdict] = frozenset({"contradicts", "outdated"})
SAID: frozenset[Verdict] = WRONG | {"agrees"}


class FormerValue(msgspec.Struct, frozen=True):
    """A value that was true once. Answers that state it are outdated, and do not contradict."""

    value: Annotated[Annotated[str, Meta(min_length=1, max_length=120)], Meta(description="The former value.")]
    until: Annotated[
        date | None, Meta(description="Day from which it was no longer true. Null if it is not known.")
    ] = None


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of a brand. The value is an amount, a year, a place, or `yes` or `no`."""

    id: uuid.UUID
    kind: FactKind
    subject: str
    """The product, plan, certificate or ability; for places, what is there: `headquarters`. Empty for `founded`."""
    value: str
    currency: str | None = None
    unit: FactUnit | None = None
    country: str | None = None
    """ISO code of the country in which it holds; None for everywhere. Availability is always in a country."""
    valid_from: date | None = None
    former: tuple[FormerValue, ...] = ()
    accepted: tuple[str, ...] = ()
    """Statements that people have said are right, too."""

    def name_former(self, day: date) -> tuple[str, ...]:
        """Return the values that were true before a day and no longer are."""
        return tuple(each.value for each in self.former if each.until is None or each.until <= day)

    @property
    def is_own_product(self) -> bool:
        return self.kind in ("price", "product", "availability")


class FactRow(Fact, frozen=True, kw_only=True):
    """A row of `brand_facts`."""

    status: FactStatus = "confirmed"
    source: str | None = None
    """The page that it was taken from; None if a person entered it."""
    changed_by: str | None = None
    updated_at: datetime


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says about a fact, with the verdict of the comparison."""

    fact_id: uuid.UUID
    answer_id: uuid.UUID
    prompt_id: uuid.UUID
    platform: str
    verdict: Verdict
    stated: str | None
    """What it says, in a form that is equal for equal statements: `USD 20 month`. None if that cannot be read."""
    passage: str
    words: str
    """The part of the passage that the editor pointed at."""
    sources: tuple[str, ...] = ()
    """The pages that the answer cites, without scheme."""


class CheckedClaims(msgspec.Struct, frozen=True):
    """The claims of the answers of one Full Check."""

    scan_id: uuid.UUID
    claims: tuple[Claim, ...]


class ClaimCount(msgspec.Struct, frozen=True):
    """How many answers of a Full Check state the same wrong thing about a fact."""

    scan_id: uuid.UUID
    fact_id: uuid.UUID
    stated: str
    answers: int
