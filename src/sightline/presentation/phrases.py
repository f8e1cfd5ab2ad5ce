"""Names and phrases that pages, reports, e-mails and the terminal share."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from babel import Locale

from sightline.kit.counting import count
from sightline.kit.rounding import round_half_away
from sightline.metrics.figure import Figure
from sightline.metrics.observation import UnscoredReason
from sightline.metrics.spot_check import MIN_REPEATS
from sightline.metrics.themes import ChangeVerdict
from sightline.presentation.numbers import format_percent
from sightline.presentation.ranges import find_wider_range, has_few_prompts

MetricKey = Literal[
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "share_of_voice_pct",
    "market_position",
    "citation_count",
]
METRIC_NAMES: dict[str, str] = {
    "visibility_score": "Visibility Score",
    "brand_coverage_pct": "Brand Coverage",
    "ai_mentions": "AI Mentions",
    "share_of_voice_pct": "Share of Voice",
    "market_position": "Market Position",
    "citation_count": "Citations",
}

# By `platforms.models.FaultKind`.
FAULT_PHRASES: dict[str, str] = {
    "rate_limited": "asked too fast",
    "unavailable": "not available",
    "timeout": "no answer in time",
    "malformed": "unreadable answer",
    "blank": "empty answer",
    "no_money": "quota or credit used up",
    "unauthorised": "credentials refused",
    "rejected": "request refused",
}

SANDBOX = "Sandbox answers: everything here is made up."
SANDBOX_WHY = (
    "No platform is connected, so the answers come from an invented market and say nothing about the real brand."
)
EARLY_READING = (
    "Early reading",
    "Fewer than 10 prompts were measured. Treat every figure as a first hint, not as a level.",
)
ONLY_BRANDED = (
    "Only branded prompts",
    "Every prompt names the brand, so answers nearly have to name it too. Add prompts that do not.",
)
NO_DOMAIN = (
    "No domain",
    "Without a domain no page counts as the brand's own, and its Visibility Score is at most 80. Write NAME=domain.",
)


class StandingFigures(Protocol):
    """The figures of a headline that describe the standing of a brand."""

    @property
    def brand_coverage_pct(self) -> Figure: ...
    @property
    def market_position(self) -> Figure: ...


def country_name(code: str | None) -> str:
    """Return the English name of a country; None is a prompt that asks for no market."""
    if code is None:
        return "Global"
    return str(Locale("en").territories.get(code, code))


def language_name(code: str) -> str:
    """Return the English name of a language."""
    return str(Locale("en").languages.get(code, code))


UNREAD_REASONS = {
    "no_word_lists": "",
    "judge_failed": ": the platform that reads them did not answer",
    "judge_limit": ": there are more of them than one Full Check reads",
}
"""Why answers gave no themes (`insights.models.UnreadReason`)."""


def describe_unread_themes(languages: Sequence[str], reason: str = "no_word_lists") -> str:
    """Say in which languages themes are not available, and why; empty if there are none."""
    if not languages:
        return ""
    *first, last = [language_name(code) for code in languages]
    names = f"{', '.join(first)} and {last}" if first else last
    available = "available" if reason == "no_word_lists" else "complete"
    return f"Themes are not {available} for answers in {names}{UNREAD_REASONS[reason]}."


def describe_theme_change(share: float, verdict: ChangeVerdict) -> str:
    """Describe what has become of a theme since the Full Check before."""
    before = f"{format_percent(round_half_away(share))} in the last Full Check"
    return {
        "up": f"Up from {before}",
        "down": f"Down from {before}",
        "new": "New since the last Full Check",
        "no_clear_change": f"No clear change from {before}",
    }[verdict]


def describe_market(country: str | None, language: str | None) -> str:
    """Describe where and in which language a prompt was asked; empty where neither is set."""
    parts = [country and f"country {country}", language and f"language {language}"]
    return ", ".join(part for part in parts if part)


def describe_standing(brand: str, headline: StandingFigures, *, has_ranking: bool) -> str:
    """Describe in one or two sentences how often the brand is named, and where that puts it."""
    coverage, position = headline.brand_coverage_pct, headline.market_position
    if coverage.value is None:
        return f"No answer could be measured, so nothing is known about {brand}."
    text = (
        f"{brand} is named in {coverage.numerator:,} of {count(coverage.n, 'answer')}: "
        f"{format_percent(coverage.value)}.{_describe_wider_range(coverage)}"
    )
    if position.value is not None:
        text += f" It is number {position.value} of {position.denominator} tracked brands"
        low, high = find_wider_range(position) or (position.value, position.value)
        text += "." if low == high else f", and may be anything from {low} to {high}."
    elif has_ranking:
        text += " It is not ranked: no answer names or cites it."
    return text


def _describe_wider_range(share: Figure) -> str:
    """Describe the wider of the two ranges in a sentence, which begins with a space."""
    found = find_wider_range(share)
    if found is None:
        return ""
    ends = f"between {format_percent(found[0])} and {format_percent(found[1])}"
    if share.market is not None:
        return f" For questions like these, expect {ends}."
    limit = "; with fewer than five prompts, nothing is known about other questions" if has_few_prompts(share) else ""
    return f" If these prompts were asked again, expect {ends}{limit}."


def describe_spot_check(brand: str, figure: Figure) -> str:
    """Say how likely one look finds the brand, or that there are too few repeats to tell."""
    if figure.value is None or figure.low is None or figure.high is None:
        return f"Too few repeats for a spot check: {figure.n} so far, and it takes {MIN_REPEATS}."
    chance, low, high = (f"{round_half_away(float(value), 0):.0f}" for value in (figure.value, figure.low, figure.high))
    return f"If someone asks once, the chance to see {brand} is {chance}% ({low} to {high})."


UNSCORED_REASONS: dict[UnscoredReason, str] = {
    "language": "in a language that Sightline cannot score",
    "doubt": "where the scorer is not sure",
    "no_opinion": "naming the brand only in passing",
}


def describe_unscored(unscored: int, reasons: Mapping[UnscoredReason, int]) -> str:
    """Return why answers that name the brand have no sentiment; empty if all of them have one."""
    if not unscored:
        return ""
    why = [f"{number} {UNSCORED_REASONS[reason]}" for reason, number in reasons.items() if number]
    unknown = unscored - sum(reasons.values())
    if why and unknown:
        why.append(f"{unknown} for a reason that was not recorded")
    detail = f": {', '.join(why)}" if why else ""
    naming = "that names the brand is" if unscored == 1 else "that name the brand are"
    return f"{count(unscored, 'more answer')} {naming} not scored{detail}. Unscored answers never count as neutral."


def describe_incomplete_platforms(names: Sequence[str], *, of: int) -> str:
    """Describe which of the platforms gave too few answers; empty where none did."""
    if not names:
        return ""
    where = "every platform" if len(names) == of > 1 else ", ".join(names)
    return f"Fewer than 80% of the answers came from {where}."


def to_one_line(text: str) -> str:
    """Return the text as one printable line, as a subject or a title needs it."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
