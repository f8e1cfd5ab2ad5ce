"""How each mention is meant: recommended or merely named, the other side of a comparison, advised against, unknown."""

import re
from bisect import bisect_left
from collections.abc import Iterator

import ahocorasick_rs

from sightline.answers.blocks import Block, Prepared
from sightline.answers.mentions import Mention
from sightline.answers.models import Stance
from sightline.answers.stance_rules import NAME, RULES, WARNING_HEADINGS, Rule

_KEYS: dict[str, list[int]] = {}
for _index, _each in enumerate(RULES):
    for _key in _each.keys:
        _KEYS.setdefault(_key, []).append(_index)
_KEY_RULES = list(_KEYS.values())
_AUTOMATON = ahocorasick_rs.AhoCorasick(list(_KEYS))
_LONGEST_HEAD = 160  # characters
_MANY = 200  # mentions: from here on it is worth asking first whether there is a key at all
_OPENING = 2  # characters that may stand before a name that opens its sentence
_HEAD_REACH = 6  # characters before the name of an item
_QUOTES = "\"'«»„“”「」『』《》〈〉‹›*"
_HEADING_KEYS = ahocorasick_rs.AhoCorasick(list(WARNING_HEADINGS.keys))


def find_stances(prepared: Prepared, mentions: list[Mention]) -> tuple[list[Stance], frozenset[int]]:
    """One stance for each mention, in their order; and which of them stand in a phrase of praise."""
    stances: list[Stance] = ["neutral"] * len(mentions)
    praised: set[int] = set()
    if len(mentions) > _MANY and not _AUTOMATON.find_matches_as_indexes(prepared.folded):
        return stances, frozenset()  # a megabyte of nothing but the name has a sentence for each of them
    index = 0
    while index < len(mentions):
        start, end = prepared.sentence_at(mentions[index].start)
        last = index + 1
        while last < len(mentions) and mentions[last].start < end:
            last += 1
        sentence = _mask(prepared.folded, start, end, mentions[index:last])
        decided = prepared.judged.get(sentence)
        if decided is None:
            decided = prepared.judged[sentence] = _judge(sentence)
        for offset, rule in decided.items():
            stances[index + offset] = RULES[rule].stance
            if RULES[rule].praises:
                praised.add(index + offset)
        index = last
    _hold_to_paragraph_end(prepared, mentions, stances)
    _under_discouraging_heads(prepared, mentions, stances)
    return stances, frozenset(praised)


def _mask(folded: str, start: int, end: int, mentions: list[Mention]) -> str:
    """The sentence with NAME for each name: the rules ask where names stand, and not which."""
    masked, at = [], start
    for mention in mentions:
        # quotation marks around a name say nothing and would stand between it and the phrase
        masked += [folded[at : mention.start].rstrip(_QUOTES), NAME]
        at = mention.end
        while at < end and folded[at] in _QUOTES and not folded.startswith("'s", at):
            at += 1
    masked.append(folded[at:end])
    return "".join(masked)


def _judge(sentence: str) -> dict[int, int]:
    """Name → the rule that decides it. What an earlier rule decides (praise in disguise) stays."""
    decided: dict[int, int] = {}
    keys = _AUTOMATON.find_matches_as_indexes(sentence, overlapping=True)
    for rule in sorted({rule for key, _, _ in keys for rule in _KEY_RULES[key]}):
        for match in _find_phrases(RULES[rule], sentence):
            number = sentence.count(NAME, 0, match.start())
            for offset in range(match[0].count(NAME)):
                decided.setdefault(number + offset, rule)
    return decided


def _find_phrases(rule: Rule, sentence: str) -> Iterator[re.Match[str]]:
    """Those that hold a name, and perhaps others. They begin at the last name at the latest: where that one opens the
    sentence, as in most lists, few places are tried and not all of them.
    """
    last = sentence.rfind(NAME)
    if last > _OPENING:
        if not rule.requires or _holds_any(sentence, rule.requires):
            yield from rule.pattern.finditer(sentence)
        return
    at = 0
    while at <= last:
        match = rule.pattern.match(sentence, at)
        if match is not None:
            yield match
        at = at + 1 if match is None else match.end()


def _holds_any(sentence: str, requires: tuple[str, ...]) -> bool:
    spaced = " ".join(sentence.split())
    return any(phrase in spaced for phrase in requires)


def _hold_to_paragraph_end(prepared: Prepared, mentions: list[Mention], stances: list[Stance]) -> None:
    if "discouraged" not in stances:
        return
    until: dict[int, int] = {}
    block = 0
    for index, mention in enumerate(mentions):
        while block + 1 < len(prepared.blocks) and prepared.blocks[block].end <= mention.start:
            block += 1
        if stances[index] == "discouraged":
            until[mention.brand] = prepared.blocks[block].end
        elif mention.start < until.get(mention.brand, 0):
            stances[index] = "discouraged"


def _under_discouraging_heads(prepared: Prepared, mentions: list[Mention], stances: list[Stance]) -> None:
    """Items right under "Brands to avoid:" are advised against though the words stand above them."""
    folded = prepared.folded
    if prepared.may_warn is None:
        prepared.may_warn = _may_warn(folded)
    if not prepared.may_warn:
        return
    starts = [mention.start for mention in mentions]
    active: Block | None = None
    for block in prepared.blocks:
        first = bisect_left(starts, block.start)
        names_one = first < len(starts) and starts[first] < block.end
        if block.kind == "heading" or (block.kind == "paragraph" and _announces(folded, block)):
            text = folded[block.start : block.end] if block.end - block.start < _LONGEST_HEAD else ""
            warns = (
                not names_one and WARNING_HEADINGS.pattern.search(text) and not WARNING_HEADINGS.exceptions.search(text)
            )
            active = block if warns else None
        elif block.kind == "paragraph" and active is not None and active.kind != "heading":
            active = None
        elif active is not None and block.opens and names_one and starts[first] - block.start < _HEAD_REACH:
            stances[first] = "discouraged"


def _may_warn(folded: str) -> bool:
    """A word of such a head occurs, and a key: where no rule is worth a try, all mentions are neutral."""
    return bool(_HEADING_KEYS.find_matches_as_indexes(folded)) and bool(_AUTOMATON.find_matches_as_indexes(folded))


def _announces(folded: str, block: Block) -> bool:
    return folded[max(block.start, block.end - 4) : block.end].rstrip().endswith(":")


def answer_stance(stances: list[Stance]) -> Stance | None:
    """Neutral if any mention is; else discouraged if any is; else contrast. Nothing but `unknown` is no mention."""
    for stance in ("neutral", "discouraged", "contrast", "unknown"):
        if stance in stances:
            return stance
    return None
