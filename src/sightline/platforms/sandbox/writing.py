"""An answer while it is written: how its platform writes, its text with marks of what is cited, and its layouts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from sightline.platforms.models import Source, Span
from sightline.platforms.sandbox.market import MarketBrand, read_words
from sightline.platforms.sandbox.pages import draw_own_page, weigh_pages
from sightline.platforms.sandbox.phrasebook import SentenceWriter, capital, find_asked_aspect, load_phrasebook
from sightline.platforms.sandbox.plan import AnswerPlan
from sightline.platforms.sandbox.seeded_random import SeededRandom, choose, uniform

_LATIN_END = "\u0250"  # letters beyond are of another script
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

Layout = Literal["numbered", "bullets", "headings", "cards", "prose", "table"]


class WritingStyle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The style of one platform. Numbers without another comment are probabilities."""

    layouts: tuple[tuple[Layout, float], ...]
    max_entries: tuple[int, int]  # range of the number of brands with an entry; the others share a sentence
    sentences: tuple[int, int]  # per entry
    marks: str = ""  # after what is cited
    heading: str = "## {}"
    dash: str = " \u2013 "  # between a name and its description
    bullet: str = "- "
    guide: float = 0.3  # a second opening sentence
    headed: float = 0.0  # the list has a heading
    drawback: float = 0.35  # per entry
    criteria: float = 0.0
    verdict: float = 0.4
    offer: float = 0.0
    third_party_rate: float = 0.5  # an entry cites a third party
    own_page_rate: float = 0.4  # the entry of a rival cites its own page


def read_styles() -> Mapping[str, WritingStyle]:
    return read_words("styles", dict[str, WritingStyle])


class AnswerBuilder(SentenceWriter):
    """Builds one answer from whole pieces of text.

    A cited piece is marked in the platform's own way, and its span is recorded in characters.
    """

    def __init__(self, plan: AnswerPlan) -> None:
        intent, market = plan.intent, plan.market
        self.plan = plan
        self.own = market.own
        self.style = read_styles()[plan.cell.platform]
        self.rng = SeededRandom("text", market.key, *plan.cell, plan.day.toordinal())
        words = load_phrasebook(plan.language, intent.sector)
        asked = find_asked_aspect(plan.language, intent.sector, plan.prompt)
        super().__init__(words, market.key, self.rng, plan.day.toordinal() // 7, asked)
        where = (market, intent.sector, plan.language, plan.day, plan.cell.prompt, plan.cell.platform)
        self.pages = weigh_pages(*where, own_named=plan.named) if plan.cites else []
        self.own_due = plan.cited  # whether the brand's page is still to be cited
        self.strengths, self.weaknesses = self.rng.pick(words.labels.pros_and_cons)
        self.text = ""
        self._prose = ""  # the text without marks
        self._spans: dict[Source, list[Span]] = {}

    def add(self, text: str, links: Sequence[Source] = ()) -> None:
        span = Span(len(self.text), len(self.text) + len(text))
        self.text += text
        self._prose += text
        for link in links:
            self._spans.setdefault(link, []).append(span)
            host = urlsplit(link.url).netloc.removeprefix("www.")
            self.text += self.style.marks.format(number=list(self._spans).index(link) + 1, host=host, url=link.url)

    def add_sentences(self, texts: Sequence[str], links: Sequence[Source] = ()) -> None:
        """Add sentences. The sources are cited for the first of them."""
        for place, text in enumerate(texts):
            if place:
                self.add(self.words.labels.joiner)
            self.add(text, links if place == 0 else ())

    def add_paragraph(self, text: str, links: Sequence[Source] = ()) -> None:
        self.add(text, links)
        self.add("\n\n")

    @property
    def cited(self) -> tuple[Source, ...]:
        return tuple(Source(link.url, link.title, tuple(spans)) for link, spans in self._spans.items())

    @property
    def size(self) -> int:
        """Return the number of words, or an equivalent for scripts without spaces."""
        return len(self._prose.split()) if self.words.labels.joiner else len(self._prose) // 2

    def name(self, brand: MarketBrand) -> str:
        """Return how the brand is written in this answer."""
        if brand.is_own and self.plan.form == "other_script":
            return _write_in_other_script(brand)
        return brand.name

    def bold(self, brand: MarketBrand) -> str:
        """Return the name, bold if this platform writes names so. An answer does it throughout."""
        is_bold = uniform("bold", self.plan.cell.platform, self.plan.cell.prompt) < 0.4
        return f"**{self.name(brand)}**" if is_bold else self.name(brand)

    def head(self, text: str) -> str:
        """Return a bold name or label with what separates it from its sentence."""
        colon = self.words.labels.colon
        if not colon.endswith(" "):
            return f"**{text}**{colon}"  # a full-width colon before the stars would leave them unclosed for markdown
        if self.style.dash == ": ":
            return f"**{text}{colon.rstrip()}** "
        return f"**{text}**{self.style.dash}"

    def has_drawback(self) -> bool:
        return self.plan.intent.answer_kind == "problems" or self.rng.chance(self.style.drawback)

    def own_link(self) -> Source:
        self.own_due = False
        return self.draw_page_of(self.own)

    def draw_page_of(self, brand: MarketBrand) -> Source:
        """Draw a page of the brand itself."""
        intent = self.plan.intent
        return draw_own_page(self.plan.market, brand, intent.sector, intent.topic, self.rng)

    def draw_page(self) -> Source:
        """Draw a page that names a brand of this answer, or no brand. A page about other brands would not be cited."""
        named = {brand.key for brand in self.plan.brands}
        return self.rng.weighted(
            [(page.link, weight) for page, weight in self.pages if not page.listed or page.listed & named]
        )

    def general_links(self, probability: float = 0.6) -> list[Source]:
        return [self.draw_page()] if self.plan.cites and self.rng.chance(probability) else []

    def links_about(self, brands: Sequence[MarketBrand], probability: float) -> list[Source]:
        """Return, with this probability, a third-party page that names one of the brands, if there is one."""
        if not self.plan.cites or not self.rng.chance(probability):
            return []
        keys = {brand.key for brand in brands}
        options = [(page.link, weight) for page, weight in self.pages if page.listed & keys]
        return [self.rng.weighted(options)] if options else []

    def links_for(self, brand: MarketBrand) -> list[Source]:
        """Return the sources of an entry about a brand.

        The tracked brand's page is cited only if the plan says so, and once.
        """
        if not self.plan.cites:
            return []
        links = []
        if brand.is_own:
            if self.own_due:
                links.append(self.own_link())
        elif self.rng.chance(self.style.own_page_rate):
            links.append(self.draw_page_of(brand))
        return links + self.links_about([brand], self.style.third_party_rate)


def _write_in_other_script(brand: MarketBrand) -> str:
    """Return an alias in another script than the name's, else the full-width form, which reads the same."""
    is_latin = max(brand.name) < _LATIN_END
    others = (alias for alias in brand.aliases if alias and (max(alias) < _LATIN_END) != is_latin)
    return next(others, brand.name.translate(_FULL_WIDTH))


def _write_lines(builder: AnswerBuilder, brand: MarketBrand) -> list[str]:
    """Return the sentences about a brand after its name."""
    lines = [builder.write("tail", brand)]
    if builder.rng.between(*builder.style.sentences) > 1:
        lines.append(builder.write("use", brand))
    if builder.has_drawback():
        lines.append(builder.write("drawback", brand))
    return lines


def _add_items(builder: AnswerBuilder, brands: Sequence[MarketBrand], mark: str) -> None:
    for place, brand in enumerate(brands, 1):
        builder.add(f"{mark.format(place)}{builder.head(builder.name(brand))}")
        builder.add_sentences(_write_lines(builder, brand), builder.links_for(brand))
        builder.add("\n")
    builder.add("\n")


def _add_headings(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    mark = "### {}. " if builder.rng.chance(0.5) else "### "
    for place, brand in enumerate(brands, 1):
        builder.add(f"{mark.format(place)}{builder.name(brand)}\n")
        builder.add_sentences(_write_lines(builder, brand), builder.links_for(brand))
        builder.add("\n\n")


def _add_cards(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    labels, bullet = builder.words.labels, builder.style.bullet
    has_drawbacks = builder.has_drawback()
    for brand in brands:
        builder.add(f"**{builder.name(brand)}**\n\n{bullet}")
        strengths = labels.comma.join(builder.draw(brand, "praise", 2))
        builder.add(f"{builder.strengths}{labels.colon}{strengths}", builder.links_for(brand))
        builder.add(f"\n{bullet}{labels.best_for}{labels.colon}{builder.draw_use()}\n")
        if has_drawbacks:
            (drawback,) = builder.draw(brand, "criticism", 1)
            builder.add(f"{bullet}{builder.weaknesses}{labels.colon}{drawback}\n")
        builder.add("\n")


def _add_prose(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    for place, brand in enumerate(brands):
        role = "another" if place and builder.rng.chance(0.25) else "entry"
        texts = [builder.write(role, brand, b=builder.bold(brand))]
        if builder.has_drawback():
            texts.append(builder.write("drawback", brand))
        builder.add_sentences(texts, builder.links_for(brand))
        last = place == len(brands) - 1
        builder.add("\n\n" if last or place % 2 else builder.words.labels.joiner)


def _add_table(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    labels = builder.words.labels
    priced = builder.rng.chance(0.6)
    heads = [labels.name, builder.strengths, labels.best_for, *([labels.price] if priced else [])]
    rows = [heads, ["---"] * len(heads)]
    for brand in brands:
        strengths = labels.comma.join(builder.draw(brand, "praise", 2))
        price = choose(labels.prices, "price", builder.plan.market.key, brand.key)
        cells = [builder.name(brand), capital(strengths), capital(builder.draw_use()), capital(price)]
        rows.append(cells[: len(heads)])
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    builder.add("".join(f"| {line} |\n" for line in lines) + "\n")
    # A mark inside a row would break the table: what is cited is cited for the sentences below it.
    for place, brand in enumerate(brands):
        if place == 0 or (brand.is_own and builder.own_due):
            builder.add_paragraph(builder.write("entry", brand, b=builder.name(brand)), builder.links_for(brand))


LAYOUTS: Mapping[Layout, Callable[[AnswerBuilder, Sequence[MarketBrand]], None]] = {
    "numbered": lambda builder, brands: _add_items(builder, brands, "{}. "),
    "bullets": lambda builder, brands: _add_items(builder, brands, builder.style.bullet),
    "headings": _add_headings,
    "cards": _add_cards,
    "prose": _add_prose,
    "table": _add_table,
}
