"""Brands and readings for the tests of this folder.

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


def read(text, *brands, **more):
    """The reading of an answer; of Acme and three competitors unless told otherwise."""
    return analyze(text, Lexicon(brands or FOUR), **more)


def read_one(text, brand=ACME, *others, **more):
    """The reading of one brand."""
    return read(text, brand, *others, **more).brands[0]


def count(text, brand=ACME, *others, **more):
    """How often the prose names the brand. A brand is mentioned exactly when it is named at least once."""
    reading = read_one(text, brand, *others, **more)
    assert reading.mentioned == bool(reading.occurrences)
    return len(reading.occurrences)


def stances(text, *brands, **more):
    """Name → stance of the answer towards it."""
    return {brand.name: brand.stance for brand in read(text, *brands, **more).brands}


def ranks(text, *brands, **more):
    """Name → rank, of those that have one."""
    return {brand.name: brand.rank for brand in read(text, *brands, **more).brands if brand.rank is not None}
