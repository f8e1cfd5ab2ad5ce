"""What makes two prompts the same: their text as it is compared, their country and their language. Pure."""

import hashlib
import unicodedata
from collections.abc import Callable

import msgspec

from sightline.errors import invalid_fields
from sightline.prompts.market_codes import clean_country, clean_language

MIN_LENGTH = 2
MAX_LENGTH = 500
# A few characters become many when they are normalised, and an index takes no more than 2.7 kB of them.
_LONGEST_IDENTITY = 2_000


class PromptIdentity(msgspec.Struct, frozen=True):
    """By this a domain knows a prompt again."""

    identity: str
    country_iso_2: str | None
    language_code: str | None


class CleanPrompt(msgspec.Struct, frozen=True):
    """A prompt as it is stored: trimmed, with codes in their one spelling."""

    text: str
    country_iso_2: str | None
    language_code: str | None

    @property
    def identity(self) -> PromptIdentity:
        return PromptIdentity(normalize_text(self.text), self.country_iso_2, self.language_code)


def normalize_text(text: str) -> str:
    """Unicode NFKC, collapsed white space, casefolded. Normalised once more, for folding can undo it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    compared = " ".join(folded.split())
    written = compared.encode()
    return compared if len(written) <= _LONGEST_IDENTITY else f"sha256:{hashlib.sha256(written).hexdigest()}"


def clean_prompt(text: str, country: str | None, language: str | None, *, at: str = "") -> CleanPrompt:
    """Refuses with 422 that names every field at fault; `at` is where the prompt stands in the request ("prompts[3].").

    The length counts after trimming. No country is Global; whether a language is needed is for the caller to say.
    """
    faults: list[tuple[str, str, str]] = []
    text = text.strip()
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        faults.append((f"{at}prompt", f"must have {MIN_LENGTH} to {MAX_LENGTH} characters", "length"))

    def clean_code(field: str, code: str | None, clean: Callable[[str], str]) -> str | None:
        try:
            return None if code is None else clean(code)
        except ValueError as error:
            faults.append((f"{at}{field}", str(error), "unknown"))
            return None

    made = CleanPrompt(
        text,
        clean_code("country_iso_2", country, clean_country),
        clean_code("language_code", language, clean_language),
    )
    if faults:
        raise invalid_fields(*faults)
    return made
