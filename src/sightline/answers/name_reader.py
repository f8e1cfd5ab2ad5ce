"""Reads the name that begins at a place of the prose: as many words as are written like a name."""

import re
from itertools import pairwise

import msgspec

from sightline.answers.blocks import PreparedAnswer, PresentedName
from sightline.answers.characters import BLOCK_END, fold, script
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.language import looks_german
from sightline.answers.name_words import begins_name, has_inner_capital, is_caseless, is_measure, is_model, is_ordinary
from sightline.answers.word_lists import read_list

_LEAD = re.compile(r"[\W_]*(?:\d{1,2}\s?[.):、]\s*|#\d{1,2}\s+)?[\W_]*(?:(?:19|20)\d\d\s+)?")
# What stands before a name and is not part of it: an article, or advice.
_ARTICLE = re.compile(
    r"(?:The|Der|Die|Das|Les|Los|Las|Il|Het|Unlike|Like|Also|Plus|With|"
    r"Choose|Pick|Consider|Try|Avoid|Skip|Get|Use|Buy|Go with|Opt for)\s+"
    r"(?=[^\W\d_])"
)
_PRONOUNS = frozenset({"I", "Sie", "Ihr", "Ihre", "Ihren", "Ihrem"})  # with a capital inside a sentence
_SMALL = frozenset({"da", "de", "di", "du", "la", "le", "van", "von", "ter"})
_TOKEN = re.compile(r"[^\W_](?:[\w'’.+&/®™-]*[\w+®™])?")
_GAP = re.compile(
    r"[ \u00a0]{1,2}(?:(?:[&+x×/]|and|und|et|y|e|of|the|de|la|le|du|von|van|der|di|da|by)[ \u00a0]{1,2})?"
)
_BLANK = re.compile(r"[ \u00a0]")
_HEAD_ENDS = re.compile(rf"[®™\"”]?\s*(?:$|[:：(（–—|,、。\[\n{BLOCK_END}]|\.\s|-\s|\s-)")
_LABEL = re.compile(r"[^:：–—\n]{1,60}?\s*(?:[:：]|[–—]|\s-\s)")
_LOWER_WORD = re.compile(r"(?<![\w.@-])[^\W\d_A-Z](?:[\w'-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
# fmt: off
_SUPERLATIVES = frozenset({
    "best", "top", "cheapest", "fastest", "easiest", "winner", "runner-up", "overall", "beste", "bester", "bestes",
    "testsieger", "meilleur", "meilleure", "mejor", "melhor", "migliore", "najlepszy",
})
# fmt: on
_OPEN_ENDS = frozenset({"for", "fur", "pour", "para", "per", "voor", "dla", "to", "with", "if"})
# Grammar that phrases have and names do not, in Japanese and Chinese.
_PHRASE = re.compile(
    r"[\u3041-\u309f][\u3400-\u9fff]|[\u3400-\u9fff][\u3041-\u309f]|[的了最]|是否|^(?:比较|查看|选择|确认|注意|考虑|試|看)"
)
_MAX_TOKENS = 12
_MAX_CASELESS = 4  # words of a name in a script without capitals
_LONGEST_UNSPACED = 8  # characters of a name in a script without blanks


class NameReader:
    """Reads names in the prose of one answer."""

    def __init__(self, prepared: PreparedAnswer) -> None:
        self._prose = prepared.prose
        self._lower: frozenset[str] | None = None
        self._is_english = prepared.is_english
        self._is_german = not self._is_english and looks_german(prepared.folded)

    def read_head(self, start: int, end: int) -> PresentedName | None:
        """Return the name of a head; in "Best overall: Acme Mini", the one after the label."""
        name = self.read(start, end)
        if name is not None and name.distinct:
            return name
        label = _LABEL.match(self._prose, start, end)
        after = self.read(label.end(), end) if label else None
        if label is None or after is None or not (after.distinct or _is_superlative(label[0])):
            return name
        return msgspec.structs.replace(after, listed=True)

    def read(self, start: int, end: int) -> PresentedName | None:
        """Return the name that begins here, after numbers and marks, or None if there is none."""
        prose = self._prose
        lead = _LEAD.match(prose, start, end)
        at = lead.end() if lead else start
        if "(" in prose[start:at] or "（" in prose[start:at]:
            return None  # a citation or an aside
        if article := _ARTICLE.match(prose, at, end):
            at = article.end()
        first = _TOKEN.match(prose, at, end)
        if first is None:
            return None
        tokens = self._read_caseless(first, end) if is_caseless(first[0]) else self._read_tokens(first, end)
        return self._judge(self._cut_at_by(tokens), end) if tokens else None

    def _cut_at_by(self, tokens: list[re.Match[str]]) -> list[re.Match[str]]:
        """Return the maker of "Mini Fan by Acme", and the brand of "Acme by Globex"."""
        for index, (token, following) in enumerate(pairwise(tokens), 1):
            if self._prose[token.end() : following.start()].strip() == "by":
                own = tokens[:index]
                return own if self._are_distinct([part[0] for part in own]) else tokens[index:]
        return tokens

    def _read_tokens(self, first: re.Match[str], end: int) -> list[re.Match[str]]:
        if (not begins_name(first[0]) and first[0] not in _SMALL) or is_measure(first[0]):
            return []
        tokens = [first]
        while len(tokens) < _MAX_TOKENS and not _POSSESSIVE.search(tokens[-1][0]):
            gap = _GAP.match(self._prose, tokens[-1].end(), end)
            token = gap and _TOKEN.match(self._prose, gap.end(), end)
            if not token or token[0] in _PRONOUNS or not (begins_name(token[0]) or token[0][0].isdigit()):
                break
            tokens.append(token)
        return tokens

    def _read_caseless(self, first: re.Match[str], end: int) -> list[re.Match[str]]:
        """Return the words up to the end of the head: without capitals, nothing else marks a name."""
        tokens = [first]
        while len(tokens) <= _MAX_CASELESS and not _HEAD_ENDS.match(self._prose, tokens[-1].end(), end):
            gap = _GAP.match(self._prose, tokens[-1].end(), end)
            token = gap and _TOKEN.match(self._prose, gap.end(), end)
            if not token:
                return []
            tokens.append(token)
        is_phrase = script(first[0][0]) == "unspaced" and (
            len(first[0]) > _LONGEST_UNSPACED or _PHRASE.search(first[0]) or any(map(str.isdigit, first[0]))
        )
        return [] if len(tokens) > _MAX_CASELESS or is_phrase else tokens

    def _judge(self, tokens: list[re.Match[str]], limit: int) -> PresentedName | None:
        start, end = tokens[0].start(), tokens[-1].end()
        ends_head = end >= limit or _HEAD_ENDS.match(self._prose, end) is not None
        text = self._prose[start:end]
        if not ends_head and (possessive := _POSSESSIVE.search(text)):
            text, end = text[: possessive.start()], start + possessive.start()
            ends_head = True  # "Acme's apps" presents Acme
        folded = fold(text)
        if len(text) < 2 or is_generic(folded) or is_place_or_month(folded):
            return None
        if not any(begins_name(token[0]) or is_caseless(token[0]) for token in tokens):
            return None
        distinct = self._are_distinct([_POSSESSIVE.sub("", token[0]) for token in tokens])
        # "Ensure that …" begins a sentence and is no name, unless one of its words belongs to names alone.
        is_sentence = not ends_head or fold(tokens[0][0]) in read_list("stop_words", "en")
        return PresentedName(text, start, end, distinct) if distinct or not is_sentence else None

    def _are_distinct(self, words: list[str]) -> bool:
        """Return whether these words belong to names alone.

        In English the dictionary knows all other words. Elsewhere the way in which they are written has to show it:
        "X200", "AcmeOne", and two capitals in a row where not every noun has one.
        """
        if self._is_english:
            return any(self._is_distinct(word) for word in words)
        if any(is_model(word) or has_inner_capital(word) for word in words):
            return True
        capitals = [word for word in words if word[0].isupper() and not is_ordinary(word)]
        return not self._is_german and len(words) > 1 and words[1][0].isupper() and bool(capitals)

    def _is_distinct(self, word: str) -> bool:
        """Return whether the word is not in the dictionary, and nowhere in lower case in this answer."""
        return not is_ordinary(word) and not self.has_in_lower_case(word)

    def has_in_lower_case(self, token: str) -> bool:
        if self._lower is None:
            self._lower = frozenset(fold(word) for word in set(_LOWER_WORD.findall(self._prose)))
        return fold(token) in self._lower


def _is_superlative(label: str) -> bool:
    """Return whether a label says who is best: "Best for teams", but not "Best for", after which no name stands."""
    words = _WORD.findall(fold(label))
    return bool(words) and words[0] in _SUPERLATIVES and words[-1] not in _OPEN_ENDS


def read_opening_name(prepared: PreparedAnswer, start: int, end: int) -> tuple[int, int] | None:
    """Return the name that opens a sentence, if it is distinct: "Acme Mini is small".

    Only in English, where the dictionary knows all other words; elsewhere an ordinary word would be taken for a name.
    """
    lead = _LEAD.match(prepared.prose, start, end)
    at = lead.end() if lead else start
    if article := _ARTICLE.match(prepared.prose, at, end):
        at = article.end()
    first = _TOKEN.match(prepared.prose, at, end)
    if first is None or not begins_name(first[0]):
        return None
    word = _POSSESSIVE.sub("", first[0])
    return None if is_ordinary(word) or word.casefold() in read_list("stop_words", "en") else first.span()


def read_product_words(prose: str, end: int) -> str | None:
    """Return the words of a product after a name in prose, if one of them belongs to names alone."""
    tokens: list[re.Match[str]] = []
    at = end
    while len(tokens) < _MAX_TOKENS:
        gap = _BLANK.match(prose, at)
        token = gap and _TOKEN.match(prose, gap.end())
        if not token or not (begins_name(token[0]) or token[0][0].isdigit()):
            break
        tokens.append(token)
        at = token.end()
    is_product = any(not is_ordinary(token[0]) for token in tokens)
    return prose[tokens[0].start() : at] if is_product else None
