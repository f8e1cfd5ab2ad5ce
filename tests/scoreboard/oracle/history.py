"""A raw history, as plain as it can be said: what was asked when, and what each answer said of whom."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Said:
    """What one answer says of one brand. `urls` are its own pages that the answer cites."""

    mentioned: bool = False
    rank: int | None = None
    stance: str | None = None
    urls: tuple[str, ...] = ()
    sentiment: int | None = None


@dataclass(frozen=True)
class Answer:
    id: str
    status: str
    model: str
    brands: tuple[Said, ...] = ()
    """The measured brand first, then the competitors in their order."""
    pages: tuple[tuple[str, str], ...] = ()
    """All that it cites: (address, registrable domain), the brands' own pages among them."""


@dataclass(frozen=True)
class Asked:
    """A prompt. `branded`: its text names the brand."""

    id: str
    text: str
    country: str | None
    branded: bool


@dataclass(frozen=True)
class Rival:
    name: str
    domain: str


@dataclass(frozen=True)
class Check:
    id: str
    scope: str
    completed_at: datetime
    prompts: tuple[Asked, ...]
    platforms: tuple[str, ...]
    rivals: tuple[Rival, ...]
    answers: dict[tuple[str, str], Answer] = field(repr=False)
    """By (prompt id, platform)."""
    source: str = "sandbox"


@dataclass(frozen=True)
class History:
    checks: tuple[Check, ...]
    """Old to new."""
    removed: tuple[frozenset[str], ...]
    """The prompts that are not tracked when the check of the same place is followed up."""

    def of_source(self, source: str) -> "History":
        """Made-up answers and real ones are never counted together."""
        pairs = [pair for pair in zip(self.checks, self.removed, strict=True) if pair[0].source == source]
        return History(tuple(check for check, _ in pairs), tuple(removed for _, removed in pairs))

    @property
    def current(self) -> "History":
        return self.of_source(self.checks[-1].source)

    @property
    def prompts(self) -> dict[str, Asked]:
        return {prompt.id: prompt for check in self.checks for prompt in check.prompts}


OWN = Rival("Acme", "acme.com")
NEVER_CITES = frozenset({"deepseek", "local"})
