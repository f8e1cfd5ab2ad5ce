"""Brands and analyses for the tests of this folder.

The names are invented, so that none of them is a word in its own right unless a test is about that.
"""

from sightline.answers.analyze import analyze
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

ACME = Brand("Acme", domains=("acme.com",))
XYLIA = Brand("Xylia", domains=("xylia.com",))
YAMIRA = Brand("Yamira", domains=("yamira.io",))
ZENTRO = Brand("Zentro", domains=("zentro.de",))
FOUR = (ACME, XYLIA, YAMIRA, ZENTRO)


def analyze_text(text, *brands, **more):
    """Analyze an answer, by default for Acme and three competitors."""
    return analyze(text, Lexicon(brands or FOUR), **more)


def analyze_brand(text, brand=ACME, *others, **more):
    """Return the analysis of one brand, the first."""
    return analyze_text(text, brand, *others, **more).brands[0]


def count(text, brand=ACME, *others, **more):
    """Count how often the prose names the brand, and assert that it is mentioned if it is named at least once."""
    analysis = analyze_brand(text, brand, *others, **more)
    assert analysis.mentioned == bool(analysis.occurrences)
    return len(analysis.occurrences)


def stances(text, *brands, **more):
    """Return the stance of the answer towards each brand, by name."""
    return {brand.name: brand.stance for brand in analyze_text(text, *brands, **more).brands}


def ranks(text, *brands, **more):
    """Return the rank of each brand that has one, by name."""
    return {brand.name: brand.rank for brand in analyze_text(text, *brands, **more).brands if brand.rank is not None}
