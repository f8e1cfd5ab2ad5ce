"""A finding as a chip: its direction, the counts before and now, and where. The whole sentence is its title."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import TIER_NAMES
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import country_name, cut_words

_WORDS = 4  # of a prompt
_ARROWS = {"up": "▲", "down": "▼"}


class FindingChip(NamedTuple):
    """The few words of a finding. `tone` is `up` or `down` for a clear change of the brand, `move` for another."""

    words: str
    tone: str
    title: str


def build_chip(finding: Finding, *, with_competitor: bool = True) -> FindingChip:
    """Build the chip of a finding. Next to the name and score of a brand, it says what is counted instead of both."""
    tone = "watch" if finding.tier == "watch" else ""
    if finding.tier == "clear":
        tone = finding.direction if finding.competitor is None else "move"
    place = _name_place(finding, with_competitor=with_competitor) or gettext("named")
    counts = "" if tone == "watch" and not with_competitor else format_counts(finding)
    words = " ".join(part for part in (place, _ARROWS[finding.direction], counts) if part)
    if finding.kind == "action":
        words = gettext("It worked") if finding.direction == "up" else gettext("It did not work")
    if finding.kind == "fact":
        words = " ".join((gettext("wrong"), _ARROWS[finding.direction], format_counts(finding)))
        tone = tone if tone != finding.direction else "down" if finding.direction == "up" else "up"
    return FindingChip(words, tone, finding.text)


def format_counts(finding: Finding) -> str:
    """Write the counts before and now; as percentages where they are parts of different numbers of answers."""
    before, now = finding.before or 0, finding.now or 0
    if finding.kind == "source":
        return gettext("cited") if finding.direction == "up" else gettext("no longer cited")
    if finding.before_answers != finding.now_answers:
        shares = [round(100 * part / whole) if whole else None for part, whole in _list_parts(finding)]
        return " → ".join(map(format_percent, shares))
    return gettext(
        "%(before)s → %(now)s of %(answers)s",
        before=format_number(before),
        now=format_number(now),
        answers=format_number(finding.now_answers or 0),
    )


def _list_parts(finding: Finding) -> list[tuple[int, int]]:
    return [
        (finding.before or 0, finding.before_answers or 0),
        (finding.now or 0, finding.now_answers or 0),
    ]


def _name_place(finding: Finding, *, with_competitor: bool) -> str:
    parts = [finding.competitor] if with_competitor else []
    parts.append(None if finding.platform is None else platform_name(finding.platform))
    parts.append(country_name(finding.country_iso_2) if finding.kind == "country" else None)
    if finding.prompt:
        parts.append(cut_words(finding.prompt, _WORDS) if with_competitor else gettext("one prompt"))
    parts.append(finding.site)
    return ", ".join(part for part in parts if part)


def find_about(findings: Iterable[Finding], brand: str | None) -> Finding | None:
    """Return the first finding that is more than chance about a competitor, or about the own brand if it is None."""
    told = (each for each in findings if each.tier != "rest" and each.kind not in ("action", "source", "fact"))
    return next((each for each in told if each.competitor == brand), None)


def find_movers(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the names of the competitors with a clear change."""
    return frozenset(each.competitor for each in findings if each.tier == "clear" and each.competitor is not None)


def name_tier(finding: Finding) -> str:
    """Return the name of the tier. A new or lost source is not tested, so it has none."""
    return "" if finding.kind == "source" else gettext(TIER_NAMES[finding.tier])


def find_surest(findings: Sequence[Finding]) -> Finding | None:
    """Return the first finding that is a change of answers or the effect of an action."""
    return next((each for each in findings if each.kind != "source"), None)
