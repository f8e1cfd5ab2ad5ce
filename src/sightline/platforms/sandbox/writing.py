"""An answer while it is written: how its platform writes, its text with marks of what is cited, and its layouts."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from sightline.platforms.models import Source, Span
from sightline.platforms.sandbox.market import MarketBrand, read_words
from sightline.platforms.sandbox.pages import CitedLink, draw_own_page, weigh_pages
from sightline.platforms.sandbox.phrasebook import SentenceWriter, find_asked_aspect, load_phrasebook
from sightline.platforms.sandbox.plan import AnswerPlan
from sightline.platforms.sandbox.seeded_random import SeededRandom, uniform

CitationStyle = Literal["host", "number", "link", "silent"]


class CitedText:
    """A text that grows by whole pieces.

    A cited piece is marked in the platform's own way, and its span is recorded in characters.
    """

    def __init__(self, marks: CitationStyle) -> None:
        self._marks = marks
        self._parts: list[str] = []
        self._marked: set[int] = set()  # indexes of the parts that are citation marks
        self._length = 0
        self._spans: dict[CitedLink, list[Span]] = {}

    def add(self, text: str, links: Sequence[CitedLink] = ()) -> None:
        start = self._length
        self._put(text)
        for link in links:
            self._spans.setdefault(link, []).append(Span(start, start + len(text)))
            self._marked.add(len(self._parts))
            self._put(self._mark(link))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _mark(self, link: CitedLink) -> str:
        number = list(self._spans).index(link) + 1
        if self._marks == "number":
            return f"[{number}]"
        if self._marks == "link":
            return f"[[{number}]]({link.url})"
        if self._marks == "host":
            host = urlsplit(link.url).netloc.removeprefix("www.")
            return f" ([{host}]({link.url}))"
        return ""

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def prose(self) -> str:
        """Return the text without its citation marks."""
        return "".join(part for place, part in enumerate(self._parts) if place not in self._marked)

    @property
    def cited(self) -> tuple[Source, ...]:
        return tuple(Source(link.url, link.title, tuple(spans)) for link, spans in self._spans.items())


Layout = Literal["numbered", "bullets", "headings", "cards", "prose", "table"]


class WritingStyle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    third_party_rate: float = 0.5  # an entry cites a third party
    own_page_rate: float = 0.4  # the entry of a rival cites its own page


@cache
def read_styles() -> Mapping[str, WritingStyle]:
    return read_words("styles", dict[str, WritingStyle])


_LATIN_END = 0x250  # letters beyond are of another script
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


class AnswerBuilder:
    """Builds one answer, sentence by sentence."""

    def __init__(self, plan: AnswerPlan) -> None:
        self.plan = plan
        self.style = read_styles()[plan.cell.platform]
        self.rng: SeededRandom = plan.rng("text")
        self.words = load_phrasebook(plan.language, plan.intent.sector)
        asked = find_asked_aspect(plan.language, plan.intent.sector, plan.prompt)
        self.writer = SentenceWriter(self.words, plan.market.key, self.rng, plan.day, asked)
        self.output = CitedText(self.style.marks)
        where = (plan.market, plan.intent.sector, plan.language, plan.day, plan.cell.prompt, plan.cell.platform)
        self.pages = weigh_pages(*where, own_named=plan.named) if plan.cites else []
        self.own_due = plan.cited  # whether the brand's page is still to be cited
        labels = self.words.labels
        pairs = labels.pros_and_cons or ((labels.strengths, labels.weaknesses),)
        self.strengths, self.weaknesses = self.rng.pick(pairs)

    @property
    def own(self) -> MarketBrand:
        return self.plan.market.own

    def name(self, brand: MarketBrand) -> str:
        """Return how the brand is written in this answer."""
        if brand.is_own and self.plan.form == "other_script":
            return write_in_other_script(brand)
        return brand.name

    def own_link(self) -> CitedLink:
        self.own_due = False
        return self.draw_page_of(self.own)

    def draw_page_of(self, brand: MarketBrand) -> CitedLink:
        """Draw a page of the brand itself."""
        intent = self.plan.intent
        return draw_own_page(self.plan.market, brand, intent.sector, intent.topic, self.rng)

    def links_about(self, brands: Sequence[MarketBrand], probability: float) -> list[CitedLink]:
        """Return, with this probability, a third-party page that names one of the brands, if there is one."""
        if not self.plan.cites or not self.rng.chance(probability):
            return []
        keys = {brand.key for brand in brands}
        options = [(page.link, weight) for page, weight in self.pages if page.listed & keys]
        return [self.rng.weighted(options)] if options else []

    def draw_page(self) -> CitedLink:
        """Draw a page that names a brand of this answer, or no brand. A page about other brands would not be cited."""
        named = {brand.key for brand in self.plan.brands}
        options = [(page.link, weight) for page, weight in self.pages if not page.listed or page.listed & named]
        return self.rng.weighted(options)

    def links_for(self, brand: MarketBrand) -> list[CitedLink]:
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

    def general_links(self, probability: float = 0.6) -> list[CitedLink]:
        return [self.draw_page()] if self.plan.cites and self.rng.chance(probability) else []

    def sentences(self, texts: Sequence[str], links: Sequence[CitedLink] = ()) -> None:
        """Add sentences. The sources are cited for the first of them."""
        for place, text in enumerate(texts):
            if place:
                self.output.add(self.words.joiner)
            self.output.add(text, links if place == 0 else ())

    def paragraph(self, texts: Sequence[str], links: Sequence[CitedLink] = ()) -> None:
        self.sentences(texts, links)
        self.output.add("\n\n")

    def size(self) -> int:
        """Return the number of words, or an equivalent for scripts without spaces."""
        text = self.output.prose
        return len(text) // 2 if self.words.joiner == "" else len(text.split())


def write_in_other_script(brand: MarketBrand) -> str:
    """Return an alias in another script than the name's, else the full-width form, which reads the same."""
    latin = _is_latin(brand.name)
    for alias in brand.aliases:
        if _is_latin(alias) != latin:
            return alias
    return brand.name.translate(_FULL_WIDTH)


def _is_latin(text: str) -> bool:
    return all(ord(letter) < _LATIN_END for letter in text)


def _lines(builder: AnswerBuilder, brand: MarketBrand) -> list[str]:
    """Return the sentences about a brand after its name."""
    lines = [builder.writer.write("tail", brand)]
    if builder.rng.between(*builder.style.sentences) > 1:
        lines.append(builder.writer.write("use", brand))
    if builder.plan.intent.answer_kind == "problems" or builder.rng.chance(builder.style.drawback):
        lines.append(builder.writer.write("drawback", brand))
    return lines


def head(builder: AnswerBuilder, text: str) -> str:
    """Return a bold name or label with what separates it from its sentence."""
    colon = builder.words.colon
    if not colon.endswith(" "):
        return f"**{text}**{colon}"  # a full-width colon before the stars would leave them unclosed for markdown
    if builder.style.dash == ": ":
        return f"**{text}{colon.rstrip()}** "
    return f"**{text}**{builder.style.dash}"


def _items(builder: AnswerBuilder, brands: Sequence[MarketBrand], mark: str) -> None:
    for place, brand in enumerate(brands, 1):
        builder.output.add(f"{mark.format(place)}{head(builder, builder.name(brand))}")
        builder.sentences(_lines(builder, brand), builder.links_for(brand))
        builder.output.add("\n")
    builder.output.add("\n")


def _headings(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    numbered = builder.rng.chance(0.5)
    for place, brand in enumerate(brands, 1):
        builder.output.add(f"### {place}. {builder.name(brand)}\n" if numbered else f"### {builder.name(brand)}\n")
        builder.paragraph(_lines(builder, brand), builder.links_for(brand))


def _cards(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    words, bullet = builder.words, builder.style.bullet
    with_drawbacks = builder.plan.intent.answer_kind == "problems" or builder.rng.chance(builder.style.drawback)
    for brand in brands:
        builder.output.add(f"**{builder.name(brand)}**\n\n{bullet}")
        strengths = words.comma.join(builder.writer.draw_praise(brand, 2))
        builder.output.add(f"{builder.strengths}{words.colon}{strengths}", builder.links_for(brand))
        builder.output.add(f"\n{bullet}{words.labels.best_for}{words.colon}{builder.writer.draw_use()}\n")
        if with_drawbacks:
            drawbacks = words.comma.join(builder.writer.draw_criticism(brand))
            builder.output.add(f"{bullet}{builder.weaknesses}{words.colon}{drawbacks}\n")
        builder.output.add("\n")


def _prose(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    for place, brand in enumerate(brands):
        role = "another" if place and builder.rng.chance(0.25) else "entry"
        texts = [builder.writer.write(role, brand, b=bold(builder, brand))]
        if builder.plan.intent.answer_kind == "problems" or builder.rng.chance(builder.style.drawback):
            texts.append(builder.writer.write("drawback", brand))
        builder.sentences(texts, builder.links_for(brand))
        last = place == len(brands) - 1
        builder.output.add("\n\n" if last or place % 2 else builder.words.joiner)


def bold(builder: AnswerBuilder, brand: MarketBrand) -> str:
    """Return the name, bold if this platform writes names so. An answer does it throughout."""
    name = builder.name(brand)
    return f"**{name}**" if uniform("bold", builder.plan.cell.platform, builder.plan.cell.prompt) < 0.4 else name


def _table(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    words, labels = builder.words, builder.words.labels
    priced = builder.rng.chance(0.6)
    heads = [labels.name, builder.strengths, labels.best_for, *([labels.price] if priced else [])]
    rows = [heads, ["---"] * len(heads)]
    for brand in brands:
        strengths = words.comma.join(builder.writer.draw_praise(brand, 2))
        cells = [builder.name(brand), capital(strengths), capital(builder.writer.draw_use())]
        rows.append([*cells, *([capital(price_of(builder, brand))] if priced else [])])
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    builder.output.add("".join(f"| {line} |\n" for line in lines) + "\n")
    # A mark inside a row would break the table: what is cited is cited for the sentences below it.
    for place, brand in enumerate(brands):
        if place == 0 or (brand.is_own and builder.own_due):
            builder.paragraph([builder.writer.write("entry", brand, b=builder.name(brand))], builder.links_for(brand))


def price_of(builder: AnswerBuilder, brand: MarketBrand) -> str:
    prices = builder.words.labels.prices
    return prices[int(uniform("price", builder.plan.market.key, brand.key) * len(prices))]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


LAYOUTS: Mapping[Layout, Callable[[AnswerBuilder, Sequence[MarketBrand]], None]] = {
    "numbered": lambda builder, brands: _items(builder, brands, "{}. "),
    "bullets": lambda builder, brands: _items(builder, brands, builder.style.bullet),
    "headings": _headings,
    "cards": _cards,
    "prose": _prose,
    "table": _table,
}
