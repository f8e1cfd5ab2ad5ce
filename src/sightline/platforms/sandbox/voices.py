"""How each platform writes: its layouts, its way to mark sources, how much it adds around the list."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.platforms.sandbox.page import Marks

Layout = Literal["numbered", "bullets", "headings", "cards", "prose", "table"]


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    marks: Marks
    layouts: tuple[tuple[Layout, float], ...]
    most: tuple[int, int]  # so many brands at most get an entry of their own; the rest share a sentence
    sentences: tuple[int, int]  # per entry
    dash: str = " \u2013 "  # between a name and what is said of it
    bullet: str = "- "
    guide: float = 0.3  # a second opening sentence
    headed: float = 0.0  # the list has a heading
    drawback: float = 0.3  # per entry
    criteria: float = 0.0
    verdict: float = 0.4
    offer: float = 0.0
    thirds: float = 0.5  # an entry leans on a third party
    own: float = 0.4  # an entry of a rival leans on its own page


VOICES: Mapping[str, Voice] = {
    "chatgpt": Voice(
        marks="host",
        layouts=(("headings", 3), ("numbered", 3), ("bullets", 2), ("cards", 2), ("table", 0.6)),
        most=(4, 6),
        sentences=(1, 2),
        headed=0.7,
        criteria=0.4,
        verdict=0.6,
        offer=0.4,
    ),
    "claude": Voice(
        marks="silent",
        layouts=(("prose", 3), ("bullets", 3), ("numbered", 1), ("cards", 0.5)),
        most=(3, 5),
        sentences=(1, 2),
        guide=0.6,
        drawback=0.5,
        criteria=0.25,
        verdict=0.4,
        offer=0.6,
    ),
    "gemini": Voice(
        marks="silent",
        layouts=(("bullets", 4), ("cards", 2), ("headings", 1), ("table", 0.8)),
        most=(4, 6),
        sentences=(1, 2),
        dash=": ",
        bullet="* ",
        headed=0.5,
        criteria=0.5,
        verdict=0.3,
        offer=0.2,
    ),
    "perplexity": Voice(
        marks="number",
        layouts=(("prose", 4), ("bullets", 2), ("table", 0.5)),
        most=(4, 6),
        sentences=(1, 3),
        guide=0.6,
        headed=0.3,
        criteria=0.15,
        verdict=0.5,
        thirds=0.8,
    ),
    "grok": Voice(
        marks="link",
        layouts=(("bullets", 3), ("prose", 2), ("numbered", 1), ("headings", 1)),
        most=(3, 6),
        sentences=(1, 2),
        drawback=0.5,
        headed=0.4,
        verdict=0.7,
        thirds=0.6,
    ),
    "mistral": Voice(
        marks="silent",
        layouts=(("cards", 3), ("bullets", 2), ("headings", 2), ("table", 0.5)),
        most=(3, 5),
        sentences=(1, 2),
        headed=0.8,
        criteria=0.3,
        verdict=0.4,
        offer=0.5,
    ),
    "deepseek": Voice(
        marks="silent",
        layouts=(("table", 3), ("headings", 3), ("cards", 2), ("numbered", 1)),
        most=(4, 6),
        sentences=(1, 2),
        headed=0.8,
        drawback=0.4,
        criteria=0.5,
        verdict=0.7,
        offer=0.3,
    ),
    "google_ai_overviews": Voice(
        marks="silent",
        layouts=(("bullets", 4), ("prose", 1.5)),
        most=(3, 4),
        sentences=(1, 1),
        dash=": ",
        guide=0.5,
        drawback=0.15,
        criteria=0.3,
        verdict=0.1,
        thirds=0.7,
    ),
    "google_ai_mode": Voice(
        marks="silent",
        layouts=(("bullets", 3), ("headings", 2), ("cards", 2), ("table", 0.8)),
        most=(4, 6),
        sentences=(1, 2),
        dash=": ",
        guide=0.5,
        headed=0.6,
        criteria=0.5,
        verdict=0.3,
        offer=0.4,
        thirds=0.7,
    ),
    "copilot": Voice(
        marks="silent",
        layouts=(("numbered", 4), ("bullets", 1)),
        most=(3, 4),
        sentences=(1, 2),
        dash=": ",
        guide=0.2,
        drawback=0.15,
        verdict=0.2,
        offer=0.8,
        thirds=0.6,
    ),
    "local": Voice(
        marks="silent",
        layouts=(("numbered", 4), ("bullets", 2), ("prose", 1)),
        most=(3, 6),
        sentences=(1, 2),
        dash=": ",
        criteria=0.2,
        verdict=0.5,
    ),
}
