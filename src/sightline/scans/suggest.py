"""Suggesting prompts for a scan without any: ten questions that people in the market of a domain would ask.

What the editor proposes (`insights/editor/setup.py`) comes first. What it leaves open is filled from templates around
the category that somebody named, or else from general ones.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from sightline.answers.language import detect_language
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.kit.counting import count
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.prompts import choose_language, suggest_prompts
from sightline.scans.analyze_answer import names_brand
from sightline.scans.suggestions.questions import choose_questions, repeats_another
from sightline.scans.suggestions.templates import list_languages, list_questions

SUGGESTED_PROMPTS = 10
MIN_PROMPT_LENGTH, MAX_PROMPT_LENGTH = 2, 500  # characters of a prompt, as in every scan
_DEFAULT_LANGUAGE = "en"
_NAME_CATEGORY = "For better results, say which category you sell in, or enter your own prompts."


class SuggestionInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What suggestions depend on. The same input has the same suggestions."""

    domain: str
    brand: Brand
    competitors: tuple[Brand, ...]
    language: str | None
    country: str | None
    category: str | None = None
    """What the brand sells."""

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(msgspec.json.encode(self)).digest()


class SuggestedPrompts(msgspec.Struct, frozen=True):
    """Ten prompts, and where they come from."""

    prompts: tuple[str, ...]
    language: str | None
    note: str | None = None
    """Why some or all prompts are general ones. None if all of them fit the market."""
    from_templates: int = 0
    brand_name: str | None = None
    """What the brand is called, as its home page writes it. None if nobody has said it."""
    category: str | None = None
    """What it sells. None if nobody has said it."""
    rivals: tuple[str, ...] = ()
    """Domains of its rivals, for people to confirm."""


def suggest_in_sandbox(subject: Subject, *, language: str | None, country: str | None) -> SuggestedPrompts:
    """Suggest prompts of the made-up market. Nothing is contacted."""
    spoken = choose_language(language, country, "")
    note = None
    if language and language != spoken:
        note = f"The sandbox has no prompts in the language {language}, so these are in English."
    return SuggestedPrompts(suggest_prompts(subject, spoken, SUGGESTED_PROMPTS), spoken, note)


def complete_prompts(
    wanted: SuggestionInput, proposed: Sequence[str], *, fault: str | None, site_language: str | None
) -> SuggestedPrompts:
    """Return ten prompts: the usable ones of those that a platform proposed, then questions from templates.

    The note says where they come from. `fault` says why no platform proposed any.
    """
    asked = choose_questions(proposed, wanted.brand, wanted.competitors, most=SUGGESTED_PROMPTS)
    if len(asked) == SUGGESTED_PROMPTS:
        return SuggestedPrompts(asked, wanted.language)
    language = wanted.language or (detect_language(" ".join(asked)) if asked else None) or site_language
    spoken = language if language in list_languages() else _DEFAULT_LANGUAGE
    prompts = fill_with_templates(asked, wanted.category, spoken, wanted.brand)
    note = " ".join(
        [
            _describe_reply(len(asked), fault),
            _describe_templates(len(prompts) - len(asked), wanted.category),
            *(
                []
                if spoken == (language or spoken)
                else [f"Sightline has none in the language {language}, so they are in English."]
            ),
            "For better results, enter your own prompts." if wanted.category else _NAME_CATEGORY,
        ]
    )
    return SuggestedPrompts(prompts, wanted.language if asked else spoken, note, len(prompts) - len(asked))


def fill_with_templates(asked: Sequence[str], category: str | None, language: str, brand: Brand) -> tuple[str, ...]:
    """Return ten prompts: those given, then questions from templates that neither repeat them nor name the brand.

    If the brand's name is a word in too many questions to leave ten, some that name it are used.
    """
    lexicon = Lexicon([brand])
    prompts = list(asked)
    naming: list[str] = []
    for question in (*list_questions(category, language), *list_questions(None, language)):
        if len(prompts) == SUGGESTED_PROMPTS:
            break
        if question in prompts or repeats_another(question, asked):
            continue
        (naming if names_brand(question, lexicon) else prompts).append(question)
    return tuple([*prompts, *naming][:SUGGESTED_PROMPTS])


def _describe_reply(usable: int, fault: str | None) -> str:
    if fault is not None:
        return f"No platform suggested prompts: {fault}."
    if not usable:
        return "The platform's reply has no usable prompts."
    return f"The platform's reply has {count(usable, 'usable prompt')}."


def _describe_templates(templates: int, category: str | None) -> str:
    which = "All ten prompts" if templates == SUGGESTED_PROMPTS else f"The other {templates}"
    verb = "is a general question" if templates == 1 else "are general questions"
    return f"{which} {verb} about {category or 'any market'}."
