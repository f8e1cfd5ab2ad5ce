"""How each platform writes: its layouts, its citation marks, how much it adds around the list."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from sightline.platforms.sandbox.cited_text import CitationStyle

Layout = Literal["numbered", "bullets", "headings", "cards", "prose", "table"]


class WritingStyle(msgspec.Struct, frozen=True, kw_only=True):
    """The style of one platform. Numbers without another comment are probabilities."""

    marks: CitationStyle
    layouts: tuple[tuple[Layout, float], ...]
    max_entries: tuple[int, int]  # range of the number of brands with an entry; the others share a sentence
    sentences: tuple[int, int]  # per entry
    dash: str = " \u2013 "  # between a name and its description
    bullet: str = "- "
    guide: float = 0.3  # a second opening sentence
    headed: float = 0.0  # the list has a heading
    drawback: float = 0.35  # per entry
    criteria: float = 0.0
    verdict: float = 0.4
    offer: float = 0.0
    needs: float = 0.12  # which brand suits whom, in place of a verdict
    related: float = 0.0  # further questions, in place of an offer
    third_party_rate: float = 0.5  # an entry cites a third party
    own_page_rate: float = 0.4  # the entry of a rival cites its own page


WRITING_STYLES: Mapping[str, WritingStyle] = {
    "chatgpt": WritingStyle(
        marks="host",
        layouts=(("headings", 3), ("numbered", 3), ("bullets", 2), ("cards", 2), ("table", 0.6)),
        max_entries=(4, 6),
        sentences=(1, 2),
        headed=0.7,
        criteria=0.4,
        verdict=0.6,
        offer=0.4,
        needs=0.25,
    ),
    "claude": WritingStyle(
        marks="silent",
        layouts=(("prose", 3), ("bullets", 3), ("numbered", 1), ("cards", 0.5)),
        max_entries=(3, 5),
        sentences=(1, 2),
        guide=0.6,
        drawback=0.5,
        criteria=0.25,
        verdict=0.4,
        offer=0.6,
    ),
    "gemini": WritingStyle(
        marks="silent",
        layouts=(("bullets", 4), ("cards", 2), ("headings", 1), ("table", 0.8)),
        max_entries=(4, 6),
        sentences=(1, 2),
        dash=": ",
        bullet="* ",
        headed=0.5,
        criteria=0.5,
        verdict=0.3,
        offer=0.2,
        needs=0.2,
    ),
    "perplexity": WritingStyle(
        marks="number",
        layouts=(("prose", 4), ("bullets", 2), ("table", 0.5)),
        max_entries=(4, 6),
        sentences=(1, 3),
        guide=0.6,
        headed=0.3,
        criteria=0.15,
        verdict=0.5,
        third_party_rate=0.8,
        related=0.35,
    ),
    "grok": WritingStyle(
        marks="link",
        layouts=(("bullets", 3), ("prose", 2), ("numbered", 1), ("headings", 1)),
        max_entries=(3, 6),
        sentences=(1, 2),
        drawback=0.5,
        headed=0.4,
        verdict=0.7,
        third_party_rate=0.6,
    ),
    "mistral": WritingStyle(
        marks="silent",
        layouts=(("cards", 3), ("bullets", 2), ("headings", 2), ("table", 0.5)),
        max_entries=(3, 5),
        sentences=(1, 2),
        headed=0.8,
        criteria=0.3,
        verdict=0.4,
        offer=0.5,
    ),
    "deepseek": WritingStyle(
        marks="silent",
        layouts=(("table", 3), ("headings", 3), ("cards", 2), ("numbered", 1)),
        max_entries=(4, 6),
        sentences=(1, 2),
        headed=0.8,
        drawback=0.4,
        criteria=0.5,
        verdict=0.7,
        offer=0.3,
        needs=0.25,
    ),
    "google_ai_overviews": WritingStyle(
        marks="silent",
        layouts=(("bullets", 4), ("prose", 1.5)),
        max_entries=(3, 4),
        sentences=(1, 1),
        dash=": ",
        guide=0.5,
        drawback=0.15,
        criteria=0.3,
        verdict=0.1,
        third_party_rate=0.7,
    ),
    "google_ai_mode": WritingStyle(
        marks="silent",
        layouts=(("bullets", 3), ("headings", 2), ("cards", 2), ("table", 0.8)),
        max_entries=(4, 6),
        sentences=(1, 2),
        dash=": ",
        guide=0.5,
        headed=0.6,
        criteria=0.5,
        verdict=0.3,
        offer=0.4,
        third_party_rate=0.7,
        related=0.25,
        needs=0.2,
    ),
    "copilot": WritingStyle(
        marks="silent",
        layouts=(("numbered", 4), ("bullets", 1)),
        max_entries=(3, 4),
        sentences=(1, 2),
        dash=": ",
        guide=0.2,
        drawback=0.15,
        verdict=0.2,
        offer=0.8,
        third_party_rate=0.6,
        related=0.2,
    ),
    "local": WritingStyle(
        marks="silent",
        layouts=(("numbered", 4), ("bullets", 2), ("prose", 1)),
        max_entries=(3, 6),
        sentences=(1, 2),
        dash=": ",
        criteria=0.2,
        verdict=0.5,
    ),
}
