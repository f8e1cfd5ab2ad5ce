"""Prompts for a check that came with none: what people in the market of a domain would ask."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence

import msgspec

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.metrics.suggestions import is_near_duplicate
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.prompt_intent import choose_language
from sightline.platforms.sandbox.suggest import suggest_prompts
from sightline.scans.read import names_brand

WANTED = 10
FEWEST = 3  # fewer readable questions than that are no suggestion
SHORTEST, LONGEST = 2, 500  # characters of a prompt, as in every check
_SHORTEST_QUESTION, _LONGEST_QUESTION = 12, 220
_LARGEST_REPLY = 20_000

_MARK = re.compile(r"\s*(?:[-*•\u2013]|\(?\d{1,2}[.):]|Q\d{1,2}[.:)])\s+")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NOTES = re.compile(r"\s*(?:\[\d+\]|【[^】]*】|\(\[?[\w.-]+\.[a-z]{2,}\]?\))")
_TRIM = " \t\"'“”„«»\u2018\u2019`*_,"
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")


class Suggested(msgspec.Struct, frozen=True):
    prompts: tuple[str, ...]
    language: str | None
    note: str | None = None
    """Why they are not what one would wish for."""


def suggest_in_sandbox(subject: Subject, *, language: str | None, country: str | None) -> Suggested:
    spoken = choose_language(language, country, "")
    return Suggested(suggest_prompts(subject, spoken, WANTED), spoken)


async def suggest_live(
    domain: str,
    brand: Brand,
    competitors: Sequence[Brand],
    *,
    language: str | None,
    country: str | None,
    ask: Callable[[str], Awaitable[tuple[str, str | None]]],
) -> Suggested:
    """Asks a connected platform; what it gives is checked, and templates stand in where it gives too little.

    `ask` gives the platform's text and, where it has none, what went wrong.
    """
    text, fault = await ask(question_for(domain, brand, language=language, country=country))
    prompts = read_suggestions(text, brand)
    if len(prompts) >= FEWEST:
        return Suggested(prompts, language)
    reason = fault or "its answer holds no list of questions"
    note = f"None could be suggested ({reason}), so general questions were asked instead. Your own would tell more."
    return Suggested(templates_for(domain, brand, competitors), None, note)


def question_for(domain: str, brand: Brand, *, language: str | None, country: str | None) -> str:
    where = f" in the country {country}" if country else ""
    tongue = f"the language with the ISO 639 code {language}" if language else "the main language of that website"
    return (
        f"Look at the company behind the website {domain} ({brand.name}) and at what it sells. Write the {WANTED} "
        f"questions that people{where} who look for such a product or service, and do not know the company yet, are "
        f"most likely to put to an AI assistant. Never mention {brand.name}, {domain} or another company. One question "
        f"per line as a numbered list, each at most 120 characters, in {tongue}, and nothing else."
    )


def read_suggestions(text: str, brand: Brand) -> tuple[str, ...]:
    """The questions of a reply in whatever form it came: a JSON list, a list of any kind, or lines.

    Left out: what names the brand (it would measure itself), what repeats another, and what is no question's length.
    """
    lexicon = Lexicon([brand])
    kept: list[str] = []
    for line in _lines(text[:_LARGEST_REPLY]):
        prompt = _tidy(line)
        if not _SHORTEST_QUESTION <= len(prompt) <= _LONGEST_QUESTION:
            continue
        if not is_near_duplicate(prompt, kept) and not names_brand(prompt, lexicon):
            kept.append(prompt)
    return tuple(kept[:WANTED])


def templates_for(domain: str, brand: Brand, competitors: Sequence[Brand]) -> tuple[str, ...]:
    """Questions that need to know nothing of the market but a name in it; a competitor's, where there is one.

    Questions about the brand itself say little of its visibility: the check flags them as branded.
    """
    if competitors:
        names = [competitor.name for competitor in competitors][: WANTED // 2]
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
    if len(listed) >= FEWEST:
        return listed
    return [line for line in lines if _tidy(line).endswith(_QUESTION_MARKS)]


def _tidy(line: str) -> str:
    plain = _NOTES.sub("", _LINK.sub(r"\1", line)).replace("**", "").replace("__", "")
    return " ".join(plain.split()).strip(_TRIM)
