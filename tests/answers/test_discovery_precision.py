"""Metrics 4: of the first ten competitors suggested from a day's answers, at least 90 % belong to the market."""

from datetime import date

import pytest

from sightline.answers.analyze import analyze
from sightline.answers.candidates import find_candidates
from sightline.answers.makers import ReadAnswer, find_makers
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.metrics.discovery import CompetitorCandidate, rank_competitors
from sightline.metrics.visibility import discount_rank
from sightline.platforms.models import Question
from sightline.platforms.sandbox.answers import answer_question
from sightline.platforms.sandbox.market import Subject, build_market
from tests.platforms.sandbox.samples import PROMPTS

DAY = date(2026, 11, 16)
PLATFORMS = ("chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot")
ENGLISH = (
    "What are the best {} for small teams?",
    "Which {} are the cheapest?",
    "{} with the best support",
    "Which {} are the easiest to start with?",
    "best {} for freelancers",
    "Which {} do you recommend for a family?",
    "top {} 2026",
    "{} for beginners",
    "most reliable {}",
    "{} with a good choice of options",
)
GERMAN = (
    "Welche {} sind die besten für kleine Teams?",
    "Welche {} sind am günstigsten?",
    "{} mit dem besten Support",
    "Welche {} sind am einfachsten?",
    "beste {} für Selbständige",
    "Welche {} empfehlen Sie einer Familie?",
    "beste {} 2026",
    "{} für Einsteiger",
    "zuverlässigste {}",
    "{} mit großer Auswahl",
)
PRECISION = 0.9


def suggest(subject, prompts, country, language, category):
    """Ask the questions, analyze the answers, and return the ranked competitors that they suggest."""
    lexicon = Lexicon([Brand(subject.brand, domains=(subject.domain,), category_words=(category,))])
    analyzed = []
    for prompt in prompts:
        for platform in PLATFORMS:
            answer = answer_question(subject, Question(prompt, country, language), platform, DAY)
            if answer.status != "ok":
                continue
            cited = [(source.url, source.title) for source in answer.cited]
            found = analyze(answer.text, lexicon, prompt=prompt, cited=cited)
            names = find_candidates(answer.text, lexicon, prompt=prompt, citations=found.citations)
            tracked = sum(brand.mentioned for brand in found.brands)
            analyzed.append(ReadAnswer(prompt, platform, names, found.citations, tracked))
    counted = [
        CompetitorCandidate(
            name=each.name,
            domain=each.domain,
            rank_weight=sum(discount_rank(rank) for rank in each.ranks),
            answers=each.answers,
            prompts=each.prompts,
            platforms=each.platforms,
            cited=each.cited,
            sure=each.sure,
        )
        for each in find_makers(analyzed)
    ]
    return [suggestion.candidate for suggestion in rank_competitors(counted)]


SUBJECTS = [
    ("acme.com", "Acme", "CRM tools"),
    ("pixelcrm.io", "PixelCRM", "CRM tools"),
    ("hooli.com", "Hooli", "running shoes"),
    ("initech.co.uk", "Initech", "accounting software"),
    ("globex.de", "Globex", "hotels"),
    ("brightbooks.com", "Brightbooks", "project management tools"),
]
CASES = [(*subject, ENGLISH, "US", "en") for subject in SUBJECTS] + [
    ("acme.com", "Acme", "CRM-Systeme", GERMAN, "DE", "de"),
    ("globex.de", "Globex", "Hotels", GERMAN, "DE", "de"),
]
# The other languages have one question, asked for teams of ten sizes.
CASES += [
    ("acme.com", "Acme", "CRM", tuple(f"{prompt} ({size})" for size in range(2, 12)), None, language)
    for language, prompt in PROMPTS.items()
    if language not in {"en", "de"}
]


@pytest.mark.parametrize(
    ("domain", "brand", "category", "forms", "country", "language"),
    CASES,
    ids=[f"{case[0]}-{case[5]}" for case in CASES],
)
def test_4_precision_at_10(domain, brand, category, forms, country, language):
    subject = Subject(domain, brand)
    rivals = {rival.name: rival.domain for rival in build_market(subject).rivals}
    prompts = [form.format(category) for form in forms]
    first = suggest(subject, prompts, country, language, category)[:10]
    right = [candidate for candidate in first if candidate.name in rivals]
    assert len(right) >= 4  # a short list of sure names would be easy to get right
    wrong = [candidate.name for candidate in first if candidate.name not in rivals]
    assert len(right) / len(first) >= PRECISION, wrong
    assert [candidate.domain for candidate in right if candidate.domain] == [
        rivals[candidate.name] for candidate in right if candidate.domain
    ]
