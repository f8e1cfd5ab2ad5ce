"""The order in which an answer ranks the brands: its first list of them, else the order of first mention.

A list that is too short to rank is joined with the next one of its kind. A rank counts all entries of the list. An
entry of an unknown brand takes its place like any other.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from sightline.answers.blocks import Block, PreparedAnswer, PresentedName
from sightline.answers.characters import fold
from sightline.answers.mentions import Mention
from sightline.answers.models import RankSource, Stance
from sightline.answers.presented_names import find_heads

_NUMBERED_NEEDS, _PLAIN_NEEDS = 2, 3
_MAX_PARTNERS = 4
_LONGEST_LEAD = 60  # characters before the name of an entry: its number and a label
_LEAD = re.compile(r"[\W\d_]*(?:the |der |die |das |le |la |les |el |los |las |il |lo |o |a |de |het )?[\W_]*")
# "Best overall: Acme" and "Top pick – Acme": a label, then the head. "Price: Acme costs …" is not one.
_LABEL = re.compile(
    r"[^:–—\n]{0,60}?\b(?:best|top|winner|pick|choice|runner|overall|value|budget|premium|favou?rite|most|cheapest|"
    r"fastest|easiest|beste[rsn]?|testsieger|meilleure?|mejor|melhor|migliore?|лучш\w+|おすすめ|最佳|首选)"
    r"[^:–—\n]{0,50}[:–—]\W{0,6}"
    r"|[^:–—\n]{0,4}\bfor [^:–—\n]{2,50}[:–—]\W{0,6}"
)
# One set of first characters: a search is faster.
_HEAD_ENDS = re.compile(r"[:(–—\n|\[。：（ ,.](?:(?<![ ,.])|(?<= )- |(?<=[,.]) )")
_PARTNER = re.compile(r"(?:\b(?:by|from|x|von|de|par|di|da|door)|[&×/+])\s$")  # "Mini Fan by Acme", "Acme x Globex"
# Phrases that declare a winner. Folded: lower case, no diacritics (й is и).
_VERDICT = re.compile(
    r"\b(?:best overall|overall best|overall winner|the winner|winner|number one|no\. ?1|go with|bottom line|in short|"
    r"tl;?dr|"
    r"top (?:pick|choice|recommendation)|my (?:pick|choice|recommendation|favou?rite|vote|answer)|"
    r"our (?:pick|choice|top pick|recommendation|favou?rite|winner)|editor'?s (?:pick|choice)|"
    r"best (?:choice|pick|option|all-?rounder|bet)|short answer|quick answer|quick verdict|the verdict|verdict|"
    r"i(?:'d| would) (?:go with|pick|choose|start with)|if i had to (?:pick|choose)(?: (?:just )?one)?|"
    r"testsieger|gesamtsieger|preis-leistungs-sieger|mein favorit|meine (?:empfehlung|wahl)|unser (?:tipp|favorit)|"
    r"unsere empfehlung|kurz gesagt|kurze antwort|beste wahl|"
    r"mon choix|mon coup de coeur|notre choix|meilleur choix|ma recommandation|en bref|"
    r"mi (?:eleccion|recomendacion|favorit[oa])|la mejor opcion|mejor opcion|"
    r"minha (?:escolha|recomendacao)|melhor opcao|melhor escolha|la mia scelta|scelta migliore|il mio consiglio|"
    r"mijn (?:keuze|advies)|beste keuze|mitt val|moj wybor|najlepszy wybor|мои выбор|лучшии выбор|"
    r"benim tercihim|en iyi secim)\b"
    r"|(?:我的(?:推荐|首选|选择)|首选|一押し|イチオシ|結論|一番のおすすめ|최고의 선택|제 추천)"
)
_AFTER_VERDICT = re.compile(r"[^.!?\n\x1a]{0,45}?$")


class Ranking(msgspec.Struct, frozen=True):
    """The rank of each brand, how many brands the answer presents, and where the order comes from."""

    ranks: dict[int, int]
    brand_count: int
    source: RankSource | None


def rank_brands(prepared: PreparedAnswer, mentions: Sequence[Mention], stances: Sequence[Stance]) -> Ranking:
    """Rank the brands of the mentions. Mentions that are contrasted, advised against or derived give no rank."""
    rankable = find_rankable(mentions, stances)
    if not rankable:
        return Ranking({}, 0, None)
    names = [name for name in find_heads(prepared) if name.distinct or name.listed]
    if len(rankable) < len(mentions):
        ranked = {mention.start for mention in rankable}
        skipped = [mention for mention in mentions if mention.start not in ranked]
        names = [name for name in names if not any(name.start <= each.start < name.end for each in skipped)]
    source: RankSource = "first_mention"
    order: list[int | str] = []
    lists = _find_lists(prepared, rankable, names)
    if lists:
        begin, source, order = min(lists, key=lambda found: found[0])
        verdict = _verdict_before(prepared, begin, rankable)
        if verdict is not None:
            order = [verdict, *order]
            source = "verdict"
    order = list(dict.fromkeys([*order, *(mention.brand for mention in rankable)]))
    return Ranking({entry: place for place, entry in enumerate(order, 1) if isinstance(entry, int)}, len(order), source)


def find_rankable(mentions: Sequence[Mention], stances: Sequence[Stance]) -> list[Mention]:
    """Return the mentions that give their brand a rank."""
    return [
        mention
        for mention, stance in zip(mentions, stances, strict=True)
        if stance == "neutral" and not mention.derived
    ]


def _find_lists(
    prepared: PreparedAnswer, rankable: Sequence[Mention], names: Sequence[PresentedName]
) -> list[tuple[int, RankSource, list[int | str]]]:
    """Return where each list of brands begins, its kind and its entries. A short list of items goes on in the next."""
    starts = [mention.start for mention in rankable]
    lists: list[tuple[int, RankSource, list[int | str]]] = []
    short: dict[tuple[RankSource, int], dict[int | str, int]] = {}
    for kind, blocks in _structures(prepared):
        entries = _entries(prepared, blocks, rankable, starts, names)
        if not entries:
            continue
        key = (kind, blocks[0].depth)
        places = short.pop(key, {}) if blocks[0].kind == "item" else {}
        for place, entry in entries:
            places.setdefault(entry, place)
        if len(places) >= (_NUMBERED_NEEDS if kind == "ordered" else _PLAIN_NEEDS):
            lists.append((next(iter(places.values())), kind, list(places)))
        elif blocks[0].kind == "item":
            short[key] = places
    return lists


def _structures(prepared: PreparedAnswer) -> Iterator[tuple[RankSource, list[Block]]]:
    """Return lists, runs of headings, table columns and header rows."""
    found: dict[tuple[str, int, int], tuple[RankSource, list[Block]]] = {}
    numbered = _find_numbered_tables(prepared)
    for block in prepared.blocks:
        if block.kind == "item" and block.opens:
            found.setdefault(("list", block.group, 0), ("ordered" if block.ordered else "bullet", []))[1].append(block)
        elif block.kind == "heading":
            ordered = block.number is not None
            found.setdefault(("heading", block.level, ordered), ("ordered" if ordered else "bullet", []))[1].append(
                block
            )
        elif block.kind == "cell":
            if block.entry > 0 and block.column == (block.group in numbered):
                found.setdefault(("column", block.group, 0), ("table", []))[1].append(block)
            elif block.entry == 0:
                found.setdefault(("row", block.group, 0), ("table", []))[1].append(block)
    return iter(found.values())


def _find_numbered_tables(prepared: PreparedAnswer) -> frozenset[int]:
    """Return the tables whose first column holds the numbers of the rows."""
    firsts: dict[int, list[bool]] = {}
    for block in prepared.blocks:
        if block.kind == "cell" and block.column == 0 and block.entry > 0:
            number = prepared.prose[block.start : block.end].strip(" #.*")
            firsts.setdefault(block.group, []).append(number.isdigit() and len(number) <= 2)
    return frozenset(group for group, cells in firsts.items() if all(cells))


def _entries(
    prepared: PreparedAnswer,
    blocks: list[Block],
    rankable: Sequence[Mention],
    starts: list[int],
    names: Sequence[PresentedName],
) -> list[tuple[int, int | str]]:
    """Return the place and the brands of each entry, or its name where the brand is unknown.

    There are none if no brand is known.
    """
    entries: list[tuple[int, int | str]] = []
    places = [name.start for name in names]
    for block in blocks:
        brands = _find_head_brands(prepared, block, rankable, bisect_left(starts, block.start))
        if brands:
            entries += [(block.start, brand) for brand in brands]
            continue
        place = bisect_left(places, block.start)
        if place < len(places) and places[place] < min(block.end, block.start + _LONGEST_LEAD):
            named = bisect_left(starts, names[place].start)
            known = named < len(starts) and starts[named] < names[place].end
            entries.append((block.start, rankable[named].brand if known else fold(names[place].text)))
    return entries if any(isinstance(entry, int) for _, entry in entries) else []


def _find_head_brands(prepared: PreparedAnswer, block: Block, rankable: Sequence[Mention], place: int) -> list[int]:
    """Return the brands that head a block: the first that is named there, and its partners or makers."""
    if place == len(rankable) or rankable[place].start >= block.end:
        return []
    last = rankable[place]
    if not _is_head(prepared, block, last):
        return []
    brands = [last.brand]
    if place + 1 == len(rankable) or rankable[place + 1].start >= block.end:
        return brands
    end = _HEAD_ENDS.search(prepared.folded, last.end, block.end)
    stop = end.start() if end else block.end
    for mention in islice(rankable, place + 1, place + _MAX_PARTNERS):
        if mention.start >= stop or not _PARTNER.search(prepared.folded[last.end : mention.start]):
            break
        brands.append(mention.brand)
        last = mention
    return brands


def _is_head(prepared: PreparedAnswer, block: Block, mention: Mention) -> bool:
    if mention.start == block.start:
        return True
    folded = prepared.folded
    lead = _LEAD.match(folded, block.start, mention.start)
    at = lead.end() if lead else block.start
    if at >= mention.start:
        return True
    label = _LABEL.match(folded, at, mention.start)
    if label is not None and label.end() == mention.start:
        return True
    # The name is part of a short head: "Sony WH-1000 by Acme: …"
    end = _HEAD_ENDS.search(folded, at, block.end)
    stop = end.start() if end else block.end
    return (
        mention.start < stop
        and stop - at <= 60
        and folded.count(" ", at, stop) <= 7
        and not _is_sentence(folded, at, stop)
    )


def _is_sentence(folded: str, start: int, stop: int) -> bool:
    return (
        re.search(r"\b(?:is|are|was|has|have|offers?|use|try|with|and|the|ist|hat|est|es|e)\b", folded[start:stop])
        is not None
    )


def _verdict_before(prepared: PreparedAnswer, place: int, rankable: Sequence[Mention]) -> int | None:
    """Return the brand that is declared best before the list begins."""
    folded = prepared.folded
    if rankable[0].start >= place:
        return None  # no brand is named before it, so the slow search for phrases is not needed
    for cue in _VERDICT.finditer(folded, 0, place):
        after = [m for m in rankable if cue.end() <= m.start < place]
        if after and _AFTER_VERDICT.match(folded, cue.end(), after[0].start):
            return after[0].brand
        before = [m for m in rankable if m.end <= cue.start()]
        if before and re.fullmatch(
            r"(?:'s)?\s*(?:\([^)]{0,30}\)\s*)?(?:is|are|remains|stays|takes|as|ist|est|es|e|,)\s+(?:\w+\s+){0,3}",
            folded[before[-1].end : cue.start()],
        ):
            return before[-1].brand
    return None
