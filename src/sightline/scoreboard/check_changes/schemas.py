"""Schemas of the changes between two Full Checks, in the Data API and in stored JSON."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp
from sightline.metrics.compare import Verdict
from sightline.metrics.figure import Number
from sightline.metrics.trend import Reason

ChangeKind = Literal["coverage", "platform", "lead", "competitor", "source"]
SiteChange = Literal["new", "lost"]


class EstablishedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change that is significant and large enough, over the answers that both Full Checks have."""

    kind: Annotated[
        ChangeKind,
        Meta(
            description="`coverage`: answers that name the brand. `platform`: the same on one platform. `lead`: "
            "prompts where the brand is named most. `competitor`: answers that name a competitor. `source`: answers "
            "that cite a site."
        ),
    ]
    subject: Annotated[
        str | None, Meta(description="Key of the platform, name of the competitor or the site. Null for the brand.")
    ]
    before: Annotated[int, Meta(description="Number of answers, or prompts for `lead`, in the earlier Full Check.")]
    now: Annotated[int, Meta(description="Number of answers, or prompts for `lead`, in this Full Check.")]
    total: Annotated[
        int,
        Meta(
            description="Number of answers that both Full Checks have, for `source` those with sources, for `lead` "
            "prompts."
        ),
    ]
    delta: Annotated[Number, Meta(description="Difference in percentage points.")]
    low: Annotated[Number, Meta(description="Lower end of the 95% range of the difference.")]
    high: Annotated[Number, Meta(description="Upper end of the 95% range of the difference.")]
    p: Annotated[Number, Meta(description="How often chance alone would give such a difference.")]
    verdict: Annotated[Verdict, Meta(description="`up` or `down`.")]


class LeadingBrand(msgspec.Struct, frozen=True):
    """The brand that the answers to a prompt name most."""

    name: Annotated[str, Meta(description="Name of the brand: yours, a competitor, or one found in the answers.")]
    named: Annotated[int, Meta(description="Number of answers that name it.")]


class WinnerChange(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that another brand wins now. Each of the two led the other by at least two answers."""

    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    country_iso_2: Annotated[str | None, Meta(description="Market of the prompt. Null for Global.")]
    answers: Annotated[int, Meta(description="Number of platforms that answered in both Full Checks.")]
    before: Annotated[LeadingBrand, Meta(description="Brand that won in the earlier Full Check.")]
    now: Annotated[LeadingBrand, Meta(description="Brand that wins now.")]


class PlatformSourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A site that a platform began to cite, or stopped citing, in at least six answers."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    site: Annotated[str, Meta(description="Registrable domain of the site.")]
    change: Annotated[
        SiteChange, Meta(description="`new`: cited now and not before. `lost`: cited before and not now.")
    ]
    answers: Annotated[int, Meta(description="Number of answers that cite the site: now if `new`, before if `lost`.")]
    total: Annotated[int, Meta(description="Number of answers with sources that both Full Checks have.")]


class CheckChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changed from one Full Check to the next."""

    scan_id: Annotated[uuid.UUID, Meta(description="The Full Check.")]
    against_scan_id: Annotated[uuid.UUID, Meta(description="The Full Check before it.")]
    since: Annotated[Timestamp, Meta(description="When the Full Check before it completed.")]
    until: Annotated[Timestamp, Meta(description="When the Full Check completed.")]
    reasons: Annotated[
        tuple[Reason, ...],
        Meta(
            description="Why the two Full Checks do not compare exactly. Unless this is empty, only a platform whose "
            "own answers compare exactly can have an established change."
        ),
    ]
    established: Annotated[
        tuple[EstablishedChange, ...], Meta(description="Established changes, the most important first.")
    ]
    winners: Annotated[tuple[WinnerChange, ...], Meta(description="Prompts that another brand wins now.")]
    sources: Annotated[
        tuple[PlatformSourceChange, ...], Meta(description="New and lost sites of each platform, most cited first.")
    ]


class LatestChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What moved in the latest Full Check of a domain."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    summary: Annotated[
        list[str],
        Meta(
            description="What moved, in one to three sentences, as on the Overview and in the weekly report. Only "
            "established changes have a sentence; without any, one says so."
        ),
    ]
    changes: Annotated[
        CheckChanges | None, Meta(description="The changes. Null until there are two Full Checks to compare.")
    ]
