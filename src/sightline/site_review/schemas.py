"""Schemas of the site review in the Data API."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECKED_PROMPT, CHECKED_PROMPT_ID, EVENT_TIME, Example
from sightline.site_review.agents import PURPOSE_MEANING, Agent, Purpose, read_agents
from sightline.site_review.fetch import Reason
from sightline.site_review.manage import LatestReview
from sightline.site_review.models import (
    GROUP_OF,
    AgentAccess,
    Chosen,
    FindingKind,
    FindingRow,
    Group,
    ReviewedPage,
    State,
    TouchedPrompt,
    Unchecked,
    decode_found,
)
from sightline.site_review.texts import describe_finding

_GROUP_MEANING = (
    "`broken`: a page that answers cite is gone, redirects elsewhere, is refused, or does not say what it is cited "
    "for. `access`: agents are kept out. `readable`: what a reader without scripts misses. `missing`: no page speaks "
    "about it."
)


class SiteAgent(msgspec.Struct, frozen=True, kw_only=True):
    """What robots.txt lets an AI agent read."""

    name: Annotated[str, Meta(description="Name of the agent in robots.txt.")]
    vendor: Annotated[str, Meta(description="Who sends the agent.")]
    purpose: Annotated[Purpose, Meta(description=PURPOSE_MEANING)]
    platforms: Annotated[tuple[str, ...], Meta(description="Platforms that the agent fetches for.")]
    may_read_home: Annotated[
        bool | None, Meta(description="Whether it may read the home page. Null if robots.txt could not be read.")
    ]
    blocked_pages: Annotated[tuple[str, ...], Meta(description="Cited pages that it may not read.")]
    rule: Annotated[str | None, Meta(description="Line of robots.txt that keeps it out. Null if none does.")]
    always_obeys: Annotated[bool, Meta(description="Whether the vendor says that it always follows robots.txt.")]
    source: Annotated[str, Meta(description="Where the vendor documents the agent.")]


class SitePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that the review asked for."""

    url: Annotated[str, Meta(description="Address of the page.")]
    chosen: Annotated[
        Chosen,
        Meta(
            description="Why it was chosen: answers cite it, it is the home page, the sitemap names it, or its address "
            "has words of your prompts."
        ),
    ]
    status: Annotated[int | None, Meta(description="HTTP status. Null if there was no response.")]
    not_checked: Annotated[Reason | None, Meta(description="Why the page was not read. Null if it was.")]
    title: Annotated[str | None, Meta(description="Title of the page.")]
    language: Annotated[str | None, Meta(description="Language of the page.")]
    text_length: Annotated[int | None, Meta(description="Characters of text that the HTML has without scripts.")]
    html_length: Annotated[int | None, Meta(description="Characters of HTML.")]


class NotChecked(msgspec.Struct, frozen=True):
    """A part of the review that says nothing, and why."""

    part: Annotated[str, Meta(description="`agents`, `questions` or `themes`.")]
    reason: Annotated[Unchecked, Meta(description="Why nothing is said.")]


class SiteReview(msgspec.Struct, frozen=True, kw_only=True):
    """The latest review of the brand's own site."""

    id: Annotated[uuid.UUID | None, Meta(description="Id of the latest review that has ended. Null if there is none.")]
    status: Annotated[
        Literal["none", "running", "completed"],
        Meta(description="Whether a review runs now. While one runs, the result of the one before is returned."),
    ]
    requested_at: Annotated[Timestamp | None, Meta(description="When the review was requested.")]
    completed_at: Annotated[Timestamp | None, Meta(description="When the review ended.")]
    scan_id: Annotated[uuid.UUID | None, Meta(description="Full Check whose cited pages were read.")]
    open_findings: Annotated[dict[Group, int], Meta(description=f"Number of open findings. {_GROUP_MEANING}")]
    agents: Annotated[tuple[SiteAgent, ...], Meta(description="What robots.txt lets each known agent read.")]
    agents_checked_on: Annotated[
        str, Meta(description="Day on which the list of agents was compared with their sources.")
    ]
    not_checked: Annotated[tuple[NotChecked, ...], Meta(description="Parts of the review that say nothing.")]
    reviewed_pages: Annotated[tuple[SitePage, ...], Meta(description="Pages that the review asked for, in its order.")]


class SiteFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that keeps answers from reading or citing the site."""

    id: Annotated[uuid.UUID, Meta(description="Id of the finding, the same in every review that sees it.")]
    group: Annotated[Group, Meta(description=_GROUP_MEANING)]
    kind: Annotated[FindingKind, Meta(description="What is wrong.")]
    state: Annotated[
        State, Meta(description="`open`, `mended` since a review saw that it is gone, or `ignored` by a person.")
    ]
    summary: Annotated[str, Meta(description="What is wrong, in words.")]
    remedy: Annotated[str, Meta(description="How to mend it.")]
    page: Annotated[str | None, Meta(description="Page without scheme. Null if it is about the whole site.")]
    evidence: Annotated[str, Meta(description="What was seen: a status, a line, a passage.")]
    answers: Annotated[int, Meta(description="Answers of the Full Check that cite the page.")]
    prompts: Annotated[tuple[TouchedPrompt, ...], Meta(description="Prompts that the finding touches.")]
    platforms: Annotated[tuple[str, ...], Meta(description="Platforms that it touches.")]
    competitor_pages: Annotated[
        tuple[str, ...], Meta(description="Pages of competitors that answers cite for it instead.")
    ]
    first_seen_at: Annotated[Timestamp, Meta(description="When a review saw it first.")]
    last_seen_at: Annotated[Timestamp, Meta(description="When a review saw it last.")]
    mended_at: Annotated[Timestamp | None, Meta(description="When a review saw that it is gone.")]
    ignored_at: Annotated[Timestamp | None, Meta(description="When a person ignored it.")]
    reason: Annotated[str | None, Meta(description="Why it is ignored, in the words of that person.")]


class IgnoreInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a finding is ignored."""

    reason: Annotated[
        Annotated[str, Meta(max_length=500)], Meta(description="Why nobody will mend it, in your words.")
    ] = ""


def to_site_review(latest: LatestReview) -> SiteReview:
    review, site = latest.review, latest.site
    accesses = {each.agent: each for each in (site.agents if site else ())}
    return SiteReview(
        id=review.id if review else None,
        status="running" if latest.running else "completed" if review else "none",
        requested_at=to_iso(review.requested_at) if review else None,
        completed_at=to_iso(review.completed_at) if review and review.completed_at else None,
        scan_id=review.scan_id if review else None,
        open_findings=dict(latest.open),
        agents=tuple(
            _to_agent(agent, accesses[agent.name]) for agent in read_agents().agents if agent.name in accesses
        ),
        agents_checked_on=read_agents().checked.isoformat(),
        not_checked=tuple(NotChecked(*each) for each in (site.unchecked.items() if site else ())),
        reviewed_pages=tuple(map(_to_page, latest.pages)),
    )


def _to_agent(agent: Agent, access: AgentAccess) -> SiteAgent:
    return SiteAgent(
        name=agent.name,
        vendor=agent.vendor,
        purpose=agent.purpose,
        platforms=agent.platforms,
        may_read_home=access.home,
        blocked_pages=access.blocked,
        rule=access.rule,
        always_obeys=agent.robots == "obeyed",
        source=agent.source,
    )


def _to_page(page: ReviewedPage) -> SitePage:
    fetched = None if page.page is None else page.page.fetched
    facts = None if page.page is None else page.page.facts
    return SitePage(
        url=page.url,
        chosen=page.chosen,
        status=fetched.status if fetched else None,
        not_checked=fetched.reason if fetched else None,
        title=facts.title if facts else None,
        language=facts.language if facts else None,
        text_length=facts.text_length if facts else None,
        html_length=facts.html_length if facts else None,
    )


def to_site_findings(rows: Sequence[FindingRow]) -> list[SiteFinding]:
    return [to_site_finding(row) for row in rows]


def to_site_finding(row: FindingRow) -> SiteFinding:
    found = decode_found(row)
    summary, remedy = describe_finding(found)
    return SiteFinding(
        id=row.id,
        group=GROUP_OF[found.kind],
        kind=found.kind,
        state=row.state,
        summary=summary,
        remedy=remedy,
        page=found.url,
        evidence=found.evidence,
        answers=found.answers,
        prompts=found.prompts,
        platforms=found.platforms,
        competitor_pages=found.rival_pages,
        first_seen_at=to_iso(row.first_seen_at),
        last_seen_at=to_iso(row.last_seen_at),
        mended_at=to_iso(row.mended_at) if row.mended_at else None,
        ignored_at=to_iso(row.ignored_at) if row.ignored_at else None,
        reason=row.reason,
    )


# Examples

_FINDING_ID = uuid.UUID("01990f71-20b4-7c55-9d10-6b8e41a7f392")
_SEEN = datetime(2026, 11, 14, 9, 40, tzinfo=UTC)
_FINDING = SiteFinding(
    id=_FINDING_ID,
    group="broken",
    kind="cited_gone",
    state="open",
    summary="acme.com/anvils/mini is gone (404)",
    remedy="Bring the page back, or redirect its address permanently to the page that replaced it.",
    page="acme.com/anvils/mini",
    evidence="404",
    answers=6,
    prompts=(TouchedPrompt(str(CHECKED_PROMPT_ID), CHECKED_PROMPT),),
    platforms=("chatgpt", "perplexity"),
    competitor_pages=(),
    first_seen_at=to_iso(_SEEN),
    last_seen_at=to_iso(_SEEN),
    mended_at=None,
    ignored_at=None,
    reason=None,
)
_AGENT = read_agents().agents[0]
_REVIEW = SiteReview(
    id=uuid.UUID("01990f71-1f0a-7d31-8c62-0a5d9e3b7c41"),
    status="completed",
    requested_at=EVENT_TIME,
    completed_at=to_iso(_SEEN),
    scan_id=uuid.UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28"),
    open_findings={"broken": 1, "access": 0, "readable": 0, "missing": 0},
    agents=(_to_agent(_AGENT, AgentAccess(agent=_AGENT.name, home=True)),),
    agents_checked_on="2026-11-19",
    not_checked=(NotChecked("questions", "no_sitemap"),),
    reviewed_pages=(
        SitePage(
            url="https://acme.com/anvils/mini",
            chosen="cited",
            status=404,
            not_checked=None,
            title=None,
            language=None,
            text_length=None,
            html_length=None,
        ),
    ),
)
PATH_IDS = {"data": {"finding_id": str(_FINDING_ID)}}
EXAMPLES = {
    "read_site_review": Example(_REVIEW),
    "start_site_review": Example(msgspec.structs.replace(_REVIEW, status="running")),
    "list_site_findings": Example([_FINDING]),
    "ignore_site_finding": Example(
        msgspec.structs.replace(
            _FINDING, state="ignored", ignored_at=EVENT_TIME, reason="The product is discontinued."
        ),
        {"reason": "The product is discontinued."},
    ),
    "reopen_site_finding": Example(_FINDING),
}
