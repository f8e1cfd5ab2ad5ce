"""The state of an answer while it is written: plan, style, phrases, text, and the sources still to be cited."""

from collections.abc import Sequence

from sightline.platforms.sandbox.cited_text import CitedLink, CitedText
from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.own_pages import draw_own_page
from sightline.platforms.sandbox.phrasebook import load_phrasebook
from sightline.platforms.sandbox.plan import AnswerPlan
from sightline.platforms.sandbox.seeded_random import SeededRandom
from sightline.platforms.sandbox.sentences import SentenceWriter, find_asked_aspect
from sightline.platforms.sandbox.web_pages import weigh_pages
from sightline.platforms.sandbox.writing_styles import WRITING_STYLES

_LATIN_END = 0x250  # letters beyond are of another script
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


class AnswerBuilder:
    """Builds one answer, sentence by sentence."""

    def __init__(self, plan: AnswerPlan) -> None:
        self.plan = plan
        self.style = WRITING_STYLES[plan.cell.platform]
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
