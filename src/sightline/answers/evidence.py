"""Is the brand meant, or the word? Points for and against, for names that are also ordinary words.

Two points are needed:

+2  the domain form or an owned link in the sentence; a list head, a bold head, a heading, a table cell
+1  a capital inside a sentence; a word of the category among eight; another brand in the sentence; "X's", "by X"
-2  lower case; a known other sense ("on Monday", "the notion that", "target audience")

Learned from answers, beyond the agreed list: a name that is only a rare word begins with one point; an acronym in
capitals, a company's verb ("X offers") and a verb of choosing ("try X") give one each; two brands that open sentences
of one paragraph, as comparisons do, two; an acronym that the answer spells out, and a unit ("300 HP"), lose two; and
once an answer has clearly named the brand, one point is enough elsewhere in it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache

import msgspec

from sightline.answers.blocks import Link, Prepared
from sightline.answers.characters import BLOCK_END, fold, normalize
from sightline.answers.citations import normalize_url
from sightline.answers.names import Lexicon, Pattern
from sightline.answers.tokens import first_words, words
from sightline.answers.word_lists import read_list, read_table

NEEDED = 2
_ACRONYM = 4  # letters
_MANY = 200  # neighbours are looked at; a sentence with more of them is no sentence
_ONE_WORD = 20  # characters that must follow it
_NEAR = 240  # characters that hold eight words
_LONGEST_PROMPT = 1_000  # characters of one that is remembered
_PARAGRAPH = 1_500  # characters to either side that count as the same paragraph


class Candidate(msgspec.Struct, gc=False):
    start: int
    end: int
    pattern: Pattern
    sure: bool = False


_BY = re.compile(r"(?:\b(?:by|from|via|at|von|bei|chez|par|de|da|door|van|od|przez)\s+)$", re.IGNORECASE)
_AMOUNT = re.compile(r"\d[\d.,]*\s?$")  # "300 HP" is a unit
_POSSESSIVE = re.compile(r"'s?\b|’s\b")
_ACTS = re.compile(
    r"\s+(?:(?:also|now|then|still|really|often|usually|only|even|generally)\s+)?"
    r"(?:is|are|was|has|does|offers|provides|lets|gives|supports|charges|includes|costs|allows|can|will|would|"
    r"ist|bietet|hat|kostet|liefert|est|propose|offre|es|ofrece|tiene|è|ha|oferece|tem|biedt|heeft|oferuje|jest|ma)\b"
)
_THIRD_PERSON = re.compile(r"\s+(?:(?:also|now|still|only|even)\s+)?(?:[a-z]{2,}[a-rt-z]s|began|came|made|went|took)\b")
_CHOOSING = re.compile(
    r"(?:\b(?:use|using|try|trying|choose|choosing|consider|recommend|recommending|pick|picking|suggest|prefer|avoid|"
    r"skip|go with|going with|opt for|switch to|look at|called|named|brand|app|company|retailer|bank|insurer|"
    r"empfehle|wähle|nimm|nehmen|vermeiden|choisir|choisissez|évitez|éviter|recommande|elegir|elige|recomiendo|evite|"
    r"scegli|scegliere|consiglio|escolher|escolha|recomendo|kies|wybierz|polecam)\s+(?:the\s+)?)$",
    re.IGNORECASE,
)
_WEEKDAY_SENSE = re.compile(
    r"(?:\b(?:on|for|every|each|next|last|this|by|until|since|from|before|after|of|in|early|late|mid|am|jeden|le|el|"
    r"chaque|cada|op|w|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: to| and| or|,)?|"
    r"(?:april|may|june|july) (?:to|and|or))\s+)$",
    re.IGNORECASE,
)
_WEEKDAY_AFTER = re.compile(
    r"s?\s+(?:morning|afternoon|evening|night|through|to\s|and\s(?:tues|wednes|thurs|fri|satur|sun)|\d|"
    r"(?:at|before)\s)",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"s?['\"]?\s+([^\W\d_]+)")
_PRECEDING = re.compile(r"([^\W\d_]+)\s+['\"]?$")
_HEAD_AFTER = re.compile(rf"\s*(?:$|[:(–—|,\[\n{BLOCK_END}*]|-\s|\s-)")
_LEAD_IN = re.compile(r"[\W\d_]*(?:(?:A|O|As|Os|The|La|Le|El|Il|Die|Der|Das|De|Het)\s+)?")
_NOUNS_CAPITALIZED = frozenset({"de", "lb"})


def settle(
    prepared: Prepared,
    lexicon: Lexicon,
    candidates: list[Candidate],
    language: Callable[[], str | None],
    prompt: str,
) -> list[tuple[Candidate, int]]:
    """Each candidate that stands, with its brand."""
    if all(map(is_plain, candidates)):
        return [(candidate, candidate.pattern.brands[0]) for candidate in candidates]
    bench = _Bench(prepared, lexicon, candidates, language, prompt)
    return [(candidate, brand) for candidate in candidates if (brand := bench.brand_of(candidate)) is not None]


def is_plain(candidate: Candidate) -> bool:
    """Whether it needs no evidence: there is one brand that it can be, and nothing else that it can mean."""
    return candidate.sure or (candidate.pattern.doubt == 0 and len(candidate.pattern.brands) == 1)


class _OwnedLink(msgspec.Struct, frozen=True, gc=False):
    start: int
    owners: frozenset[int]


class _Bench:
    """Weighs the candidates of one answer."""

    def __init__(
        self,
        prepared: Prepared,
        lexicon: Lexicon,
        candidates: list[Candidate],
        language: Callable[[], str | None],
        prompt: str,
    ) -> None:
        self._prepared = prepared
        self._prose, self._folded = prepared.prose, prepared.folded
        self._lexicon = lexicon
        self._candidates = candidates
        self._language = language
        self._heads = {block.start for block in prepared.blocks if block.kind in {"heading", "cell"} or block.opens}
        self._bold = dict(prepared.bold)
        self._signs: dict[tuple[int, int, int], int] = {}
        self._starts = [candidate.start for candidate in candidates]
        self._blocks = prepared.blocks
        self._block_starts = [block.start for block in prepared.blocks]
        self._openings: dict[int, bool] = {}
        self._expansions: dict[str, bool] = {}
        self._category = lexicon.category_words or _content_words(prompt)
        self._points = {id(c): self._weigh(c) for c in candidates if c.pattern.doubt and not c.sure}
        self._clear = {
            brand
            for c in candidates
            for brand in c.pattern.brands
            if len(c.pattern.brands) == 1 and (c.sure or c.pattern.doubt == 0 or self._points[id(c)] >= NEEDED)
        }

    def brand_of(self, candidate: Candidate) -> int | None:
        brands = candidate.pattern.brands
        if candidate.pattern.doubt and not candidate.sure:
            points = self._points[id(candidate)]
            if points < NEEDED and not (points >= NEEDED - 1 and any(brand in self._clear for brand in brands)):
                return None
        return brands[0] if len(brands) == 1 else self._whose(candidate)

    def _whose(self, candidate: Candidate) -> int | None:
        """An alias of several brands belongs to the one that the sentence, else the answer, speaks of."""
        start, end = self._prepared.sentence_at(candidate.start)
        for low, high in ((start, end), (0, len(self._prose))):
            near = {brand: self._signs_of(brand, low, high) for brand in candidate.pattern.brands}
            most = max(near.values())
            if most and sum(count == most for count in near.values()) == 1:
                return next(brand for brand, count in near.items() if count == most)
        return None

    def _signs_of(self, brand: int, low: int, high: int) -> int:
        known = self._signs.get((brand, low, high))
        if known is None:
            known = self._signs[brand, low, high] = (
                sum(other.pattern.brands == (brand,) for other in self._between(low, high))
                + sum(brand in link.owners for link in self._links_between(low, high))
                + sum(fold(word) in self._folded[low:high] for word in self._lexicon.brands[brand].category_words)
            )
        return known

    def _between(self, start: int, end: int) -> list[Candidate]:
        return self._candidates[bisect_left(self._starts, start) : bisect_left(self._starts, end)][:_MANY]

    @cached_property
    def _links(self) -> tuple[list[int], list[_OwnedLink]]:
        found = _owned_links(self._prepared.links, self._lexicon)
        return [link.start for link in found], found

    def _links_between(self, start: int, end: int) -> list[_OwnedLink]:
        starts, links = self._links
        return links[bisect_left(starts, start) : bisect_right(starts, end)][:_MANY]

    def _weigh(self, candidate: Candidate) -> int:
        pattern, prose = candidate.pattern, self._prose
        start, end = candidate.start, candidate.end
        written, word = prose[start:end], pattern.text
        sentence = self._prepared.sentence_at(start)
        if _is_foreign_to(prose[sentence[0] : sentence[1]], written):
            return NEEDED
        strong = 2 * self._is_head(start, end) - 2 * self._other_sense(word, start, end)
        is_lower = written == written.lower() != written.upper()
        is_short = written.isupper() and len(written) <= _ACRONYM
        if strong >= NEEDED and not is_lower and not is_short:
            return strong  # nothing that is still to come would be taken off
        strong += 2 * self._site_near(candidate, sentence)
        if is_lower:
            near = self._category_near(start, end) + self._rival_in(candidate, sentence)
            return strong - 2 + near + _belongs(prose, start, end)
        points = strong + (pattern.doubt == 1) + _is_name_when_capital(pattern)
        shouting = prose[sentence[0] : sentence[1]].isupper()
        if is_short and not shouting:
            points += 1 if pattern.spelling.isupper() else -2
            points -= 2 * (self._spelled_out(written) or _AMOUNT.search(prose, max(0, start - 12), start) is not None)
        points += self._capital(start, sentence, shouting=shouting)
        points += _acts(prose, end, opens=self._opens(candidate))
        points += _follows(_CHOOSING, prose, start, 24)
        if len(prose) > len(written) + _ONE_WORD:  # the answer in one word, and then its reasons
            points += 2 * (prose[sentence[0] : sentence[1]].strip(" *_.") == written)
        points += self._category_near(start, end)
        points += self._brand_near(candidate, sentence)
        return points + _belongs(prose, start, end)

    def _spelled_out(self, acronym: str) -> bool:
        """ "macular degeneration (AMD)" or "ADA (Americans with Disabilities Act)": then it is that everywhere."""
        known = self._expansions.get(acronym)
        if known is None:
            letters = [rf"{re.escape(letter)}[\w-]*" for letter in acronym.lower()]
            gap = r"[\s-]+(?:(?:of|with|and|for|the|to|in|related)\s+)?"
            spelled = gap.join(letters)
            name = re.escape(acronym.lower())
            known = re.search(rf"\b{spelled}\s*\({name}\)|\b{name}\s*\({spelled}\)", self._folded) is not None
            self._expansions[acronym] = known
        return known

    def _capital(self, start: int, sentence: tuple[int, int], *, shouting: bool) -> int:
        if shouting or not self._prose[start].isupper():
            return 0
        lead = _LEAD_IN.match(self._prose, sentence[0], start)
        if lead is not None and lead.end() == start:
            return 0  # every sentence begins with a capital
        said = self._prose[sentence[0] : sentence[1]].rstrip()
        if not said.endswith((".", "!", "?", ":", ",", ";")):
            found = words(said)
            capitals = sum(word[0].isupper() for word in found)
            if len(found) >= 4 and capitals > 0.7 * len(found):
                return 0  # a title has capitals everywhere
        # Last, because it is dear: finding the language takes longer than all the rest.
        return 0 if (self._language() or "") in _NOUNS_CAPITALIZED else 1

    def _is_head(self, start: int, end: int) -> bool:
        bold_end = self._bold.get(start)
        if bold_end is not None and len(said := words(self._prose[start:bold_end])) <= 5:
            # "**Ring Battery Doorbell**" names a product, "**Target audience**" does not
            return (
                bold_end <= end + 2
                or _HEAD_AFTER.match(self._prose, end) is not None
                or not any(map(str.islower, said))
            )
        at = start
        while at > 0 and self._prose[at - 1] in " *_#.)0123456789\"'✅⭐🏆":
            at -= 1
        return (at in self._heads or start in self._heads) and _HEAD_AFTER.match(self._prose, end) is not None

    def _site_near(self, candidate: Candidate, sentence: tuple[int, int]) -> bool:
        brands = candidate.pattern.brands
        return any(
            (other.sure or other.pattern.form == "domain") and other.pattern.brands == brands
            for other in self._between(*sentence)
        ) or any(brand in link.owners for brand in brands for link in self._links_between(*sentence))

    def _category_near(self, start: int, end: int) -> bool:
        """A word of the category among the eight before or after."""
        before = words(self._folded[max(0, start - _NEAR) : start].rpartition(BLOCK_END)[2])[-8:]
        after = first_words(self._folded[end : end + _NEAR].partition(BLOCK_END)[0], 8)
        said = f" {' '.join(before)} | {' '.join(after)}"
        return any(f" {word}" in said for word in self._category)

    def _brand_near(self, candidate: Candidate, sentence: tuple[int, int]) -> int:
        """Another brand in the sentence; or both open a sentence of one paragraph, as in a comparison: then 2."""
        if self._rival_in(candidate, sentence):
            return 1
        if not self._opens(candidate):
            return 0
        block = self._blocks[max(0, bisect_right(self._block_starts, candidate.start) - 1)]
        paragraph = (max(block.start, candidate.start - _PARAGRAPH), min(block.end, candidate.start + _PARAGRAPH))
        return 2 * any(self._opens(other) for other in self._rivals(candidate, paragraph))

    def _rival_in(self, candidate: Candidate, span: tuple[int, int]) -> bool:
        return next(self._rivals(candidate, span), None) is not None

    def _rivals(self, candidate: Candidate, span: tuple[int, int]) -> Iterator[Candidate]:
        for other in self._between(*span):
            is_named = other.pattern.doubt == 0 or not self._prose[other.start].islower()
            if is_named and other.pattern.brands != candidate.pattern.brands:
                yield other

    def _opens(self, candidate: Candidate) -> bool:
        known = self._openings.get(candidate.start)
        if known is None:
            lead = _LEAD_IN.match(self._prose, self._prepared.sentence_at(candidate.start)[0], candidate.start)
            known = lead is not None and lead.end() == candidate.start
            self._openings[candidate.start] = known
        return known

    def _other_sense(self, word: str, start: int, end: int) -> bool:
        prose = self._prose
        if word in read_list("names_and_days", "calendar") and (
            _follows(_WEEKDAY_SENSE, prose, start, 12) or _WEEKDAY_AFTER.match(prose, end)
        ):
            return True
        followed = read_table("other_senses", "after").get(word, ())
        after = _FOLLOWING.match(self._folded, end) if followed else None
        if after is not None and after[1] in followed and prose[after.start(1)].islower():
            return True
        preceded = read_table("other_senses", "before").get(word, ())
        before = _PRECEDING.search(self._folded, max(0, start - 20), start) if preceded else None
        return before is not None and before[1] in preceded and prose[start].islower()


def _owned_links(links: Sequence[Link], lexicon: Lexicon) -> list[_OwnedLink]:
    """The links that lead to a brand's own site, in their order."""
    found = []
    for link in links:
        citation = normalize_url(link.url)
        if citation is not None:
            owners = lexicon.owners.of(citation)
            if owners:
                found.append(_OwnedLink(link.start, frozenset(owners)))
    return sorted(found, key=lambda link: link.start)


def _is_foreign_to(sentence: str, written: str) -> bool:
    """A Latin name in a sentence of another script is no word of that language."""
    if not written.isascii() or sentence.isascii():
        return False
    letters = [character for character in sentence if character.isalpha()]
    return sum(character > "\u036f" for character in letters) > 0.5 * len(letters)


def _is_name_when_capital(pattern: Pattern) -> bool:
    """Several words with a capital, and a few words of other languages, are hardly ever anything else."""
    several = " " in pattern.text or "-" in pattern.text
    return several or pattern.spelling.casefold() in read_list("names_and_days", "rarer elsewhere")


def _follows(words: re.Pattern[str], prose: str, start: int, reach: int) -> bool:
    """Whether these words stand right before a place. All such patterns end with white space, which is seen sooner."""
    return prose[start - 1 : start].isspace() and words.search(prose, max(0, start - reach), start) is not None


def _acts(prose: str, end: int, *, opens: bool) -> bool:
    """A company's verb follows. At the start of a sentence any verb in the third person is one."""
    return _ACTS.match(prose, end) is not None or (opens and _THIRD_PERSON.match(prose, end) is not None)


def _belongs(prose: str, start: int, end: int) -> bool:
    """ "Acme's", "by Acme"."""
    return _POSSESSIVE.match(prose, end) is not None or _follows(_BY, prose, start, 12)


def _content_words(prompt: str) -> tuple[str, ...]:
    # A prompt is put to several platforms; what is far longer than a prompt is not worth the memory.
    return _remembered(prompt) if len(prompt) <= _LONGEST_PROMPT else _remembered.__wrapped__(prompt)


@lru_cache(maxsize=1_024)
def _remembered(prompt: str) -> tuple[str, ...]:
    return tuple(
        sorted(
            {word for word in words(fold(normalize(prompt)[0])) if len(word) > 4} - read_list("question_words", "words")
        )
    )
