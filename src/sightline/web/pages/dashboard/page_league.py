"""The league of a page: of the board that the filter asks for, with the findings about it."""

from collections.abc import Mapping

from sightline.insights.findings.league import MAX_ROWS, League, build_league
from sightline.insights.findings.read import Story
from sightline.presentation.changes import format_verdict, is_established
from sightline.presentation.language import gettext, translatable
from sightline.scoreboard.subsets.read import FilteredBoard

METRICS: Mapping[str, str] = {
    "visibility_score": translatable("Visibility"),
    "brand_coverage_pct": translatable("Coverage"),
    "share_of_voice_pct": translatable("Share of voice"),
}
DEFAULT_METRIC = "visibility_score"


def choose_metric(name: str) -> str:
    """Return a metric by its name in the address; an unknown one is the default."""
    return name if name in METRICS else DEFAULT_METRIC


def build_page_league(shown: FilteredBoard, story: Story | None, metric: str, *, limit: int = MAX_ROWS) -> League:
    """Build the league. Findings are about all answers, so of a part only the change of the brand itself is known."""
    steady, competitors = gettext("no clear change"), shown.board.competitors
    if not (shown.filter.part or shown.filter.against):
        quiet = steady if story is not None and story.changes is not None else ""
        findings = story.findings if story else ()
        return build_league(competitors, metric, findings, quiet=quiet, own_quiet=quiet, limit=limit)
    change = shown.board.headline.visibility_score.comparison
    own = "" if change is None else format_verdict(change) if is_established(change) else steady
    return build_league(competitors, metric, own_quiet=own, limit=limit)
