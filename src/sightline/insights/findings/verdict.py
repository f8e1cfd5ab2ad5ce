"""The verdict of a check in at most two sentences: what is worth saying, and where that leaves the brand. Pure."""

from collections.abc import Sequence

from sightline.insights.findings.chips import find_about
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import describe_change, describe_headline
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import StandingFigures, count_answers, describe_position, describe_share
from sightline.scoreboard.check_changes.schemas import CheckChanges


def describe_verdict(
    findings: Sequence[Finding], changes: CheckChanges | None, brand: str, standing: StandingFigures
) -> list[str]:
    """Return the sentences. Without a comparison, they say how often the brand is named, and its position."""
    coverage = standing.brand_coverage_pct
    if changes is None or coverage.value is None:
        position = describe_position(brand, standing.market_position)
        return [describe_share(brand, coverage), *([position] if position else [])]
    headline = describe_headline(findings, changes, brand)
    if not findings or findings[0].tier != "clear":
        is_bare = all(each.kind in ("source", "action") for each in findings)
        return [headline, *([describe_share(brand, coverage)] if is_bare else [])]
    own = find_about(findings, None)
    if own is None:
        named = format_number(coverage.numerator)
        answers = count_answers(coverage.n)
        text = gettext(
            "%(brand)s: no clear change, named in %(named)s of %(answers)s.", brand=brand, named=named, answers=answers
        )
        return [headline, text]
    second = own if own is not findings[0] else next((each for each in findings[1:] if each.tier == "clear"), None)
    return [headline, *([describe_change(second, brand)] if second is not None else [])]
