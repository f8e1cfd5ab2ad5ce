"""The ways to set out several brands: numbered, bullets, headings, cards, prose, table."""

from collections.abc import Callable, Mapping, Sequence

from sightline.platforms.sandbox.dice import uniform
from sightline.platforms.sandbox.draft import Draft
from sightline.platforms.sandbox.market import Brand
from sightline.platforms.sandbox.voices import Layout


def _lines(draft: Draft, brand: Brand) -> list[str]:
    """What is said of a brand after its name."""
    lines = [draft.speech.say("tail", brand)]
    if draft.dice.between(*draft.voice.sentences) > 1:
        lines.append(draft.speech.say("use", brand))
    if draft.dice.chance(draft.voice.drawback):
        lines.append(draft.speech.say("drawback", brand))
    return lines


def head(draft: Draft, text: str) -> str:
    """A bold name or label with what separates it from its sentence."""
    colon = draft.words.colon
    if not colon.endswith(" "):
        return f"**{text}**{colon}"  # a full-width colon before the stars would leave them unclosed for markdown
    if draft.voice.dash == ": ":
        return f"**{text}{colon.rstrip()}** "
    return f"**{text}**{draft.voice.dash}"


def _items(draft: Draft, brands: Sequence[Brand], mark: Callable[[int], str]) -> None:
    for place, brand in enumerate(brands, 1):
        draft.page.add(f"{mark(place)}{head(draft, draft.name(brand))}")
        draft.sentences(_lines(draft, brand), draft.links_for(brand))
        draft.page.add("\n")
    draft.page.add("\n")


def _numbered(draft: Draft, brands: Sequence[Brand]) -> None:
    _items(draft, brands, lambda place: f"{place}. ")


def _bullets(draft: Draft, brands: Sequence[Brand]) -> None:
    _items(draft, brands, lambda _: draft.voice.bullet)


def _headings(draft: Draft, brands: Sequence[Brand]) -> None:
    numbered = draft.dice.chance(0.5)
    for place, brand in enumerate(brands, 1):
        draft.page.add(f"### {place}. {draft.name(brand)}\n" if numbered else f"### {draft.name(brand)}\n")
        draft.paragraph(_lines(draft, brand), draft.links_for(brand))


def _cards(draft: Draft, brands: Sequence[Brand]) -> None:
    labels, bullet = draft.words.labels, draft.voice.bullet
    with_drawbacks = draft.dice.chance(draft.voice.drawback)
    for brand in brands:
        draft.page.add(f"**{draft.name(brand)}**\n\n{bullet}")
        strengths = draft.words.comma.join(draft.speech.two(brand, "feature"))
        draft.page.add(f"{labels.strengths}{draft.words.colon}{strengths}", draft.links_for(brand))
        draft.page.add(f"\n{bullet}{labels.best_for}{draft.words.colon}{draft.speech.trait(brand, 'use')}\n")
        if with_drawbacks:
            drawback = draft.speech.trait(brand, "drawback")
            draft.page.add(f"{bullet}{labels.weaknesses}{draft.words.colon}{drawback}\n")
        draft.page.add("\n")


def _prose(draft: Draft, brands: Sequence[Brand]) -> None:
    for place, brand in enumerate(brands):
        role = "another" if place and draft.dice.chance(0.25) else "entry"
        texts = [draft.speech.say(role, brand, b=bold(draft, brand))]
        if draft.dice.chance(draft.voice.drawback):
            texts.append(draft.speech.say("drawback", brand))
        draft.sentences(texts, draft.links_for(brand))
        last = place == len(brands) - 1
        draft.page.add("\n\n" if last or place % 2 else draft.words.joiner)


def bold(draft: Draft, brand: Brand) -> str:
    """In running text some platforms set names bold and some do not; one answer does it throughout."""
    name = draft.name(brand)
    return f"**{name}**" if uniform("bold", draft.plan.cell.platform, draft.plan.cell.prompt) < 0.4 else name


def _table(draft: Draft, brands: Sequence[Brand]) -> None:
    words, labels = draft.words, draft.words.labels
    priced = draft.dice.chance(0.6)
    heads = [labels.name, labels.strengths, labels.best_for, *([labels.price] if priced else [])]
    rows = [heads, ["---"] * len(heads)]
    for brand in brands:
        strengths = words.comma.join(draft.speech.two(brand, "feature"))
        cells = [draft.name(brand), capital(strengths), capital(draft.speech.trait(brand, "use"))]
        rows.append([*cells, *([capital(price_of(draft, brand))] if priced else [])])
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    draft.page.add("".join(f"| {line} |\n" for line in lines) + "\n")
    # A mark inside of a row would break the table: what is cited is cited for the sentences below it.
    for place, brand in enumerate(brands):
        if place == 0 or (brand.is_own and draft.own_due):
            draft.paragraph([draft.speech.say("entry", brand, b=draft.name(brand))], draft.links_for(brand))


def price_of(draft: Draft, brand: Brand) -> str:
    prices = draft.words.labels.prices
    return prices[int(uniform("price", draft.plan.market.key, brand.key) * len(prices))]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


LAYOUTS: Mapping[Layout, Callable[[Draft, Sequence[Brand]], None]] = {
    "numbered": _numbered,
    "bullets": _bullets,
    "headings": _headings,
    "cards": _cards,
    "prose": _prose,
    "table": _table,
}
