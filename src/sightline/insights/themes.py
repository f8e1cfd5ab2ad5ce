"""What the answers of a Full Check say about the brand: aspects, ranked as themes, and recurring criticism. Pure."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from sightline.answers.aspect_words import list_aspect_languages, read_aspect_words
from sightline.answers.aspects import Aspect, find_aspects
from sightline.answers.characters import fold
from sightline.answers.language import detect_language
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.phrase_encoder import group_by_meaning
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Ownership, to_uuids
from sightline.insights.models import StoredTheme, StoredThemeChange, StoredThemeQuote, ThemeTrace, UnreadReason
from sightline.metrics.recommendations import ClaimFacts, ClaimQuote, is_recurring
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import Cell, Theme, ThemeChange, ThemeCount, compare_themes, rank_themes
from sightline.scans.models import ScanAnswer

_MAX_PAGES = 10
_MAX_QUOTES = 3
_MIN_RIVAL_USES = 2  # of a phrase that is never said of the brand itself
_ENOUGH_ANSWERS = 5  # that a theme needs if another theme shows its only quote already
_SHOWN = 60  # characters that a quote counts as longer for each theme that shows it already
_NOTHING: Mapping[str, int] = {}
_GOOD_LENGTH = 90  # characters of a quote that says one thing clearly


class AspectUse(msgspec.Struct, frozen=True):
    """An answer that states an aspect of the brand, once or several times."""

    answer: ScanAnswer
    aspects: tuple[Aspect, ...]

    @property
    def polarity(self) -> Label:
        """What the answer says on balance."""
        good = sum(each.polarity == "positive" for each in self.aspects)
        bad = sum(each.polarity == "negative" for each in self.aspects)
        return "positive" if good > bad else "negative" if bad > good else "neutral"


class AspectCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The aspects of the brand, and how many answers state them of the brand and of its rivals."""

    uses: Mapping[str, Sequence[AspectUse]]
    """By the name of the theme."""
    names: Mapping[str, frozenset[str]]
    """The names of aspects that a theme joins."""
    rivals: Sequence[frozenset[str]]
    """The aspects of each rival in each answer that names it."""
    total: int
    """The answers that name the brand, in languages that can be read."""
    cells: Mapping[Cell, frozenset[str]]
    """The aspects of each cell whose answer names the brand."""
    unread: Mapping[str, int]
    """The answers that name the brand and could not be read, by language."""
    unread_reason: UnreadReason = "no_word_lists"

    def to_trace(self) -> ThemeTrace:
        """Return what the next Full Check compares with."""
        return ThemeTrace(
            cells=tuple((*cell, tuple(sorted(aspects))) for cell, aspects in sorted(self.cells.items())),
            unread=dict(self.unread),
            unread_reason=self.unread_reason,
        )


class JudgedAnswers(msgspec.Struct, frozen=True):
    """What a language model found in answers that have no word lists, and why it did not read the rest."""

    aspects: Mapping[str, Mapping[str, tuple[Aspect, ...]]] = {}
    """By the id of the answer and the name of the brand."""
    reason: UnreadReason = "no_word_lists"


def build_lexicon(inputs: InsightInputs) -> Lexicon:
    """Return the measured brand and all rivals, in the order of `inputs.rivals`."""
    tracked = len(inputs.plan.tracked)
    discovered = [
        Brand(rival.name, domains=rival.domains, products=rival.products) for rival in inputs.rivals[tracked - 1 :]
    ]
    return Lexicon((*inputs.plan.tracked, *discovered))


def list_unread_answers(inputs: InsightInputs) -> list[ScanAnswer]:
    """Return the answers that name the brand in a language without word lists."""
    own = (answer for answer in inputs.answers if answer.analysis and answer.analysis.brands[OWN_BRAND].mentioned)
    return [answer for answer in own if find_language(answer) not in list_aspect_languages()]


class _AnswerReader:
    """Reads the aspects of each brand in an answer, by word lists or from what the judge found."""

    def __init__(self, inputs: InsightInputs, judged: JudgedAnswers) -> None:
        self._lexicon = build_lexicon(inputs)
        self._corrections = inputs.plan.corrections
        self._judged = judged.aspects
        self.english: set[str] = set()
        """The names of aspects in English answers."""

    def read(self, answer: ScanAnswer, language: str) -> Mapping[int, Sequence[Aspect]] | None:
        """Return the aspects by the index of the brand, or None if the answer cannot be read."""
        if language in list_aspect_languages():
            found = find_aspects(
                answer.text,
                self._lexicon,
                prompt=answer.prompt.text,
                language=language,
                corrections=self._corrections.get(answer.id, ()),
            )
            if language == "en":
                self.english.update(each.name for own in found.values() for each in own)
            return found
        judged = self._judged.get(answer.id)
        if judged is None:
            return None
        return {index: judged.get(brand.name, ()) for index, brand in enumerate(self._lexicon.brands)}


_NOT_JUDGED = JudgedAnswers()


def count_aspects(inputs: InsightInputs, judged: JudgedAnswers = _NOT_JUDGED) -> AspectCounts:
    """Count the aspects of the brand and of all rivals; an answer counts once for each brand that it names."""
    reader = _AnswerReader(inputs, judged)
    own: dict[str, list[AspectUse]] = {}
    rivals: list[frozenset[str]] = []
    cells: dict[Cell, frozenset[str]] = {}
    unread: Counter[str] = Counter()
    total = 0
    for answer in inputs.answers:
        assert answer.analysis is not None
        is_own = answer.analysis.brands[OWN_BRAND].mentioned
        named = inputs.named[answer.id]
        if not is_own and not named:
            continue
        language = find_language(answer)
        found = reader.read(answer, language)
        if found is None:
            unread[language] += is_own
            continue
        rivals += [
            frozenset(each.name for each in found.get(place, ()))
            for place, rival in enumerate(inputs.rivals, start=1)
            if rival.name in named
        ]
        if is_own:
            total += 1
            aspects = _group_by_name(found.get(OWN_BRAND, ()))
            for name, each in aspects.items():
                own.setdefault(name, []).append(AspectUse(answer, tuple(each)))
            cell = (answer.prompt.id, answer.platform)
            cells[cell] = cells.get(cell, frozenset()) | aspects.keys()
    return _merge_by_meaning(
        AspectCounts(
            uses=own,
            names={name: frozenset({name}) for name in own},
            rivals=rivals,
            total=total,
            cells=cells,
            unread=+unread,
            unread_reason=judged.reason,
        ),
        reader.english,
    )


def _group_by_name(aspects: Iterable[Aspect]) -> dict[str, list[Aspect]]:
    found: dict[str, list[Aspect]] = {}
    for each in aspects:
        found.setdefault(each.name, []).append(each)
    return found


def find_language(answer: ScanAnswer) -> str:
    """Return the language of an answer; English unless another one is detected."""
    assert answer.analysis is not None
    return answer.analysis.language or answer.prompt.language or detect_language(answer.text) or "en"


def _merge_by_meaning(counts: AspectCounts, english: AbstractSet[str]) -> AspectCounts:
    """Join English noun phrases that mean the same. The aspects of the word lists stay apart from each other."""
    words = read_aspect_words("en")
    assert words is not None
    answers = Counter({name: len(uses) for name, uses in counts.uses.items()})
    recurring = Counter(name for aspects in counts.rivals for name in aspects)
    answers.update({name: times for name, times in recurring.items() if name in answers or times >= _MIN_RIVAL_USES})
    open_names = {name for name in answers if name not in words.names and name in english}
    if not open_names:
        return counts
    groups = group_by_meaning({name: times for name, times in answers.items() if name in english})
    uses: dict[str, list[AspectUse]] = {}
    names: dict[str, frozenset[str]] = {}
    for name in answers:
        theme = groups[name] if name in open_names else name
        names[theme] = names.get(theme, frozenset()) | {name}
        if name in counts.uses:
            uses[theme] = _join_uses(uses.get(theme, []), counts.uses[name])
    return msgspec.structs.replace(counts, uses=uses, names=names)


def _join_uses(first: Sequence[AspectUse], second: Sequence[AspectUse]) -> list[AspectUse]:
    """Return one use per answer."""
    found: dict[str, AspectUse] = {}
    for use in (*first, *second):
        known = found.get(use.answer.id)
        found[use.answer.id] = AspectUse(use.answer, (*known.aspects, *use.aspects)) if known else use
    return list(found.values())


def find_themes(counts: AspectCounts, previous: ThemeTrace | None = None) -> list[StoredTheme]:
    """Return the themes of the brand, compared with those of the Full Check before. A theme needs a quote."""
    ranked = rank_themes(
        [_count_theme(name, uses, counts) for name, uses in counts.uses.items() if _pick_quotes(uses)],
        total=counts.total,
        rival_total=len(counts.rivals),
    )
    changes: list[ThemeChange | None] = [None] * len(ranked)
    if previous is not None:
        before = {(prompt_id, platform): frozenset(aspects) for prompt_id, platform, aspects in previous.cells}
        changes = compare_themes(before, counts.cells, [counts.names[theme.count.name] for theme in ranked])
    found: list[StoredTheme] = []
    shown = Counter[str]()
    for theme, change in zip(ranked, changes, strict=True):
        uses = counts.uses[theme.count.name]
        quotes = _pick_quotes(uses, shown)
        if (len(quotes) > 1 or len(uses) < _ENOUGH_ANSWERS) and all(quote.text in shown for quote in quotes):
            continue  # the same sentences under another name
        if any(_is_part_of(theme.count.name, other.descriptor) for other in found):
            continue
        shown.update(quote.text for quote in quotes)
        found.append(_to_stored(theme, quotes, uses, change))
    return found


def _is_part_of(one: str, other: str) -> bool:
    """Return whether one name is the last word of the other: "speed" and "print speed" speak of the same."""
    return one.split()[-1:] == [other] or other.split()[-1:] == [one]


def _count_theme(name: str, uses: Sequence[AspectUse], counts: AspectCounts) -> ThemeCount:
    labels = Counter(use.polarity for use in uses)
    return ThemeCount(
        name=name,
        prompts=len({use.answer.prompt.id for use in uses}),
        platforms=len({use.answer.platform for use in uses}),
        positive=labels["positive"],
        neutral=labels["neutral"],
        negative=labels["negative"],
        rival_answers=sum(not counts.names[name].isdisjoint(aspects) for aspects in counts.rivals),
    )


def _to_stored(
    theme: Theme, quotes: Sequence[ClaimQuote], uses: Sequence[AspectUse], change: ThemeChange | None
) -> StoredTheme:
    count = theme.count
    return StoredTheme(
        descriptor=count.name,
        kind=theme.kind,
        answers=count.answers,
        share=theme.share,
        log_odds=theme.log_odds,
        z=theme.z,
        polarity=theme.polarity,
        polarity_label=theme.label,
        answer_ids=to_uuids([use.answer.id for use in uses]),
        prompts=count.prompts,
        platforms=count.platforms,
        share_low=theme.interval.low,
        share_high=theme.interval.high,
        positive=count.positive,
        neutral=count.neutral,
        negative=count.negative,
        few_answers=theme.few_answers,
        quotes=tuple(StoredThemeQuote(uuid.UUID(quote.answer_id), quote.text) for quote in quotes),
        change=None if change is None else StoredThemeChange(change.previous_share, change.verdict),
        opinions=tuple(use.polarity for use in uses),
    )


def _pick_quotes(uses: Sequence[AspectUse], shown: Mapping[str, int] = _NOTHING) -> tuple[ClaimQuote, ...]:
    """Return up to three quotes: of different platforms and prompts, and of both opinions where they differ.

    Quotes that are shown for another theme come last.
    """
    labels = Counter(use.polarity for use in uses)
    wanted = [label for label, answers in labels.most_common() if 3 * answers >= len(uses)]
    candidates = [
        (wanted.index(each.polarity), _rate_quote(each.quote) + _SHOWN * shown.get(each.quote, 0), use.answer, each)
        for use in uses
        for each in use.aspects
        if each.quotable and each.polarity in wanted
    ]
    picked: list[tuple[ScanAnswer, Aspect]] = []
    while candidates and len(picked) < _MAX_QUOTES:
        best = min(
            candidates, key=lambda candidate: (_count_repeats(candidate[2], candidate[3], picked), *candidate[:2])
        )
        picked.append(best[2:])
        known = {fold(each.quote) for _, each in picked}
        candidates = [each for each in candidates if fold(each[3].quote) not in known]
    return tuple(ClaimQuote(answer.id, each.quote) for answer, each in picked)


def _rate_quote(quote: str) -> int:
    """Return how far a quote is from one clear sentence: lists of many things say little about each."""
    return abs(len(quote) - _GOOD_LENGTH) + 30 * quote.count(",")


def _count_repeats(answer: ScanAnswer, aspect: Aspect, picked: Sequence[tuple[ScanAnswer, Aspect]]) -> int:
    """Count what a quote has in common with those that are picked already."""
    return sum(
        4 * (other.id == answer.id)
        + 2 * (other.platform == answer.platform)
        + (other.prompt.id == answer.prompt.id)
        + (chosen.polarity == aspect.polarity)
        for other, chosen in picked
    )


def find_claims(counts: AspectCounts, inputs: InsightInputs) -> list[ClaimFacts]:
    """Find the criticism of the brand, most frequent first, whatever the plan of the workspace."""
    ownership = Ownership(inputs.plan)
    claims = []
    for name, uses in counts.uses.items():
        against = [use for use in uses if use.polarity == "negative"]
        prompts = len({use.answer.prompt.id for use in against})
        platforms = len({use.answer.platform for use in against})
        quotes = _pick_quotes(against)
        recurs = is_recurring(len(against), prompts=prompts, platforms=platforms, naming=counts.total)
        if against:
            claims.append(
                ClaimFacts(
                    descriptor=name,
                    recurs=recurs and bool(quotes),
                    platforms=platforms,
                    answer_ids=tuple(use.answer.id for use in against),
                    pages=_list_cited_pages([use.answer for use in against], ownership),
                    quotes=quotes,
                )
            )
    return sorted(claims, key=lambda claim: (-len(claim.answer_ids), claim.descriptor))


def _list_cited_pages(answers: Sequence[ScanAnswer], ownership: Ownership) -> tuple[str, ...]:
    """List the pages of others that the answers cite, most cited first: they probably make the claim."""
    pages: Counter[str] = Counter()
    for answer in answers:
        assert answer.analysis is not None
        pages.update(each.url for each in answer.analysis.citations if OWN_BRAND not in ownership.find_owners(each))
    return tuple(sorted(pages, key=lambda url: (-pages[url], url))[:_MAX_PAGES])
