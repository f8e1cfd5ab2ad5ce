"""Evidence from the layout of an answer: heads of lists and tables, bold text, capitals, starts of sentences."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain, islice

from sightline.answers.blocks import Block, PreparedAnswer
from sightline.answers.characters import BLOCK_END
from sightline.answers.name_words import is_model, is_ordinary
from sightline.answers.presented_names import find_heads
from sightline.answers.tokens import follows_sentence, words

_HEAD_AFTER = re.compile(rf"\s*(?:$|[:(–—|,\[\n{BLOCK_END}*]|-\s|\s-)")
_LEAD_IN = re.compile(r"[\W\d_]*(?:(?:A|O|As|Os|The|La|Le|El|Il|Die|Der|Das|De|Het)\s+)?")
_NEXT_WORD = re.compile(r"[ \u00a0]([^\W_][\w./+-]*\w)")
_NEXT_TWO_WORDS = re.compile(r"[ \u00a0]([^\W_])[\w./+-]*[ \u00a0]([^\W_])")
_NOUNS_CAPITALIZED = frozenset({"de", "lb"})
_FIRST_LETTER = re.compile(r"[\W\d_]{0,40}([^\W\d_])")
_NEXT_SENTENCE = re.compile(r"[.!?…][\"')\]*_»]?\s([^\W\d_])")
_ENOUGH_OPENINGS = 200


class Layout:
    """The layout of one answer."""

    def __init__(self, prepared: PreparedAnswer, language: Callable[[], str | None]) -> None:
        self._prepared = prepared
        self._prose = prepared.prose
        self._language = language
        self._bold = dict(prepared.bold)
        self._names = {name.start: name for name in find_heads(prepared)}
        self._openings: dict[int, bool] = {}
        self._group_capitals: dict[tuple[str, int], int] = {}

    @cached_property
    def _heads(self) -> frozenset[int]:
        blocks = self._prepared.blocks
        return frozenset(block.start for block in blocks if block.kind in {"heading", "cell"} or block.opens)

    @cached_property
    def _block_starts(self) -> list[int]:
        return [block.start for block in self._prepared.blocks]

    def is_head(self, start: int, end: int) -> bool:
        """Return whether a name heads a list item, a section, a table row or a bold phrase, alone or with a product."""
        presented = self._names.get(start)
        if presented is not None and presented.end >= end and (presented.distinct or presented.listed):
            return True  # "**Ring Battery Doorbell X200**" names a product, "**Target Audience**" does not
        bold_end = self._bold.get(start)
        if bold_end is not None and len(phrase := words(self._prose[start:bold_end])) <= 5:
            # "**Ring Battery Doorbell**" names a product, "**Target audience**" does not
            return (
                bold_end <= end + 2
                or _HEAD_AFTER.match(self._prose, end) is not None
                or not any(map(str.islower, phrase))
            )
        at = start
        while at > 0 and self._prose[at - 1] in " *_#.)0123456789\"'✅⭐🏆":
            at -= 1
        if at not in self._heads and start not in self._heads:
            return False
        return _HEAD_AFTER.match(self._prose, end) is not None or self.precedes_title(end)

    @cached_property
    def capitalizes_sentences(self) -> bool:
        """Return whether most sentences of the running text begin with a capital."""
        blocks = [block for block in self._prepared.blocks if block.kind in {"paragraph", "heading"}]
        firsts = (_FIRST_LETTER.match(self._prose, block.start, block.end) for block in blocks)
        others = (
            letter
            for block in blocks
            for letter in _NEXT_SENTENCE.finditer(self._prose, block.start, block.end)
            if follows_sentence(self._prose, letter.start(1))
        )
        return _count_excess_capitals(chain(firsts, others)) > 0

    def has_telling_small_letter(self, start: int) -> bool:
        """Return whether a name in lower case opens a sentence, or an entry of a list whose others have a capital.

        An ordinary word would have a capital there.
        """
        own = self._prepared.blocks[max(0, bisect_right(self._block_starts, start) - 1)]
        if not self._opens(own, start):
            return self.capitalizes_sentences and follows_sentence(self._prose, start)
        if own.kind not in {"item", "cell"}:
            return self.capitalizes_sentences
        return self._count_group_capitals(own) + 1 > 0  # its own letter does not count

    def _count_group_capitals(self, own: Block) -> int:
        """Count how many more entries of a list or table begin with a capital than with a small letter."""
        key = (own.kind, own.group)
        known = self._group_capitals.get(key)
        if known is None:
            blocks = (block for block in self._prepared.blocks if (block.kind, block.group) == key)
            known = self._group_capitals[key] = _count_excess_capitals(
                _FIRST_LETTER.match(self._prose, block.start, block.end) for block in blocks
            )
        return known

    def _opens(self, block: Block, start: int) -> bool:
        """Return whether the first letter of the block stands at this place."""
        first = _FIRST_LETTER.match(self._prose, block.start, block.end)
        return first is not None and first.start(1) == start

    def score_product(self, end: int) -> int:
        """Return 2 if the number of a model follows a name ("X200"), and 1 for a word that belongs to names alone."""
        following = _NEXT_WORD.match(self._prose, end)
        if following is None:
            return 0
        word = following[1]
        return 2 if is_model(word) else int(word[0].isupper() and not is_ordinary(word))

    def precedes_title(self, end: int) -> bool:
        """Return whether two words with a capital or a digit follow, as in "eufy 11S Max"."""
        following = _NEXT_TWO_WORDS.match(self._prose, end)
        return following is not None and all(first.isupper() or first.isdigit() for first in following.groups())

    def opens_sentence(self, start: int) -> bool:
        known = self._openings.get(start)
        if known is None:
            lead = _LEAD_IN.match(self._prose, self._prepared.sentence_at(start)[0], start)
            known = self._openings[start] = lead is not None and lead.end() == start
        return known

    def has_telling_capital(self, start: int, sentence: tuple[int, int], *, shouting: bool) -> bool:
        """Return whether its capital shows that it is a name.

        It does not at the start of a sentence, in a title, and in languages where all nouns have one.
        """
        if shouting or not self._prose[start].isupper():
            return False
        lead = _LEAD_IN.match(self._prose, sentence[0], start)
        if lead is not None and lead.end() == start:
            return False  # every sentence begins with a capital
        text = self._prose[sentence[0] : sentence[1]].rstrip()
        if not text.endswith((".", "!", "?", ":", ",", ";")):
            found = words(text)
            capitals = sum(word[0].isupper() for word in found)
            if len(found) >= 4 and capitals > 0.7 * len(found):
                return False  # a title has capitals everywhere
        # Last, because finding the language takes longer than everything else.
        return (self._language() or "") not in _NOUNS_CAPITALIZED


def _count_excess_capitals(letters: Iterable[re.Match[str] | None]) -> int:
    """Count how many more of these letters are capitals than small ones."""
    return sum(letter[1].isupper() - letter[1].islower() for letter in islice(letters, _ENOUGH_OPENINGS) if letter)
