"""The identity of a prompt: its normalized text, its country and its language. Pure."""

import hashlib
import unicodedata
from collections.abc import Callable

import msgspec

from sightline.errors import FaultCollector
from sightline.kit.text import count_visible
from sightline.prompts.market_codes import clean_country, clean_language

MIN_LENGTH = 2
MAX_LENGTH = 500
# Normalization can turn one character into many, and an index entry holds at most 2.7 kB.
_LONGEST_IDENTITY = 2_000


class PromptIdentity(msgspec.Struct, frozen=True):
    """The key by which a domain recognizes a prompt."""

    identity: str
    country_iso_2: str | None
    language_code: str | None


class CleanPrompt(msgspec.Struct, frozen=True):
    """A prompt as it is stored: trimmed, with codes in their canonical spelling."""

    text: str
    country_iso_2: str | None
    language_code: str | None

    @property
    def identity(self) -> PromptIdentity:
        return PromptIdentity(normalize_text(self.text), self.country_iso_2, self.language_code)


def normalize_text(text: str) -> str:
    """Return the text as it is compared: Unicode NFKC, white space collapsed, case folded.

    It is normalized twice, because case folding can undo the normalization.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    compared = " ".join(folded.split())
    written = compared.encode()
    return compared if len(written) <= _LONGEST_IDENTITY else f"sha256:{hashlib.sha256(written).hexdigest()}"


def clean_prompt(text: str, country: str | None, language: str | None, *, at: str = "") -> CleanPrompt:
    """Return the cleaned prompt. Refused: invalid fields, with every one of them named (422).

    `at` is the place of the prompt in the request, such as "prompts[3].". The length is counted after trimming. A
    missing country means Global; the caller decides whether a language is required.
    """
    faults = FaultCollector()
    text = text.strip()
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        faults.add(f"{at}prompt", f"must have {MIN_LENGTH} to {MAX_LENGTH} characters", "length")
    elif count_visible(text) < MIN_LENGTH:
        faults.add(f"{at}prompt", f"must have at least {MIN_LENGTH} visible characters", "invisible")

    def clean_code(field: str, code: str | None, clean: Callable[[str], str]) -> str | None:
        try:
            return None if code is None else clean(code)
        except ValueError as error:
            faults.add(f"{at}{field}", str(error), "unknown")
            return None

    made = CleanPrompt(
        text,
        clean_code("country_iso_2", country, clean_country),
        clean_code("language_code", language, clean_language),
    )
    faults.raise_if_any()
    return made
