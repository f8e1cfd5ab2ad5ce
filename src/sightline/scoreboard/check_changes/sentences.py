"""What changed since the Full Check before, in sentences: the same on the Overview, in reports and e-mails. Pure.

Only established changes have a sentence.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sightline.platforms.names import platform_name
from sightline.presentation.changes import is_established, list_reasons
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, translatable
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
_FIGURE_SENTENCES: Mapping[tuple[FigureName, str], str] = {
    ("visibility_score", "up"): translatable(
        "The Visibility Score of %(brand)s is %(now)s, up from %(before)s on %(since)s."
    ),
    ("visibility_score", "down"): translatable(
        "The Visibility Score of %(brand)s is %(now)s, down from %(before)s on %(since)s."
    ),
    ("market_position", "up"): translatable(
        "%(brand)s is number %(now)s among the tracked brands, up from number %(before)s on %(since)s."
    ),
    ("market_position", "down"): translatable(
        "%(brand)s is number %(now)s among the tracked brands, down from number %(before)s on %(since)s."
    ),
    ("share_of_voice_pct", "up"): translatable(
        "%(brand)s has %(now)s of all mentions of tracked brands, up from %(before)s on %(since)s."
    ),
    ("share_of_voice_pct", "down"): translatable(
        "%(brand)s has %(now)s of all mentions of tracked brands, down from %(before)s on %(since)s."
    ),
    ("citation_count", "up"): translatable(
        "Answers cite %(brand)s as a source %(now)s times, up from %(before)s on %(since)s."
    ),
    ("citation_count", "down"): translatable(
        "Answers cite %(brand)s as a source %(now)s times, down from %(before)s on %(since)s."
    ),
}
# After a sentence that already says in how many answers the brand is named.
_COVERAGE_HEADLINES: Mapping[str, str] = {
    "up": translatable(
        "Since %(since)s, the number of answers that name %(brand)s has risen from %(before)s of %(total)s to "
        "%(now)s of %(total)s."
    ),
    "down": translatable(
        "Since %(since)s, the number of answers that name %(brand)s has fallen from %(before)s of %(total)s to "
        "%(now)s of %(total)s."
    ),
}
# A change is established over several answers, so these need no singular.
_COUNT_SENTENCES: Mapping[tuple[str, str], str] = {
    ("named", "up"): translatable(
        "%(name)s is named in %(now)s of %(total)s answers, up from %(before)s on %(since)s."
    ),
    ("named", "down"): translatable(
        "%(name)s is named in %(now)s of %(total)s answers, down from %(before)s on %(since)s."
    ),
    ("lead", "up"): translatable(
        "%(brand)s is the brand named most for %(now)s of %(total)s prompts, up from %(before)s on %(since)s."
    ),
    ("lead", "down"): translatable(
        "%(brand)s is the brand named most for %(now)s of %(total)s prompts, down from %(before)s on %(since)s."
    ),
    ("platform", "up"): translatable(
        "%(platform)s names %(brand)s in %(now)s of %(total)s answers, up from %(before)s on %(since)s."
    ),
    ("platform", "down"): translatable(
        "%(platform)s names %(brand)s in %(now)s of %(total)s answers, down from %(before)s on %(since)s."
    ),
    ("prompt", "up"): translatable(
        "%(brand)s is named in %(now)s of %(total)s answers to “%(subject)s”, up from %(before)s on %(since)s."
    ),
    ("prompt", "down"): translatable(
        "%(brand)s is named in %(now)s of %(total)s answers to “%(subject)s”, down from %(before)s on %(since)s."
    ),
    ("source", "up"): translatable(
        "%(subject)s is cited in %(now)s of %(total)s answers with sources, up from %(before)s on %(since)s."
    ),
    ("source", "down"): translatable(
        "%(subject)s is cited in %(now)s of %(total)s answers with sources, down from %(before)s on %(since)s."
    ),
}


class ChangeStatement(msgspec.Struct, frozen=True):
    """An established change and the sentence that says it. A change of a headline figure is of the kind `own`."""

    kind: str
    sentence: str
    change: CountChange | FigureChange


def list_statements(changes: CheckChanges, brand: str) -> list[ChangeStatement]:
    """Return every established change with its sentence, those of the brand as a whole first."""
    since = format_short_date(changes.since)
    counted = [
        ChangeStatement(
            "own" if change.kind == "coverage" else change.kind,
            _state_count(change, brand, since),
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
    """Return the most important change of the brand and of a competitor; if neither exists, the first other."""
    statements = list_statements(changes, brand)
    chosen = [next((each for each in statements if each.kind == kind), None) for kind in ("own", "competitor")]
    found = [each for each in chosen if each is not None] or statements[:1]
    since = format_short_date(changes.since)
    return [_describe_in_headline(each, brand, since) for each in found] or [describe_no_change(changes)]


def _describe_in_headline(statement: ChangeStatement, brand: str, since: str) -> str:
    change = statement.change
    if not isinstance(change, CountChange) or change.kind != "coverage":
        return statement.sentence
    return gettext(
        _COVERAGE_HEADLINES[change.verdict],
        brand=brand,
        before=format_number(change.before),
        now=format_number(change.now),
        total=format_number(change.total),
        since=since,
    )


def describe_no_change(changes: CheckChanges) -> str:
    """Say that nothing is established, and why if the two Full Checks do not compare exactly."""
    since = format_short_date(changes.since)
    if changes.reasons:
        reasons = list_reasons(changes.reasons)
        return gettext("An exact comparison with %(since)s is not possible: %(reasons)s.", since=since, reasons=reasons)
    return gettext("No significant changes compared with the Full Check of %(since)s.", since=since)


def choose_statements(statements: Sequence[ChangeStatement]) -> list[ChangeStatement]:
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
    return gettext(
        "%(before)s (%(before_answers)s of %(answers)s) before, %(now)s (%(now_answers)s of %(answers)s) now",
        before=before.name,
        before_answers=before.named,
        answers=change.answers,
        now=now.name,
        now_answers=now.named,
    )


def _state_figure(change: FigureChange, brand: str, since: str) -> ChangeStatement:
    now, before = (format_figure_value(change.metric, value) for value in (change.now, change.before))
    text = _FIGURE_SENTENCES[change.metric, change.comparison.verdict]
    return ChangeStatement("own", gettext(text, brand=brand, now=now, before=before, since=since), change)


def _state_count(change: CountChange, brand: str, since: str) -> str:
    subject = change.subject or ""
    kind = "named" if change.kind in ("coverage", "competitor") else change.kind
    return gettext(
        _COUNT_SENTENCES[kind, change.verdict],
        brand=brand,
        name=subject or brand,
        subject=subject,
        platform=platform_name(subject),
        now=format_number(change.now),
        total=format_number(change.total),
        before=format_number(change.before),
        since=since,
    )
