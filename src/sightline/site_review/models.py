"""What a review is about, what it reads, and what it finds; most of it is the JSON inside rows."""

import hashlib
import uuid
from datetime import datetime
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from sightline.site_review.fetch import Fetched
from sightline.site_review.page import Fault, PageFacts

MAX_PAGES = 60
Group = Literal["broken", "access", "readable", "missing"]
GROUPS: tuple[Group, ...] = get_args(Group)
FindingKind = (
    Literal[
        "cited_gone",
        "cited_moved",
        "cited_refused",
        "cited_failing",
        "cited_changed",
        "robots_failing",
        "agent_blocked",
        "noindex",
        "listed_gone",
        "canonical_elsewhere",
        "prompt_missing",
        "theme_missing",
    ]
    | Fault
)
KINDS: dict[Group, tuple[FindingKind, ...]] = {
    "broken": ("cited_gone", "cited_moved", "cited_refused", "cited_failing", "cited_changed"),
    "access": ("robots_failing", "agent_blocked", "noindex", "listed_gone"),
    "readable": (
        "needs_scripts",
        "canonical_elsewhere",
        *(each for each in get_args(Fault) if each != "needs_scripts"),
    ),
    "missing": ("prompt_missing", "theme_missing"),
}
GROUP_OF: dict[FindingKind, Group] = {kind: group for group, kinds in KINDS.items() for kind in kinds}
State = Literal["open", "mended", "ignored"]
Chosen = Literal["cited", "home", "sitemap", "prompt"]
"""Why a page is read: answers cite it, it is the home page, the sitemap names it, its address has words of prompts."""
Unchecked = Literal["no_sitemap", "too_few_pages", "unread_pages", "other_language", "few_words", "robots_unread"]
"""Why a part of the review says nothing."""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of an answer that cites one page only, and what of it the page should contain."""

    answer_id: str
    text: str
    prices: tuple[str, ...] = ()
    quote: str | None = None
    """What the platform itself marks as a quotation of the page."""


class TouchedPrompt(msgspec.Struct, frozen=True):
    """A prompt that a finding touches."""

    id: Annotated[str, Meta(description="Id of the prompt.")]
    text: Annotated[str, Meta(description="The prompt.")]


class CitedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the brand that answers cite."""

    key: str
    """Its address in one spelling, without scheme."""
    url: str
    """The address as it is fetched."""
    answers: int
    answer_ids: tuple[str, ...] = ()
    """Some of them."""
    prompts: tuple[TouchedPrompt, ...]
    platforms: tuple[str, ...]
    statements: tuple[Statement, ...] = ()


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt or a theme that a page of the brand could speak about."""

    id: str
    text: str
    words: tuple[str, ...]
    """Words that a page has that speaks about it: at least half of a prompt's, any one of a theme's."""
    is_theme: bool = False
    language: str | None = None
    prompts: tuple[TouchedPrompt, ...] = ()
    rival_pages: tuple[str, ...] = ()
    """Pages of tracked competitors that answers to it cite, most cited first."""


class ReviewContext(msgspec.Struct, frozen=True, kw_only=True):
    """What the answers of a check say about a brand's site. `domains` are the brand's, its site first."""

    domains: tuple[str, ...]
    cited: tuple[CitedPage, ...] = ()
    questions: tuple[Question, ...] = ()
    themes: tuple[Question, ...] = ()
    prompt_words: frozenset[str] = frozenset()


class PlannedPage(msgspec.Struct, frozen=True, kw_only=True):
    place: int
    url: str
    chosen: Chosen


class ReadPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The JSON in `site_pages.page`: what the request led to, without the HTML, and what the page says."""

    fetched: Fetched
    facts: PageFacts | None = None


class ReviewedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a review; `page` is None until it was fetched, and `text` until then and after the review."""

    place: int
    url: str
    chosen: Chosen
    page: ReadPage | None = None
    text: str | None = None


class AgentAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent may read, as robots.txt says. `home` is None if that is not known."""

    agent: str
    home: bool | None
    blocked: tuple[str, ...] = ()
    """The cited pages that it may not read."""
    rule: str | None = None
    """The line of robots.txt that blocks it."""


class SiteFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `site_reviews.site`: what a review found out about the site as a whole."""

    robots_url: str
    robots_status: int | None = None
    robots_text: str | None = None
    """Kept until the review ends."""
    robots_is_cut: bool = False
    listed: tuple[str, ...] = ()
    """The addresses of the sitemap, kept until the review ends."""
    listed_count: int = 0
    agents: tuple[AgentAccess, ...] = ()
    unchecked: dict[str, Unchecked] = {}
    """What was not checked for the whole site, and why: `agents`, `questions` or `themes`."""


class Found(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The JSON in `site_findings.finding`: what is wrong, where, and which prompts it touches."""

    kind: FindingKind
    url: str | None = None
    subject: str = ""
    """What tells two findings of one kind on one page apart: an agent, a prompt, a statement."""
    evidence: str = ""
    answers: int = 0
    """Answers of the check that cite the page, and the ids of some of them."""
    answer_ids: tuple[str, ...] = ()
    prompts: tuple[TouchedPrompt, ...] = ()
    platforms: tuple[str, ...] = ()
    rival_pages: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """Further pages that it holds for."""

    @property
    def key(self) -> str:
        """Return a key that is the same in every review, of a fixed length because addresses can be of any."""
        about = "\n".join((self.url or "", self.subject)).encode("utf-8", "replace")
        return f"{self.kind}-{hashlib.sha256(about).hexdigest()[:32]}"


class SiteReviewRow(msgspec.Struct, frozen=True):
    """A row of `site_reviews`; `site` is JSON of `SiteFacts`."""

    id: uuid.UUID
    domain_id: uuid.UUID
    scan_id: uuid.UUID
    requested_by: uuid.UUID | None
    requested_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    site: bytes | None


class FindingRow(msgspec.Struct, frozen=True):
    """A row of `site_findings`; `finding` is JSON of `Found`."""

    id: uuid.UUID
    domain_id: uuid.UUID
    key: str
    kind: FindingKind
    state: State
    finding: bytes
    rank: int
    """By importance, from 0."""
    first_seen_at: datetime
    last_seen_at: datetime
    mended_at: datetime | None
    ignored_at: datetime | None
    ignored_by: uuid.UUID | None
    reason: str | None


_decode_found = msgspec.json.Decoder(Found).decode
_decode_site = msgspec.json.Decoder(SiteFacts).decode
_decode_page = msgspec.json.Decoder(ReadPage).decode


def decode_found(row: FindingRow) -> Found:
    return _decode_found(row.finding)


def decode_site(site: bytes) -> SiteFacts:
    return _decode_site(site)


def decode_page(page: bytes) -> ReadPage:
    return _decode_page(page)
