"""The request during set-up: the first prompts of a domain, from what its home page says. Pure.

The home page is untrusted: its words are fenced as data, and whatever it says, a prompt counts only if it is one
question that names neither the brand nor another company (`scans/suggestions/reply.py`).
"""

from collections import Counter

import msgspec

from sightline.answers.models import Brand
from sightline.insights.editor.requests import EditorRequest, build_request, read_items
from sightline.scans.suggestions.site_words import SiteWords

_REQUESTED = 15  # so that ten are left when some cannot be used
_LONGEST = 220  # characters
_TASK = (
    "Look at the company behind this website and at what it sells. Propose the {requested} questions that people who "
    "look for such a product or service, and do not know the company yet, are most likely to put to an AI assistant. "
    "Vary them: some people want to learn, some compare, some are about to buy, some want to switch. Never mention the "
    "brand, its website, or another company or product. One sentence each, of at most 120 characters, that ends with a "
    "question mark, in the language given; without one, in the main language of the website. Where a country is "
    "given, people ask there."
)
_REPLY = '{"question": "..."}'


class _Proposed(msgspec.Struct, frozen=True):
    question: str


def ask_for_first_prompts(
    domain: str, brand: Brand, site: SiteWords | None, *, language: str | None, country: str | None
) -> EditorRequest:
    given = {
        "website": domain,
        "brand": brand.name,
        "language": language or (site and site.language),
        "country": country,
        "title of the website": site and site.title,
        "description of the website": site and site.description,
    }
    return build_request(
        "prompts",
        _TASK.format(requested=_REQUESTED),
        _REPLY,
        {name: value for name, value in given.items() if value},
    )


def read_first_prompts(reply: str | None) -> list[str]:
    """Return the proposed questions on one line each, before they are verified."""
    found = read_items(reply, _Proposed, kind="prompts", dropped=Counter(), most=2 * _REQUESTED)
    questions = (" ".join(each.question.split()) for each in found)
    return [question for question in questions if 0 < len(question) <= _LONGEST]
