"""What is typed into the one form of the set-up, from its first filling to what the feature takes. Pure."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.datastructures import FormMultiDict

from sightline.answers.models import Brand
from sightline.domains.models import TrackedDomain
from sightline.domains.names import first_label
from sightline.domains.schemas import CompetitorInput
from sightline.errors import invalid_field
from sightline.onboarding.setup import SetupInput
from sightline.scans.brands import default_name, name_of_domain
from sightline.web.forms import split_lines, split_names

_LANGUAGE = "en"


class Rival(msgspec.Struct, frozen=True):
    """A suggested competitor, chosen or not."""

    domain: str
    name: str
    chosen: bool

    @property
    def value(self) -> str:
        return f"{self.domain}={self.name}"


class Typed(msgspec.Struct, frozen=True, kw_only=True):
    brand_name: str
    aliases: str
    rivals: tuple[Rival, ...] = ()
    """Those that we suggest."""
    competitors: str = ""
    """Others, one to a line: `globex.com`, or `globex.com = Globex`."""
    language: str = _LANGUAGE
    countries: str = ""
    prompts: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    """What we suggested so far: a prompt of them that is still there is recorded as suggested."""
    note: str | None = None

    @property
    def country_codes(self) -> list[str]:
        return list(dict.fromkeys(code.upper() for code in split_names(self.countries.replace(" ", ","))))

    def apply_to(self, domain: TrackedDomain) -> TrackedDomain:
        aliases = split_names(self.aliases)
        return msgspec.structs.replace(domain, brand_name=self.brand_name.strip() or domain.brand_name, aliases=aliases)

    def with_suggestions(self, found: Sequence[str], note: str | None) -> "Typed":
        """Behind what is there already, each text once."""
        prompts = tuple(dict.fromkeys((*self.prompts, *found)))
        suggested = tuple(dict.fromkeys((*self.suggested, *found)))
        return msgspec.structs.replace(self, prompts=prompts, suggested=suggested, note=note)


def first_form(domain: TrackedDomain, rivals: Sequence[CompetitorInput]) -> Typed:
    """The bare first label, which nobody chose, is shown as a name is written."""
    is_bare = domain.brand_name == first_label(domain.domain)
    return Typed(
        brand_name=default_name(domain.domain) if is_bare else domain.brand_name,
        aliases=", ".join(domain.aliases),
        rivals=tuple(Rival(each.domain, each.name or each.domain, chosen=True) for each in rivals),
    )


def read_typed(form: FormMultiDict) -> Typed:
    chosen = {str(value) for value in form.getall("rival", [])}
    return Typed(
        brand_name=str(form.get("brand_name", "")),
        aliases=str(form.get("aliases", "")),
        rivals=tuple(_read_rival(str(value), chosen) for value in form.getall("offered", [])[:20]),
        competitors=str(form.get("competitors", "")),
        language=str(form.get("language", "")).strip(),
        countries=str(form.get("countries", "")),
        prompts=tuple(dict.fromkeys(split_lines(str(form.get("prompts", ""))))),
        suggested=tuple(split_lines(str(form.get("suggested", "")))),
    )


def _read_rival(value: str, chosen: set[str]) -> Rival:
    domain, _, name = value.partition("=")
    return Rival(domain, name, chosen=value in chosen)


def read_setup(typed: Typed) -> SetupInput:
    """As the feature takes it; it checks everything but the lengths, which are checked here."""
    suggested = set(typed.suggested)
    rivals = [{"domain": each.domain, "name": each.name or None} for each in typed.rivals if each.chosen]
    given: dict[str, Any] = {
        "brand_name": typed.brand_name,
        "aliases": split_names(typed.aliases),
        "competitors": rivals + [_split_rival(line) for line in split_lines(typed.competitors)],
        "language_code": typed.language,
        "countries": typed.country_codes,
        "prompts": [text for text in typed.prompts if text not in suggested],
        "suggested": [text for text in typed.prompts if text in suggested],
    }
    try:
        return msgspec.convert(given, SetupInput)
    except msgspec.ValidationError as error:
        message = "a name has 1 to 200 characters; at most 50 other names, 20 competitors, 50 countries and 500 prompts"
        raise invalid_field("setup", message) from error


def _split_rival(line: str) -> dict[str, str | None]:
    domain, _, name = line.partition("=")
    return {"domain": domain.strip(), "name": name.strip() or None}


def to_brands(rivals: Sequence[CompetitorInput]) -> list[Brand]:
    return [Brand(each.name, (), (each.domain,)) if each.name else name_of_domain(each.domain) for each in rivals]
