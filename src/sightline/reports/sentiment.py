"""The words about sentiment that both kinds of reports share."""

from sightline.metrics.sentiment import Label
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number

_LABELS: dict[Label, str] = {
    "positive": translatable("positive"),
    "neutral": translatable("neutral"),
    "negative": translatable("negative"),
}
_MIXED_LABELS: dict[Label, str] = {
    "positive": translatable("positive, but mixed"),
    "neutral": translatable("neutral, but mixed"),
    "negative": translatable("negative, but mixed"),
}


def name_sentiment(label: Label, *, mixed: bool = False) -> str:
    return gettext((_MIXED_LABELS if mixed else _LABELS)[label])


def count_positive(number: int) -> str:
    return gettext("%(number)s positive", number=format_number(number))


def count_neutral(number: int) -> str:
    return gettext("%(number)s neutral", number=format_number(number))


def count_negative(number: int) -> str:
    return gettext("%(number)s negative", number=format_number(number))


def count_scored_answers(number: int) -> str:
    return ngettext("%(number)s scored answer", "%(number)s scored answers", number, number=format_number(number))


def describe_low_data(scored: int) -> str:
    return gettext(
        "Not measured: sentiment needs at least 3 scored answers, and there are %(number)s.",
        number=format_number(scored),
    )
