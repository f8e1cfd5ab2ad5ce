"""Who can score the sentiment of an answer. The judge is another one: it has to be asked (see `judge`)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

import structlog

from sightline.answers.blocks import Prepared
from sightline.answers.mentions import Mention
from sightline.answers.models import Sentiment, Stance
from sightline.answers.sentiment import score_mentions
from sightline.answers.sentiment_model import SentimentModel, load_model

log = structlog.get_logger()

ScorerName = Literal["model", "lexicon"]
LANGUAGES = frozenset({"en"})
"""What both of them know. An answer in another language is left to the judge, or unscored."""


class Scorer(Protocol):
    def score(
        self,
        prepared: Prepared,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        praised: frozenset[int],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        """Brand → sentiment, of those wanted, where the scorer is sure.

        All mentions are given, for where one brand begins another one ends. `praised` stand in a phrase of praise.
        """


class _Lexicon:
    def score(
        self,
        prepared: Prepared,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        praised: frozenset[int],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        found = score_mentions(prepared, mentions, stances, praised)
        return {brand: sentiment for brand, sentiment in found.items() if brand in wanted}


class _ShippedModel:
    """Loaded with the first answer that it has to score. Where it cannot be loaded, words are better than nothing."""

    def score(
        self,
        prepared: Prepared,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        praised: frozenset[int],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        model = _load_if_possible()
        if model is None:
            return _Lexicon().score(prepared, mentions, stances, praised, wanted)
        return model.score(prepared, mentions, stances, praised, wanted)


@cache
def _load_if_possible() -> SentimentModel | None:
    try:
        return load_model()
    except Exception as error:  # noqa: BLE001 - whatever a library or a disk does: answers are read all the same
        log.warning("sentiment_model_not_loaded", error=type(error).__name__, instead="lexicon")
        return None


SCORERS: Mapping[ScorerName, Scorer] = {"model": _ShippedModel(), "lexicon": _Lexicon()}
DEFAULT_SCORER: ScorerName = "model"


def name_scorer(setting: str = DEFAULT_SCORER) -> ScorerName | None:
    """By the word of the setting: `off` is nobody."""
    return next((name for name in SCORERS if name == setting), None)
