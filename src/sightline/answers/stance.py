"""The stance of each mention: recommended or merely named, contrasted, advised against, unknown."""

import re
from bisect import bisect_left
from collections.abc import Iterator

import ahocorasick_rs

from sightline.answers.bare_mentions import is_bare
from sightline.answers.blocks import Block, PreparedAnswer
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
_MANY_MENTIONS = 200  # from here on it is worth checking first whether any key occurs
_OPENING = 2  # characters that may stand before a name that opens its sentence
_HEAD_REACH = 6  # characters before the name of an item
_QUOTES = "\"'«»„“”「」『』《》〈〉‹›*"
_ASKS = re.compile(r"[?؟]|(?<!ないでしょう)か。?")
_GREEK = re.compile("[α-ω]")
_AFTER_QUESTION = " *_)\"'»”」』"
_CLAUSE_MARKS = (" - ", ":", ";", ". ")
_HEADING_KEYS = ahocorasick_rs.AhoCorasick(list(WARNING_HEADINGS.keys))
_KEYS_OF_BOTH = {
    index for index, key in enumerate(WARNING_HEADINGS.keys) if _AUTOMATON.find_matches_as_indexes(key)
}  # fmt: skip


def find_stances(prepared: PreparedAnswer, mentions: list[Mention]) -> list[Stance]:
    """Return one stance for each mention, in their order."""
    stances: list[Stance] = ["neutral"] * len(mentions)
    praised: set[int] = set()
    if len(mentions) > _MANY_MENTIONS and not _AUTOMATON.find_matches_as_indexes(prepared.folded):
        return stances  # a hostile text may have a sentence for each of its mentions
    index = 0
    while index < len(mentions):
        start, end = prepared.sentence_at(mentions[index].start)
        last = index + 1
        while last < len(mentions) and mentions[last].start < end:
            last += 1
        sentence = _mask(prepared.folded, start, end, mentions[index:last])
        decided = prepared.rule_cache.get(sentence)
        if decided is None:
            decided = prepared.rule_cache[sentence] = _apply_rules(sentence)
        for offset, rule in decided.items():
            stances[index + offset] = RULES[rule].stance
            if RULES[rule].praises:
                praised.add(index + offset)
        index = last
    _extend_to_paragraph_end(prepared, mentions, stances)
    _discourage_under_headings(prepared, mentions, stances)
    _keep_warnings(prepared, mentions, stances, praised)
    return stances


def _mask(folded: str, start: int, end: int, mentions: list[Mention]) -> str:
    """Return the sentence with NAME for each name: the rules need to know where names stand, not which."""
    masked, at = [], start
    for mention in mentions:
        # quotation marks around a name mean nothing and would separate it from the phrase
        masked += [folded[at : mention.start].rstrip(_QUOTES), NAME]
        at = mention.end
        while at < end and folded[at] in _QUOTES and not folded.startswith("'s", at):
            at += 1
    masked.append(folded[at:end])
    return "".join(masked)


def _apply_rules(sentence: str) -> dict[int, int]:
    """Return the rule that decides each name. Earlier rules win, so praise in the form of a denial stays praise."""
    decided: dict[int, int] = {}
    keys = {key for key, _, _ in _AUTOMATON.find_matches_as_indexes(sentence, overlapping=True)}
    for rule in sorted({rule for key in keys for rule in _KEY_RULES[key]}):
        for match in _find_phrases(RULES[rule], sentence):
            if RULES[rule].stance == "discouraged" and match.end() > _find_question(sentence):
                continue
            number = sentence.count(NAME, 0, match.start())
            for offset in range(match[0].count(NAME)):
                decided.setdefault(number + offset, rule)
    return decided


def _find_question(sentence: str) -> int:
    """Return where the question at the end of the sentence begins. "Should you avoid Acme?" is not advice.

    In "I'd avoid Acme - shall I compare others?" it begins after the dash.
    """
    text = sentence.rstrip(_AFTER_QUESTION)
    asks = _ASKS.fullmatch(text, max(0, len(text) - 1)) or _ASKS.fullmatch(text, max(0, len(text) - 2))
    if not asks and not (text.endswith(";") and _GREEK.search(text)):  # in Greek a question ends with a semicolon
        return len(sentence)
    return max(text.rfind(mark, 0, len(text) - 1) for mark in _CLAUSE_MARKS)


def _find_phrases(rule: Rule, sentence: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a rule that contain a name.

    They begin at the last name at the latest. Where that one opens the sentence, as in most lists, only few places have
    to be tried.
    """
    last = sentence.rfind(NAME)
    if last > _OPENING:
        if rule.requires:
            spaced = " ".join(sentence.split())
            if not any(phrase in spaced for phrase in rule.requires):
                return
        yield from rule.pattern.finditer(sentence)
        return
    at = 0
    while at <= last:
        match = rule.pattern.match(sentence, at)
        if match is not None:
            yield match
        at = at + 1 if match is None else match.end()


def _extend_to_paragraph_end(prepared: PreparedAnswer, mentions: list[Mention], stances: list[Stance]) -> None:
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


def _discourage_under_headings(prepared: PreparedAnswer, mentions: list[Mention], stances: list[Stance]) -> None:
    """Mark items right under "Brands to avoid:" as advised against."""
    folded = prepared.folded
    if prepared.may_have_warning is None:
        prepared.may_have_warning = _may_have_warning(folded)
    if not prepared.may_have_warning:
        return
    starts = [mention.start for mention in mentions]
    active: Block | None = None
    for block in prepared.blocks:
        first = bisect_left(starts, block.start)
        names_one = first < len(starts) and starts[first] < block.end
        if block.kind == "heading" or (block.kind == "paragraph" and _ends_with_colon(folded, block)):
            text = folded[block.start : block.end] if block.end - block.start < _LONGEST_HEAD else ""
            warns = (
                not names_one and WARNING_HEADINGS.pattern.search(text) and not WARNING_HEADINGS.exceptions.search(text)
            )
            active = block if warns else None
        elif block.kind == "paragraph" and active is not None and active.kind != "heading":
            active = None
        elif active is not None and block.opens and names_one and starts[first] - block.start < _HEAD_REACH:
            stances[first] = "discouraged"


def _keep_warnings(prepared: PreparedAnswer, mentions: list[Mention], stances: list[Stance], praised: set[int]) -> None:
    """Extend a warning to mentions that say nothing of the brand, if the answer says nothing else of it."""
    warned = {mention.brand for mention, stance in zip(mentions, stances, strict=True) if stance == "discouraged"}
    if not warned:
        return
    anchors = frozenset(link.start for link in prepared.links)
    bare: dict[int, list[int]] = {}
    for index, mention in enumerate(mentions):
        if stances[index] != "neutral" or mention.brand not in warned:
            continue
        if index in praised or not is_bare(prepared, mention, anchors):
            warned.discard(mention.brand)
        else:
            bare.setdefault(mention.brand, []).append(index)
    for brand in warned:
        for index in bare.get(brand, ()):
            stances[index] = "discouraged"


def _may_have_warning(folded: str) -> bool:
    """Return whether a key of a warning heading occurs, and a key of any rule.

    Without the latter all mentions are neutral anyway.
    """
    found = {key for key, _, _ in _HEADING_KEYS.find_matches_as_indexes(folded)}
    return not found.isdisjoint(_KEYS_OF_BOTH) or (bool(found) and bool(_AUTOMATON.find_matches_as_indexes(folded)))


def _ends_with_colon(folded: str, block: Block) -> bool:
    return folded[max(block.start, block.end - 4) : block.end].rstrip().endswith(":")


def combine_stances(stances: list[Stance]) -> Stance | None:
    """Return neutral if any mention is, else discouraged if any is, else contrast.

    Only `unknown` does not count as a mention.
    """
    for stance in ("neutral", "discouraged", "contrast", "unknown"):
        if stance in stances:
            return stance
    return None
