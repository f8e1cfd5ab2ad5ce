"""A stored answer as it leaves the house, with all that the results of its scan are computed from."""

import uuid

import msgspec

from sightline.answers.candidates import Candidate
from sightline.answers.models import BrandAnalysis, Citation, Occurrence, Stance
from sightline.kit.clock import Timestamp, to_iso
from sightline.platforms.models import Fault, Source, Status, Surface, Usage
from sightline.scans.models import Prompt, Provenance
from sightline.scans.stored import AnswerRow, decode_record


class AnswerBrand(msgspec.Struct, frozen=True, kw_only=True):
    """What the answer says of one brand. How favourably is not measured in a Console check."""

    name: str
    is_own: bool
    mentioned: bool
    cited: bool
    position: int | None
    stance: Stance | None
    occurrences: tuple[Occurrence, ...]
    cited_urls: tuple[str, ...]


class AnswerProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to trust an answer. What the call cost is the operator's business."""

    surface: Surface
    vendor: str
    model_asked: str | None
    model_served: str | None
    country_honoured: bool | None
    tool_version: str | None
    request_id: str | None
    usage: Usage
    latency_ms: int
    attempts: int


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a scan. What was read in it is null or empty unless its status is `ok`."""

    id: uuid.UUID
    scan_id: uuid.UUID
    prompt: str
    language: str | None
    country: str | None
    platform: str
    status: Status
    text: str
    cited_sources: tuple[Source, ...]
    retrieved_sources: tuple[Source, ...]
    queries: tuple[str, ...]
    fault: Fault | None
    mentioned: bool | None
    cited: bool | None
    position: int | None
    stance: Stance | None
    brands: tuple[AnswerBrand, ...]
    citations: tuple[Citation, ...]
    candidates: tuple[Candidate, ...]
    provenance: AnswerProvenance
    answered_at: Timestamp


def to_answer(row: AnswerRow, prompt: Prompt) -> Answer:
    kept = decode_record(row.record)
    reading = kept.reading
    own = reading.brands[0] if reading else None
    return Answer(
        id=row.id,
        scan_id=row.scan_id,
        prompt=prompt.text,
        language=prompt.language,
        country=row.country,
        platform=row.platform,
        status=row.status,
        text=row.text,
        cited_sources=kept.cited,
        retrieved_sources=kept.retrieved,
        queries=kept.queries,
        fault=kept.fault,
        mentioned=own.mentioned if own else None,
        cited=own.cited if own else None,
        position=own.rank if own else None,
        stance=own.stance if own else None,
        brands=tuple(_brand(said, is_own=said is own) for said in (reading.brands if reading else ())),
        citations=reading.citations if reading else (),
        candidates=kept.candidates,
        provenance=_origin(kept.provenance),
        answered_at=to_iso(row.answered_at),
    )


def _origin(kept: Provenance) -> AnswerProvenance:
    return AnswerProvenance(**{name: getattr(kept, name) for name in AnswerProvenance.__struct_fields__})


def _brand(said: BrandAnalysis, *, is_own: bool) -> AnswerBrand:
    return AnswerBrand(
        name=said.name,
        is_own=is_own,
        mentioned=said.mentioned,
        cited=said.cited,
        position=said.rank,
        stance=said.stance,
        occurrences=said.occurrences,
        cited_urls=said.cited_urls,
    )
