"""Suggesting prompts for a scan without any: questions that people in the market of a domain would ask."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.metrics.suggestions import is_near_duplicate
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.prompt_intent import choose_language
from sightline.platforms.sandbox.suggest import suggest_prompts
from sightline.scans.analyze_answer import names_brand

SUGGESTED_PROMPTS = 10
MIN_SUGGESTIONS = 3  # with fewer usable questions, templates are used instead
MIN_PROMPT_LENGTH, MAX_PROMPT_LENGTH = 2, 500  # characters of a prompt, as in every scan
_MIN_QUESTION_LENGTH, _MAX_QUESTION_LENGTH = 12, 220
_MAX_REPLY_LENGTH = 20_000

_MARK = re.compile(r"\s*(?:[-*•\u2013]|\(?\d{1,2}[.):]|Q\d{1,2}[.:)])\s+")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NOTES = re.compile(r"\s*(?:\[\d+\]|【[^】]*】|\(\[?[\w.-]+\.[a-z]{2,}\]?\))")
_TRIM = " \t\"'“”„«»\u2018\u2019`*_,"
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")


class SuggestedPrompts(msgspec.Struct, frozen=True):
    prompts: tuple[str, ...]
    language: str | None
    note: str | None = None
    """Why the prompts are only general ones."""


def suggest_in_sandbox(subject: Subject, *, language: str | None, country: str | None) -> SuggestedPrompts:
    spoken = choose_language(language, country, "")
    return SuggestedPrompts(suggest_prompts(subject, spoken, SUGGESTED_PROMPTS), spoken)


async def suggest_live(
    domain: str,
    brand: Brand,
    competitors: Sequence[Brand],
    *,
    language: str | None,
    country: str | None,
    ask: Callable[[str], Awaitable[tuple[str, str | None]]],
) -> SuggestedPrompts:
    """Ask a connected platform for prompts; use templates where it gives too few usable ones.

    `ask` returns the platform's text and, where there is none, what went wrong.
    """
    text, fault = await ask(build_question(domain, brand, language=language, country=country))
    prompts = parse_suggestions(text, brand)
    if len(prompts) >= MIN_SUGGESTIONS:
        return SuggestedPrompts(prompts, language)
    reason = fault or "its answer holds no list of questions"
    note = f"None could be suggested ({reason}), so general questions were asked instead. Your own would tell more."
    return SuggestedPrompts(build_templates(domain, brand, competitors), None, note)


def build_question(domain: str, brand: Brand, *, language: str | None, country: str | None) -> str:
    where = f" in the country {country}" if country else ""
    tongue = f"the language with the ISO 639 code {language}" if language else "the main language of that website"
    return (
        f"Look at the company behind the website {domain} ({brand.name}) and at what it sells. "
        f"Write the {SUGGESTED_PROMPTS} questions that people{where} who look for such a product or service, "
        f"and do not know the company yet, are "
        f"most likely to put to an AI assistant. Never mention {brand.name}, {domain} or another company. One question "
        f"per line as a numbered list, each at most 120 characters, in {tongue}, and nothing else."
    )


def parse_suggestions(text: str, brand: Brand) -> tuple[str, ...]:
    """Return the questions of a reply in any form: a JSON list, a list of another kind, or lines.

    Questions that name the brand (it would measure itself), repeat another or have an unusual length are left out.
    """
    lexicon = Lexicon([brand])
    kept: list[str] = []
    for line in _lines(text[:_MAX_REPLY_LENGTH]):
        prompt = _tidy(line)
        if not _MIN_QUESTION_LENGTH <= len(prompt) <= _MAX_QUESTION_LENGTH:
            continue
        if not is_near_duplicate(prompt, kept) and not names_brand(prompt, lexicon):
            kept.append(prompt)
    return tuple(kept[:SUGGESTED_PROMPTS])


def build_templates(domain: str, brand: Brand, competitors: Sequence[Brand]) -> tuple[str, ...]:
    """Return questions that need only a name in the market: a competitor's, where there is one.

    Questions about the brand itself say little about its visibility: the scan flags them as branded.
    """
    if competitors:
        names = [competitor.name for competitor in competitors][: SUGGESTED_PROMPTS // 2]
        return tuple(
            template.format(name=name)
            for name in names
            for template in ("What are the best alternatives to {name}?", "Which companies compete with {name}?")
        )
    name = f"{brand.name} ({domain})"
    return (
        f"What are the best alternatives to {name}?",
        f"Who are the main competitors of {name}?",
        f"Is {name} a good choice, and for whom?",
    )


def _lines(text: str) -> Iterable[str]:
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end:
        try:
            return msgspec.json.decode(text[start : end + 1], type=list[str])
        except msgspec.MsgspecError:
            pass
    lines = [line for line in text.splitlines() if line.strip()]
    listed = [line[match.end() :] for line in lines if (match := _MARK.match(line))]
    if len(listed) >= MIN_SUGGESTIONS:
        return listed
    return [line for line in lines if _tidy(line).endswith(_QUESTION_MARKS)]


def _tidy(line: str) -> str:
    plain = _NOTES.sub("", _LINK.sub(r"\1", line)).replace("**", "").replace("__", "")
    return " ".join(plain.split()).strip(_TRIM)
