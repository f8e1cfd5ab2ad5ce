"""Questions from templates: what people ask about an offer, in the languages that have word files. Pure."""

import re
from collections.abc import Iterator

from sightline.scans.suggestions.offers import Offer
from sightline.scans.suggestions.word_files import GENERAL, load_words

_FORMS = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_FIRST_FORM = {"en": "s"}  # the mark of a noun that takes the first form; elsewhere "f" takes the second one


def list_questions(offer: Offer, language: str) -> Iterator[str]:
    """Yield questions about the offer, a shared one and one of its category in turn; then general ones as a reserve."""
    words = load_words(language)
    own = words.categories[offer.category].ask
    if offer.category != GENERAL or not own:
        for place in range(max(len(words.shared), len(own))):
            for templates in (words.shared, own):
                if place < len(templates):
                    yield fill_template(templates[place], offer.noun, language)
    reserve = words.categories[GENERAL]
    for template in reserve.ask or words.shared:
        yield fill_template(template, reserve.noun, language)


def fill_template(template: str, noun: str, language: str) -> str:
    """Return the question with the noun, and every word in the form that agrees with it."""
    name, _, mark = noun.partition("|")
    first = mark == _FIRST_FORM[language] if language in _FIRST_FORM else mark != "f"
    return _FORMS.sub(r"\1" if first else r"\2", template).replace("{things}", name)
