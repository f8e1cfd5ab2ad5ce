"""The layouts of several brands: numbered, bullets, headings, cards, prose, table."""

from collections.abc import Callable, Mapping, Sequence

from sightline.platforms.sandbox.answer_builder import AnswerBuilder
from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.seeded_random import uniform
from sightline.platforms.sandbox.writing_styles import Layout


def _lines(builder: AnswerBuilder, brand: MarketBrand) -> list[str]:
    """Return the sentences about a brand after its name."""
    lines = [builder.writer.write("tail", brand)]
    if builder.rng.between(*builder.style.sentences) > 1:
        lines.append(builder.writer.write("use", brand))
    if builder.plan.intent.wish == "problems" or builder.rng.chance(builder.style.drawback):
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


def _items(builder: AnswerBuilder, brands: Sequence[MarketBrand], mark: Callable[[int], str]) -> None:
    for place, brand in enumerate(brands, 1):
        builder.output.add(f"{mark(place)}{head(builder, builder.name(brand))}")
        builder.sentences(_lines(builder, brand), builder.links_for(brand))
        builder.output.add("\n")
    builder.output.add("\n")


def _numbered(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    _items(builder, brands, lambda place: f"{place}. ")


def _bullets(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    _items(builder, brands, lambda _: builder.style.bullet)


def _headings(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    numbered = builder.rng.chance(0.5)
    for place, brand in enumerate(brands, 1):
        builder.output.add(f"### {place}. {builder.name(brand)}\n" if numbered else f"### {builder.name(brand)}\n")
        builder.paragraph(_lines(builder, brand), builder.links_for(brand))


def _cards(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    words, bullet = builder.words, builder.style.bullet
    with_drawbacks = builder.plan.intent.wish == "problems" or builder.rng.chance(builder.style.drawback)
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
        if builder.plan.intent.wish == "problems" or builder.rng.chance(builder.style.drawback):
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
    "numbered": _numbered,
    "bullets": _bullets,
    "headings": _headings,
    "cards": _cards,
    "prose": _prose,
    "table": _table,
}
