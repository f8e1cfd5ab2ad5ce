"""What an import consists of, from the lines that were read to what will be stored."""

from typing import Literal

import msgspec

from sightline.presentation.language import gettext
from sightline.prompts.identity import CleanPrompt, PromptIdentity
from sightline.prompts.models import PromptRow

MAX_PROMPTS = 2_000
"""The most prompts of one import, each country counted."""

LineState = Literal["new", "restored", "tracked", "repeated"]


class ImportFault(msgspec.Struct, frozen=True):
    """What is wrong with one line or, without a line, with the whole import or another field of the form."""

    line: int | None
    message: str
    field: str | None = None

    @property
    def sentence(self) -> str:
        if self.line is None:
            return self.message
        return gettext("Line %(line)s: %(fault)s", line=self.line, fault=self.message)


class ImportDefaults(msgspec.Struct, frozen=True, kw_only=True):
    """What applies to lines that do not say it themselves. A prompt without a country is asked in each of these."""

    language_code: str
    countries: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class ImportedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt in one country, as a line asks for it."""

    line: int
    prompt: CleanPrompt
    identity: PromptIdentity
    tags: tuple[str, ...] = ()
    pinned: bool = False


class ParsedImport(msgspec.Struct, frozen=True, kw_only=True):
    """The prompts of a text, or what is wrong with it."""

    prompts: tuple[ImportedPrompt, ...] = ()
    faults: tuple[ImportFault, ...] = ()
    unused_columns: tuple[str, ...] = ()


class PlannedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """What saving does with a prompt of an import.

    `new` takes a slot. `restored` was tracked before and comes back with its history. `tracked` is there already, and
    gets only tags and a pin. `repeated` is on an earlier line of the same import, and is left out.
    """

    asked: ImportedPrompt
    record: PromptRow | None
    """The record of the domain with the same identity, removed or not."""
    state: LineState
    repeats_line: int | None = None
    similar_to: str | None = None
    """A tracked prompt, or one of an earlier line, whose wording is almost the same."""
