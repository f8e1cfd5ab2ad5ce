"""Schemas of facts and claims in the Data API, in files and in forms."""

import uuid
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.facts.models import FactKind, FactRow, FactStatus, FactUnit, FormerValue, Verdict
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ID, TRACKED_DOMAIN_ID, Example
from sightline.kit.structs import convert_struct

_VALUE = (
    "What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`, or `yes` or `no` for "
    "the kinds `product` (is it still sold), `availability`, `certification` and `ability`."
)
_SUBJECT = (
    "What the fact is about: the product or plan, the certificate, what the brand does or does not do, or what is at a "
    "place, such as `headquarters`. Empty for `founded`, and where all products are meant."
)
_STATED = "What the answers state, in a form that is equal for equal statements, such as `USD 40 month`."
Country = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
Value = Annotated[str, Meta(min_length=1, max_length=120)]


class FactInput(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of the brand."""

    kind: Annotated[FactKind, Meta(description="Kind of fact. `ability` is what the brand does or does not do.")]
    subject: Annotated[Annotated[str, Meta(max_length=120)], Meta(description=_SUBJECT)] = ""
    value: Annotated[Value, Meta(description=_VALUE)]
    currency: Annotated[
        Annotated[str, Meta(pattern="^[A-Z]{3}$")] | None, Meta(description="ISO 4217 code; required for a price.")
    ] = None
    unit: Annotated[
        FactUnit | None, Meta(description="What a price is for, such as `month`. Null for a price that is paid once.")
    ] = None
    country: Annotated[
        Country | None,
        Meta(description="ISO code of the country in which it holds; required for availability. Null for everywhere."),
    ] = None
    valid_from: Annotated[date | None, Meta(description="Day from which it is true. Null if it is not known.")] = None
    former: Annotated[
        Annotated[list[FormerValue], Meta(max_length=10)], Meta(description="Values that were true before.")
    ] = []


class FactChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Changes to a fact. A field that you leave out does not change. Each change confirms a proposed fact."""

    value: Annotated[
        Value | msgspec.UnsetType,
        Meta(description=f"{_VALUE} With `valid_from`, the value before becomes a former one."),
    ] = msgspec.UNSET
    valid_from: Annotated[date | msgspec.UnsetType | None, Meta(description="Day from which it is true.")] = (
        msgspec.UNSET
    )
    former: Annotated[
        Annotated[list[FormerValue], Meta(max_length=10)] | msgspec.UnsetType,
        Meta(description="Values that were true before."),
    ] = msgspec.UNSET


class ClaimAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What people say about a statement of answers that seems wrong."""

    stated: Annotated[Value, Meta(description=_STATED)]
    answer: Annotated[
        Literal["right", "changed"],
        Meta(description="`right`: it is right after all. `changed`: it was right until the day `on`."),
    ]
    on: Annotated[date | None, Meta(description="Day on which it changed; required for `changed`.")] = None


class BrandFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of a brand."""

    id: Annotated[uuid.UUID, Meta(description="Id of the fact, used as `fact_id`.")]
    kind: Annotated[FactKind, Meta(description="Kind of fact.")]
    subject: Annotated[str, Meta(description=_SUBJECT)]
    value: Annotated[str, Meta(description=_VALUE)]
    currency: Annotated[str | None, Meta(description="ISO 4217 code of a price. Null for other facts.")]
    unit: Annotated[FactUnit | None, Meta(description="What a price is for. Null if it is paid once.")]
    country: Annotated[str | None, Meta(description="Country in which it holds. Null for everywhere.")]
    valid_from: Annotated[date | None, Meta(description="Day from which it is true. Null if it is not known.")]
    former: Annotated[tuple[FormerValue, ...], Meta(description="Values that were true before.")]
    accepted: Annotated[tuple[str, ...], Meta(description="Other statements that people have said are right, too.")]
    status: Annotated[
        FactStatus,
        Meta(
            description="`proposed`: found on the brand's site; answers are not compared with it until it is confirmed."
        ),
    ]
    source: Annotated[str | None, Meta(description="Page that declares it. Null if a person entered it.")]
    last_updated: Annotated[Timestamp, Meta(description="When the fact last changed.")]


class PlatformAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers of a platform state facts as they are. Answers of which this cannot be told do not count."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    right: Annotated[int, Meta(description="Number of statements that agree with the facts.")]
    stated: Annotated[int, Meta(description="Number of statements that agree, contradict or are outdated.")]
    accuracy_pct: Annotated[float, Meta(description="Share of statements that agree, in percent.")]
    low: Annotated[float, Meta(description="Lower end of the 95% interval, in percent.")]
    high: Annotated[float, Meta(description="Upper end of the 95% interval, in percent.")]


class CitedPage(msgspec.Struct, frozen=True):
    """A page that answers with a wrong statement cite: where it may have to be corrected."""

    url: Annotated[str, Meta(description="Address of the page, without scheme.")]
    answers: Annotated[int, Meta(description="Number of these answers that cite it.")]


class ClaimQuote(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer says, verbatim."""

    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the answer belongs to.")]
    answer_id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]
    platform: Annotated[str, Meta(description="Key of the platform.")]
    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    text: Annotated[str, Meta(description="The passage, with its Markdown.")]
    words: Annotated[str, Meta(description="The part of the passage that states it.")]


class WrongStatement(msgspec.Struct, frozen=True, kw_only=True):
    """Something that answers of the latest Full Check state about a fact, and that is not so."""

    fact_id: Annotated[uuid.UUID, Meta(description="Id of the fact.")]
    kind: Annotated[FactKind, Meta(description="Kind of fact.")]
    subject: Annotated[str, Meta(description=_SUBJECT)]
    truth: Annotated[str, Meta(description="What is true, in the form of `stated`.")]
    stated: Annotated[str, Meta(description=_STATED)]
    verdict: Annotated[Verdict, Meta(description="`contradicts`: it never was true. `outdated`: it was true before.")]
    since: Annotated[Timestamp, Meta(description="Full Check since which answers have stated it without interruption.")]
    answers: Annotated[int, Meta(description="Number of answers of the latest Full Check that state it.")]
    platforms: Annotated[tuple[str, ...], Meta(description="Their platforms, that with most answers first.")]
    sources: Annotated[
        tuple[CitedPage, ...], Meta(description="Pages that these answers cite, the most cited first, at most ten.")
    ]
    quotes: Annotated[tuple[ClaimQuote, ...], Meta(description="What these answers say, at most twenty.")]


class FactAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """What the answers of the latest Full Check state about the facts of a brand."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    scan_id: Annotated[
        uuid.UUID | None,
        Meta(description="Latest Full Check whose answers were compared with the facts. Null if there is none."),
    ]
    checked_at: Annotated[Timestamp | None, Meta(description="When it completed. Null if there is none.")]
    right: Annotated[int, Meta(description="Number of statements that agree with the facts.")]
    wrong: Annotated[int, Meta(description="Number of statements that contradict them or are outdated.")]
    cannot_tell: Annotated[
        int, Meta(description="Number of passages about facts that do not say plainly what they mean.")
    ]
    platforms: Annotated[tuple[PlatformAccuracy, ...], Meta(description="The same by platform.")]
    statements: Annotated[tuple[WrongStatement, ...], Meta(description="What is wrong, by the number of answers.")]


class FactProposals(msgspec.Struct, frozen=True):
    """What was found on the site of the brand."""

    found: Annotated[int, Meta(description="Number of facts that the site declares and that can be compared.")]
    proposed: Annotated[int, Meta(description="Number of those that are new: they wait for a person to confirm them.")]


def to_brand_fact(row: FactRow) -> BrandFact:
    return convert_struct(BrandFact, row, last_updated=to_iso(row.updated_at))


# Examples

_FACT = BrandFact(
    id=uuid.UUID("01990f72-3d10-7a54-9c1e-6b0f2d48a7e5"),
    kind="price",
    subject="Acme Pro",
    value="20",
    currency="USD",
    unit="month",
    country=None,
    valid_from=date(2026, 6, 1),
    former=(FormerValue("15", date(2026, 6, 1)),),
    accepted=(),
    status="confirmed",
    source=None,
    last_updated="2026-11-14T09:30:00.123456+00:00",
)
_ENTERED = {"kind": "price", "subject": "Acme Pro", "value": "20", "currency": "USD", "unit": "month"}
_ACCURACY = FactAccuracy(
    domain_id=TRACKED_DOMAIN_ID,
    scan_id=CHECK_ID,
    checked_at="2026-11-14T09:32:11.395027+00:00",
    right=31,
    wrong=6,
    cannot_tell=9,
    platforms=(
        PlatformAccuracy(platform="chatgpt", right=11, stated=17, accuracy_pct=64.7, low=41.3, high=82.7),
        PlatformAccuracy(platform="perplexity", right=20, stated=20, accuracy_pct=100.0, low=83.9, high=100.0),
    ),
    statements=(
        WrongStatement(
            fact_id=_FACT.id,
            kind="price",
            subject="Acme Pro",
            truth="USD 20 month",
            stated="USD 40 month",
            verdict="contradicts",
            since="2026-11-07T09:31:44.702118+00:00",
            answers=6,
            platforms=("chatgpt",),
            sources=(CitedPage("globex.com/compare/acme", 5),),
            quotes=(
                ClaimQuote(
                    scan_id=CHECK_ID,
                    answer_id=uuid.UUID("01990f73-08c4-7b3f-8e21-5a9d0c6f4b17"),
                    platform="chatgpt",
                    prompt_id=uuid.UUID("01990f68-77a1-7f06-b0d3-2c8e5f91a640"),
                    text="Acme Pro costs $40 per month.",
                    words="$40 per month",
                ),
            ),
        ),
    ),
)
PATH_IDS = {"data": {"fact_id": str(_FACT.id)}}
EXAMPLES = {
    "list_facts": Example(_FACT),
    "enter_domain_fact": Example(_FACT, _ENTERED),
    "change_domain_fact": Example(_FACT, {"value": "20", "valid_from": "2026-06-01"}),
    "answer_domain_claim": Example(_FACT, {"stated": "USD 15 month", "answer": "changed", "on": "2026-06-01"}),
    "propose_domain_facts": Example(FactProposals(found=4, proposed=3)),
    "read_fact_accuracy": Example(_ACCURACY),
}
