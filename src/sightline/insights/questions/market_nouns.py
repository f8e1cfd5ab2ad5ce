"""The nouns of a market, taken from its prompts: what people there look for. English only. Pure.

A prompt is cut into runs of words at stop words, verbs, numbers and punctuation. "Which luxury electric car is best
for families?" has the runs "luxury electric car" and "families". The noun that most prompts share is the market's;
prompts without it may have another one. A noun counts only if the answers speak of it, too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from sightline.answers.characters import fold
from sightline.answers.english_nouns import Number, add_article, find_number, pluralize, singularize
from sightline.answers.word_lists import read_list

MAX_NOUNS = 3
_MIN_PROMPTS = 2
_ENOUGH_PROMPTS = 4
_MIN_SHARE = 0.2  # of the prompts, unless enough prompts have the noun
_MIN_ANSWERS = 0.2  # of the answers to these prompts contain the noun
_EXTENDS = 0.5  # of the prompts with the shorter phrase
_MAX_WORDS = 4
_MIN_CASED = 3  # occurrences that decide how a word is written
_PREPOSITIONS = read_list("question_wording", "prepositions")
_DETERMINERS = read_list("question_wording", "determiners")
_ASKS_FOR = frozenset({"looking", "shopping", "searching", "search", "look"})  # "looking for a tent" names a tent
_PRICE_LIMIT = re.compile(
    r"\b(?:under|below|up to|less than) ([$\u20ac\u00a3]? ?\d+(?:[.,]\d+)*(?: ?[$\u20ac\u00a3])?)", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019.&-][^\W_]+)*|[^\w\s]")
_NOT_A_PART = re.compile(r"\d")
_VERBS = read_list("question_wording", "verbs around a noun")
_PRAISE = read_list("question_wording", "praise before a noun")
_CLOSING = read_list("question_wording", "closing words")
_TOO_GENERAL = read_list("question_wording", "too general")
_PROVIDERS = read_list("question_wording", "providers")


class MarketNoun(msgspec.Struct, frozen=True):
    """What people in a market look for, as most prompts write it: "wireless earbuds", "credit card", "luggage"."""

    text: str
    prompt_ids: frozenset[str]
    limit: str = ""
    """The price limit of all its prompts, after a blank: " under $150"."""

    @property
    def number(self) -> Number:
        return find_number(self.text)

    @property
    def is_plural(self) -> bool:
        return self.number == "plural"

    @property
    def is_provider(self) -> bool:
        return self.singular.casefold().rsplit(" ", 1)[-1] in _PROVIDERS

    @property
    def plural(self) -> str:
        return pluralize(self.text)

    @property
    def singular(self) -> str:
        return singularize(self.text)

    def is_pointed_at(self, text: str) -> bool:
        """Return whether the text refers to a specific item that was mentioned before: "the laptop"."""
        head = self.text.rsplit(" ", 1)[-1]
        return any(contains_phrase(text, f"the {form}") for form in (self.text, head))

    @property
    def with_article(self) -> str:
        return f"{add_article(self.text)}{self.limit}"


class NounPrompt(msgspec.Struct, frozen=True):
    """A prompt and the texts of its answers."""

    id: str
    text: str
    answers: tuple[str, ...] = ()


def find_market_nouns(prompts: Sequence[NounPrompt]) -> list[MarketNoun]:
    """Return the nouns that the prompts share, the most common first, each with its prompts."""
    left = list(prompts)
    found: list[MarketNoun] = []
    least = max(_MIN_PROMPTS, min(_ENOUGH_PROMPTS, _MIN_SHARE * len(prompts)))
    while len(found) < MAX_NOUNS:
        phrase, about = _find_shared_phrase(left, found)
        if phrase is None or len(about) < least:
            break
        texts = [text for prompt in about for text in prompt.answers] or [prompt.text for prompt in about]
        taken = frozenset(prompt.id for prompt in about)
        limit = _find_price_limit([prompt.text for prompt in about])
        found.append(MarketNoun(WrittenForms(texts).restore_case(phrase), taken, limit))
        left = [prompt for prompt in left if prompt.id not in taken]
    return found


def _find_price_limit(prompts: Iterable[str]) -> str:
    """Return the limit that all prompts have, or nothing. One of them must write its currency."""
    limits = [_PRICE_LIMIT.search(text) for text in prompts]
    written = next((match[1] for match in limits if match and not match[1].isdecimal()), None)
    amounts = {re.sub(r"\D", "", match[1]) if match else None for match in limits}
    return f" under {written}" if written and len(amounts) == 1 else ""


def split_runs(text: str) -> list[tuple[str, ...]]:
    """Return the runs of words that may be noun phrases, folded, without praise before and closing words after them."""
    return [run for run, _ in _split_runs(text)]


def _split_runs(text: str) -> list[tuple[tuple[str, ...], bool]]:
    """Return the runs, each with whether a preposition stands before it: "families" in "the best tent for families"."""
    runs: list[tuple[tuple[str, ...], bool]] = []
    run: list[str] = []
    before: list[str] = []
    after_preposition = False
    for token in [*_TOKEN.findall(fold(text).replace("\u2019", "'")), "."]:
        if not _is_boundary(token):
            run.append(token)
            continue
        if run:
            if kept := _trim(run):
                runs.append((kept, after_preposition))
            run, before, after_preposition = [], [], False
        if token in _PREPOSITIONS:
            after_preposition = not _ASKS_FOR.intersection(before[-1:])
        elif token.isalpha() and token not in _DETERMINERS:
            after_preposition = False
        before.append(token)
    return runs


def contains_phrase(text: str, phrase: str) -> bool:
    """Return whether the text has the phrase, in the singular or the plural, ignoring case."""
    forms = {fold(pluralize(phrase)), fold(singularize(phrase)), fold(phrase)}
    spaced = f" {' '.join(_TOKEN.findall(fold(text)))} "
    return any(f" {' '.join(_TOKEN.findall(form))} " in spaced for form in forms)


def _list_objects(text: str) -> list[tuple[str, ...]]:
    """Return the runs that a prompt may be looking for: not those after a preposition, if there are others."""
    found = _split_runs(text)
    return [run for run, after_preposition in found if not after_preposition] or [run for run, _ in found]


def _is_boundary(token: str) -> bool:
    return (
        not token[0].isalnum()
        or _NOT_A_PART.search(token) is not None
        or token in _VERBS
        or (token in read_list("stop_words", "en") and token not in _PRAISE)
    )


def _trim(run: Sequence[str]) -> tuple[str, ...]:
    words = list(run)
    while words and words[0] in _PRAISE:
        words.pop(0)
    while words and words[-1] in _CLOSING:
        words.pop()
    if any(word in _PRAISE or word in _CLOSING for word in words):
        return ()
    return tuple(words)


def _find_shared_phrase(
    prompts: Sequence[NounPrompt], found: Iterable[MarketNoun]
) -> tuple[str | None, list[NounPrompt]]:
    """Return the phrase of the commonest head and the prompts with that head."""
    runs = {prompt.id: _list_objects(prompt.text) for prompt in prompts}
    heads: Counter[str] = Counter()
    first: dict[str, int] = {}
    for own in runs.values():
        for place, head in enumerate(dict.fromkeys(singularize(run[-1]) for run in own)):
            heads[head] += 1
            first[head] = first.get(head, 0) + place
    known = {singularize(noun.text.casefold().split()[-1]) for noun in found}
    order = sorted(heads, key=lambda head: (-heads[head], first[head] / heads[head], head))
    for head in order:
        about = [prompt for prompt in prompts if any(singularize(run[-1]) == head for run in runs[prompt.id])]
        if head in known or len(head) < 3 or not _is_spoken_of(head, about):
            continue
        phrase = _extend(head, about, runs)
        if singularize(phrase) not in _TOO_GENERAL:
            return phrase, about
    return None, []


def _is_spoken_of(head: str, prompts: Sequence[NounPrompt]) -> bool:
    answers = [text for prompt in prompts for text in prompt.answers]
    return sum(contains_phrase(text, head) for text in answers) >= _MIN_ANSWERS * len(answers)


def _extend(head: str, prompts: Sequence[NounPrompt], runs: dict[str, list[tuple[str, ...]]]) -> str:
    """Return the longest phrase with this head that at least half of the prompts contain, in its commonest number."""
    phrases = [run for prompt in prompts for run in runs[prompt.id] if singularize(run[-1]) == head]
    counted: Counter[tuple[str, ...]] = Counter()
    for prompt in prompts:
        own = {run for run in runs[prompt.id] if singularize(run[-1]) == head}
        counted.update({(*run[-length:-1], head) for run in own for length in range(1, min(len(run), _MAX_WORDS) + 1)})
    whole = {(*run[:-1], head) for run in phrases}
    # A part of a longer phrase may begin in its middle ("size air fryer"): only what stands alone somewhere is used.
    least = max(_MIN_PROMPTS, _EXTENDS * len(prompts))
    usable = [each for each in counted if each in whole and counted[each] >= least]
    chosen = max(usable, key=lambda each: (len(each), counted[each], each), default=(head,))
    forms = Counter(run[-1] for run in phrases if run[-len(chosen) : -1] == chosen[:-1])
    form = max(forms, key=lambda each: (forms[each], each))
    return " ".join((*chosen[:-1], form))


class WrittenForms:
    """How texts write their words: in lower case, or as CRM and Wi-Fi. Each text is read once."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._forms: dict[str, Counter[str]] = {}
        for token, times in Counter(token for text in texts for token in _TOKEN.findall(text)).items():
            self._forms.setdefault(fold(token), Counter())[token] = times

    def restore_case(self, phrase: str) -> str:
        """Write words as the texts do, where those have capitals inside and hardly any small ones."""
        return " ".join(_choose_form(word, self._forms.get(word, Counter())) for word in phrase.split())


def _choose_form(word: str, forms: Counter[str]) -> str:
    total = forms.total()
    if total < _MIN_CASED or forms[word] > 0.05 * total:
        return word
    form = max(forms, key=lambda form: (forms[form], form))
    return form if any(letter.isupper() for letter in form[1:]) else word
