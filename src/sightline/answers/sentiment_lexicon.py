"""Sentiment by words: praise and blame in the clauses that are about a brand.

This is the fallback for the trained model (`sentiment_model`). It is English only. An answer whose signals contradict
each other is left unscored, and an unscored answer is never counted as neutral.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.models import Label, Sentiment, Stance
from sightline.answers.scope import find_scopes
from sightline.answers.sentiment_words import count_praise_and_blame

LEXICON_SCORER = "lexicon 1"
# "X beats Y" speaks against Y, whatever else is said of X.
_BEATEN = re.compile(
    r"\s+(?:\w+ly\s+|also\s+|even\s+|still\s+)?(?:beats?|outperforms?|outclasses|outshines|tops|trumps|surpasses|"
    r"edges out|is ahead of|wins against|wins over|is superior to)\s+(?:the\s+|both\s+|all of\s+)?"
)
_COMPARISON = re.compile(
    r"\b(?:better|faster|cheaper|easier|stronger|simpler|smoother|quieter|lighter|safer|nicer|smarter|cleaner|more \w+|"
    r"greater|higher quality|superior|prefer\w*|beats?|outperforms?|ahead)\b"
)
_WORSE = re.compile(
    r"\b(?:worse|slower|weaker|pricier|less \w+|fewer|more expensive|more complicated|costlier|poorer)\b"
)


def score_mentions(
    prepared: PreparedAnswer,
    mentions: Sequence[Mention],
    stances: Sequence[Stance],
    praised: frozenset[int],
) -> dict[int, Sentiment]:
    """Return the sentiment of each brand for which the signals are clear.

    `praised` are the indexes of the mentions in a phrase of praise.
    """
    praise: defaultdict[int, float] = defaultdict(float)
    blame: defaultdict[int, float] = defaultdict(float)
    seen: set[int] = set()
    for index, (start, end) in enumerate(find_scopes(prepared, mentions)):
        mention, stance = mentions[index], stances[index]
        if stance == "unknown":
            continue
        seen.add(mention.brand)
        if mention.derived:
            continue
        if index in praised:
            praise[mention.brand] += 2
            continue
        if index and _BEATEN.fullmatch(prepared.folded, mentions[index - 1].end, mention.start):
            blame[mention.brand] += 1
        if stance == "discouraged":
            blame[mention.brand] += 2
        elif stance == "contrast":
            won = _score_contrast(prepared, mention)
            praise[mention.brand] += won > 0
            blame[mention.brand] += won < 0
        if end > start and stance != "contrast":
            good, bad = count_praise_and_blame(prepared.folded[start:end])
            praise[mention.brand] += good
            blame[mention.brand] += bad
    return {brand: sentiment for brand in seen if (sentiment := _decide(praise[brand], blame[brand])) is not None}


def label_for(score: float) -> Label:
    return "positive" if score >= 60 else "negative" if score <= 40 else "neutral"


def _decide(good: float, bad: float) -> Sentiment | None:
    if good and bad and abs(good - bad) < 1.5 and good + bad > 3:
        return None  # much is said for and against, and which weighs more would be a guess
    score = 50 + 45 * (good - bad) / (good + bad + 1)
    return Sentiment(score, label_for(score), LEXICON_SCORER)


def _score_contrast(prepared: PreparedAnswer, mention: Mention) -> int:
    """Return -1 if a comparison speaks against the brand, 1 if for it, 0 if it says nothing of quality."""
    start = max(prepared.folded.rfind("\x1a", 0, mention.start) + 1, mention.start - 120)
    end = prepared.folded.find("\x1a", mention.end)
    around = prepared.folded[start : min(end if end > 0 else mention.end + 160, mention.end + 160)]
    if _WORSE.search(around):
        return 1
    good, bad = count_praise_and_blame(around)
    return -1 if _COMPARISON.search(around) or good > bad else 0
