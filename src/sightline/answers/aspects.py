"""What answers say about a brand: aspects such as battery life or price, each with an opinion and a quote (metrics 5).

Only what stands in the brand's own scope is read. An aspect needs something that says how it is: a word of praise or
blame, a phrase such as "known for", or a place in a list of strengths or weaknesses.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import msgspec

from sightline.answers.aspect_opinions import Opinion, Polarity, find_opinions
from sightline.answers.aspect_phrases import PhraseReader
from sightline.answers.aspect_statements import Statement, find_statements
from sightline.answers.aspect_words import AspectHit, AspectWords, read_aspect_words
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import Candidate
from sightline.answers.corrections import Correction
from sightline.answers.mentions import Mention
from sightline.answers.name_words import has_inner_capital, is_ordinary
from sightline.answers.names import Lexicon
from sightline.answers.plain_text import strip_markdown
from sightline.answers.prepare import find_raw_spans
from sightline.answers.reading import read_answer
from sightline.answers.tokens import first_words

_MAX_PER_BRAND = 60  # in one answer: a hostile text must not fill the memory
_SHORTEST_QUOTE = 25  # characters
_LONGEST_QUOTE = 300
_FEWEST_WORDS = 4  # of a quote: fewer are a label
_GAP = 3  # characters that may stand before the first word of a statement
_OPENING = 60  # characters of a statement within which its subject stands
# Links at the end of a sentence that cite where it comes from, and such links and prices in its middle.
SOURCES = re.compile(r"(?<!\s)(?:\s*\(?\[[^\[\]\n]*\](?:\[\w+\]|\([^()\s]*\))\)?[.,;]?)+\s*$")
_INTERRUPTED = re.compile(r"\]\[|\[\d+\]|\]\(|https?://|[$€£]\d+[.,]\d\d\d|\(\d[\d.]*k?\+?\)|\n")
_NAME = re.compile(r"[A-Z][A-Za-z]*[a-z][A-Za-z]*")
_LABEL_BEFORE = re.compile(r".{1,200}[:：][\s*_\[]*(?=(?:[Tt]he\s[*_\[]*)?$)", re.DOTALL)


class Aspect(msgspec.Struct, frozen=True):
    """An aspect of a brand in one sentence or list item of an answer."""

    name: str
    """One name for all of its wordings: "battery life"."""
    wording: str
    """As it stands in the answer."""
    polarity: Polarity
    quote: str
    """The sentence or list item as it stands in the answer."""
    quotable: bool
    """Whether the brand is the subject of the quote, so that it may be shown."""


ASPECT_LANGUAGE = "en"
"""The only language whose answers are read without an editor."""


def find_aspects(
    text: str,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    corrections: tuple[Correction, ...] = (),
    candidates: tuple[Candidate, ...] | None = None,
) -> dict[int, tuple[Aspect, ...]]:
    """Return the aspects of each brand in this English answer, by the index of the brand.

    An aspect is listed once for each sentence that states it. `candidates` are the other names of the answer, where
    they are known.
    """
    words = read_aspect_words()
    reading = read_answer(text, lexicon, prompt, ASPECT_LANGUAGE, corrections, candidates)
    prepared = reading.prepared
    hits = words.find_hits(prepared.folded)
    phrases = PhraseReader(prepared, words, prompt, _list_name_words(lexicon))
    reader = _AspectReader(prepared, reading.bounded, words, _outside_of_names(hits, reading.mentions), phrases)
    found: dict[int, dict[tuple[int, str], _Found]] = {}
    for mention, span in reading.passages:
        own = found.setdefault(mention.brand, {})
        for each in chain(reader.read(mention, span), reader.read_column(mention)):
            if len(own) < _MAX_PER_BRAND:
                own.setdefault((each.statement.start, each.opinion.name), each)
    return _build_aspects(prepared, {brand: list(own.values()) for brand, own in found.items() if own})


def _outside_of_names(hits: Sequence[AspectHit], mentions: Sequence[Mention]) -> list[AspectHit]:
    """Return the entries without those in a brand's name: nobody calls "Easy Bank" easy."""
    ends = [mention.end for mention in mentions]

    def is_outside(hit: AspectHit) -> bool:
        place = bisect_right(ends, hit.start)
        return place == len(mentions) or hit.end <= mentions[place].start

    return [hit for hit in hits if is_outside(hit)]


@lru_cache(maxsize=64)  # one lexicon reads all answers of a scan
def _list_name_words(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(word for pattern in lexicon.patterns for word in pattern.text.split())


class _Found(msgspec.Struct, frozen=True, gc=False):
    """An opinion, the statement that it comes from, and whether the brand is the subject of that statement."""

    opinion: Opinion
    statement: Statement
    start: int
    """Where its quote begins: at the brand, if only a label stands before it."""
    is_subject: bool


def _build_aspects(prepared: PreparedAnswer, found: Mapping[int, Sequence[_Found]]) -> dict[int, tuple[Aspect, ...]]:
    spans = sorted({(each.start, each.statement.end) for own in found.values() for each in own})
    # All at once, because the cost grows with the length of the answer, not with the number of quotes.
    raw_spans = find_raw_spans(prepared, spans)
    quotes = {span: cut_quote(prepared.raw, *raw) for span, raw in zip(spans, raw_spans, strict=True)}
    alone = {span: can_stand_alone(quote) for span, quote in quotes.items()}

    def build(each: _Found) -> Aspect:
        opinion, span = each.opinion, (each.start, each.statement.end)
        wording = prepared.prose[opinion.start : opinion.end]
        return Aspect(opinion.name, wording, opinion.polarity, quotes[span], each.is_subject and alone[span])

    return {brand: tuple(map(build, own)) for brand, own in found.items()}


def cut_quote(raw: str, start: int, end: int) -> str:
    """Return a quote with the marks of bold text and links that open it, and without the sources at its end."""
    while start > 0 and raw[start - 1] in "*_[":
        start -= 1
    return SOURCES.sub("", raw[start:end])


def can_stand_alone(quote: str) -> bool:
    """Return whether a quote is neither a bare label, nor too long to be read, nor interrupted by a source."""
    plain = strip_markdown(quote)
    if _INTERRUPTED.search(plain):
        return False
    return len(plain) >= _SHORTEST_QUOTE and len(quote) <= _LONGEST_QUOTE and len(plain.split()) >= _FEWEST_WORDS


class _AspectReader:
    """Reads the aspects of the brands in one answer."""

    def __init__(
        self,
        prepared: PreparedAnswer,
        mentions: Sequence[Mention],
        words: AspectWords,
        hits: Sequence[AspectHit],
        phrases: PhraseReader,
    ) -> None:
        self._prepared = prepared
        self._phrases = phrases
        self._mentions = mentions
        self._mention_starts = [mention.start for mention in mentions]
        self._words = words
        self._statements = find_statements(prepared, words)
        self._starts = [statement.start for statement in self._statements]
        self._hits = hits
        self._hit_starts = [hit.start for hit in self._hits]

    def read(self, mention: Mention, span: tuple[int, int]) -> Iterator[_Found]:
        """Yield the aspects in a span that is about a mention, starting with the statement that names the brand."""
        end = self._extend_over_turn(span[1])
        first = max(mention.start, span[0])
        for place in range(max(0, bisect_right(self._starts, first) - 1), len(self._statements)):
            statement = self._statements[place]
            if statement.start >= end:
                break
            if statement.end <= first:
                continue
            if statement.start > mention.start and (
                self._is_advice(statement) or self._names_another(mention, statement)
            ):
                break
            if self._prepared.prose[statement.end - 1] in "?？؟":
                continue
            start = self._find_quote_start(statement)
            hits = self._list_hits(max(start, span[0]), min(statement.end, end))
            opinions = find_opinions(self._prepared, statement, hits, self._words, self._phrases)
            if opinions:
                is_subject = self._is_subject(mention, place)
                for opinion in opinions:
                    yield _Found(opinion, statement, start, is_subject)

    def read_column(self, mention: Mention) -> Iterator[_Found]:
        """Yield the aspects in the column of a table that a mention heads."""
        place = bisect_right(self._prepared.blocks, mention.start, key=lambda block: block.start) - 1
        head = self._prepared.blocks[max(0, place)]
        if head.kind != "cell" or head.entry or not head.column:
            return
        for statement in self._statements:
            block = self._prepared.blocks[statement.block]
            if block.group == head.group and block.column == head.column and block.entry and block.kind == "cell":
                hits = self._list_hits(statement.start, statement.end)
                for opinion in find_opinions(self._prepared, statement, hits, self._words, self._phrases):
                    yield _Found(opinion, statement, statement.start, is_subject=False)

    def _extend_over_turn(self, end: int) -> int:
        """Return where a scope ends if it goes on after a "however" or in the same sentence: "cheap, however loud"."""
        place = bisect_right(self._starts, end + _GAP) - 1
        statement = self._statements[place] if place >= 0 else None
        if statement is None or statement.end <= end:
            return end
        turn = next((hit for hit in self._list_hits(end, statement.end) if "turn" in hit.kinds), None)
        if turn is None or turn.start - end > _GAP or any(each.start >= end for each in self._list_mentions(statement)):
            return end
        goes_on = statement.start + _GAP < end or self._opens_with_pronoun(turn.end)
        return statement.end if goes_on else end

    def _opens_with_pronoun(self, start: int) -> bool:
        opening = first_words(self._prepared.folded[start : start + _OPENING], 2)
        return bool({" ".join(opening[:1]), " ".join(opening)} & self._words.pronouns)

    def _is_advice(self, statement: Statement) -> bool:
        """Return whether a statement gives advice instead of saying something about a brand."""
        if self._list_mentions(statement):
            return False
        return any(
            "advice" in hit.kinds and min(hit.start - statement.start, abs(hit.start - statement.body)) <= _GAP
            for hit in self._list_hits(statement.start, min(statement.end, statement.body + _OPENING))
        )

    def _names_another(self, mention: Mention, statement: Statement) -> bool:
        """Return whether a statement in the paragraph of a mention begins with the name of something else."""
        block = self._prepared.blocks[statement.block]
        if not block.start <= mention.start < block.end or self._list_mentions(statement):
            return False
        label = self._prepared.prose[slice(*statement.label)]
        return any(has_inner_capital(word) or not is_ordinary(word) for word in _NAME.findall(label))

    def _list_hits(self, start: int, end: int) -> Sequence[AspectHit]:
        low, high = bisect_left(self._hit_starts, start), bisect_left(self._hit_starts, end)
        return [hit for hit in self._hits[low:high] if hit.end <= end]

    def _list_mentions(self, statement: Statement) -> Sequence[Mention]:
        low = bisect_left(self._mention_starts, statement.start)
        return self._mentions[low : bisect_left(self._mention_starts, statement.end)]

    def _find_quote_start(self, statement: Statement) -> int:
        named = self._list_mentions(statement)
        label = _LABEL_BEFORE.match(self._prepared.prose, statement.start, named[0].start) if named else None
        return label.end() if label else statement.start

    def _is_subject(self, mention: Mention, place: int) -> bool:
        """Return whether the brand of a mention is the subject of a statement, and nobody else is named there."""
        statement = self._statements[place]
        named = self._list_mentions(statement)
        if any(each.brand != mention.brand for each in named):
            return False
        # "Heavier than others" is said of the brand, "unlike others" or "lighter than Acme" begins with somebody else.
        opening = named[0].start if named else statement.body + _GAP
        if any(
            "comparison" in hit.kinds for hit in self._list_hits(statement.start, statement.end) if hit.start < opening
        ):
            return False
        if named:
            return named[0].start - self._find_quote_start(statement) <= _OPENING
        block = self._prepared.blocks[statement.block]
        if not block.start <= mention.start < block.end:
            return True  # below a head that names the brand
        return self._goes_on(mention, place)

    def _goes_on(self, mention: Mention, place: int) -> bool:
        """Return whether each statement since the one with the mention goes on about the same subject."""
        while place >= 0 and self._statements[place].start > mention.start:
            if not self._opens_with_pronoun(self._statements[place].start):
                return False
            place -= 1
        return True
