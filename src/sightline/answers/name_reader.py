"""Reads the name that begins at a place of the prose: as many words as are written like a name."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from sightline.answers.blocks import PreparedAnswer, PresentedName
from sightline.answers.characters import BLOCK_END, fold, script
from sightline.answers.evidence.wording import has_company_verb
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.language import looks_german
from sightline.answers.name_words import begins_name, has_inner_capital, is_caseless, is_measure, is_model, is_ordinary
from sightline.answers.word_lists import read_list

_LEAD = re.compile(r"[\W_]*(?:\d{1,2}\s?[.):、]\s*|#\d{1,2}\s+)?[\W_]*(?:(?:19|20)\d\d\s+)?")
# What stands before a name and is not part of it: an article, or advice.
_ARTICLES = (
    "The", "Der", "Die", "Das", "Les", "Los", "Las", "Il", "Het", "Unlike", "Like", "Also", "Plus", "With",
    "Choose", "Pick", "Consider", "Try", "Avoid", "Skip", "Get", "Use", "Buy", "Go with", "Opt for",
)  # fmt: skip
_ARTICLE = re.compile(rf"(?:{'|'.join(_ARTICLES)})\s+(?=[^\W\d_])")
_ARTICLE_WORDS = frozenset(article.split()[0] for article in _ARTICLES)
_PRONOUNS = frozenset({"I", "Sie", "Ihr", "Ihre", "Ihren", "Ihrem"})  # with a capital inside a sentence
_SMALL = frozenset({"da", "de", "di", "du", "la", "le", "van", "von", "ter"})
_TOKEN = re.compile(r"[^\W_](?:[\w'’.+&/®™-]*[\w+®™])?")
_GAP = re.compile(
    r"[ \u00a0]{1,2}(?:(?:[&+x×/]|and|und|et|y|e|of|the|de|la|le|du|von|van|der|di|da|by)[ \u00a0]{1,2})?"
)
_BLANK = re.compile(r"[ \u00a0]")
_NEXT_WORD = re.compile(r"[®™]? ([a-z]+)")
_HEAD_ENDS = re.compile(rf"[®™\"”]?\s*(?:$|[:：(（–—|,、。\[\n{BLOCK_END}]|\.\s|-\s|\s-)")
_LABEL = re.compile(r"[^:：–—\n]{1,60}?\s*(?:[:：]|[–—]|\s-\s)")
_LABEL_ENDS = re.compile(r"[:：–—\s](?:(?<!\s)|-\s)")  # one set of first characters: a search is faster
_FEW_WORDS = 40  # that are searched for one by one
_LONGEST_LABEL = 60  # characters
_LONGEST_CACHED = 100  # characters
_LOWER_WORD = re.compile(r"(?<![\w.@-])[^\W\d_A-Z](?:[\w'-]*\w)?")
_POSSESSIVES = ("'", "’", "'s", "’s")
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
        self._prepared = prepared
        self._prose = prepared.prose
        self._asked = 0
        self._is_english = prepared.is_english
        self._is_german = not self._is_english and looks_german(prepared.folded)

    def read_head(self, start: int, end: int) -> PresentedName | None:
        """Return the name of a head; in "Best overall: Acme Mini", the one after the label."""
        name = self.read(start, end)
        if name is not None and name.distinct:
            return name
        label = self._find_label(start, end)
        after = self.read(label.end(), end) if label else None
        if label is None or after is None:
            return name
        if not (is_superlative(label[0]) or (after.distinct and not self.goes_on(after.end))):
            return name
        return msgspec.structs.replace(after, listed=True)

    def goes_on(self, end: int) -> bool:
        """Return whether a noun goes on after a name, as after a feature: "TurboCrisp basket", not "Acme for teams"."""
        following = _NEXT_WORD.match(self._prose, end)
        return (
            following is not None
            and following[1] not in read_list("stop_words", "en")
            and not has_company_verb(self._prose, end, opens_sentence=True)
        )

    def _find_label(self, start: int, end: int) -> re.Match[str] | None:
        """Return the label that opens a head. Its end is searched first, as the pattern for all of it is slow."""
        limit = start + _LONGEST_LABEL
        ends = _LABEL_ENDS.search(self._prose, start, end)
        if ends is None or (ends.start() > limit and not self._prose[limit : ends.start()].isspace()):
            return None
        return _LABEL.match(self._prose, start, end)

    def read(self, start: int, end: int) -> PresentedName | None:
        """Return the name that begins here, after numbers and marks, or None if there is none."""
        prose = self._prose
        at = start
        if not prose[start : start + 1].isalpha():
            lead = _LEAD.match(prose, start, end)
            at = lead.end() if lead else start
            if "(" in prose[start:at] or "（" in prose[start:at]:
                return None  # a citation or an aside
        first = _find_first_word(prose, at, end)
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
        while len(tokens) < _MAX_TOKENS and not tokens[-1][0].endswith(_POSSESSIVES):
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
        if not ends_head and text.endswith(_POSSESSIVES) and (possessive := _POSSESSIVE.search(text)):
            text, end = text[: possessive.start()], start + possessive.start()
            ends_head = True  # "Acme's apps" presents Acme
        list_words = _list_words if len(text) <= _LONGEST_CACHED else _list_words.__wrapped__
        words = list_words(text, tuple(token[0] for token in tokens))
        if not words:
            return None
        distinct = self._are_distinct(words)
        # "Ensure that …" begins a sentence and is no name, unless one of its words belongs to names alone.
        if distinct or (ends_head and fold(tokens[0][0]) not in read_list("stop_words", "en")):
            return PresentedName(text, start, end, distinct)
        return None

    def _are_distinct(self, words: Sequence[str]) -> bool:
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
        prepared, word = self._prepared, fold(token)
        if prepared.lower_words is None:
            # Finding all words takes long. An answer has few names, and nearly always writes them in one way.
            self._asked += 1
            may_be_uniform = self._asked <= _FEW_WORDS and token[0].isupper() and token[0].isascii()
            if may_be_uniform and prepared.folded.count(word) == self._prose.count(token):
                return False
            # Folded all at once, because a text is folded much faster than its words one by one.
            prepared.lower_words = frozenset(fold(" ".join(_LOWER_WORD.findall(self._prose))).split(" "))
        return word in prepared.lower_words


def _find_first_word(prose: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first word of a name, after an article or advice."""
    first = _TOKEN.match(prose, start, end)
    if first is not None and first[0] in _ARTICLE_WORDS and (article := _ARTICLE.match(prose, start, end)):
        return _TOKEN.match(prose, article.end(), end)
    return first


@lru_cache(maxsize=4_096)  # the answers of a scan repeat their names
def _list_words(text: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name; none if it is a label, a place or no name at all."""
    folded = fold(text)
    if len(text) < 2 or is_generic(folded) or is_place_or_month(folded):
        return ()
    if not any(begins_name(token) or is_caseless(token) for token in tokens):
        return ()
    return tuple(_POSSESSIVE.sub("", token) for token in tokens)


def is_superlative(label: str) -> bool:
    """Return whether a label says who is best: "Best for teams", but not "Best for", after which no name stands."""
    words = _WORD.findall(fold(label))
    return bool(words) and words[0] in _SUPERLATIVES and words[-1] not in _OPEN_ENDS


def read_opening_name(prepared: PreparedAnswer, start: int, end: int) -> tuple[int, int] | None:
    """Return the name that opens a sentence, if it is distinct: "Acme Mini is small".

    Only in English, where the dictionary knows all other words; elsewhere an ordinary word would be taken for a name.
    """
    lead = _LEAD.match(prepared.prose, start, end)
    at = lead.end() if lead else start
    first = _find_first_word(prepared.prose, at, end)
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
