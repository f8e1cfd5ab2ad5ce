"""What changed since the Full Check before, in sentences: the same on the Overview, in reports and e-mails. Pure.

Only established changes have a sentence.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.changes import is_established, list_reasons
from sightline.presentation.dates import format_short_date
from sightline.presentation.numbers import format_number, format_percent
from sightline.scoreboard.check_changes.schemas import (
    CheckChanges,
    CountChange,
    FigureChange,
    FigureName,
    WinnerChange,
)

_MAX_SENTENCES = 3
_MAX_OF_A_KIND = 2
# AI Mentions are the same test as Brand Coverage, and that is what `coverage` counts.
_OWN_FIGURES: tuple[FigureName, ...] = ("visibility_score", "market_position", "share_of_voice_pct", "citation_count")
_FIGURE_SENTENCES: Mapping[FigureName, str] = {
    "visibility_score": "The Visibility Score of {brand} is {value}",
    "market_position": "{brand} is number {value} among the tracked brands",
    "share_of_voice_pct": "{brand} has {value} of all mentions of tracked brands",
    "citation_count": "Answers cite pages of {brand} {value} times",
}


class Statement(msgspec.Struct, frozen=True):
    """An established change and the sentence that says it. A change of a headline figure is of the kind `own`."""

    kind: str
    sentence: str
    change: CountChange | FigureChange


def list_statements(changes: CheckChanges, brand: str) -> list[Statement]:
    """Return every established change with its sentence, those of the brand as a whole first."""
    since = format_short_date(changes.since)
    counted = [
        Statement(
            "own" if change.kind == "coverage" else change.kind,
            f"{_describe(change, brand)}, {change.verdict} from {change.before:,} (since {since}).",
            change,
        )
        for change in changes.established
    ]
    figures = {each.metric: each for each in changes.figures if is_established(each.comparison)}
    own = [_state_figure(figures[name], brand, since) for name in _OWN_FIGURES if name in figures]
    coverage = [each for each in counted if each.kind == "own"]
    return [*coverage, *own, *(each for each in counted if each.kind != "own")]


def describe_changes(changes: CheckChanges, brand: str) -> list[str]:
    """Return one to three sentences, the most important first. Without an established change, one says so."""
    if shown := choose_statements(list_statements(changes, brand)):
        return [each.sentence for each in shown]
    return [describe_no_change(changes)]


def describe_headline(changes: CheckChanges, brand: str) -> list[str]:
    """Return the most important change of the brand and that of a competitor, or of something else without either."""
    statements = list_statements(changes, brand)
    chosen = [next((each for each in statements if each.kind == kind), None) for kind in ("own", "competitor")]
    found = [each for each in chosen if each is not None] or statements[:1]
    return [each.sentence for each in found] or [describe_no_change(changes)]


def describe_no_change(changes: CheckChanges) -> str:
    """Say that nothing is established, and why if the two Full Checks do not compare exactly."""
    since = format_short_date(changes.since)
    if changes.reasons:
        return f"No change since {since} can be established: {list_reasons(changes.reasons)}."
    return f"No significant changes since {since}."


def choose_statements(statements: Sequence[Statement]) -> list[Statement]:
    """Return the first of each kind, then the second of each, up to the number that people read."""
    places: dict[str, int] = {}
    ordered = []
    for index, statement in enumerate(statements):
        places[statement.kind] = place = places.get(statement.kind, 0) + 1
        if place <= _MAX_OF_A_KIND:
            ordered.append((place, index))
    return [statements[index] for _, index in sorted(ordered)[:_MAX_SENTENCES]]


def format_figure_value(metric: FigureName, value: float | None) -> str:
    """Write the value of a headline figure."""
    return format_percent(value) if metric.endswith("_pct") else format_number(value)


def describe_winners(change: WinnerChange) -> str:
    """Describe who won a prompt before and who wins it now, with the answers that name them."""
    before, now = change.before, change.now
    return f"{before.name} before ({before.named} of {change.answers}), {now.name} now ({now.named})"


def _state_figure(change: FigureChange, brand: str, since: str) -> Statement:
    now, before = (format_figure_value(change.metric, value) for value in (change.now, change.before))
    text = _FIGURE_SENTENCES[change.metric].format(brand=brand, value=now)
    return Statement("own", f"{text}, {change.comparison.verdict} from {before} (since {since}).", change)


def _describe(change: CountChange, brand: str) -> str:
    subject = change.subject or ""
    if change.kind == "lead":
        return f"{brand} is named most in {change.now:,} of {count(change.total, 'prompt')}"
    answers = f"{change.now:,} of {count(change.total, 'answer')}"
    if change.kind == "platform":
        return f"{platform_name(subject)} names {brand} in {answers}"
    if change.kind == "prompt":
        return f"{brand} is named in {answers} to “{subject}”"
    if change.kind == "source":
        return f"{subject} is cited in {answers} with sources"
    return f"{subject or brand} is named in {answers}"
