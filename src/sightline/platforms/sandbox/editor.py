"""Answers the editor's requests in the sandbox, from what the engine knows about its made-up market.

A request is a text with a task, the form of the reply, and data between markers (`insights/editor/requests.py` builds
it). The form says what is asked. The reply is JSON, as a language model writes it. Nothing but the request and the
market is read, so the same request always has the same reply.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import ahocorasick_rs
import msgspec

from sightline.platforms.sandbox.market import UNKNOWN, SandboxMarket, fold, sectors
from sightline.platforms.sandbox.phrasebook import (
    OWN_ASPECTS,
    AspectPhrases,
    Phrasebook,
    fill_template,
    list_slots,
    load_phrasebook,
)
from sightline.platforms.sandbox.prompts import LANGUAGES, choose_language, interpret_prompt

# The data is JSON, which has no line breaks inside of texts: no text in it can look like the end of the markers.
_REQUEST = re.compile(r'JSON only: (\{"items": \[[^\n]*\]\})\n<<<(DATAX*)\n(.*)\n\2>>>\s*\Z', re.DOTALL)
_NUMBER = re.compile(r"\d[\d.,]*")
_PASSAGE = re.compile(r"(\d{1,6})\. (?:\[(.*?)\] )?(.*)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=\w{3}[.!?])\s+(?![a-z])")  # not after an abbreviation
_MOST_THEMES = 30  # in a codebook
_MIN_PASSAGES = 3
_ENOUGH_TO_TELL = 8  # characters of a sentence
_MOST_LABEL_WORDS, _LONGEST_LABEL, _LONGEST_ARTICLE = 4, 40, 3
_LONGEST_TITLE, _LONGEST_REASON, _LONGEST_STEP = 110, 320, 220
_FEWEST_STEPS, _MOST_STEPS = 2, 4
_MOST_QUESTIONS, _SHORTEST_QUESTION, _LONGEST_QUESTION = 15, 15, 140
_MOST_PAIRED = 3  # rivals that are compared with each other
# The stage of buying that each question of `ask` belongs to. Their order is the same in every language.
_STAGES = (
    *("choose", "learn", "choose", "compare", "choose", "choose"),
    *("choose", "use", "choose", "switch", "choose", "learn"),
)

Item = Mapping[str, Any]


def answer_editor(market: SandboxMarket, text: str) -> str | None:
    """Return the reply to a request of the editor, or None if the text is none.

    A request that the engine does not understand gets a reply without items.
    """
    found = _REQUEST.search(text)
    if found is None:
        return None
    try:
        form = msgspec.json.decode(found[1], type=_Form)
        kind = next(kind for field, kind in _KINDS.items() if field in form.items[0])
        items = list(msgspec.json.decode(found[3], type=kind).answer(market))
    except (msgspec.DecodeError, LookupError, StopIteration):
        items = []
    return f"```json\n{json.dumps({'items': items}, ensure_ascii=False)}\n```"


class _Form(msgspec.Struct, frozen=True):
    items: tuple[dict[str, Any], ...]


class _MarketRequest(msgspec.Struct, frozen=True):
    questions: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()

    def answer(self, market: SandboxMarket) -> Iterator[Item]:
        """Yield what is sold: the category of the sector, with the numbers that all questions have."""
        language, sector = _detect_language(self.questions), _find_sector(market, self.questions)
        words = load_phrasebook(language, sector)
        if any(fold(brand) in fold(f"{words.category} {words.singular}") for brand in self.brands):
            words = load_phrasebook(language, UNKNOWN)  # a brand may have the name of a word of its sector
        limits = "".join(f" {limit}" for limit in self._list_limits())
        yield {
            "singular": words.singular + limits,
            "plural": words.category + limits,
            "audience": words.join(words.uses),
            "language": language,
        }

    def _list_limits(self) -> Iterator[str]:
        """Yield the numbers of all questions, each with what stands around it in the first one: "under $300"."""
        numbers = [set(_NUMBER.findall(question)) for question in self.questions]
        for number in sorted(set.intersection(*numbers)) if numbers else ():
            found = re.search(rf"(?:\S+ )?\S{{0,3}}{re.escape(number)}\S{{0,3}}", self.questions[0])
            yield (found[0] if found else number).rstrip("?!\uff1f\uff01")


class _GivenName(msgspec.Struct, frozen=True):
    name: str
    examples: tuple[str, ...] = ()


class _NamesRequest(msgspec.Struct, frozen=True):
    questions: tuple[str, ...] = ()
    names: tuple[_GivenName, ...] = ()

    def answer(self, market: SandboxMarket) -> Iterator[Item]:
        """Yield what each name is. Names that the market does not know are left out."""
        pairs = (interpret_prompt(market, question).pair or () for question in self.questions)
        compared = {fold(brand.name) for pair in pairs for brand in pair}
        for given in self.names:
            known = _recognize(market, given)
            if known is None and fold(given.name) in compared:
                known = {}  # a brand that only a question names belongs to no market
            if known is not None:
                unknown = {"kind": "brand", "maker": None, "competes": False, "full_name": None}
                yield {"name": given.name, **unknown, **known}


def _recognize(market: SandboxMarket, given: _GivenName) -> Item | None:
    name = fold(given.name)
    for brand in market.brands:
        known = {fold(each) for each in (brand.name, *brand.aliases)}
        if name in known:
            return {"competes": not brand.is_own}
        if name == fold(brand.domain):
            return {"maker": brand.name}
        if any(name.startswith(f"{each} ") for each in known):
            return {"kind": "product", "maker": brand.name}
        if name in fold(brand.name).split() and any(brand.name in example for example in given.examples):
            return {"competes": not brand.is_own, "full_name": brand.name}
    return {"kind": "feature"} if name in _index_labels() else None


class _GivenTheme(msgspec.Struct, frozen=True):
    label: str
    definition: str = ""
    examples: tuple[str, ...] = ()

    def find_aspects(self, market: SandboxMarket) -> frozenset[str]:
        """Return the aspects that a theme is about: by its label, or by its other texts if people have renamed it."""
        named = _index_labels().get(fold(self.label))
        defined = named or frozenset(each.aspect for each in _find_statements(market, self.definition))
        return defined or frozenset(each.aspect for text in self.examples for each in _find_statements(market, text))


class _ThemesRequest(msgspec.Struct, frozen=True):
    brand: str
    language: str = msgspec.field(name="language of labels", default="en")
    themes: tuple[_GivenTheme, ...] = ()
    passages: tuple[str, ...] = ()

    def answer(self, market: SandboxMarket) -> Iterator[Item]:
        """Yield the aspects that several passages state and no theme has, the most frequent one first."""
        known = {aspect for theme in self.themes for aspect in theme.find_aspects(market)}
        found: dict[AspectPhrases, dict[int, bool]] = {}
        for number, _, text in _read_passages(self.passages):
            for each in _find_statements(market, text, about=self.brand):
                if each.aspect not in known:
                    found.setdefault(_find_words(each, self.language), {})[number] = each.is_praise
        labels = {fold(theme.label) for theme in self.themes}
        for aspect, passages in sorted(found.items(), key=lambda item: (-len(item[1]), item[0].name)):
            label = _label(aspect, praised=2 * sum(passages.values()) >= len(passages))
            is_free = fold(label) not in labels and len(labels) < _MOST_THEMES
            if label and is_free and len(passages) >= _MIN_PASSAGES and not interpret_prompt(market, label).named:
                labels.add(fold(label))
                definition = "; ".join((*aspect.praise[:1], *aspect.criticism[:1]))
                yield {"label": label, "definition": definition, "passages": list(passages)}


class _SortingRequest(msgspec.Struct, frozen=True):
    themes: dict[str, _GivenTheme] = {}
    passages: tuple[str, ...] = ()

    def answer(self, market: SandboxMarket) -> Iterator[Item]:
        """Yield the passages of each theme, those that the phrasebook wrote as praise apart from criticism."""
        found: dict[tuple[str, str], list[int]] = {}
        aspects = {key: theme.find_aspects(market) for key, theme in self.themes.items()}
        for number, brand, text in _read_passages(self.passages):
            for each in _find_statements(market, text, about=brand):
                opinion = "praise" if each.is_praise else "criticism"
                for key in (key for key, own in aspects.items() if each.aspect in own):
                    found.setdefault((key, opinion), []).append(number)
        for (key, opinion), passages in found.items():
            yield {"theme": key, "opinion": opinion, "passages": passages}


class _Draft(msgspec.Struct, frozen=True):
    title: str
    reason: str
    steps: tuple[str, ...]


class _GivenAction(msgspec.Struct, frozen=True):
    draft: _Draft


class _WordingRequest(msgspec.Struct, frozen=True):
    actions: dict[int, _GivenAction] = {}

    def answer(self, market: SandboxMarket) -> Iterator[Item]:  # noqa: ARG002 - as for the other kinds
        """Yield shorter drafts. Sentences of the draft claim nothing that is not known."""
        for number, action in self.actions.items():
            worded = _shorten(action.draft)
            if worded is not None:
                yield {"action": number, **msgspec.to_builtins(worded)}


def _shorten(draft: _Draft) -> _Draft | None:
    """Return a draft with one sentence for the reason and for each step; None if that is no shorter, or too long."""
    cut = [_SENTENCE_END.split(text)[0] for text in (draft.reason, *draft.steps)]
    steps = tuple(step for step in cut[1:] if len(step) <= _LONGEST_STEP)[:_MOST_STEPS]
    shorter = _Draft(draft.title, cut[0], steps)
    fits = len(draft.title) <= _LONGEST_TITLE and len(cut[0]) <= _LONGEST_REASON and len(steps) >= _FEWEST_STEPS
    return shorter if fits and shorter != draft else None


class _GivenMarket(msgspec.Struct, frozen=True):
    plural: str


class _PromptsRequest(msgspec.Struct, frozen=True):
    market: _GivenMarket | None = None
    language: str | None = None
    tracked: tuple[str, ...] = msgspec.field(name="tracked questions", default=())
    searches: tuple[str, ...] = msgspec.field(name="searches of platforms", default=())
    themes: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()

    def answer(self, market: SandboxMarket) -> Iterator[Item]:
        """Yield questions that nobody tracks, first those that platforms search for."""
        language = self.language or _detect_language(self.tracked)
        if language not in LANGUAGES:
            return
        words = load_phrasebook(language, _find_sector(market, self.tracked))
        known = {fold(question) for question in self.tracked}
        found: list[Item] = []
        for question, reason, subject in self._list_questions(words):
            is_allowed = reason == "rivals" or not interpret_prompt(market, question).named
            fits = _SHORTEST_QUESTION <= len(question) <= _LONGEST_QUESTION
            if not is_allowed or not fits or fold(question) in known:
                continue
            known.add(fold(question))
            search = next((each for each in self.searches if fold(subject) in fold(each)), None)
            is_searched = search is not None and reason in {"aspect", "use"}
            why = {"reason": "search", "subject": search} if is_searched else {"reason": reason, "subject": subject}
            found.append({"question": question, **why})
        yield from sorted(found, key=lambda item: item["reason"] != "search")[:_MOST_QUESTIONS]

    def _list_questions(self, words: Phrasebook) -> Iterator[tuple[str, str, str]]:
        """Yield questions of the sector, each with its reason and what this is about."""
        slots = {"cats": self.market.plural if self.market else words.category}
        for one, other in combinations(self.rivals[:_MOST_PAIRED], 2):
            yield (
                fill_template(words.sentences["ask_pair"][0], {**slots, "r": one, "s": other}),
                "rivals",
                f"{one}, {other}",
            )
        spoken_of = {aspect for label in self.themes for aspect in _index_labels().get(fold(label), ())}
        aspects = [
            aspect
            for place, aspect in enumerate(words.aspects)
            if aspect.praise and (place < OWN_ASPECTS or _name_aspect(words.sector, place) in spoken_of)
        ]
        for template, stage in zip(words.sentences["ask"], _STAGES, strict=True):
            wanted = list_slots(template)
            if "f" in wanted:
                for aspect in aspects:
                    yield fill_template(template, {**slots, "f": aspect.praise[0]}), "aspect", aspect.name
            elif "u" in wanted:
                uses = combinations(words.uses, 2) if "v" in wanted else zip(words.uses, words.uses, strict=True)
                for use, second in uses:
                    yield fill_template(template, {**slots, "u": use, "v": second}), "use", use
            else:
                yield fill_template(template, slots), "stage", stage


# By a field that only replies of this kind have.
_KINDS: Mapping[str, Any] = {
    "singular": _MarketRequest,
    "competes": _NamesRequest,
    "definition": _ThemesRequest,
    "opinion": _SortingRequest,
    "steps": _WordingRequest,
    "question": _PromptsRequest,
}


class _Statement(NamedTuple):
    """What a phrase says about a brand, and whose phrase it is."""

    aspect: str  # its name in English
    language: str
    sector: str
    place: int
    is_praise: bool


@cache
def _index_phrases() -> tuple[ahocorasick_rs.AhoCorasick, Sequence[Sequence[_Statement]]]:
    found: dict[str, list[_Statement]] = {}
    for words in (load_phrasebook(language, sector) for language in LANGUAGES for sector in sectors()):
        for place, aspect in enumerate(words.aspects):
            praise = (*aspect.praise, *aspect.praise_clauses)
            for phrase in (*praise, *aspect.criticism, *aspect.criticism_clauses):
                name = _name_aspect(words.sector, place)
                said = _Statement(name, words.language, words.sector, place, is_praise=phrase in praise)
                found.setdefault(fold(words.fix(phrase)), []).append(said)
    return ahocorasick_rs.AhoCorasick(list(found)), list(found.values())


def _find_statements(market: SandboxMarket, text: str, about: str | None = None) -> list[_Statement]:
    """Return what a passage says, each aspect once; nothing if it is said of another brand than `about`.

    The passage is taken to be of the language and sector whose phrases explain most of it.
    """
    automaton, statements = _index_phrases()
    matches: dict[tuple[str, str], list[tuple[int, int, _Statement]]] = {}
    for index, start, end in automaton.find_matches_as_indexes(fold(text), overlapping=True):
        for each in statements[index]:
            matches.setdefault((each.language, each.sector), []).append((start, end, each))
    if not matches:
        return []
    explained = {  # of phrases with the same end, the longest
        where: sum({end: end - start for start, end, _ in sorted(own, reverse=True)}.values())
        for where, own in matches.items()
    }
    best = max(explained, key=lambda where: (explained[where], where[1] == market.sector))
    if about is not None and _compile_yardsticks(*best, about).search(text):
        return []
    return list({each.aspect: each for each in _drop_parts(matches[best])}.values())


def _drop_parts(matches: Sequence[tuple[int, int, _Statement]]) -> Iterator[_Statement]:
    """Yield what is said, without phrases inside of longer ones, such as "reliable …" inside of "unreliable …"."""
    taken: list[tuple[int, int]] = []
    for start, end, each in sorted(matches, key=lambda match: match[0] - match[1]):
        if all(end <= first or start >= last for first, last in taken):
            taken.append((start, end))
            yield each


@lru_cache(maxsize=512)
def _compile_yardsticks(language: str, sector: str, brand: str) -> re.Pattern[str]:
    """Return a pattern of the sentences that name a brand and speak of another one: "Unlike {b}, {r} offers {f}".

    A passage may begin or end inside of such a sentence, so only what stands around the brand is compared.
    """
    name = rf"\**{re.escape(brand)}\**"
    found = []
    for template in (each for role in load_phrasebook(language, sector).sentences.values() for each in role):
        if "b" in list_slots(template) and {"r", "a"} & {*list_slots(template)}:
            left, _, right = re.sub(r"\{(?!b\})\w+\}", "\0", template).partition("{b}")
            before, after = (re.escape(text.strip(" .\u3002")) for text in (left.split("\0")[-1], right.split("\0")[0]))
            found.append(rf"{before}\s*{name}\s*{after}")
            if len(after) >= _ENOUGH_TO_TELL:
                found.append(rf"\A\W*{name}\s*{after}")
    return re.compile("|".join(found))


@cache
def _index_labels() -> Mapping[str, frozenset[str]]:
    """Return the aspects that have a name or label in any language."""
    found: dict[str, set[str]] = {}
    for words in (load_phrasebook(language, sector) for language in LANGUAGES for sector in sectors()):
        for place, aspect in enumerate(words.aspects):
            for label in (aspect.name, _label(aspect, praised=True), _label(aspect, praised=False)):
                found.setdefault(fold(label), set()).add(_name_aspect(words.sector, place))
    return {label: frozenset(aspects) for label, aspects in found.items() if label}


def _label(aspect: AspectPhrases, *, praised: bool) -> str:
    """Return a label for an aspect; empty if its name is too long for one, also without the article.

    Outside of English, aspects are named by their praise: then the criticism is the label of what is criticized.
    """
    by_praise = aspect.name in aspect.praise and aspect.criticism
    words = (aspect.criticism[0] if by_praise and not praised else aspect.name).split()
    if len(words) > _MOST_LABEL_WORDS and len(words[0]) <= _LONGEST_ARTICLE:
        words = words[1:]
    label = " ".join(words)
    return label if len(words) <= _MOST_LABEL_WORDS and len(label) <= _LONGEST_LABEL else ""


def _find_words(statement: _Statement, language: str) -> AspectPhrases:
    """Return the words for the aspect of a statement in a language, in English if this has none for it."""
    words = load_phrasebook(language if language in LANGUAGES else "en", statement.sector)
    if statement.place >= len(words.aspects):
        words = load_phrasebook("en", statement.sector)
    return words.aspects[statement.place]


def _name_aspect(sector: str, place: int) -> str:
    return load_phrasebook("en", sector).aspects[place].name


def _read_passages(lines: Sequence[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield the number, the brand and the text of each passage."""
    for found in filter(None, map(_PASSAGE.fullmatch, lines)):
        yield int(found[1]), found[2], found[3]


def _find_sector(market: SandboxMarket, questions: Sequence[str]) -> str:
    """Return the sector that most questions are about."""
    found = Counter(interpret_prompt(market, question).sector for question in questions)
    return found.most_common(1)[0][0] if found else market.sector


def _detect_language(questions: Sequence[str]) -> str:
    """Return the language whose sentences share most words with the questions."""
    text = " ".join(questions)
    by_script = choose_language(None, None, text)
    if by_script != "en":
        return by_script
    words = re.findall(r"\w+", fold(text))
    return max(LANGUAGES, key=lambda language: sum(word in _list_vocabulary(language) for word in words))


@cache
def _list_vocabulary(language: str) -> frozenset[str]:
    sentences = load_phrasebook(language, UNKNOWN).sentences.values()
    return frozenset(word for role in sentences for template in role for word in re.findall(r"\w+", fold(template)))
