"""How a report says things: the title, the summary, a change, and what to do. Plain words, and nothing that the figures
do not carry."""

from collections.abc import Sequence
from datetime import datetime

from babel import Locale

from sightline.kit.counting import count
from sightline.metrics.figure import VERDICT_WORDS, Comparison
from sightline.metrics.trend import Reason
from sightline.reports.notices import say_standing
from sightline.reports.words import platform_name
from sightline.scoreboard.schemas import Board

NAMES = {
    "visibility_score": "Visibility Score",
    "brand_coverage_pct": "Brand Coverage",
    "ai_mentions": "AI Mentions",
    "share_of_voice_pct": "Share of Voice",
    "market_position": "Market Position",
    "citation_count": "Citations",
}

# Each kind of recommendation of metrics 6: what to do, and what was seen. {subject} is a page, a platform, a country or
# a theme; where one is not known, the kind says it without.
TASKS: dict[str, tuple[str, str]] = {
    "get_listed": (
        "Get listed or reviewed on {subject}",
        "Answers to this question cite this page and name a competitor there, but not {brand}.",
    ),
    "publish_page": (
        "Publish or improve a page that answers this question",
        "Recent answers to it cite no page of {brand}, and do cite a competitor's.",
    ),
    "make_citable": (
        "Make your page on this easy to cite",
        "Answers name {brand} here, but hardly any cites a page of yours.",
    ),
    "name_the_claim": (
        "Put the name {brand} beside what you claim",
        "Answers cite your page here without naming {brand}.",
    ),
    "tighten_page": (
        "Tighten your page to this question",
        "Platforms look at a page of yours for this question, and then cite others.",
    ),
    "fix_source": (
        "Correct where \u201c{subject}\u201d comes from",
        "Answers on more than one platform say this of {brand}, and it does not help.",
    ),
    "platform_access": (
        "Look into {subject}: can it read and find your site?",
        "{brand} does worse on {subject} than on the other platforms, for the same questions.",
    ),
    "local_page": (
        "Add a page and reviews for {subject}, in its language",
        "{brand} does worse in {subject} than elsewhere, for the same questions.",
    ),
    "entity_basics": (
        "Give the platforms the basics: who {brand} is and what it does",
        "Some answers say that they do not know {brand}.",
    ),
}

_REASONS: dict[Reason, str] = {
    "scope": "another kind of check",
    "cells": "other prompts, platforms or countries were asked",
    "competitors": "other competitors are tracked",
    "metrics_version": "the formulas have a new version",
    "extractor_version": "answers are read by a new version",
    "model": "another model answers on a platform",
    "incomplete_before": "the check before was incomplete",
    "incomplete_now": "this check is incomplete",
}


def say_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def say_period(start: datetime, end: datetime) -> str:
    """The shortest form that is clear: 8\u201315 November 2026."""
    if start.date() == end.date():
        return say_day(end)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}\u2013{say_day(end)}"
    first = f"{start.day} {start:%B}" if start.year == end.year else say_day(start)
    return f"{first} \u2013 {say_day(end)}"


def say_title(brand: str, start: datetime, end: datetime, *, is_first: bool) -> str:
    return one_line(
        f"{brand} in AI answers: " + (f"first report, {say_day(end)}" if is_first else say_period(start, end))
    )


def say_verdict(change: Comparison) -> str:
    """The verdict in one or two words."""
    return VERDICT_WORDS[change.verdict]


def is_established(change: Comparison | None) -> bool:
    """Only then may a change be coloured: the test holds, and the two checks compare exactly."""
    return change is not None and change.verdict != "no_clear_change" and not change.trend_only


def say_counts(change: Comparison) -> str:
    return f"{change.gained:,} gained, {change.lost:,} lost of {count(change.matched_cells, 'answer')} asked both times"


def say_reasons(change: Comparison) -> str:
    """Why two checks do not compare exactly; empty where they do."""
    return ", ".join(_REASONS[reason] for reason in change.reasons)


def say_change(change: Comparison | None, before: datetime | None) -> str:
    """One sentence on what happened since the Full Check before."""
    if before is None:
        return "This is the first Full Check: from the next one on, this report says what has changed."
    since = f"since the Full Check of {before.day} {before:%B}"
    if change is None:
        return f"Nothing can be compared {since}: no question was answered both times."
    said = f"Brand Coverage: {say_verdict(change).lower()} {since}, {say_counts(change)}"
    return said + (f" (trend only: {say_reasons(change)})." if change.trend_only else ".")


def say_summary(brand: str, board: Board, before: datetime | None, tasks: Sequence[object]) -> str:
    standing = say_standing(brand, board.headline, ranked=bool(board.competitors))
    parts = [standing]
    if board.valid:
        parts.append(say_change(board.headline.brand_coverage_pct.comparison, before))
        parts.append(
            f"{count(len(tasks), 'recommendation')} to act on." if tasks else "Nothing stands out that needs doing."
        )
    return " ".join(parts)


def say_country(code: str | None) -> str:
    if code is None:
        return "Global"
    return str(Locale("en").territories.get(code, code))


def say_scope(scope: str) -> str:
    """Of an alert: `overall`, `platform:chatgpt`, `country:DE`, `cell:…:chatgpt`."""
    kind, _, rest = scope.partition(":")
    if kind == "platform":
        return f"on {platform_name(rest)}"
    if kind == "country":
        return f"in {say_country(rest)}"
    if kind == "cell":
        return f"for one question on {platform_name(rest.rpartition(':')[2])}"
    return "over all answers"


def one_line(text: str) -> str:
    """A subject and a title are one printable line, whatever a name holds."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
