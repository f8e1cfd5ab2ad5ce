"""The arguments of `sightline check` and `sightline analyze`, parsed and validated before anything is measured."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NoReturn

import msgspec

from sightline.answers.models import Brand
from sightline.cli.failures import fail
from sightline.domains.names import InvalidDomainName, clean_domain
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.scans.brands import clean_brand_name, default_name, read_named_brand
from sightline.scans.suggest import MAX_PROMPT_LENGTH, MIN_PROMPT_LENGTH
from sightline.scans.suggestions.templates import clean_category
from sightline.settings import Settings

MAX_PROMPTS = 50
MAX_COMPETITORS = 20


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The validated arguments of one check."""

    domain: str
    brand: Brand
    competitors: tuple[Brand, ...]
    prompts: tuple[str, ...]
    platforms: tuple[str, ...]
    country: str | None
    language: str | None
    category: str | None
    day: date | None
    """None when connected platforms are asked."""
    sentiment: bool


def refuse(message: str) -> NoReturn:
    """Exit with code 2, as for every other wrong argument."""
    fail(message, title="Invalid arguments", code="invalid_arguments", exit_code=2)


def parse_domain(text: str, *, sandbox: bool) -> str:
    try:
        return clean_domain(_require_text("The domain", text), livemode=not sandbox)
    except InvalidDomainName as error:
        refuse(f"{text!r} cannot be checked: {error}.")


def parse_brand(domain: str, name: str | None, aliases: Sequence[str]) -> Brand:
    brand_name = _parse_name("--brand", name) if name is not None else default_name(domain)
    return Brand(brand_name, parse_aliases(aliases), (domain,))


def parse_competitors(
    texts: Iterable[str], brand: Brand, *, sandbox: bool, most: int = MAX_COMPETITORS
) -> tuple[Brand, ...]:
    found: dict[str, Brand] = {}
    for text in texts:
        competitor = parse_named_brand("--competitor", text, sandbox=sandbox)
        key = competitor.name.casefold()
        if key in {name.casefold() for name in (brand.name, *brand.aliases)} or set(competitor.domains) & {
            *brand.domains
        }:
            refuse(f"--competitor {text!r} is the brand itself.")
        found.setdefault(key, competitor)
    if len(found) > most:
        refuse(f"You can compare with at most {most} competitors; you gave {len(found)}.")
    return tuple(found.values())


def parse_named_brand(option: str, text: str, *, sandbox: bool) -> Brand:
    """Return the brand of NAME, NAME=domain or a domain. A name alone owns no pages, so nothing counts as cited."""
    try:
        return read_named_brand(_require_text(option, text), livemode=not sandbox)
    except ValueError as error:
        refuse(f"{option} {text!r}: {error}")


def parse_aliases(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(_parse_name("--alias", alias) for alias in texts)


def parse_prompts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the prompts in the given order, trimmed and without duplicates, ignoring case."""
    found: dict[str, str] = {}
    for text in texts:
        prompt = " ".join(_require_text("--prompt", text).split())
        if not MIN_PROMPT_LENGTH <= len(prompt) <= MAX_PROMPT_LENGTH:
            refuse(
                f"A prompt has {MIN_PROMPT_LENGTH} to {MAX_PROMPT_LENGTH} characters; "
                f"this one has {len(prompt)}: {prompt[:60]!r}."
            )
        found.setdefault(prompt.casefold(), prompt)
    if len(found) > MAX_PROMPTS:
        refuse(f"A check takes at most {MAX_PROMPTS} prompts; you gave {len(found)}.")
    return tuple(found.values())


def parse_platforms(keys: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return the platforms to ask in the order of the catalog: the given ones, or every enabled one."""
    known = [platform.key for platform in PLATFORMS]
    enabled = access.find_enabled_platforms(settings)
    for key in keys:
        if key not in known:
            refuse(f"There is no platform {key!r}. Known: {', '.join(known)}.")
        if key in access.find_paused_by_settings(settings):
            refuse(f"The platform {key} is paused by SIGHTLINE_PAUSED_PLATFORMS.")
        if key not in enabled:
            ways = " or ".join(" and ".join(names) for names in access.connection_settings(key))
            refuse(f"The platform {key} is not connected. Set {ways}, or leave it out.")
    if not enabled:
        refuse("Every connected platform is paused by SIGHTLINE_PAUSED_PLATFORMS.")
    return tuple(key for key in known if key in (keys or enabled))


def parse_country(text: str | None) -> str | None:
    try:
        return None if text is None else clean_country(text)
    except ValueError as error:
        refuse(f"--country {text!r} is unknown: {error}.")


def parse_category(text: str | None) -> str | None:
    try:
        return clean_category(text or "")
    except ValueError as error:
        refuse(f"--category {text!r}: {error}.")


def parse_language(text: str | None) -> str | None:
    try:
        return None if text is None else clean_language(text)
    except ValueError as error:
        refuse(f"--language {text!r} is unknown: {error}.")


def parse_day(text: str | None, today: date, *, sandbox: bool) -> date | None:
    """Return the day that the sandbox answers for; None for connected platforms, which answer for today."""
    if not sandbox:
        if text is not None:
            refuse("--day is for sandbox answers only; connected platforms answer for today.")
        return None
    try:
        return today if text is None else date.fromisoformat(text)
    except ValueError:
        refuse(f"--day {text!r} is not a date. Write it as 2026-11-15.")


def parse_days(text: str | None) -> tuple[date, date] | None:
    """Return two days in their order; None if none were given."""
    if text is None:
        return None
    try:
        before, now = (date.fromisoformat(part.strip()) for part in text.split(","))
    except ValueError:
        refuse(f"--compare {text!r} is not two dates. Write them as 2026-11-02,2026-11-16.")
    if before >= now:
        refuse(f"--compare {text!r}: the first day must be before the second.")
    return before, now


def parse_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the name of the column by field. An empty name means that the file does not have it."""
    found = {}
    for text in texts:
        field, sign, name = text.partition("=")
        if not sign:
            refuse(f"--column {text!r}: write FIELD=NAME, such as text=Antwort.")
        found[field.strip()] = name.strip()
    return found


def require_writable(path: Path, *, option: str = "--save") -> None:
    """Refuse a path where the report could not be written in the end. Leaves nothing behind."""
    if path.is_dir():
        refuse(f"{option} {path}: this is a folder. Give the name of a file.")
    if not path.parent.is_dir():
        refuse(f"{option} {path}: the folder {path.parent} does not exist.")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        refuse(f"{option} {path}: the folder {path.parent} cannot be written to ({error.strerror}).")
    if path.exists() and not os.access(path, os.W_OK):
        refuse(f"{option} {path}: the file exists and cannot be replaced.")


def _parse_name(option: str, text: str) -> str:
    try:
        return clean_brand_name(_require_text(option, text))
    except ValueError as error:
        refuse(f"{option} {error}")


def _require_text(option: str, text: str) -> str:
    """Refuse bytes that are not text. They arrive as lone surrogates, which no platform and no file accepts."""
    if any("\ud800" <= character <= "\udfff" or (character < " " and not character.isspace()) for character in text):
        refuse(f"{option} contains characters that are not text.")
    return text
