"""Which prompts name the brand: they are marked wherever they are shown, and left out of the headline figures."""

from collections.abc import Iterable

from sightline.answers.names import Lexicon
from sightline.domains.models import TrackedDomainRow
from sightline.scans.analyze_answer import names_brand
from sightline.scans.brands import build_tracked_brands


def find_branded_texts(domain: TrackedDomainRow, texts: Iterable[str]) -> frozenset[str]:
    """Return those of the texts that name the brand of the domain."""
    lexicon = Lexicon([build_tracked_brands(domain, ()).brand])
    return frozenset(text for text in set(texts) if names_brand(text, lexicon))
