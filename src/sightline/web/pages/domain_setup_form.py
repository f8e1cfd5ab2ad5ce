"""The fields of the setup form, from their defaults to the input of `complete_setup`. Pure."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from sightline.answers.models import Brand
from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import first_label
from sightline.domains.schemas import CompetitorInput
from sightline.errors import FaultCollector, invalid_field
from sightline.onboarding.setup import SetupInput
from sightline.onboarding.site_profile import SiteProfile
from sightline.prompts.identity import clean_prompt
from sightline.prompts.market_names import read_countries, read_country
from sightline.scans.brands import brand_from_domain, default_name
from sightline.web.form_parsing import FormFields
from sightline.web.forms import split_lines, split_names

_DEFAULT_LANGUAGE = "en"
_MAX_SUGGESTIONS = 200
_LENGTHS = {
    "brand_name": "must have 1 to 200 characters",
    "aliases": "at most 50 names, each of at most 200 characters",
    "competitors": "at most 20 competitors, each with a name of at most 200 characters",
    "countries": "at most 50 countries",
    "prompts": "at most 500 prompts",
}
_read_profile = msgspec.json.Decoder(SiteProfile).decode


class Choice(msgspec.Struct, frozen=True):
    """Something offered, selected or not: a sample competitor as `domain=name`, or a suggested prompt."""

    value: str
    selected: bool

    @property
    def rival(self) -> CompetitorInput:
        domain, _, name = self.value.partition("=")
        return CompetitorInput(domain, name or None)


class SetupFields(msgspec.Struct, frozen=True, kw_only=True):
    """What the form holds. All of it travels with the form; nothing is stored before the setup is complete."""

    domain: str
    """As typed. If it differs from that of the record, the domain is changed."""
    site: SiteProfile = SiteProfile()
    brand_name: str
    aliases: str
    rivals: tuple[Choice, ...] = ()
    competitors: str = ""
    """Other competitors, one per line and without blank lines: `initech.com`, or `initech.com = Initech`."""
    language: str = _DEFAULT_LANGUAGE
    countries: str = ""
    category: str = ""
    """What the brand sells: suggested prompts ask about it."""
    suggestions: tuple[Choice, ...] = ()
    own_prompts: tuple[str, ...] = ()
    platforms: tuple[str, ...] | None = None
    """None stands for all that are offered."""
    note: str | None = None

    @property
    def chosen_suggestions(self) -> list[str]:
        return [each.value for each in self.suggestions if each.selected]

    @property
    def prompts(self) -> list[str]:
        """Return the prompts that the setup would track in each country."""
        return list(dict.fromkeys((*self.chosen_suggestions, *self.own_prompts)))

    @property
    def country_codes(self) -> list[str]:
        """Return the codes of the countries, without those that cannot be read."""
        try:
            return read_countries(self.countries)
        except ValueError:
            return [code for name in split_names(self.countries) if (code := _find_country(name))]

    @property
    def site_json(self) -> str:
        return msgspec.json.encode(self.site).decode()

    def apply_to(self, domain: TrackedDomainRow) -> TrackedDomainRow:
        aliases = split_names(self.aliases)
        return msgspec.structs.replace(domain, brand_name=self.brand_name.strip() or domain.brand_name, aliases=aliases)

    def with_suggestions(self, found: Sequence[str], note: str | None) -> "SetupFields":
        """Return the fields with more suggestions, selected and without duplicates."""
        known = {each.value for each in self.suggestions} | set(self.own_prompts)
        new = [Choice(text, selected=True) for text in dict.fromkeys(found) if text not in known]
        return msgspec.structs.replace(self, suggestions=(*self.suggestions, *new), note=note)

    def select_all_suggestions(self) -> "SetupFields":
        selected = tuple(Choice(each.value, selected=True) for each in self.suggestions)
        return msgspec.structs.replace(self, suggestions=selected)

    def drop_samples(self) -> "SetupFields":
        """Return the fields without what the sandbox offered: it is selected although nobody has chosen it."""
        return msgspec.structs.replace(self, rivals=(), suggestions=())

    def move_to(
        self, old: TrackedDomainRow, new: TrackedDomainRow, site: SiteProfile, rivals: Sequence[CompetitorInput]
    ) -> "SetupFields":
        """Return the fields for another domain: what was typed or ticked stays, what the old domain filled in goes."""
        filled = initial_fields(new, rivals, site)
        was_filled = initial_fields(old, (), self.site)
        ticked = tuple(each for each in self.rivals if each.selected)
        known = {each.value for each in ticked}
        return msgspec.structs.replace(
            self,
            domain=new.domain,
            site=site,
            brand_name=filled.brand_name if self.brand_name == was_filled.brand_name else self.brand_name,
            aliases=filled.aliases if self.aliases == was_filled.aliases else self.aliases,
            language=filled.language if self.language == was_filled.language else self.language,
            rivals=(*ticked, *(each for each in filled.rivals if each.value not in known)),
            suggestions=tuple(each for each in self.suggestions if each.selected),
        )


def initial_fields(domain: TrackedDomainRow, rivals: Sequence[CompetitorInput], site: SiteProfile) -> SetupFields:
    """Return the prefilled fields. A name that nobody has chosen is the one that the site declares, or the domain's."""
    is_bare = domain.brand_name == first_label(domain.domain)
    return SetupFields(
        domain=domain.domain,
        site=site,
        brand_name=(site.name or default_name(domain.domain)) if is_bare else domain.brand_name,
        aliases=", ".join(domain.aliases),
        language=site.language or _DEFAULT_LANGUAGE,
        rivals=tuple(Choice(f"{each.domain}={each.name or each.domain}", selected=False) for each in rivals),
    )


def read_fields(form: FormFields, domain: TrackedDomainRow) -> SetupFields:
    return SetupFields(
        domain=str(form.get("domain", domain.domain)).strip(),
        site=_read_site(str(form.get("site", ""))),
        brand_name=str(form.get("brand_name", "")),
        aliases=str(form.get("aliases", "")),
        rivals=_read_choices(form, "offered", "rival", most=20),
        competitors="\n".join(split_lines(str(form.get("competitors", "")))),
        language=str(form.get("language", "")).strip(),
        countries=str(form.get("countries", "")),
        category=str(form.get("category", "")),
        suggestions=_read_choices(form, "suggestion", "accepted", most=_MAX_SUGGESTIONS),
        own_prompts=tuple(dict.fromkeys(split_lines(str(form.get("prompts", ""))))),
        platforms=tuple(map(str, form.getlist("platform"))) if "choose_platforms" in form else None,
    )


def _read_choices(form: FormFields, offered: str, selected: str, *, most: int) -> tuple[Choice, ...]:
    chosen = {str(value) for value in form.getlist(selected)}
    values = dict.fromkeys(str(value) for value in form.getlist(offered)[:most])
    return tuple(Choice(value, value in chosen) for value in values)


def _read_site(text: str) -> SiteProfile:
    """Return what was read from the site when the page was first shown; it travels with the form."""
    try:
        return _read_profile(text)
    except msgspec.MsgspecError:
        return SiteProfile()


def _find_country(name: str) -> str | None:
    try:
        return read_country(name)
    except ValueError:
        return None


def require_valid(fields: SetupFields) -> None:
    """Refuse what can be seen to be wrong without the database, all of it at once (422)."""
    faults = FaultCollector()
    if not fields.brand_name.strip():
        faults.add("brand_name", _LENGTHS["brand_name"], "length")
    try:
        read_countries(fields.countries)
    except ValueError as error:
        faults.add("countries", str(error), "unknown")
    if not fields.prompts:
        faults.add("prompts", "choose or write at least one prompt", "required")
    for index, text in enumerate(fields.own_prompts):
        with faults.catch():
            clean_prompt(text, None, None, at=f"prompts[{index}].")
    if fields.platforms is not None and not fields.platforms:
        faults.add("platforms", "choose at least one platform", "required")
    faults.raise_if_any()


def to_setup_input(fields: SetupFields) -> SetupInput:
    """Return the input of `complete_setup`, which validates everything but countries and lengths.

    Those are validated here: countries are written as names or codes.
    """
    try:
        countries = read_countries(fields.countries)
    except ValueError as error:
        raise invalid_field("countries", str(error), "unknown") from error
    rivals = [{"domain": each.rival.domain, "name": each.rival.name} for each in fields.rivals if each.selected]
    values: dict[str, Any] = {
        "brand_name": fields.brand_name,
        "aliases": split_names(fields.aliases),
        # The typed lines come first, so the place of a refused one is its line in the field.
        "competitors": [_split_rival(line) for line in split_lines(fields.competitors)] + rivals,
        "language_code": fields.language,
        "countries": countries,
        "prompts": list(fields.own_prompts),
        "suggested": fields.chosen_suggestions,
        "platforms": fields.platforms,
    }
    try:
        return msgspec.convert(values, SetupInput)
    except msgspec.ValidationError as error:
        found = re.search(r"\$\.(\w+)", str(error))
        field = {"suggested": "prompts"}.get(found[1], found[1]) if found else "setup"
        raise invalid_field(field, _LENGTHS.get(field, "cannot be read"), "length") from error


def _split_rival(line: str) -> dict[str, str | None]:
    domain, _, name = line.partition("=")
    return {"domain": domain.strip(), "name": name.strip() or None}


def to_brands(rivals: Sequence[CompetitorInput]) -> list[Brand]:
    return [Brand(each.name, (), (each.domain,)) if each.name else brand_from_domain(each.domain) for each in rivals]
