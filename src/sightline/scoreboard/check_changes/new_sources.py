"""Sites that a platform began to cite, or stopped citing. Pure."""

from collections import Counter

from sightline.metrics.observation import Cell
from sightline.scoreboard.check_changes.matched_answers import MIN_FLIPS, MatchedAnswers
from sightline.scoreboard.check_changes.schemas import PlatformSourceChange, SiteChange, SourceAnswers
from sightline.scoreboard.check_changes.winners import count_names

_MAX_SITES = 20  # of one platform


def find_source_changes(answers: MatchedAnswers) -> tuple[PlatformSourceChange, ...]:
    """Return the sites that a platform cites in several answers of one check and in none of the other."""
    by_platform: dict[str, list[Cell]] = {}
    for cell in answers.sourced_cells:
        by_platform.setdefault(cell[1], []).append(cell)
    return tuple(
        PlatformSourceChange(platform=platform, site=site, change=change, answers=cited, total=len(cells))
        for platform, cells in by_platform.items()
        for site, change, cited in _list_site_changes(
            count_names(cells, answers.sites_before), count_names(cells, answers.sites_now)
        )
    )


def _list_site_changes(before: Counter[str], now: Counter[str]) -> list[tuple[str, SiteChange, int]]:
    found: list[tuple[str, SiteChange, int]] = [
        *((site, "new", cited) for site, cited in now.items() if cited >= MIN_FLIPS and not before[site]),
        *((site, "lost", cited) for site, cited in before.items() if cited >= MIN_FLIPS and not now[site]),
    ]
    return sorted(found, key=lambda each: (-each[2], each[0]))[:_MAX_SITES]


def count_source_answers(answers: MatchedAnswers, changes: tuple[PlatformSourceChange, ...]) -> SourceAnswers:
    """Count the answers that cite at least one of the new sites now, and one of the lost sites before."""
    sites: dict[tuple[SiteChange, str], set[str]] = {}
    for each in changes:
        sites.setdefault((each.change, each.platform), set()).add(each.site)
    cells = answers.sourced_cells
    return SourceAnswers(
        new=sum(bool(answers.sites_now[cell] & sites.get(("new", cell[1]), set())) for cell in cells),
        lost=sum(bool(answers.sites_before[cell] & sites.get(("lost", cell[1]), set())) for cell in cells),
    )
