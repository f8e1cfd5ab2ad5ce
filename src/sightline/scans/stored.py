"""The rows of the scan tables, and the JSON inside them."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from sightline.answers.candidates import Candidate
from sightline.answers.models import AnswerAnalysis, Citation
from sightline.kit.structs import convert_struct
from sightline.metrics.observation import Status, Surface
from sightline.platforms.models import Fault, ProductCard, Source
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import AnswersSource, Provenance, ScanAnswer, ScanPrompt
from sightline.scans.states import ScanStatus

Scope = Literal["console_check", "full_check", "daily_check", "free_audit"]


class ScanRow(msgspec.Struct, frozen=True):
    """One row of `scans`, in the order of `columns(ScanRow)`. `brand` and `prompts` are JSON, decoded below."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    domain_id: uuid.UUID
    domain: str
    livemode: bool
    measurement_scope: Scope
    status: ScanStatus
    priority: int
    answers_source: AnswersSource
    brand: str
    selected_platforms: list[str]
    customer_keywords: list[str]
    prompts: str | None
    content_project_id: str | None
    credits_charged: int
    answers_total: int
    answers_completed: int
    answers_failed: int
    visibility_score: float | None
    brand_coverage_pct: float | None
    ai_mentions: int | None
    citation_count: int | None
    market_position: int | None
    error_message: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    keywords_note: str | None
    """Why suggested prompts are general ones."""
    credits_refunded: int
    answers_expired_at: datetime | None = None
    """When the answers left the database. Everything else about the scan stays."""
    surfaces: str | None = None
    """The surface of each live platform as JSON, fixed when the scan was accepted."""
    answers_sealed_at: datetime | None = None
    """When the answers were written to a sealed month, where they are now. Null if they were deleted."""

    @property
    def is_sealed(self) -> bool:
        """Return whether the answers are in a sealed month: they can be read, but not analyzed again."""
        return self.answers_sealed_at is not None

    @property
    def is_answered(self) -> bool:
        """Return whether the scan is running and has all its answers."""
        answered = self.answers_completed + self.answers_failed
        return self.status is ScanStatus.RUNNING and answered == self.answers_total


class NewScan(msgspec.Struct, frozen=True, kw_only=True):
    """A scan as it is accepted, with everything that its run depends on."""

    id: uuid.UUID
    domain_id: uuid.UUID
    domain: str
    livemode: bool
    measurement_scope: Scope
    priority: int
    answers_source: AnswersSource
    measured: MeasuredBrands
    selected_platforms: tuple[str, ...]
    customer_keywords: tuple[str, ...] = ()
    prompts: tuple[ScanPrompt, ...] | None
    """None lets a platform suggest prompts when the scan starts."""
    content_project_id: str | None = None
    credits_charged: int
    answers_total: int
    surfaces: Mapping[str, Surface] | None = None
    """The surface of each live platform. It stays the same, also if the operator chooses another one meanwhile."""


class ScanMetrics(msgspec.Struct, frozen=True, kw_only=True):
    """The headline values of a completed scan, unrounded."""

    visibility_score: float | None
    brand_coverage_pct: float | None
    ai_mentions: int | None
    citation_count: int | None
    market_position: int | None


class AnswerRow(msgspec.Struct, frozen=True):
    """One row of `answers`."""

    scan_id: uuid.UUID
    id: uuid.UUID
    prompt_index: int
    platform: str
    country: str | None
    status: Status
    text: str
    record: bytes
    answered_at: datetime


class AnswerOrigin(msgspec.Struct, frozen=True):
    """Where an answer comes from: its platform, when its scan was created, and the text of its prompt."""

    platform: str
    asked_at: datetime
    prompt: str


class StoredResults(msgspec.Struct, frozen=True):
    """One row of `scan_results`. `results` is the JSON of `schemas.results.ScanMeasurements`."""

    results: bytes
    metrics_version: str
    extractor_version: str


class StoredRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The JSON in `answers.record`: everything about an answer that no query filters by."""

    cited: tuple[Source, ...] = ()
    retrieved: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()
    products: tuple[ProductCard, ...] = ()
    fault: Fault | None = None
    analysis: AnswerAnalysis | None = msgspec.field(name="reading", default=None)
    candidates: tuple[Candidate, ...] = ()
    provenance: Provenance


class _Citations(msgspec.Struct, frozen=True):
    citations: tuple[Citation, ...]


class _CitingRecord(msgspec.Struct, frozen=True):
    """The part of a `StoredRecord` that says which pages an answer refers to."""

    analysis: _Citations | None = msgspec.field(name="reading", default=None)


_encoder = msgspec.json.Encoder()
_measured = msgspec.json.Decoder(MeasuredBrands)
_surfaces = msgspec.json.Decoder(dict[str, Surface])
_prompts = msgspec.json.Decoder(tuple[ScanPrompt, ...])
_record = msgspec.json.Decoder(StoredRecord)
_citing_record = msgspec.json.Decoder(_CitingRecord)


def encode_measured(measured: MeasuredBrands) -> str:
    return _encoder.encode(measured).decode()


def encode_surfaces(surfaces: Mapping[str, Surface]) -> str:
    return _encoder.encode(surfaces).decode()


def decode_surfaces(text: str) -> dict[str, Surface]:
    return _surfaces.decode(text)


def decode_measured(text: str) -> MeasuredBrands:
    return _measured.decode(text)


def encode_prompts(prompts: Sequence[ScanPrompt]) -> str:
    return _encoder.encode(prompts).decode()


def decode_prompts(text: str) -> tuple[ScanPrompt, ...]:
    return _prompts.decode(text)


def number_prompts(texts: Iterable[str]) -> tuple[ScanPrompt, ...]:
    """Build the prompts of a scan. Their ids are their positions, "0" first, as in `answers.prompt_index`."""
    return tuple(ScanPrompt(id=str(place), text=text) for place, text in enumerate(texts))


def to_record(answer: ScanAnswer) -> bytes:
    return encode_record(convert_struct(StoredRecord, answer))


def encode_record(record: StoredRecord) -> bytes:
    return _encoder.encode(record)


def decode_record(record: bytes) -> StoredRecord:
    return _record.decode(record)


def decode_citations(record: bytes) -> tuple[Citation, ...]:
    """Return the pages that a stored answer refers to, without decoding the rest of it."""
    analysis = _citing_record.decode(record).analysis
    return () if analysis is None else analysis.citations


def to_answer(row: AnswerRow, prompt: ScanPrompt) -> ScanAnswer:
    """Return the answer as it was before it was stored."""
    record = decode_record(row.record)
    return ScanAnswer(
        id=str(row.id),
        prompt=prompt,
        platform=row.platform,
        status=row.status,
        text=row.text,
        cited=record.cited,
        retrieved=record.retrieved,
        queries=record.queries,
        products=record.products,
        fault=record.fault,
        analysis=record.analysis,
        candidates=record.candidates,
        provenance=record.provenance,
    )


def build_lane_key(answers_source: AnswersSource, platform: str) -> str:
    """Return the lane of a platform, such as `live.chatgpt`. Live and sandbox answers have separate lanes."""
    return f"{answers_source}.{platform}"


class AnswerFacts(msgspec.Struct, frozen=True):
    """What one answer is filtered by. `configuration` says how its words are read."""

    answer_id: uuid.UUID
    prompt_id: uuid.UUID
    platform: str
    labels: list[str]
    configuration: str
    latency_ms: int | None = None
    """How long the platform took. Null if it was never asked."""
