"""The stance rules, read from one file per language in `data/stance/`. Its README.md explains the notation."""

import re
import tomllib
import unicodedata
from functools import cached_property
from importlib.resources import files
from typing import Literal, NamedTuple

import msgspec

RuleStance = Literal["neutral", "contrast", "discouraged", "unknown"]

NAME = "\ue000"  # stands for the name of a brand in the sentences that the rules are applied to
_ORDER: tuple[RuleStance, ...] = ("neutral", "unknown", "discouraged", "contrast")
_WORDS = r"(?:[^\s,.;:!?()N]+\s+){0,5}?"


class Rule(msgspec.Struct, frozen=True, dict=True):
    """Phrases that decide a stance.

    A neutral rule is praise in the form of a denial, or a phrase that merely looks like another stance.
    """

    stance: RuleStance
    keys: tuple[str, ...]
    expression: str
    requires: tuple[str, ...] = ()
    """Every match contains one of these, once white space is collapsed. Set where a key is part of many words of other
    languages: without it "an" and "od" would have two slow patterns tried on every second sentence."""
    praises: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        # Compiled when a key occurs: all rules together take more than a second, and most answers need a few.
        return re.compile(self.expression)


class WarningHeadings(NamedTuple):
    """Headings that advise against the items under them, such as "Brands to avoid"."""

    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    exceptions: re.Pattern[str]

    def match(self, heading: str) -> bool:
        return self.pattern.search(heading) is not None and self.exceptions.search(heading) is None


class _RuleEntry(msgspec.Struct, forbid_unknown_fields=True):
    keys: list[str]
    patterns: list[str]
    requires: list[str] = []
    praises: bool = False
    group: str = ""


class _HeadingsEntry(msgspec.Struct, forbid_unknown_fields=True):
    keys: list[str] = []
    phrases: list[str] = []
    exceptions: list[str] = []


class _Language(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of one file."""

    joining_words: list[str] = []
    filler_words: list[str] = []
    denials: list[str] = []
    lead_ins: list[str] = []
    warning_headings: _HeadingsEntry = msgspec.field(default_factory=_HeadingsEntry)
    neutral: list[_RuleEntry] = []
    unknown: list[_RuleEntry] = []
    discouraged: list[_RuleEntry] = []
    contrast: list[_RuleEntry] = []


def _read_languages() -> list[_Language]:
    found = [item for item in files("sightline.answers").joinpath("data", "stance").iterdir() if ".toml" in item.name]
    found.sort(key=lambda item: (item.name != "en.toml", item.name))  # English first: its rules match most often
    return [msgspec.convert(tomllib.loads(item.read_text("utf-8")), _Language) for item in found]


def _any_of(phrases: list[str]) -> str:
    return f"(?:{'|'.join(dict.fromkeys(phrases))})"


def _build_rules(languages: list[_Language]) -> tuple[Rule, ...]:
    joiner = _any_of([word for language in languages for word in language.joining_words])
    filler = _any_of([word for language in languages for word in language.filler_words])
    letters = {
        "K": rf"\"?N(?:\s*,?\s*{joiner}\s+N|\s?/\s?N)*\"?(?!\s?'s?\s+\w| (?:reviews?|pricing|prices?))",
        "L": (
            # "X and Y", "X or Y", "X/Y": joined by a word or a slash
            # (one letter is "and" or "or" in some languages and an article in others: no comma before it then)
            rf"N(?:'s?)?(?:\s*,?\s*{joiner}\s+N|\s+[aeioy]\s+N|\s?/\s?N)*"
            # "X, Y or Z" only where the list ends after it: in "Unlike X, Y and Z offer …" the comma ends it
            rf"(?:(?:\s*[,、،]\s*N)+(?:\s*,?\s*{joiner}\s+N)?(?=\s*(?:$|[,.;:!?)。])))?"
        ),
        "F": rf"(?:{filler}\s+){{0,5}}",
        "W": _WORDS,
        "N": NAME,
    }
    return tuple(_build_rule(stance, entry, letters) for stance in _ORDER for entry in _merge_groups(languages, stance))


def _merge_groups(languages: list[_Language], stance: RuleStance) -> list[_RuleEntry]:
    """Return the rules of a stance in all files, those of a group merged into its first one."""
    merged: list[_RuleEntry] = []
    groups: dict[str, _RuleEntry] = {}
    for language in languages:
        for entry in getattr(language, stance):
            patterns = [_insert_own_words(pattern, language) for pattern in entry.patterns]
            first = groups.get(entry.group) if entry.group else None
            if first is None:
                groups[entry.group] = entry
                entry.patterns = patterns
                merged.append(entry)
            else:
                first.keys += entry.keys
                first.patterns += patterns
                first.requires += entry.requires
    return merged


def _insert_own_words(pattern: str, language: _Language) -> str:
    lead_in = rf"(?:{_any_of(language.lead_ins)}(?:,?\s+|(?<='))){{0,6}}"
    return pattern.replace("D", _any_of(language.denials)).replace("B", lead_in)


def _build_rule(stance: RuleStance, entry: _RuleEntry, letters: dict[str, str]) -> Rule:
    pattern = "|".join(entry.patterns)
    for letter, meaning in letters.items():
        pattern = pattern.replace(letter, meaning)
    # Thai and others are written in composed and decomposed form; answers are searched in the latter.
    pattern = unicodedata.normalize("NFKC", pattern)
    keys = tuple(unicodedata.normalize("NFKC", key) for key in dict.fromkeys(entry.keys))
    return Rule(stance, keys, pattern, tuple(entry.requires), entry.praises)


def _build_headings(languages: list[_Language]) -> WarningHeadings:
    entries = [language.warning_headings for language in languages]
    return WarningHeadings(
        tuple(dict.fromkeys(key for entry in entries for key in entry.keys)),
        re.compile(r"\b" + _any_of([phrase for entry in entries for phrase in entry.phrases])),
        re.compile(_any_of([phrase for entry in entries for phrase in entry.exceptions])),
    )


_LANGUAGES = _read_languages()
RULES = _build_rules(_LANGUAGES)
WARNING_HEADINGS = _build_headings(_LANGUAGES)
