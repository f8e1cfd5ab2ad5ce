"""The input of every formula: what one answer says of one brand in one cell (metrics 1.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeVar

import msgspec

Status = Literal["ok", "no_surface", "failed"]
Surface = Literal["api", "serp", "sandbox", "app", "import"]
SURFACE_MEANING = (
    "Where the answer was seen: `api` (the API of a model), `serp` (a page of search results), `app` (the app of the "
    "platform, as people see it), `import` (an answer that somebody brought) or `sandbox` (a made-up answer)."
)
Stance = Literal["neutral", "contrast", "discouraged", "unknown"]
Cell = tuple[str, str, str | None]
UnscoredReason = Literal["language", "doubt", "no_opinion"]
UNSCORED_MEANING = (
    "`language`: no scorer supports the language of the answer. `doubt`: the scorer is not sure enough. `no_opinion`: "
    "the brand is named only in passing."
)
BRANDED_MEANING = (
    "All headline figures except the number of citations leave out answers to such prompts. If every prompt names "
    "the brand, no answers are left out."
)


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, observed for one brand. A competitor has an observation of its own for each of the same answers.

    It refuses facts about an answer that is not `ok`, a rank without a mention, and an owned URL without a citation.
    These are bugs in the code that built it, and would distort every figure silently.
    """

    prompt_id: str
    platform: str
    country: str | None = None
    """None if no country was asked for (Global)."""
    status: Status = "ok"
    answer_id: str | None = None
    branded: bool = False
    """Whether the prompt names the tracked brand, also in the observation of a competitor."""
    platform_cites: bool = True
    """Whether the platform can show sources. A setting of the platform, never inferred."""
    mentioned: bool = False
    occurrences: int = 0
    rank: int | None = None
    stance: Stance | None = None
    sentiment: float | None = None
    """0 to 100; None if the scorer was not confident or did not run."""
    unscored: UnscoredReason | None = None
    """Why there is no sentiment; None if there is one, or if it is not known."""
    surface: Surface | None = None
    """None without an answer, and for answers from before surfaces were recorded."""
    cited: bool = False
    cited_urls: frozenset[str] = frozenset()
    """Owned URLs that the answer cites, already normalized (1.5)."""
    has_sources: bool = False
    """Whether at least one source was cited, resolved or not."""
    source_urls: int = 0
    """Distinct normalized URLs cited, owned ones included, unresolved ones not."""
    source_domains: frozenset[str] = frozenset()
    """Registrable domains of all cited sources, owned ones included."""

    def __post_init__(self) -> None:
        says_something = self.mentioned or self.cited or self.has_sources or self.stance is not None
        if self.status != "ok" and says_something:
            raise ValueError(f"an answer that is {self.status} says nothing of a brand")
        if self.mentioned != (self.occurrences > 0):
            raise ValueError("a mention is one occurrence or more, and no mention is none")
        if self.rank is not None and (self.rank < 1 or not self.mentioned):
            raise ValueError("a rank begins at 1 and needs a mention")
        if self.cited_urls and not self.cited:
            raise ValueError("an owned URL that is cited is a citation")
        if (self.cited or self.source_urls or self.source_domains) and not self.has_sources:
            raise ValueError("a citation is a source")
        if self.source_urls < len(self.cited_urls):
            raise ValueError("owned URLs are among the source URLs")
        if self.sentiment is not None and not 0 <= self.sentiment <= 100:
            raise ValueError("a sentiment score lies from 0 to 100")

    @property
    def cell(self) -> Cell:
        return (self.prompt_id, self.platform, self.country)

    @property
    def is_valid(self) -> bool:
        """Return whether the answer enters denominators. A refusal to recommend is valid and mentions nobody."""
        return self.status == "ok"


# Answers from before surfaces were recorded are of the one surface that their platform had then: none of these.
_LATER_SURFACES = frozenset({"app", "import"})


def is_same_surface(one: Surface | None, other: Surface | None) -> bool:
    """Return whether answers may be compared: those of an API, of a search page and of an app never are."""
    if one is None or other is None:
        return _LATER_SURFACES.isdisjoint({one, other})
    return one == other


class SeenAnswer(Protocol):
    """What is known of an answer, in whatever form."""

    @property
    def platform(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def surface(self) -> Surface | None: ...


Seen = TypeVar("Seen", bound=SeenAnswer)


def drop_former_surfaces(checks: Iterable[Sequence[Seen]]) -> list[list[Seen]]:
    """Return the answers that may be combined, of each check, for checks from the oldest to the newest.

    A platform starts again when its surface changes: its answers from another surface than its last one are left out.
    """
    kept = list(checks)
    last = {each.platform: each.surface for answers in kept for each in answers if each.status != "failed"}
    return [
        [each for each in answers if each.status == "failed" or is_same_surface(each.surface, last[each.platform])]
        for answers in kept
    ]


def find_surfaces(observations: Iterable[Observation]) -> dict[str, Surface | None]:
    """Return the surface of each platform: the one that most of its answers have."""
    found: dict[str, Counter[Surface]] = {}
    for each in observations:
        found.setdefault(each.platform, Counter()).update([each.surface] if each.surface else [])
    return {platform: seen.most_common(1)[0][0] if seen else None for platform, seen in found.items()}
