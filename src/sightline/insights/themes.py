"""What the answers of a Full Check say about the brand: aspects, ranked as themes, and recurring criticism. Pure."""

import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from sightline.answers.aspects import Aspect
from sightline.answers.characters import fold
from sightline.answers.phrase_encoder import load_encoder
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.insights.aspect_counts import AspectCounts, AspectUse, ThemeLabel
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Ownership, to_uuids
from sightline.insights.models import StoredTheme, StoredThemeChange, ThemeQuote, ThemeTrace
from sightline.kit.structs import convert_struct
from sightline.metrics.recommendations import (
    MIN_ANSWERS,
    MIN_PLATFORMS_OR_PROMPTS,
    ClaimFacts,
    ClaimQuote,
    PraiseFacts,
    is_recurring,
)
from sightline.metrics.themes import MAX_THEMES, RankedTheme, ThemeChange, ThemeCount, compare_themes, rank_themes
from sightline.scans.models import ScanAnswer

_MAX_PAGES = 10
_MAX_QUOTES = 3
_ENOUGH_ANSWERS = 5  # that a theme needs if another theme already shows its only quote
_SHOWN = 60  # characters added to the length of a quote for each theme that already shows it
_NOTHING: Mapping[str, int] = {}
_AKIN = 0.4  # cosine of two names: rather too low, because a property that the brand is praised for is no gap
_GOOD_LENGTH = 90  # characters of a quote that says one thing clearly


def find_themes(
    counts: AspectCounts, previous: ThemeTrace | None = None, known: Collection[str] = ()
) -> list[StoredTheme]:
    """Return the themes of the brand, compared with those of the Full Check before. A theme needs a quote.

    All themes of a codebook are listed, those that were `known` before the check also with a single answer.
    """
    labels = counts.labels
    ranked = rank_themes(
        [
            _count_theme(name, uses, counts)
            for name, uses in counts.uses.items()
            if _pick_quotes(uses) and not (name in labels and labels[name].hidden)
        ],
        total=counts.total,
        rival_total=len(counts.rivals),
        first={name for name, label in labels.items() if label.pinned},
        known=known,
        most=len(labels) or MAX_THEMES,
    )
    changes: list[ThemeChange | None] = [None] * len(ranked)
    if previous is not None:
        before = {(prompt_id, platform): frozenset(aspects) for prompt_id, platform, aspects in previous.cells}
        changes = [
            change if not previous.themes or theme.count.name in previous.themes else None
            for theme, change in zip(
                ranked,
                compare_themes(before, counts.cells, [counts.names[theme.count.name] for theme in ranked]),
                strict=True,
            )
        ]
    found: list[StoredTheme] = []
    shown = Counter[str]()
    for theme, change in zip(ranked, changes, strict=True):
        uses = counts.uses[theme.count.name]
        quotes = _pick_quotes(uses, shown)
        is_enough = theme.count.name in known or (len(quotes) == 1 and len(uses) >= _ENOUGH_ANSWERS)
        if not is_enough and all(quote.text in shown for quote in quotes):
            continue  # the same sentences under another name
        if not labels and any(_is_part_of(theme.count.name, other.descriptor) for other in found):
            continue
        shown.update(quote.text for quote in quotes)
        found.append(_to_stored(theme, labels.get(theme.count.name), quotes, uses, change))
    return found


def _is_part_of(one: str, other: str) -> bool:
    """Return whether one name is the last word of the other: "speed" and "print speed" are one subject."""
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
    theme: RankedTheme,
    label: ThemeLabel | None,
    quotes: Sequence[ClaimQuote],
    uses: Sequence[AspectUse],
    change: ThemeChange | None,
) -> StoredTheme:
    count = theme.count
    return convert_struct(
        StoredTheme,
        theme,
        descriptor=label.text if label else count.name,
        theme_key=count.name if label else None,
        answers=count.answers,
        polarity_label=theme.label,
        answer_ids=to_uuids([use.answer.id for use in uses]),
        prompts=count.prompts,
        platforms=count.platforms,
        share_low=theme.interval.low,
        share_high=theme.interval.high,
        positive=count.positive,
        neutral=count.neutral,
        negative=count.negative,
        quotes=tuple(ThemeQuote(uuid.UUID(quote.answer_id), quote.text) for quote in quotes),
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
        if each.quotable and each.polarity in wanted and not (each.polarity == "negative" and _is_praise(each.quote))
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


def _is_praise(quote: str) -> bool:
    """Return whether an English quote reads as praise: it proves no criticism, whatever was read in it."""
    praise, blame = count_praise_and_blame(fold(quote))
    return praise > blame


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
        label = counts.labels.get(name)
        if label and label.hidden:
            continue
        against = [use for use in uses if use.polarity == "negative"]
        prompts = len({use.answer.prompt.id for use in against})
        platforms = len({use.answer.platform for use in against})
        quotes = _pick_quotes(against)
        recurs = is_recurring(len(against), prompts=prompts, platforms=platforms, naming=counts.total)
        if against:
            claims.append(
                ClaimFacts(
                    descriptor=label.text if label else name,
                    theme_key=name if label else None,
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


def find_praise_of_rivals(counts: AspectCounts, inputs: InsightInputs) -> list[PraiseFacts]:
    """Find what answers praise a rival for, each property with the rival that most answers praise for it.

    Of properties that are alike, such as price and value for money, only the most frequent one is returned.
    """
    naming = Counter(name for named in inputs.named.values() for name in named)
    said = {theme: [use.answer.id for use in uses if use.polarity != "negative"] for theme, uses in counts.uses.items()}
    found: list[PraiseFacts] = []
    for theme, praised in counts.praise.items():
        label = counts.labels.get(theme)
        if label and label.hidden:
            continue
        rival, answer_ids = max(praised.items(), key=lambda item: (len(item[1]), item[0]))
        asked = {answer.prompt.id for answer in inputs.answers if answer.id in answer_ids}
        if len(answer_ids) < MIN_ANSWERS or len(asked) < MIN_PLATFORMS_OR_PROMPTS or not counts.total:
            continue
        akin = [theme] if label else _list_akin(theme, [*said, theme])
        found.append(
            PraiseFacts(
                descriptor=label.text if label else theme,
                theme_key=theme if label else None,
                rivals=(rival,),
                answer_ids=tuple(answer_ids),
                rival_answers=naming[rival],
                own=sum(use.polarity == "positive" for use in counts.uses.get(theme, ())),
                own_answers=counts.total,
                akin=len({each for other in akin for each in said.get(other, ())}),
            )
        )
    found.sort(key=lambda each: (-len(each.answer_ids), each.descriptor))
    return [
        each
        for place, each in enumerate(found)
        if each.theme_key or not _list_akin(each.descriptor, [other.descriptor for other in found[:place]])
    ]


def _list_akin(name: str, others: Sequence[str]) -> list[str]:
    """Return the names of properties that a reader may take for the same."""
    encoder = load_encoder()
    likeness = encoder.embed(others) @ encoder.embed([name])[0]
    return [other for other, cosine in zip(others, likeness, strict=True) if cosine >= _AKIN]
