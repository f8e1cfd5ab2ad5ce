"""A check before and after: what is planned, and what came back for each cell."""

from typing import Literal

import msgspec

from sightline.answers.candidates import Candidate
from sightline.answers.models import AnswerAnalysis, Brand
from sightline.platforms.models import Fault, Source, Status, Surface, Usage

AnswersSource = Literal["live", "sandbox"]
CellKey = tuple[str, str, str | None]
PromptsSource = Literal["given", "suggested", "templates"]


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """`id` is what tells two prompts of a check apart: the same text in two countries is two prompts."""

    id: str
    text: str
    language: str | None = None
    country: str | None = None


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Every prompt is put to every platform. `uncited` are the platforms that structurally show no sources."""

    domain: str
    brand: Brand
    competitors: tuple[Brand, ...] = ()
    prompts: tuple[Prompt, ...]
    platforms: tuple[str, ...]
    uncited: frozenset[str] = frozenset()
    scored: bool = False
    """Whether sentiment is analysed: in a Full Check, and nowhere else."""

    @property
    def tracked(self) -> tuple[Brand, ...]:
        """The order of the brands in every reading: the measured one first."""
        return (self.brand, *self.competitors)

    @property
    def size(self) -> int:
        return len(self.prompts) * len(self.platforms)


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """What a later reader needs to trust an answer."""

    surface: Surface
    vendor: str
    model_asked: str | None = None
    model_served: str | None = None
    country_honoured: bool | None = None  # None: no country was asked for
    tool_version: str | None = None
    request_id: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_ms: int = 0
    attempts: int = 1


class ScanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One cell, asked. Only an answer with the status `ok` has a reading."""

    id: str
    prompt: Prompt
    platform: str
    status: Status
    text: str = ""
    cited: tuple[Source, ...] = ()
    retrieved: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()
    fault: Fault | None = None
    reading: AnswerAnalysis | None = None
    candidates: tuple[Candidate, ...] = ()  # names that stand where brands stand, and are none of the tracked
    provenance: Provenance

    @property
    def key(self) -> CellKey:
        return (self.prompt.id, self.platform, self.prompt.country)
