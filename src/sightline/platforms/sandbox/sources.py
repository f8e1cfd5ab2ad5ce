"""The pages that answers cite: each brand's own, and third parties that are the same for a whole sector.

General sites are real hosts with invented paths; magazines are invented. A page keeps its address, so that the same one
appears in many answers, as on real platforms.
"""

from datetime import date
from functools import lru_cache
from urllib.parse import quote

from sightline.platforms.sandbox.cited_text import CitedLink
from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.phrasebook import Phrasebook, load_phrasebook
from sightline.platforms.sandbox.sectors import sectors
from sightline.platforms.sandbox.seeded_random import SeededRandom, uniform

_MAGAZINES = {
    "en": ("marketlantern.com", "thebuyersdesk.net", "plainreviews.org"),
    "de": ("kaufblick-magazin.de", "testlaterne.de", "ratgeber-wegweiser.de"),
    "fr": ("lecomparateur-clair.fr", "guidedubonchoix.fr", "avis-et-tests.fr"),
    "es": ("comparalotodo-guia.es", "laguiaclara.es", "opinionesyprecios.es"),
    "it": ("guidaallascelta.it", "confrontochiaro.it", "provatopervoi.it"),
    "pt": ("guiadaescolha.com.br", "comparaclaro.com.br", "testadoeaprovado.com.br"),
    "nl": ("keuzewegwijzer.nl", "vergelijkblad.nl", "testlantaarn.nl"),
    "pl": ("porownajmadrze.pl", "przewodnik-zakupowy.pl", "testownia-opinii.pl"),
    "ja": ("erabikata-guide.jp", "hikaku-techo.jp", "review-note.jp"),
    "zh": ("xuangou-zhinan.cn", "pingce-biji.cn", "duibi-zhushou.cn"),
}
_OWN_PATHS = ("", "pricing", "features", "customers", "blog/{slug}-guide", "compare")


@lru_cache(maxsize=1024)
def third_party_pages(market: str, sector: str, language: str) -> tuple[tuple[CitedLink, float], ...]:
    """Return pages with the weight at which they are cited in this market: a few often, the rest seldom."""
    words, slug = load_phrasebook(language, sector), sectors()[sector].slug
    first, second, third = _MAGAZINES[words.language]
    review = "g2.com" if sectors()[sector].family == "software" else "trustpilot.com"
    number = int(uniform("thread", sector, words.language) * 36**5)
    title = words.category[0].upper() + words.category[1:]
    reviews, comparison = words.labels.reviews, words.labels.comparison
    pages = [
        CitedLink(f"https://www.{review}/categories/{slug}", f"{title} | {review.removesuffix('.com').capitalize()}"),
        CitedLink(
            f"https://www.reddit.com/r/{slug.replace('-', '')}/comments/{number:x}/", f"{title}: {reviews}? : reddit"
        ),
        CitedLink(
            f"https://www.youtube.com/watch?v={_video_id(slug, words.language)}", f"{title}: {comparison} - YouTube"
        ),
        CitedLink(_encyclopedia_url(words), f"{title} - Wikipedia"),
        CitedLink(f"https://{first}/{slug}", f"{title}: {comparison}"),
        CitedLink(f"https://www.{second}/{slug}/test", f"{title}: {reviews}"),
        CitedLink(f"https://{third}/best-{slug}", title),
        CitedLink(f"https://{slug}-compass.com/ranking", f"{slug.replace('-', ' ').title()} Compass"),
        CitedLink(f"https://www.the{slug.replace('-', '')}digest.com/{words.language}/picks", f"{title}: {comparison}"),
    ]
    shuffled = SeededRandom("sources", market, sector).shuffled(pages)
    return tuple((page, 1.0 / (place + 1)) for place, page in enumerate(shuffled))


def draw_own_page(brand: MarketBrand, sector: str, rng: SeededRandom) -> CitedLink:
    path = rng.pick(_OWN_PATHS).format(slug=sectors()[sector].slug)
    part = path.rpartition("/")[2].replace("-", " ")
    return CitedLink(f"https://{brand.domain}/{path}", f"{brand.name} | {part.capitalize()}" if part else brand.name)


def draw_queries(prompt: str, words: Phrasebook, day: date, rng: SeededRandom) -> tuple[str, ...]:
    """Draw the searches that a platform makes for a question."""
    asked = " ".join(prompt.split()).rstrip("?\uff1f!. ")[:80].strip()
    fan = [
        asked,
        f"{words.category} {words.labels.comparison} {day.year}",
        f"{words.category} {words.labels.reviews}",
        f"{asked} {words.labels.reviews}",
    ]
    return tuple(dict.fromkeys(query for query in fan[: rng.between(1, 4)] if query))


def _video_id(slug: str, language: str) -> str:
    letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_"
    rng = SeededRandom("video", slug, language)
    return "".join(rng.pick(letters) for _ in range(11))


def _encyclopedia_url(words: Phrasebook) -> str:
    title = words.category[0].upper() + words.category[1:]
    return f"https://{words.language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"
