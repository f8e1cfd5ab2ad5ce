"""Names and phrases that pages, reports, e-mails and the terminal share."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, get_args

from babel import Locale

from sightline.kit.rounding import round_half_away
from sightline.metrics.figure import Figure
from sightline.metrics.observation import UnscoredReason
from sightline.metrics.registry import REGISTRY
from sightline.metrics.spot_check import MIN_REPEATS
from sightline.metrics.themes import ChangeVerdict
from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.language import current_locale, gettext, ngettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number, format_ordinal, format_percent
from sightline.presentation.ranges import find_wider_range, has_few_prompts

MetricKey = Literal[
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "share_of_voice_pct",
    "market_position",
    "citation_count",
]
METRIC_NAMES: dict[str, str] = {key: REGISTRY[key].name for key in get_args(MetricKey)}

# By `platforms.models.FaultKind`.
FAULT_PHRASES: dict[str, str] = {
    "rate_limited": translatable("rate limit reached"),
    "unavailable": translatable("platform unavailable"),
    "timeout": translatable("no answer in time"),
    "malformed": translatable("unreadable answer"),
    "blank": translatable("empty answer"),
    "no_money": translatable("quota or credit used up"),
    "unauthorised": translatable("credentials refused"),
    "rejected": translatable("request refused"),
}

SANDBOX = translatable("Sandbox: all answers are made up.")
SANDBOX_WHY = translatable(
    "No platform is connected, so the answers are about made-up companies and say nothing about the real brand."
)
EARLY_READING = (
    translatable("Early reading"),
    translatable("Fewer than 10 prompts were measured. Treat every figure as a first indication."),
)
ONLY_BRANDED = (
    translatable("Only branded prompts"),
    translatable("Every prompt names %(brand)s, so most answers name it too. Add prompts that do not name it."),
)
NO_DOMAIN = (
    translatable("No domain"),
    translatable(
        "Without a domain, no page counts as a page of %(brand)s: its Visibility Score is at most 80. Write "
        "NAME=domain."
    ),
)


class StandingFigures(Protocol):
    """The figures of a headline that describe the standing of a brand."""

    @property
    def brand_coverage_pct(self) -> Figure: ...
    @property
    def market_position(self) -> Figure: ...


def cut_words(text: str, limit: int) -> str:
    """Return the first words of a text that has more of them. A script without spaces is cut after as many letters."""
    words = text.split()
    if len(words) > limit:
        return " ".join(words[:limit]) + "…"
    return text if len(text) <= 12 * limit else text[: 12 * limit - 1] + "…"


def country_name(code: str | None) -> str:
    """Return the name of a country; None is a prompt that asks for no market."""
    if code is None:
        return gettext("Global")
    return str(Locale(current_locale()).territories.get(code, code))


def language_name(code: str) -> str:
    """Return the name of a language."""
    return str(Locale(current_locale()).languages.get(code, code))


_THEME_CHANGES: dict[ChangeVerdict, str] = {
    "up": translatable("Up from %(share)s in the previous Full Check"),
    "down": translatable("Down from %(share)s in the previous Full Check"),
    "new": translatable("New since the previous Full Check"),
    "no_clear_change": translatable("No clear change from %(share)s in the previous Full Check"),
}


def describe_unread_themes(languages: Sequence[str]) -> str:
    """Say in which languages themes are not available; empty if there are none."""
    if not languages:
        return ""
    names = join_names([language_name(code) for code in languages])
    return gettext(
        "Without a language model as editor, themes are found in English answers only, so answers in %(languages)s "
        "have none. An operator can set one up.",
        languages=names,
    )


def describe_theme_change(share: float, verdict: ChangeVerdict) -> str:
    """Describe how a theme has changed since the previous Full Check."""
    return gettext(_THEME_CHANGES[verdict], share=format_percent(round_half_away(share)))


def describe_market(country: str | None, language: str | None) -> str:
    """Describe where and in which language a prompt was asked; empty where neither is set."""
    parts = [
        country and gettext("country %(country)s", country=country),
        language and gettext("language %(language)s", language=language),
    ]
    return ", ".join(part for part in parts if part)


def count_answers(number: int) -> str:
    """Return a count such as "1 answer" or "1,204 answers"."""
    return ngettext("%(number)s answer", "%(number)s answers", number, number=format_number(number))


def count_pages(number: int) -> str:
    return ngettext("%(number)s page", "%(number)s pages", number, number=format_number(number))


def count_sites(number: int) -> str:
    return ngettext("%(number)s site", "%(number)s sites", number, number=format_number(number))


def count_prompts(number: int) -> str:
    return ngettext("%(number)s prompt", "%(number)s prompts", number, number=format_number(number))


def count_platforms(number: int) -> str:
    return ngettext("%(number)s platform", "%(number)s platforms", number, number=format_number(number))


def count_citations(number: int) -> str:
    return ngettext("%(number)s citation", "%(number)s citations", number, number=format_number(number))


def describe_coverage(coverage: Figure) -> str:
    """Describe how many answers name the brand: "42 of 140 answers"."""
    return gettext(
        "%(named)s of %(answers)s", named=format_number(coverage.numerator), answers=count_answers(coverage.n)
    )


def describe_standing(
    brand: str, headline: StandingFigures, *, has_ranking: bool, platform: str | None = None, with_position: bool = True
) -> str:
    """Describe in a few sentences how often the brand is named, on one platform or on all, and where that puts it."""
    coverage, position = headline.brand_coverage_pct, headline.market_position
    share = describe_share(brand, coverage, platform=platform)
    if coverage.value is None:
        return share
    sentences = [share, _describe_wider_range(brand, coverage)]
    if position.value is not None and with_position:
        sentences.append(describe_position(brand, position))
    elif position.value is None and has_ranking:
        sentences.append(gettext("%(brand)s is not ranked, because no answer names or cites it.", brand=brand))
    return " ".join(sentence for sentence in sentences if sentence)


def describe_share(brand: str, coverage: Figure, *, platform: str | None = None) -> str:
    """Describe in a sentence how often the brand is named, on one platform or on all."""
    if coverage.value is None:
        return gettext("No answer could be measured, so there are no figures for %(brand)s.", brand=brand)
    values = {"brand": brand, "coverage": describe_coverage(coverage), "share": format_percent(coverage.value)}
    if platform is None:
        return gettext("%(brand)s is named in %(coverage)s (%(share)s).", **values)
    return gettext("On %(platform)s, %(brand)s is named in %(coverage)s (%(share)s).", platform=platform, **values)


_LIKELY_OF_TWO = translatable(
    "Of %(brands)s tracked brands, %(brand)s ranks %(position)s (likely %(low)s or %(high)s with these prompts)."
)
_LIKELY_OF_TWO_IN_MARKET = translatable(
    "Of %(brands)s tracked brands, %(brand)s ranks %(position)s (likely %(low)s or %(high)s across all similar "
    "questions)."
)
_LIKELY = translatable(
    "Of %(brands)s tracked brands, %(brand)s ranks %(position)s (likely between %(low)s and %(high)s with "
    "these prompts)."
)
_LIKELY_IN_MARKET = translatable(
    "Of %(brands)s tracked brands, %(brand)s ranks %(position)s (likely between %(low)s and %(high)s "
    "across all similar questions)."
)


def describe_position(brand: str, position: Figure) -> str:
    """Describe the position among the tracked brands in a sentence; empty where the brand has none."""
    value = position.value
    if value is None:
        return ""
    low, high = find_wider_range(position) or (value, value)
    if low == high:
        return gettext(
            "Of %(brands)s tracked brands, %(brand)s ranks %(position)s.",
            brand=brand,
            position=format_ordinal(int(value)),
            brands=position.denominator,
        )
    values = {
        "brand": brand,
        "position": format_ordinal(int(value)),
        "brands": position.denominator,
        "low": format_ordinal(int(low)),
        "high": format_ordinal(int(high)),
    }
    is_market = position.market is not None and (low, high) == (position.market.low, position.market.high)
    if high - low == 1:
        text = _LIKELY_OF_TWO_IN_MARKET if is_market else _LIKELY_OF_TWO
    else:
        text = _LIKELY_IN_MARKET if is_market else _LIKELY
    return gettext(text, **values)


def _describe_wider_range(brand: str, share: Figure) -> str:
    """Describe the wider of the two ranges in a sentence."""
    found = find_wider_range(share)
    if found is None:
        return ""
    low, high = (format_percent(end) for end in found)
    if share.market is not None:
        return gettext(
            "For questions like your prompts, expect %(low)s to %(high)s of answers to name %(brand)s.",
            low=low,
            high=high,
            brand=brand,
        )
    again = gettext(
        "If these prompts are run again, expect %(low)s to %(high)s of answers to name %(brand)s.",
        low=low,
        high=high,
        brand=brand,
    )
    if not has_few_prompts(share):
        return again
    unknown = gettext("Fewer than five prompts are too few to estimate the share for other questions.")
    return f"{again} {unknown}"


def describe_spot_check(brand: str, figure: Figure) -> str:
    """Say how likely one look finds the brand, or that there are too few repeats to tell."""
    if figure.value is None or figure.low is None or figure.high is None:
        return gettext(
            "Too few answers to estimate the chance: %(repeats)s so far, %(needed)s needed.",
            repeats=format_number(figure.n),
            needed=MIN_REPEATS,
        )
    chance, low, high = (int(round_half_away(float(value), 0)) for value in (figure.value, figure.low, figure.high))
    return gettext(
        "If someone asks once, the chance of seeing %(brand)s is %(chance)s (%(low)s to %(high)s).",
        brand=brand,
        chance=format_percent(chance),
        low=format_percent(low),
        high=format_percent(high),
    )


_UNSCORED_REASONS: dict[UnscoredReason | Literal["unknown"], str] = {
    "language": translatable("%(number)s in a language that is not supported"),
    "doubt": translatable("%(number)s with unclear sentiment"),
    "no_opinion": translatable("%(number)s with only a passing mention"),
    "unknown": translatable("%(number)s for a reason that was not recorded"),
}
_SOLE_UNSCORED_REASONS: dict[UnscoredReason | Literal["unknown"], str] = {
    "language": translatable("the language is not supported"),
    "doubt": translatable("the sentiment is unclear"),
    "no_opinion": translatable("%(brand)s is mentioned only in passing"),
}


def describe_unscored(brand: str, unscored: int, reasons: Mapping[UnscoredReason, int]) -> str:
    """Return why answers that name the brand have no sentiment; empty if all of them have one."""
    if not unscored:
        return ""
    why = _list_unscored_reasons(unscored, reasons)
    number = format_number(unscored)
    if not why:
        return ngettext(
            "%(number)s more answer names %(brand)s but has no score. It does not count as neutral.",
            "%(number)s more answers name %(brand)s but have no score. They do not count as neutral.",
            unscored,
            brand=brand,
            number=number,
        )
    reasons_found = (
        gettext(_SOLE_UNSCORED_REASONS[why[0][0]], brand=brand)
        if len(why) == 1
        else ", ".join(gettext(_UNSCORED_REASONS[key], number=format_number(each)) for key, each in why)
    )
    return ngettext(
        "%(number)s more answer names %(brand)s but has no score: %(reasons)s. It does not count as neutral.",
        "%(number)s more answers name %(brand)s but have no score: %(reasons)s. They do not count as neutral.",
        unscored,
        brand=brand,
        number=number,
        reasons=reasons_found,
    )


def _list_unscored_reasons(
    unscored: int, reasons: Mapping[UnscoredReason, int]
) -> list[tuple[UnscoredReason | Literal["unknown"], int]]:
    """Return how many answers have no sentiment for each reason; nothing where no reason was recorded."""
    known: list[tuple[UnscoredReason | Literal["unknown"], int]] = [each for each in reasons.items() if each[1]]
    unknown = unscored - sum(reasons.values())
    return [*known, ("unknown", unknown)] if known and unknown else known


def describe_incomplete_platforms(names: Sequence[str], *, of: int) -> str:
    """Describe which of the platforms gave too few answers; empty where none did."""
    if not names:
        return ""
    if len(names) == of > 1:
        return gettext("Fewer than 80%% of the planned answers are valid on every platform.")
    return gettext("Fewer than 80%% of the planned answers are valid on %(platforms)s.", platforms=join_names(names))


def to_one_line(text: str) -> str:
    """Return the text as one printable line, as a subject or a title needs it."""
    shown = show_direction_controls(text)
    return " ".join("".join(char if char.isprintable() else " " for char in shown).split())
