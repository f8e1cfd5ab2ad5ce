"""What the words behind `sightline check` mean. Whatever makes no sense is refused before anything is asked."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NoReturn

import msgspec
import typer
from rich.markup import escape

from sightline.answers.models import Brand
from sightline.cli.context import err
from sightline.domains.names import InvalidDomainName, clean_domain
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.scans.brands import default_name, name_of_domain
from sightline.scans.suggest import LONGEST, SHORTEST
from sightline.settings import Settings

MOST_PROMPTS = 50
MOST_COMPETITORS = 20
_LONGEST_NAME = 100


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, already read and found sensible."""

    domain: str
    brand: Brand
    competitors: tuple[Brand, ...]
    prompts: tuple[str, ...]
    platforms: tuple[str, ...]
    country: str | None
    language: str | None
    day: date | None
    """None: live platforms are asked."""
    sentiment: bool


def refuse(message: str) -> NoReturn:
    """The input is at fault: exit code 2, as for every other wrong argument."""
    err.print(f"[red]Error:[/red] {escape(message)}", highlight=False)
    raise typer.Exit(2)


def read_domain(text: str, *, sandbox: bool) -> str:
    try:
        return clean_domain(_plain("The domain", text), livemode=not sandbox)
    except InvalidDomainName as error:
        refuse(f"{text!r} cannot be checked: {error}.")


def read_brand(domain: str, name: str | None, aliases: Sequence[str]) -> Brand:
    given = _name("--brand", name) if name is not None else default_name(domain)
    return Brand(given, tuple(_name("--alias", alias) for alias in aliases), (domain,))


def read_competitors(given: Iterable[str], brand: Brand, *, sandbox: bool) -> tuple[Brand, ...]:
    found: dict[str, Brand] = {}
    for text in given:
        competitor = _competitor(text, sandbox=sandbox)
        key = competitor.name.casefold()
        if key in {name.casefold() for name in (brand.name, *brand.aliases)} or set(competitor.domains) & {
            *brand.domains
        }:
            refuse(f"--competitor {text!r} is the brand itself.")
        found.setdefault(key, competitor)
    if len(found) > MOST_COMPETITORS:
        refuse(f"A check takes at most {MOST_COMPETITORS} competitors; {len(found)} are given.")
    return tuple(found.values())


def _competitor(text: str, *, sandbox: bool) -> Brand:
    name, sign, domain = text.rpartition("=")
    if not sign:
        name = domain
        try:  # a domain alone names its owner, too
            host = clean_domain(name, livemode=not sandbox)
        except InvalidDomainName:
            return Brand(_name("--competitor", name))
        return name_of_domain(host, as_given=_name("--competitor", name))
    try:
        return Brand(_name("--competitor", name), (), (clean_domain(domain, livemode=not sandbox),))
    except InvalidDomainName as error:
        refuse(f"--competitor {text!r}: {domain!r} is not a domain: {error}. Say NAME or NAME=domain.")


def read_prompts(given: Sequence[str]) -> tuple[str, ...]:
    """Trimmed, each once whatever its case; in the order in which they came."""
    found: dict[str, str] = {}
    for text in given:
        prompt = " ".join(_plain("--prompt", text).split())
        if not SHORTEST <= len(prompt) <= LONGEST:
            refuse(f"A prompt has {SHORTEST} to {LONGEST} characters; this one has {len(prompt)}: {prompt[:60]!r}.")
        found.setdefault(prompt.casefold(), prompt)
    if len(found) > MOST_PROMPTS:
        refuse(f"A check takes at most {MOST_PROMPTS} prompts; {len(found)} are given.")
    return tuple(found.values())


def read_platforms(given: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """The platforms to ask, in the order of the catalogue: those named, else every enabled one."""
    known = [platform.key for platform in PLATFORMS]
    enabled = access.find_enabled_platforms(settings)
    for key in given:
        if key not in known:
            refuse(f"There is no platform {key!r}. Known: {', '.join(known)}.")
        if key in access.find_paused_by_settings(settings):
            refuse(f"The platform {key} is paused by SIGHTLINE_PAUSED_PLATFORMS.")
        if key not in enabled:
            ways = " or ".join(" and ".join(names) for names in access.connection_settings(key))
            refuse(f"The platform {key} is not connected. Set {ways}, or leave it out.")
    if not enabled:
        refuse("Every connected platform is paused by SIGHTLINE_PAUSED_PLATFORMS.")
    return tuple(key for key in known if key in (given or enabled))


def read_country(text: str | None) -> str | None:
    try:
        return None if text is None else clean_country(text)
    except ValueError as error:
        refuse(f"--country {text!r} is unknown: {error}.")


def read_language(text: str | None) -> str | None:
    try:
        return None if text is None else clean_language(text)
    except ValueError as error:
        refuse(f"--language {text!r} is unknown: {error}.")


def read_day(text: str | None, today: date, *, sandbox: bool) -> date | None:
    """The day that the sandbox answers for. Live platforms answer for now."""
    if not sandbox:
        if text is not None:
            refuse("--day is for sandbox answers only; connected platforms answer for today.")
        return None
    try:
        return today if text is None else date.fromisoformat(text)
    except ValueError:
        refuse(f"--day {text!r} is no date. Write it as 2026-11-15.")


def require_writable(path: Path) -> None:
    """Refuses a place where the report could not be put in the end. Leaves nothing behind."""
    if path.is_dir():
        refuse(f"--save {path}: this is a folder. Give the name of a file.")
    if not path.parent.is_dir():
        refuse(f"--save {path}: the folder {path.parent} does not exist.")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        refuse(f"--save {path}: the folder {path.parent} cannot be written to ({error.strerror}).")
    if path.exists() and not os.access(path, os.W_OK):
        refuse(f"--save {path}: the file is there and may not be replaced.")


def _name(option: str, text: str) -> str:
    name = " ".join(_plain(option, text).split())
    if not 1 <= len(name) <= _LONGEST_NAME:
        refuse(f"{option} needs a name of 1 to {_LONGEST_NAME} characters.")
    return name


def _plain(option: str, text: str) -> str:
    """Bytes that are no text arrive as lone surrogates; no platform and no file could take them."""
    if any("\ud800" <= character <= "\udfff" or (character < " " and not character.isspace()) for character in text):
        refuse(f"{option} holds characters that are no text.")
    return text
