"""The fields of the setup form, from their defaults to the input of `complete_setup`. Pure."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.datastructures import FormMultiDict

from sightline.answers.models import Brand
from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import first_label
from sightline.domains.schemas import CompetitorInput
from sightline.errors import invalid_field
from sightline.onboarding.setup import SetupInput
from sightline.prompts.market_names import read_countries, read_country
from sightline.scans.brands import brand_from_domain, default_name
from sightline.web.forms import split_lines, split_names

_DEFAULT_LANGUAGE = "en"


class SuggestedRival(msgspec.Struct, frozen=True):
    """A suggested competitor, selected or not."""

    domain: str
    name: str
    selected: bool

    @property
    def value(self) -> str:
        return f"{self.domain}={self.name}"


class SetupFields(msgspec.Struct, frozen=True, kw_only=True):
    brand_name: str
    aliases: str
    rivals: tuple[SuggestedRival, ...] = ()
    competitors: str = ""
    """Other competitors, one per line: `globex.com`, or `globex.com = Globex`."""
    language: str = _DEFAULT_LANGUAGE
    countries: str = ""
    prompts: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    """All suggestions so far. A prompt among them that is still listed is stored as a suggested one."""
    note: str | None = None

    @property
    def country_codes(self) -> list[str]:
        """Return the codes of the countries; those that can be read, if another one cannot."""
        try:
            return read_countries(self.countries)
        except ValueError:
            return [code for name in split_names(self.countries) if (code := _find_country(name))]

    def apply_to(self, domain: TrackedDomainRow) -> TrackedDomainRow:
        aliases = split_names(self.aliases)
        return msgspec.structs.replace(domain, brand_name=self.brand_name.strip() or domain.brand_name, aliases=aliases)

    def with_suggestions(self, found: Sequence[str], note: str | None) -> "SetupFields":
        """Return the fields with suggestions appended to the prompts, without duplicates."""
        prompts = tuple(dict.fromkeys((*self.prompts, *found)))
        suggested = tuple(dict.fromkeys((*self.suggested, *found)))
        return msgspec.structs.replace(self, prompts=prompts, suggested=suggested, note=note)


def initial_fields(domain: TrackedDomainRow, rivals: Sequence[CompetitorInput]) -> SetupFields:
    """Return the prefilled fields; a brand name nobody has chosen yet is written as a name."""
    is_bare = domain.brand_name == first_label(domain.domain)
    return SetupFields(
        brand_name=default_name(domain.domain) if is_bare else domain.brand_name,
        aliases=", ".join(domain.aliases),
        rivals=tuple(SuggestedRival(each.domain, each.name or each.domain, selected=False) for each in rivals),
    )


def read_fields(form: FormMultiDict) -> SetupFields:
    selected = {str(value) for value in form.getall("rival", [])}
    return SetupFields(
        brand_name=str(form.get("brand_name", "")),
        aliases=str(form.get("aliases", "")),
        rivals=tuple(_read_rival(str(value), selected) for value in form.getall("offered", [])[:20]),
        competitors=str(form.get("competitors", "")),
        language=str(form.get("language", "")).strip(),
        countries=str(form.get("countries", "")),
        prompts=tuple(dict.fromkeys(split_lines(str(form.get("prompts", ""))))),
        suggested=tuple(split_lines(str(form.get("suggested", "")))),
    )


def _read_rival(value: str, selected: set[str]) -> SuggestedRival:
    domain, _, name = value.partition("=")
    return SuggestedRival(domain, name, selected=value in selected)


def _find_country(name: str) -> str | None:
    try:
        return read_country(name)
    except ValueError:
        return None


def to_setup_input(fields: SetupFields) -> SetupInput:
    """Return the input of `complete_setup`, which validates everything but countries and lengths.

    Those are validated here: countries are written as names or codes.
    """
    suggested = set(fields.suggested)
    try:
        countries = read_countries(fields.countries)
    except ValueError as error:
        raise invalid_field("countries", str(error), "unknown") from error
    rivals = [{"domain": each.domain, "name": each.name or None} for each in fields.rivals if each.selected]
    values: dict[str, Any] = {
        "brand_name": fields.brand_name,
        "aliases": split_names(fields.aliases),
        "competitors": rivals + [_split_rival(line) for line in split_lines(fields.competitors)],
        "language_code": fields.language,
        "countries": countries,
        "prompts": [text for text in fields.prompts if text not in suggested],
        "suggested": [text for text in fields.prompts if text in suggested],
    }
    try:
        return msgspec.convert(values, SetupInput)
    except msgspec.ValidationError as error:
        message = "a name has 1 to 200 characters; at most 50 other names, 20 competitors, 50 countries and 500 prompts"
        raise invalid_field("setup", message) from error


def _split_rival(line: str) -> dict[str, str | None]:
    domain, _, name = line.partition("=")
    return {"domain": domain.strip(), "name": name.strip() or None}


def to_brands(rivals: Sequence[CompetitorInput]) -> list[Brand]:
    return [Brand(each.name, (), (each.domain,)) if each.name else brand_from_domain(each.domain) for each in rivals]
