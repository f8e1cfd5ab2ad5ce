"""Strategies for random histories of a tracked domain."""

import os
import uuid
from dataclasses import replace
from datetime import timedelta
from random import Random

from hypothesis import strategies as st

from tests.installation import START
from tests.scoreboard.oracle.raw_history import (
    NEVER_CITES,
    OWN,
    AskedPrompt,
    BrandMention,
    RawAnswer,
    RawBrand,
    RawHistory,
    RawScan,
)

PLATFORMS = ("chatgpt", "gemini", "perplexity", "deepseek", "local")
COMPETITORS = (RawBrand("Globex", "globex.com"), RawBrand("Initech", "initech.com"), RawBrand("Umbra", "umbra.io"))
ELSEWHERE = (
    ("https://g2.com/anvils", "g2.com"),
    ("https://g2.com/forges", "g2.com"),
    ("https://en.wikipedia.org/wiki/Anvil", "wikipedia.org"),
    ("https://forge-news.net/a", "forge-news.net"),
    ("https://anvils.de/x", "anvils.de"),
    ("https://blog.example-smith.com/y", "example-smith.com"),
    ("https://reddit.com/r/anvils", "reddit.com"),
    ("https://google.com/search?q=anvil", "google.com"),
)
WORDS = ("quiet", "cheap", "small", "heavy", "steel", "good", "loud", "light", "rare", "safe", "wide", "odd")


def examples(default: int) -> int:
    """Return the number of examples: ten times the default with SIGHTLINE_TEST_EXAMPLES=200."""
    return max(1, default * int(os.environ.get("SIGHTLINE_TEST_EXAMPLES", "20")) // 20)


def _id(kind: int, number: int) -> str:
    """Return an id that is the same each time a history is drawn."""
    return str(uuid.UUID(int=kind << 64 | number + 1))


@st.composite
def prompts(draw, count: int) -> list[AskedPrompt]:
    found = []
    for place in range(count):
        branded = draw(st.integers(0, 4)) == 0
        text = f"is Acme a {WORDS[place]} anvil" if branded else f"which {WORDS[place]} anvil is best"
        country = draw(st.sampled_from((None, None, "DE", "US")))
        found.append(AskedPrompt(_id(1, place), text, country, branded))
    return found


def _draw_mention(chance: Random, *, mood: int, cites: bool, scored: bool, host: str) -> BrandMention:
    """Draw what an answer says about a brand; `mood` of four answers name it in this scan."""
    urls: tuple[str, ...] = ()
    if cites and chance.randrange(3) == 0:
        urls = tuple(f"https://{host}/{page}" for page in chance.choice(("a", "b", "ab", "abc")))
    if chance.randint(1, 4) > mood:
        return BrandMention(stance=chance.choice((None, None, None, "unknown")), urls=urls)
    stance = chance.choice(("neutral", "neutral", "neutral", "contrast", "discouraged"))
    sentiment = chance.choice((None, 0, 20, 35, 40, 41, 50, 59, 60, 72, 85, 100)) if scored else None
    return BrandMention(mentioned=True, stance=stance, urls=urls, sentiment=sentiment)


def _draw_answer(chance: Random, made: str, model: str, *, cites, moods, brands, scored, luck) -> RawAnswer:
    """Draw an answer, in whose ranking untracked brands may be between tracked ones."""
    if chance.randint(1, 10) > luck:
        return RawAnswer(made, chance.choice(("failed", "no_surface")), model)
    mentions = [
        _draw_mention(chance, mood=mood, cites=cites, scored=scored and brand is OWN, host=brand.domain)
        for mood, brand in zip(moods, brands, strict=True)
    ]
    ranked = [place for place, each in enumerate(mentions) if each.mentioned and each.stance == "neutral"]
    order = [*ranked, *[-1] * chance.randrange(3)]
    chance.shuffle(order)
    for place in ranked:
        mentions[place] = replace(mentions[place], rank=order.index(place) + 1)
    elsewhere = chance.sample(ELSEWHERE, chance.randrange(4)) if cites else []
    own = [(url, brand.domain) for brand, each in zip(brands, mentions, strict=True) for url in each.urls]
    return RawAnswer(made, "ok", model, tuple(mentions), (*own, *elsewhere))


@st.composite
def scans(draw, scope, at, asked, platforms, competitors, number, source) -> RawScan:
    """Draw a scan. Its many answers come from one drawn seed."""
    moods = tuple(draw(st.sampled_from((0, 1, 2, 2, 3, 4))) for _ in range(1 + len(competitors)))
    luck = draw(st.sampled_from((10, 10, 9, 7, 3, 0)))
    served = draw(st.sampled_from((1, 1, 1, 1, 2)))
    chance = Random(draw(st.integers(0, 2**32)))
    found = {}
    for prompt in asked:
        for platform in platforms:
            found[prompt.id, platform] = _draw_answer(
                chance,
                _id(100 + number, len(found)),
                f"{platform}-{served}",
                cites=platform not in NEVER_CITES,
                moods=moods,
                brands=(OWN, *competitors),
                scored=scope == "full_check",
                luck=luck,
            )
    if all(answer.status == "failed" for answer in found.values()):  # such a scan fails and is never processed
        first, answer = next(iter(found.items()))
        found[first] = replace(answer, status="no_surface")
    return RawScan(_id(2, number), scope, at, tuple(asked), platforms, competitors, found, source)


@st.composite
def histories(draw, *, max_scans: int = 9, max_prompts: int = 6) -> RawHistory:
    many = draw(st.integers(0, 7)) == 0
    known = draw(prompts(draw(st.integers(9, 12) if many else st.integers(1, max_prompts))))
    every = draw(st.lists(st.sampled_from(PLATFORMS), min_size=1, max_size=1 if many else 4, unique=True))
    competitors = tuple(draw(st.lists(st.sampled_from(COMPETITORS), max_size=3, unique=True)))
    length = draw(st.integers(1, 3 if many else max_scans))
    kinds = [draw(st.sampled_from(("full_check", "daily_check", "daily_check"))) for _ in range(length)]
    if draw(st.integers(0, 3)):
        kinds[0] = draw(st.sampled_from(("full_check", "full_check", "full_check", "free_audit")))
    at = START - timedelta(days=1, minutes=draw(st.integers(1, 600)))
    times = []
    for _ in kinds:
        times.append(at)
        at -= timedelta(hours=draw(st.sampled_from((23, 24, 24, 25, 90, 240))), seconds=draw(st.integers(1, 3000)))
    times.reverse()
    tracked = draw(st.integers(1, len(known)))
    active = list(known[:tracked])
    coming = list(known[tracked:])
    gone: list[AskedPrompt] = []
    made, removed = [], []
    live_from = draw(st.integers(0, length)) if draw(st.integers(0, 7)) == 0 else length
    for number, (scope, completed) in enumerate(zip(kinds, times, strict=True)):
        happens = draw(st.integers(0, 7)) if number else 7
        if happens <= 1 and coming:
            active.append(coming.pop())
        elif happens == 2 and len(active) > 1:
            gone.append(active.pop(draw(st.integers(0, len(active) - 1))))
        elif happens == 3 and gone:
            active.append(gone.pop())
        asked = active
        if scope == "daily_check":
            asked = draw(st.lists(st.sampled_from(active), min_size=1, unique=True))
        platforms = tuple(every)
        if draw(st.integers(0, 9)) == 0:
            platforms = platforms[: draw(st.integers(1, len(platforms)))]
        if draw(st.integers(0, 9)) == 0:
            competitors = tuple(draw(st.lists(st.sampled_from(COMPETITORS), max_size=3, unique=True)))
        source = "live" if number >= live_from else "sandbox"
        made.append(draw(scans(scope, completed, list(asked), platforms, competitors, number, source)))
        removed.append(frozenset(prompt.id for prompt in gone))
    return RawHistory(tuple(made), tuple(removed))
