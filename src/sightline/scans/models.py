"""The plan of a scan, and the answer to each of its cells."""

from typing import Literal

import msgspec

from sightline.answers.candidates import Candidate
from sightline.answers.corrections import Correction
from sightline.answers.market_words import find_market_words
from sightline.answers.models import AnswerAnalysis, Brand
from sightline.metrics.observation import Status, Surface
from sightline.platforms.models import Fault, ProductCard, Source, Usage

AnswersSource = Literal["live", "sandbox"]
CellKey = tuple[str, str, str | None]
PromptsSource = Literal["given", "suggested", "templates"]


class ScanPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of a scan. `id` tells prompts apart: the same text in two countries is two prompts."""

    id: str
    text: str
    language: str | None = None
    country: str | None = None


class ScanPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan asks: every prompt on every platform. `uncited` are the platforms that never show sources."""

    domain: str
    brand: Brand
    competitors: tuple[Brand, ...] = ()
    prompts: tuple[ScanPrompt, ...]
    platforms: tuple[str, ...]
    uncited: frozenset[str] = frozenset()
    scored: bool = False
    """Whether sentiment is scored: in a Full Check, and nowhere else."""
    corrections: dict[str, tuple[Correction, ...]] = {}
    """What users corrected, by the id of the answer."""

    @property
    def tracked(self) -> tuple[Brand, ...]:
        """Return the brands in the order of every analysis, the measured one first, with the words of their market."""
        words = find_market_words(tuple(prompt.text for prompt in self.prompts))
        return tuple(msgspec.structs.replace(brand, market_words=words) for brand in (self.brand, *self.competitors))

    @property
    def size(self) -> int:
        return len(self.prompts) * len(self.platforms)


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where an answer came from, and at what cost."""

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
    """The answer to one cell. Only an answer with the status `ok` has an analysis."""

    id: str
    prompt: ScanPrompt
    platform: str
    status: Status
    text: str = ""
    cited: tuple[Source, ...] = ()
    retrieved: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()
    products: tuple[ProductCard, ...] = ()
    fault: Fault | None = None
    analysis: AnswerAnalysis | None = None
    candidates: tuple[Candidate, ...] = ()  # names in the place of brands that are not tracked
    provenance: Provenance

    @property
    def key(self) -> CellKey:
        return (self.prompt.id, self.platform, self.prompt.country)
