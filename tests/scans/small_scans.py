"""Small scans with made-up answers, analyzed by the real extractor."""

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.platforms.models import Fault, Source
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt

ACME = Brand("Acme", (), ("acme.com",))
GLOBEX = Brand("Globex", (), ("globex.com",))
ORIGIN = Provenance(surface="api", vendor="openai", model_asked="m-1", model_served="m-1-0815", latency_ms=900)


def plan(*prompts, platforms=("chatgpt", "deepseek"), competitors=(GLOBEX,), brand=ACME, country=None):
    return ScanPlan(
        domain="acme.com",
        brand=brand,
        competitors=tuple(competitors),
        prompts=tuple(ScanPrompt(id=str(number), text=text, country=country) for number, text in enumerate(prompts, 1)),
        platforms=tuple(platforms),
        uncited=frozenset({"deepseek"}) & set(platforms),
    )


def answer(made, prompt, platform, text, *cited, status="ok", fault=None, sentiment=None, **more):
    """Build an answer to prompt number `prompt`, counted from 1. It has failed if a fault is given."""
    asked = made.prompts[prompt - 1]
    built = ScanAnswer(
        id=f"{prompt:04}-{platform}",
        prompt=asked,
        platform=platform,
        status="failed" if fault else status,
        text=text,
        cited=tuple(Source(url) for url in cited),
        fault=Fault(fault, "why") if fault else None,
        provenance=ORIGIN,
        **more,
    )
    return analyze_answer(built, Lexicon(made.tracked), sentiment=sentiment) if built.status == "ok" else built


def small_scan():
    """Build a scan of two prompts on two platforms with one failed answer. Tests use hand-computed numbers."""
    made = plan("best crm for startups", "crm with good reports")
    return made, [
        answer(made, 1, "chatgpt", "1. Acme\n2. Globex\n", "https://www.acme.com/a?utm_source=x", "https://g2.com/crm"),
        answer(made, 1, "deepseek", "Most small teams are happy with Globex."),
        answer(made, 2, "chatgpt", "", fault="timeout"),
        answer(made, 2, "deepseek", "Acme is a solid choice for small teams."),
    ]
