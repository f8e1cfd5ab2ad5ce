"""The verdict of the Overview: the headline of the findings, and the figure of the brand."""

from typing import NamedTuple

from sightline.insights.findings.chips import find_about
from sightline.insights.findings.read import Story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import TIER_NAMES
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext
from sightline.presentation.phrases import describe_standing
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.filter_bar import describe_part
from sightline.web.page_context import PageContext


class Verdict(NamedTuple):
    """The sentence at the top with its tier, and a second one: a finding about the brand, or that nothing is clear.

    `tone` colors a clear change of the brand itself. Without findings, the name is at the top and the figures below.
    """

    headline: str
    tier: str
    tone: str
    own: str
    is_steady: bool
    """Whether the second sentence is that the brand has no clear change."""
    is_part: bool = False
    """Whether the clear change of the brand is one of a part of its answers, and all of them have none."""
    is_figure: bool = False
    """Whether the second sentence already has the figure of the brand."""


def build_verdict(ctx: PageContext, shown: FilteredBoard, story: Story | None) -> Verdict | None:
    """Build the verdict; None before the first check. Of a part of the answers no changes are told, but its figures."""
    if shown.scan is None or ctx.domain is None:
        return None
    if shown.filter.part or story is None or (story.changes is None and not story.findings):
        name, part = ctx.domain.brand_name, describe_part(shown.filter)
        name = gettext("%(brand)s, %(part)s", brand=name, part=part) if part else name
        return Verdict(name, "", "", _describe_part(ctx, shown), is_steady=False, is_figure=True)
    first = story.findings[0] if story.findings else None
    is_first_told = first is not None and first.tier == "clear"
    told = find_about(story.findings, None)
    head = first if is_first_told else next((each for each in story.findings if each.tier == "watch"), None)
    own = "" if told is None or told is head else told.text
    if own and told is not None and told.tier == "watch":
        own = gettext("Worth watching: %(change)s", change=own)
    tone = first.direction if first is not None and is_first_told and first.competitor is None else ""
    return Verdict(
        story.headline,
        _name_tier(first) if first is not None and is_first_told else "",
        tone,
        own,
        is_steady=told is None and head is not None and story.changes is not None and not _is_own(first),
        is_part=_is_own(first) and not any(_is_own(each) and each.kind == "brand" for each in story.findings),
    )


def _name_tier(first: Finding) -> str:
    """Name the tier of the headline. One about a competitor says so: at a glance, its name is taken for the brand."""
    return gettext(TIER_NAMES[first.tier]) if first.competitor is None else gettext("Clear change of a competitor")


def _is_own(first: Finding | None) -> bool:
    return first is not None and first.tier == "clear" and first.competitor is None and first.kind != "action"


def _describe_part(ctx: PageContext, shown: FilteredBoard) -> str:
    assert ctx.domain is not None
    chosen = shown.filter.part
    platform = platform_name(chosen["platform"]) if set(chosen) == {"platform"} else None
    has_ranking = bool(shown.board.competitors)
    standing = describe_standing(
        ctx.domain.brand_name, shown.board.headline, has_ranking=has_ranking, platform=platform
    )
    part = "" if platform else describe_part(shown.filter)
    return f"{part[:1].upper()}{part[1:]}: {standing}" if part else standing
