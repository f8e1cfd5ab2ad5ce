"""Subjects, questions and days that the tests of the sandbox share."""

import re
import unicodedata
from datetime import date, timedelta

from sightline.platforms.models import Question
from sightline.platforms.sandbox.compose import write_answer
from sightline.platforms.sandbox.events import PLATFORM_KEYS
from sightline.platforms.sandbox.market import Rival, Subject
from sightline.platforms.sandbox.plan import plan_answer

DAY = date(2026, 11, 16)
PLATFORMS = PLATFORM_KEYS
ACME = Subject("acme.com", "Acme")
RIVALS = (Rival("Globex", "globex.com"), Rival("Initech", "initech.co.uk"))

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


def planned(subject, prompt, platform="chatgpt", country="US", language="en", day=DAY):
    return plan_answer(subject, Question(prompt, country, language), platform, day)


def written(plan):
    return write_answer(plan)


def prose(text: str) -> str:
    """An answer without what no reader takes for a mention: code, addresses, hosts of citation marks."""
    text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
    text = re.sub(r"\(\[[^\]]*\]\([^)]*\)\)|\[\[\d+\]\]\([^)]*\)|\[\d+\]", " ", text)
    return unicodedata.normalize("NFKC", text)


def names_brand(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![a-z0-9]|\.com)", prose(text), re.IGNORECASE) is not None
