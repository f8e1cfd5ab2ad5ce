"""A site of ours in three languages, clean, and with forty planted faults. Globex makes anvils."""

import json
from collections.abc import Callable
from datetime import date

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.platforms.models import Source, Span
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.site_review.context import build_context, find_content_words
from sightline.site_review.models import Question

TODAY = date(2026, 11, 19)
SITE = "https://globex.com"
TEXTS = {
    "en": (
        "Globex has forged anvils since 1931 in a small workshop near the river. Every anvil leaves the workshop "
        "with a flat face, a hard edge and a number that is stamped into its foot, so that a smith can ask us "
        "about it many years later. We choose the steel ourselves, we heat it slowly, and we let it cool for two "
        "days before anybody works on it. A good anvil rings when you strike it, and it returns most of the force "
        "to the hammer. People who forge knives like a narrow face, while people who make gates and railings "
        "prefer a long horn. If you do not know which of them is right for your work, write to us and tell us "
        "what you want to make. "
    ),
    "de": (
        "Seit 1931 schmiedet Globex seine Ambosse in einer kleinen Werkstatt am Fluss. Jeder Amboss verlässt das "
        "Haus mit einer ebenen Bahn, einer harten Kante und einer Nummer, die in den Fuß geschlagen ist, damit "
        "ein Schmied uns noch nach vielen Jahren danach fragen kann. Wir suchen den Stahl selbst aus, erhitzen "
        "ihn langsam und lassen ihn zwei Tage lang abkühlen, bevor jemand daran arbeitet. Ein guter Amboss "
        "klingt, wenn man ihn schlägt, und gibt dem Hammer den größten Teil der Kraft zurück. Wer Messer "
        "schmiedet, mag eine schmale Bahn, wer Tore und Geländer baut, lieber ein langes Horn. Wenn Sie nicht "
        "wissen, welcher der richtige ist, dann schreiben Sie uns einfach. "
    ),
    "da": (
        "Siden 1931 har Globex smedet sine ambolte i et lille værksted ved floden. Hver ambolt forlader huset med "
        "en plan bane, en hård kant og et nummer, som er slået ind i foden, så en smed kan spørge os om den mange "
        "år senere. Vi vælger selv stålet, varmer det langsomt op og lader det køle af i to dage, før nogen "
        "arbejder videre på det. En god ambolt klinger, når man slår på den, og den giver hammeren det meste af "
        "kraften tilbage. De, der smeder knive, kan lide en smal bane, mens de, der laver porte og gelændere, "
        "hellere vil have et langt horn. Hvis du ikke ved, hvilken der er den rigtige til dit arbejde, så skriv "
        "til os og fortæl, hvad du gerne vil lave. "
    ),
}
ROBOTS = """\
# Training is kept out; readers are welcome.
User-agent: GPTBot
User-agent: Google-Extended
User-agent: MistralAI-Training
Disallow: /

User-agent: *
Disallow: /cart
Disallow: /*?session=
Allow: /
Crawl-delay: 0
Sitemap: https://globex.com/sitemap.xml
"""


def page(
    title: str,
    language: str = "en",
    *,
    body: str = "",
    head: str = "",
    canonical: str | None = None,
    lang: str | None = None,
) -> str:
    link = "" if canonical is None else f'<link rel="canonical" href="{canonical}">'
    return (
        f'<!doctype html><html lang="{lang or language}"><head><meta charset="utf-8"><title>{title}</title>{link}{head}'
        '<script src="/app.js"></script></head><body><nav><a href="/">Globex</a></nav>'
        f"<main><h1>{title}</h1><p>{body}</p><p>{TEXTS[language] * 4}</p></main></body></html>"
    )


def json_ld(**fields: object) -> str:
    block = json.dumps({"@context": "https://schema.org", **fields}, ensure_ascii=False)
    return f'<script type="application/ld+json">{block}</script>'


def product(name: str, price: str, currency: str) -> str:
    offer = {"@type": "Offer", "price": price, "priceCurrency": currency}
    return json_ld(**{"@type": "Product"}, name=name, offers=offer)


def article(headline: str, published: str, modified: str) -> str:
    return json_ld(**{"@type": "Article"}, headline=headline, datePublished=published, dateModified=modified)


class Site:
    """Pages by path: status, headers and body. `listed` are the paths in the sitemap."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.listed: list[str] = []
        self.robots = ROBOTS
        self.prompts: list[ScanPrompt] = []
        self.answers: list[ScanAnswer] = []
        self.themes: list[Question] = []
        for number, language in enumerate(("en", "de", "da") * 14):
            path = f"/{language}/workshop-{number}"
            self.add(path, page(f"Globex {number}", language, canonical=f"{SITE}{path}"))

    def add(
        self, path: str, html: str | bytes = b"", status: int = 200, *, is_listed: bool = True, **headers: str
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = html.encode() if isinstance(html, str) else html
        self.pages[path] = (status, {"content-type": "text/html; charset=utf-8", **named}, body)
        if is_listed and path not in self.listed:
            self.listed.append(path)

    def change(self, path: str, html: str | bytes = b"", status: int = 200, **headers: str) -> None:
        self.add(path, html, status, is_listed=False, **headers)

    def cite(
        self, path: str, text: str = "", *, platform: str = "chatgpt", directive: str = "", prompt: str = ""
    ) -> None:
        """Let an answer cite a page; `text` is the sentence that cites it."""
        asked = ScanPrompt(
            id=f"p{len(self.prompts)}", text=prompt or f"Which anvil {len(self.prompts)}?", language="en"
        )
        self.prompts.append(asked)
        sentence = text or "Globex makes fine anvils."
        whole = f"There are several makers. {sentence} Others exist as well."
        start = whole.index(sentence)
        source = Source(f"{SITE}{path}{directive}", None, (Span(start, start + len(sentence)),))
        self._answer(asked, whole, platform, source)

    def ask(self, text: str, language: str, rival: str) -> None:
        """Let an answer to a question cite a page of the rival only."""
        asked = ScanPrompt(id=f"p{len(self.prompts)}", text=text, language=language)
        self.prompts.append(asked)
        self._answer(asked, "Hooli is the usual choice for this.", "chatgpt", Source(f"https://hooli.com/{rival}"))

    def add_theme(self, label: str, rival: str) -> None:
        self.ask("Which anvil is cheap?", "en", rival)
        words = find_content_words(label, "en", ())
        answers = (self.answers[-1].id,)
        self.themes.append(
            Question(id=label, text=label, words=words, language="en", is_theme=True, rival_pages=answers)
        )

    def _answer(self, prompt: ScanPrompt, text: str, platform: str, source: Source) -> None:
        answer = ScanAnswer(
            id=f"a{len(self.answers)}",
            prompt=prompt,
            platform=platform,
            status="ok",
            text=text,
            cited=(source,),
            provenance=Provenance(surface="api", vendor="file"),
        )
        self.answers.append(answer)

    def context(self):
        plan = ScanPlan(
            domain="globex.com",
            brand=Brand("Globex", domains=("globex.com",)),
            competitors=(Brand("Hooli", domains=("hooli.com",)),),
            prompts=tuple(self.prompts),
            platforms=("chatgpt", "perplexity", "claude"),
        )
        lexicon = Lexicon(plan.tracked)
        return build_context(
            plan, ("globex.com",), [analyze_answer(each, lexicon) for each in self.answers], self.themes
        )

    def serve(self, sites) -> None:
        """Serve it on the local TLS site of a test."""
        sites.serve(f"{SITE}/robots.txt", body=self.robots.encode(), content_type="text/plain")
        listed = "".join(f"<url><loc>{SITE}{path}</loc></url>" for path in self.listed)
        body = f'<?xml version="1.0"?><urlset>{listed}</urlset>'.encode()
        sites.serve(f"{SITE}/sitemap.xml", body=body, content_type="application/xml")
        for path, (status, headers, sent) in self.pages.items():
            sites.serve(f"{SITE}{path}", status, sent, **headers)


def build_clean_site() -> Site:
    """A site without a fault, with everything that looks like one."""
    site = Site()
    site.add("/", page("Globex anvils", canonical="https://www.globex.com/"))
    # The price is the same in another spelling, or by the year.
    site.add(
        "/en/mini",
        page("Anvil Mini", body="It costs $1,299.00 with its stand.", head=product("Anvil Mini", "1299", "USD")),
    )
    site.cite("/en/mini", "The Anvil Mini costs $1299.")
    site.add(
        "/de/mini",
        page(
            "Amboss Mini", "de", body="Er kostet 1.299,00 € mit Ständer.", head=product("Amboss Mini", "1299.00", "EUR")
        ),
    )
    site.cite("/de/mini", "Der Amboss Mini kostet 1299 €.")
    site.add(
        "/da/mini",
        page(
            "Ambolt Mini", "da", body="Den koster 9.495,- kr. med fod.", head=product("Ambolt Mini", "9495.00", "DKK")
        ),
    )
    site.cite("/da/mini", "Ambolten koster 9495 kr.")
    site.add("/en/plan", page("Sharpening plan", body="The plan costs $20 per month."))
    site.cite("/en/plan", "The plan costs $240 per year.")
    site.cite("/en/plan", "It is about $25 with the case.")
    site.add("/en/quote", page("Steel", body="The steel of every anvil is chosen by hand — twice."))
    site.cite(
        "/en/quote", directive="#:~:text=The%20steel%20of%20every%20anvil%20is%20chosen%20by%20hand%20%E2%80%93%20twice"
    )
    # Redirects that lead to the same page or its successor.
    site.add("/en/guide/", page("A guide to anvils", canonical="/en/guide/"))
    site.change("/en/guide", status=301, location="/en/guide/")
    site.cite("/en/guide")
    site.change("/en/old-guide", status=301, location="/en/guide/")
    site.cite("/en/old-guide")
    # Dates in other time zones, and a file that is no page.
    site.add("/en/news", page("News", head=article("News", "2026-11-18T23:30:00-05:00", "2026-11-19T08:00:00+01:00")))
    site.change("/en/sheet.pdf", b"%PDF-1.7", content_type="application/pdf")
    site.cite("/en/sheet.pdf")
    # Several products are a list, whose parts may be hidden.
    two = product("Amboss Mini", "1.00", "EUR") + product("Amboss Maxi", "2.00", "EUR")
    site.add("/de/liste", page("Alle Ambosse", "de", body="Ab 1.299,00 €.", head=two))
    site.add("/en/robots", page("Steel and coal", head='<meta name="robots" content="index, follow, max-snippet:-1">'))
    site.cite("/en/robots", platform="perplexity")
    site.add("/en/tagged", page("Tongs"), X_Robots_Tag="gptbot: noindex")
    site.cite("/en/tagged", platform="claude")
    site.add("/en/app", page("Configurator", body='<div id="root"></div><noscript>Enable JavaScript.</noscript>'))
    # Questions that pages answer in other words, in a compound, or for which nobody can say.
    site.add("/en/knives", page("Anvils for knives", body="Which narrow anvil is right for forging knives at home?"))
    site.ask("Best narrow anvils for knife forging?", "en", "knives")
    site.add("/de/messer", page("Messer", "de", body="Der schmale Messerschmiedeamboss passt in jede Garage."))
    site.ask("Welcher schmale Amboss für eine Messerschmiede in der Garage?", "de", "messer")
    site.ask("Quelle enclume pour un apprenti forgeron débutant ?", "fr", "enclume")
    site.add_theme("Narrow face", "face")
    return site


Plant = tuple[str, str, Callable[[Site], None]]


def _cited(kind: str, path: str, status: int, html: str | bytes = b"", text: str = "", **headers: str) -> Plant:
    def plant(site: Site) -> None:
        site.change(path, html, status, **headers)
        site.cite(path, text)

    return kind, path, plant


def _listed(kind: str, path: str, html: str | bytes, status: int = 200, **headers: str) -> Plant:
    return kind, path, lambda site: site.add(path, html, status, **headers)


def _also_cited(kind: str, path: str, html: str, text: str = "", directive: str = "", **headers: str) -> Plant:
    def plant(site: Site) -> None:
        site.add(path, html, **headers)
        site.cite(path, text, directive=directive)

    return kind, path, plant


def _rules(kind: str, subject: str, rules: str, path: str | None = None) -> Plant:
    def plant(site: Site) -> None:
        site.robots = f"{rules}\n\n{site.robots}"
        if path is not None:
            site.add(path, page("Horns"))
            site.cite(path)

    return kind, subject, plant


def _chain(site: Site) -> None:
    site.change("/da/gammel", status=301, location="/da/ny")
    site.change("/da/ny", b"", 404)
    site.cite("/da/gammel")


def _shell(words: str) -> str:
    return f'<html lang="en"><head><title>Globex</title><script src="/a.js"></script></head><body>{words}</body></html>'


def _without(html: str, part: str) -> str:
    assert part in html
    return html.replace(part, "", 1)


_TWO = f'<link rel="canonical" href="{SITE}/a"><link rel="canonical" href="{SITE}/b">'
FAULTS: tuple[Plant, ...] = (
    _cited("cited_gone", "/en/gone", 404),
    _cited("cited_gone", "/de/weg", 410),
    ("cited_gone", "/da/gammel", _chain),
    _cited("cited_moved", "/en/sold", 301, location="https://evil.com/sold"),
    _cited("cited_moved", "/de/verkauft", 302, location="/"),
    _cited("cited_moved", "/da/solgt-ud", 301, location="/da/"),
    _cited("cited_refused", "/en/private", 403),
    _cited("cited_refused", "/de/intern", 401),
    _cited("cited_failing", "/en/broken", 500),
    _also_cited("cited_changed", "/en/price", page("Anvil Maxi", body="It costs $1,499."), "The Maxi costs $1,349."),
    _also_cited(
        "cited_changed", "/de/preis", page("Amboss", "de", body="Er kostet 1.499,00 €."), "Er kostet 1.349,00 €."
    ),
    _also_cited("cited_changed", "/da/pris", page("Ambolt", "da", body="Den koster 8.495 kr."), "Den koster 7.995 kr."),
    _also_cited(
        "cited_changed",
        "/en/words",
        page("Warranty"),
        directive="#:~:text=covered%20by%20a%20warranty%20of%20ten%20years",
    ),
    _rules("agent_blocked", "ChatGPT-User", "User-agent: ChatGPT-User\nDisallow: /"),
    _rules("agent_blocked", "PerplexityBot", "User-agent: perplexitybot\nAllow: /\nDisallow: /en/horns", "/en/horns"),
    _rules("agent_blocked", "Claude-User", "User-agent: Claude-User/1.0\nDisallow: /*/horns-*\n", "/en/horns-long"),
    _also_cited("noindex", "/en/hidden", page("Tools", head='<meta name="ROBOTS" content="NOINDEX, follow">')),
    _also_cited("noindex", "/de/versteckt", page("Zangen", "de"), X_Robots_Tag="noarchive, noindex"),
    _listed("noindex", "/da/skjult", page("Tænger", "da", head='<meta name="googlebot" content="none">')),
    _also_cited("noindex", "/en/mute", page("Coal", head='<meta name="robots" content="nosnippet">')),
    _listed("listed_gone", "/en/listed", b"", 404),
    _listed("needs_scripts", "/en/shell", _shell('<div id="root"></div>')),
    _listed("needs_scripts", "/de/huelle", _shell("<noscript>Bitte JavaScript aktivieren.</noscript>")),
    _listed("no_title", "/en/untitled", _without(page("Vices"), "<title>Vices</title>")),
    _listed("no_language", "/en/mute-language", _without(page("Forges"), ' lang="en"')),
    _listed("wrong_language", "/de/falsch", page("Hämmer", "de", lang="en-US")),
    _listed("wrong_language", "/da/forkert", page("Hamre", "da", lang="en")),
    _listed("several_canonicals", "/en/two", page("Bellows", head=_TWO)),
    _listed("canonical_elsewhere", "/en/foreign", page("Files", canonical="https://evil.com/files")),
    _listed("canonical_elsewhere", "/de/start", page("Feilen", "de", canonical=f"{SITE}/")),
    _listed("json_ld_broken", "/en/comma", page("Saws", head='<script type="application/ld+json">{"a": 1,}</script>')),
    _listed("json_ld_price", "/en/offer", page("Rasp", body="Now $49.90.", head=product("Rasp", "39.90", "USD"))),
    _listed("json_ld_name", "/de/name", page("Zangen", "de", head=product("Kaffeemaschine Turbo", "1", "EUR"))),
    _listed("date_future", "/en/future", page("Ahead", head=article("Ahead", "2026-11-01", "2027-03-01"))),
    _listed("dates_reversed", "/en/back", page("Back", head=article("Back", "2026-05-01", "2026-01-01"))),
    _listed("date_unreadable", "/da/dato", page("Dato", "da", head=article("Dato", "i går", "2026-01-01"))),
    _listed(
        "dates_differ",
        "/en/differ",
        page(
            "Differ",
            head=article("Differ", "2026-01-01", "2026-02-01")
            + '<meta property="article:published_time" content="2025-03-01">',
        ),
    ),
    (
        "prompt_missing",
        "Which farrier hoof stand fits draft horses?",
        lambda site: site.ask("Which farrier hoof stand fits draft horses?", "en", "stand"),
    ),
    (
        "prompt_missing",
        "Welche Induktionsheizung taugt für Hufeisen?",
        lambda site: site.ask("Welche Induktionsheizung taugt für Hufeisen?", "de", "heizung"),
    ),
    (
        "theme_missing",
        "Loud delivery couriers",
        lambda site: site.add_theme("Loud delivery couriers", "parcel"),
    ),
)


def build_planted_site() -> Site:
    site = build_clean_site()
    for path in ("/", "/da/"):
        if path not in site.pages:
            site.add(path, page("Globex", "da"))
    for _, _, plant in FAULTS:
        plant(site)
    return site
