"""A raw history of scans: what was asked when, and what each answer says about each brand."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class BrandMention:
    """What one answer says about one brand. `urls` are the brand's own pages that the answer cites."""

    mentioned: bool = False
    rank: int | None = None
    stance: str | None = None
    urls: tuple[str, ...] = ()
    sentiment: int | None = None


@dataclass(frozen=True)
class RawAnswer:
    id: str
    status: str
    model: str
    brands: tuple[BrandMention, ...] = ()
    """The measured brand first, then the competitors in their order."""
    pages: tuple[tuple[str, str], ...] = ()
    """All cited pages as (URL, registrable domain), including the brands' own."""


@dataclass(frozen=True)
class AskedPrompt:
    """A prompt. `branded` says whether its text names the brand."""

    id: str
    text: str
    country: str | None
    branded: bool


@dataclass(frozen=True)
class RawBrand:
    name: str
    domain: str


@dataclass(frozen=True)
class RawScan:
    id: str
    scope: str
    completed_at: datetime
    prompts: tuple[AskedPrompt, ...]
    platforms: tuple[str, ...]
    competitors: tuple[RawBrand, ...]
    answers: dict[tuple[str, str], RawAnswer] = field(repr=False)
    """The answers by (prompt id, platform)."""
    source: str = "sandbox"


@dataclass(frozen=True)
class RawHistory:
    scans: tuple[RawScan, ...]
    """Oldest first."""
    removed: tuple[frozenset[str], ...]
    """The prompts that are not tracked when the scan at the same index is processed."""

    def of_source(self, source: str) -> "RawHistory":
        """Return the scans of one source: made-up answers and real ones are never mixed."""
        pairs = [pair for pair in zip(self.scans, self.removed, strict=True) if pair[0].source == source]
        return RawHistory(tuple(scan for scan, _ in pairs), tuple(removed for _, removed in pairs))

    @property
    def current(self) -> "RawHistory":
        return self.of_source(self.scans[-1].source)

    @property
    def prompts(self) -> dict[str, AskedPrompt]:
        return {prompt.id: prompt for scan in self.scans for prompt in scan.prompts}


OWN = RawBrand("Acme", "acme.com")
NEVER_CITES = frozenset({"deepseek", "local"})
