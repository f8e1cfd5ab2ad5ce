"""Sentiment by words: praise and blame in the clauses that are about a brand.

This is the fallback for the trained model (`sentiment_model`). It is English only. An answer whose signals contradict
each other is left unscored, and an unscored answer is never counted as neutral.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.models import Label, Sentiment, Stance
from sightline.answers.sentiment_words import count_praise_and_blame

LEXICON_SCORER = "lexicon 1"
# A clause ends here when another brand follows it.
_CLAUSE = re.compile(
    r"[.;:!?\n—–]|,\s|\s-\s|\b(?:but|while|whereas|although|though|however|yet|unlike|and then|so|because|rather than|"
    r"instead of|compared (?:with|to)|than)\b"
)
_ONLY_JOINED = re.compile(
    r"(?:'s?)?[\s,/*&]*(?:(?:and|or|nor|plus|as well as|vs\.?|versus|both|then)[\s*]*)?(?:the\s)?"
)
# "X beats Y" speaks against Y, whatever else is said of X.
_BEATEN = re.compile(
    r"\s+(?:\w+ly\s+|also\s+|even\s+|still\s+)?(?:beats?|outperforms?|outclasses|outshines|tops|trumps|surpasses|"
    r"edges out|is ahead of|wins against|wins over|is superior to)\s+(?:the\s+|both\s+|all of\s+)?"
)
_COMPARISON = re.compile(
    r"\b(?:better|faster|cheaper|easier|stronger|simpler|smoother|quieter|lighter|safer|nicer|smarter|cleaner|more \w+|"
    r"greater|higher quality|superior|prefer\w*|beats?|outperforms?|ahead)\b"
)
_MAX_BLOCKS = 60  # that one head can be about
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


def find_scopes(prepared: PreparedAnswer, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Return the span of prose that is about each mention: up to the clause in which the next brand begins."""
    folded = prepared.folded
    starts = [block.start for block in prepared.blocks]
    places = [max(0, bisect_right(starts, mention.start) - 1) for mention in mentions]
    ends = {place: _row_end(prepared, place) for place in set(places)}
    blocks = [prepared.blocks[place] for place in places]
    spans: list[tuple[int, int]] = []
    left = 0
    for index, mention in enumerate(mentions):
        block = blocks[index]
        row_end = ends[places[index]]
        start = max(left, block.start) if not index or blocks[index - 1] is block else block.start
        following = mentions[index + 1] if index + 1 < len(mentions) else None
        end = row_end
        if following is not None and following.start < row_end:
            between = folded[mention.end : following.start]
            breaks = [match.start() for match in _CLAUSE.finditer(between)]
            end = mention.end + breaks[-1] if breaks else following.start
            if _ONLY_JOINED.fullmatch(between):
                end = following.start
        spans.append((min(start, mention.start), max(end, mention.end)))
        left = spans[-1][1]
    for index in range(len(mentions) - 2, -1, -1):
        between = folded[mentions[index].end : mentions[index + 1].start]
        if len(between) < 24 and blocks[index] is blocks[index + 1] and _ONLY_JOINED.fullmatch(between):
            spans[index] = (spans[index][0], spans[index + 1][1])  # "X and Y are excellent" is about both
    return spans


def _row_end(prepared: PreparedAnswer, place: int) -> int:
    """Return the end of the item, table row or section that a name heads, sub-items included."""
    own = prepared.blocks[place]
    end = own.end
    for other in prepared.blocks[place + 1 : place + 1 + _MAX_BLOCKS]:
        same_row = own.kind == "cell" and other.kind == "cell" and other.group == own.group and other.entry == own.entry
        below = own.kind == "item" and other.kind == "item" and (other.depth > own.depth or other.entry == own.entry)
        under = own.kind == "heading" and other.kind != "heading"
        if not (same_row or below or under):
            break
        end = other.end
    return end
