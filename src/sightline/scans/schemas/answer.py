"""Schema of a stored answer, with everything that the results of its scan are computed from."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.answers.candidates import Candidate
from sightline.answers.models import (
    ANSWER_STANCE_MEANING,
    MENTIONED_MEANING,
    BrandAnalysis,
    Citation,
    Occurrence,
    Stance,
)
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, CHECKED_PROMPT, Example
from sightline.kit.structs import convert_struct
from sightline.metrics.observation import SURFACE_MEANING, Status, Surface
from sightline.platforms.models import Fault, ProductCard, Source, Span, Usage
from sightline.scans.models import ScanPrompt
from sightline.scans.schemas.scan import EXAMPLE_SCAN_ID
from sightline.scans.stored import AnswerRow, decode_record


class AnswerBrand(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says about one brand. Console scans do not measure sentiment."""

    name: Annotated[str, Meta(description="Name of the brand.")]
    is_own: Annotated[bool, Meta(description="True for the measured brand.")]
    mentioned: Annotated[bool, Meta(description=MENTIONED_MEANING)]
    cited: Annotated[bool, Meta(description="Whether the answer cites a page of the brand.")]
    position: Annotated[
        int | None,
        Meta(description="Rank of the brand among the brands in the answer, 1 is first. Null if it has none."),
    ]
    stance: Annotated[
        Stance | None,
        Meta(description=ANSWER_STANCE_MEANING),
    ]
    occurrences: Annotated[tuple[Occurrence, ...], Meta(description="Every place in the text that names the brand.")]
    cited_urls: Annotated[
        tuple[str, ...], Meta(description="Normalized addresses of the brand's pages that the answer cites.")
    ]


class AnswerProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where an answer comes from and how it was obtained."""

    surface: Annotated[Surface, Meta(description=SURFACE_MEANING)]
    vendor: Annotated[str, Meta(description="Company whose API was called, such as `openai`.")]
    model_asked: Annotated[str | None, Meta(description="Model that was requested. Null if there is no choice.")]
    model_served: Annotated[
        str | None, Meta(description="Model that answered. Null if the platform does not report it.")
    ]
    country_honoured: Annotated[
        bool | None,
        Meta(description="Whether the platform took the country into account. Null if no country was requested."),
    ]
    tool_version: Annotated[
        str | None, Meta(description="Version of the platform's search tool. Null if the platform does not report it.")
    ]
    request_id: Annotated[str | None, Meta(description="The platform's own id of the request. Null if it gives none.")]
    usage: Annotated[Usage, Meta(description="Resources that the request used.")]
    latency_ms: Annotated[int, Meta(description="Duration of the last attempt in milliseconds.")]
    attempts: Annotated[int, Meta(description="Number of attempts.")]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a scan. The results of the analysis are null or empty unless the status is `ok`."""

    id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Scan that the answer belongs to.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language: Annotated[
        str | None,
        Meta(description="Language that the prompt was asked in. Null if none was set, as in every scan on demand."),
    ]
    country: Annotated[
        str | None,
        Meta(description="Country that the prompt was asked from. Null if none was set, as in every scan on demand."),
    ]
    platform: Annotated[str, Meta(description="Key of the platform.")]
    status: Annotated[Status, Meta(description="`ok`, `no_surface` (no AI answer was shown) or `failed`.")]
    text: Annotated[str, Meta(description="Answer as the platform gave it. Empty unless the status is `ok`.")]
    cited_sources: Annotated[tuple[Source, ...], Meta(description="Pages that the answer cites.")]
    retrieved_sources: Annotated[
        tuple[Source, ...], Meta(description="Pages that the platform retrieved without citing them.")
    ]
    queries: Annotated[tuple[str, ...], Meta(description="Searches that the platform derived from the prompt.")]
    products: Annotated[
        tuple[ProductCard, ...], Meta(description="Product cards that the app shows with the answer, in their order.")
    ]
    fault: Annotated[Fault | None, Meta(description="Why the answer failed. Null otherwise.")]
    mentioned: Annotated[bool | None, Meta(description=f"{MENTIONED_MEANING} Null unless the status is `ok`.")]
    cited: Annotated[
        bool | None, Meta(description="Whether the answer cites a page of the brand. Null unless the status is `ok`.")
    ]
    position: Annotated[
        int | None,
        Meta(description="Rank of the brand among the brands in the answer, 1 is first. Null if it has none."),
    ]
    stance: Annotated[
        Stance | None,
        Meta(description=ANSWER_STANCE_MEANING),
    ]
    brands: Annotated[
        tuple[AnswerBrand, ...],
        Meta(
            description="What the answer says about the measured brand, which comes first, and about each competitor."
        ),
    ]
    citations: Annotated[
        tuple[Citation, ...], Meta(description="Cited pages after normalization, each once, as the metrics count them.")
    ]
    candidates: Annotated[
        tuple[Candidate, ...],
        Meta(
            description="Names in the answer that look like brands, but are neither the measured brand nor one of its "
            "competitors."
        ),
    ]
    provenance: Annotated[AnswerProvenance, Meta(description="Where the answer comes from.")]
    answered_at: Annotated[Timestamp, Meta(description="When the answer was stored.")]


def to_answer(row: AnswerRow, prompt: ScanPrompt) -> Answer:
    record = decode_record(row.record)
    analysis = record.analysis
    own = analysis.brands[0] if analysis else None
    return Answer(
        id=row.id,
        scan_id=row.scan_id,
        prompt=prompt.text,
        language=prompt.language,
        country=row.country,
        platform=row.platform,
        status=row.status,
        text=row.text,
        cited_sources=record.cited,
        retrieved_sources=record.retrieved,
        queries=record.queries,
        products=record.products,
        fault=record.fault,
        mentioned=own.mentioned if own else None,
        cited=own.cited if own else None,
        position=own.rank if own else None,
        stance=own.stance if own else None,
        brands=tuple(_to_answer_brand(brand, is_own=brand is own) for brand in (analysis.brands if analysis else ())),
        citations=analysis.citations if analysis else (),
        candidates=record.candidates,
        provenance=convert_struct(AnswerProvenance, record.provenance),
        answered_at=to_iso(row.answered_at),
    )


def _to_answer_brand(analysis: BrandAnalysis, *, is_own: bool) -> AnswerBrand:
    return convert_struct(AnswerBrand, analysis, is_own=is_own, position=analysis.rank)


# Examples

EXAMPLE_ANSWER_ID = uuid.UUID("01990f70-44b7-7d18-92e5-06af3c71d9b4")
PATH_IDS = {"console": {"answer_id": str(EXAMPLE_ANSWER_ID)}, "data": {"answer_id": str(CHECK_ANSWER_ID)}}
_ANSWER = Answer(
    id=EXAMPLE_ANSWER_ID,
    scan_id=EXAMPLE_SCAN_ID,
    prompt=CHECKED_PROMPT,
    language=None,
    country=None,
    platform="chatgpt",
    status="ok",
    text="1. Acme: light and quiet.\n2. Globex: heavier, and cheaper.",
    cited_sources=(
        Source("https://acme.com/anvils", "Anvils", (Span(0, 25),)),
        Source("https://forgenotes.com/anvils", None, (Span(26, 58),)),
    ),
    retrieved_sources=(),
    queries=("best anvil small forge",),
    products=(),
    fault=None,
    mentioned=True,
    cited=True,
    position=1,
    stance="neutral",
    brands=(
        AnswerBrand(
            name="Acme",
            is_own=True,
            mentioned=True,
            cited=True,
            position=1,
            stance="neutral",
            occurrences=(Occurrence(3, 7, "Acme", "neutral"),),
            cited_urls=("acme.com/anvils",),
        ),
        AnswerBrand(
            name="Globex",
            is_own=False,
            mentioned=True,
            cited=False,
            position=2,
            stance="neutral",
            occurrences=(Occurrence(29, 35, "Globex", "neutral"),),
            cited_urls=(),
        ),
    ),
    citations=(
        Citation("acme.com/anvils", "acme.com", "acme.com"),
        Citation("forgenotes.com/anvils", "forgenotes.com", "forgenotes.com"),
    ),
    candidates=(),
    provenance=AnswerProvenance(
        surface="sandbox",
        vendor="sandbox",
        model_asked="sandbox-chatgpt",
        model_served="sandbox-chatgpt",
        country_honoured=None,
        tool_version=None,
        request_id="sbx_0a7e41c25b90",
        usage=Usage(input_tokens=8, output_tokens=14, searches=1),
        latency_ms=7_914,
        attempts=1,
    ),
    answered_at="2026-11-14T09:30:09.107344+00:00",
)
_ANSWER_OF_CHECK = msgspec.structs.replace(_ANSWER, id=CHECK_ANSWER_ID, scan_id=CHECK_ID)

EXAMPLES = {
    "list_scan_answers": Example([_ANSWER]),
    "read_scan_answer": Example(_ANSWER),
    "list_check_answers": Example([_ANSWER_OF_CHECK]),
    "read_check_answer": Example(_ANSWER_OF_CHECK),
}
