"""The scorer of sentiment."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

import structlog

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.models import Sentiment, Stance
from sightline.answers.sentiment_model import SentimentModel, load_model

log = structlog.get_logger()

ScorerName = Literal["model"]
LANGUAGES = frozenset({"en"})
"""The languages of the model. An answer in another language stays unscored."""


class Scorer(Protocol):
    def score(
        self,
        prepared: PreparedAnswer,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        """Return the sentiment of each wanted brand for which the scorer is sure.

        It gets all mentions, because what is said of one brand ends where the next is named.
        """


class _ModelScorer:
    """The trained model, loaded for the first answer that it has to score. If that fails, nothing is scored."""

    def score(
        self,
        prepared: PreparedAnswer,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        model = load_if_possible()
        return {} if model is None else model.score(prepared, mentions, stances, wanted)


@cache
def load_if_possible() -> SentimentModel | None:
    try:
        return load_model()
    except Exception as error:  # noqa: BLE001 - whatever fails in a library or on disk, answers are still analyzed
        log.warning("sentiment_model_not_loaded", error=type(error).__name__)
        return None


SCORERS: Mapping[ScorerName, Scorer] = {"model": _ModelScorer()}
DEFAULT_SCORER: ScorerName = "model"


def parse_scorer_name(setting: str = DEFAULT_SCORER) -> ScorerName | None:
    """Return the scorer that a setting names. `off` stands for no scorer."""
    return next((name for name in SCORERS if name == setting), None)
