"""Subjects, prompts and days shared by the tests of the sandbox."""

import re
import unicodedata
from datetime import date, timedelta

from sightline.platforms.models import Question
from sightline.platforms.sandbox.market import SandboxRival, Subject
from sightline.platforms.sandbox.plan import PLATFORM_KEYS, plan_answer

DAY = date(2026, 11, 16)
PLATFORMS = PLATFORM_KEYS
ACME = Subject("acme.com", "Acme")
RIVALS = (SandboxRival("Globex", "globex.com"), SandboxRival("Initech", "initech.co.uk"))

PROMPTS = {
    "en": "What are the best CRM tools for small teams?",
    "de": "Welche CRM-Systeme sind die besten für kleine Teams?",
    "fr": "Quels sont les meilleurs logiciels CRM pour les petites équipes ?",
    "es": "¿Cuáles son los mejores programas de CRM para equipos pequeños?",
    "it": "Quali sono i migliori software CRM per i piccoli team?",
    "pt": "Quais são os melhores sistemas de CRM para equipes pequenas?",
    "nl": "Wat zijn de beste CRM-systemen voor kleine teams?",
    "pl": "Jakie systemy CRM są najlepsze dla małych zespołów?",
    "ja": "小規模チームにおすすめのCRMツールはどれですか？",  # noqa: RUF001
    "zh": "哪些CRM软件最适合小型团队？",  # noqa: RUF001
}


def days(count: int, first: date = DAY) -> list[date]:
    return [first + timedelta(step) for step in range(count)]


def plan_cell(subject, prompt, platform="chatgpt", country="US", language="en", day=DAY):
    return plan_answer(subject, Question(prompt, country, language), platform, day)


def strip_markup(text: str) -> str:
    """Return the text without parts that cannot be a mention: code, addresses, hosts of citation marks."""
    text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
    text = re.sub(r"\(\[[^\]]*\]\([^)]*\)\)|\[\[\d+\]\]\([^)]*\)|\[\d+\]", " ", text)
    return unicodedata.normalize("NFKC", text)


def names_brand(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![a-z0-9]|\.com)", strip_markup(text), re.IGNORECASE) is not None
