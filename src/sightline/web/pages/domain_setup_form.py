"""The fields of the setup form, from their defaults to the input of `complete_setup`. Pure."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import first_label
from sightline.errors import FaultCollector, invalid_field
from sightline.onboarding.setup import SetupInput
from sightline.onboarding.site_profile import SiteProfile
from sightline.prompts.identity import clean_prompt
from sightline.prompts.market_names import read_countries, read_country
from sightline.scans.brands import default_name
from sightline.scans.suggest import SuggestedPrompts
from sightline.web.form_parsing import FormFields
from sightline.web.forms import split_lines, split_names

_DEFAULT_LANGUAGE = "en"
_MAX_SUGGESTIONS = 200
_LENGTHS = {
    "brand_name": "must have 1 to 200 characters",
    "aliases": "at most 50 names, each of at most 200 characters",
    "countries": "at most 50 countries",
    "competitors": "at most 20 websites",
    "prompts": "at most 500 prompts",
}


class SetupFields(msgspec.Struct, frozen=True, kw_only=True):
    """What the form holds. All of it travels with the form; nothing is stored before the setup is complete."""

    brand_name: str
    aliases: str
    language: str = _DEFAULT_LANGUAGE
    countries: str = ""
    category: str = ""
    """What the brand sells: suggested prompts ask about it."""
    competitors: str = ""
    """Their websites, comma-separated."""
    suggestions: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    """The suggestions that are ticked."""
    own_prompts: tuple[str, ...] = ()
    platforms: tuple[str, ...] | None = None
    """None stands for all that are offered."""
    note: str | None = None
    """Why some suggestions are general ones."""
    is_waiting: bool = False
    """Whether a platform has been asked for prompts and has not answered yet."""

    @property
    def prompts(self) -> list[str]:
        """Return the prompts that the setup would track in each country."""
        return list(dict.fromkeys((*self.accepted, *self.own_prompts)))

    @property
    def country_codes(self) -> list[str]:
        """Return the codes of the countries, without those that cannot be read."""
        try:
            return read_countries(self.countries)
        except ValueError:
            return [code for name in split_names(self.countries) if (code := _find_country(name))]

    def apply_to(self, domain: TrackedDomainRow) -> TrackedDomainRow:
        aliases = split_names(self.aliases)
        return msgspec.structs.replace(domain, brand_name=self.brand_name.strip() or domain.brand_name, aliases=aliases)

    def with_suggestions(self, found: SuggestedPrompts | None) -> "SetupFields":
        """Return the fields with more suggestions, ticked and without duplicates; None is still awaited."""
        if found is None:
            return msgspec.structs.replace(self, is_waiting=True)
        known = {*self.suggestions, *self.own_prompts}
        new = tuple(text for text in dict.fromkeys(found.prompts) if text not in known)
        return msgspec.structs.replace(
            self,
            brand_name=found.brand_name or self.brand_name,
            category=self.category or found.category or "",
            competitors=self.competitors or ", ".join(found.rivals),
            suggestions=self.suggestions + new,
            accepted=self.accepted + new,
            note=found.note,
        )


def initial_fields(domain: TrackedDomainRow, site: SiteProfile, category: str) -> SetupFields:
    """Return the prefilled fields. A name that nobody has chosen is the one that the site declares, or the domain's."""
    is_bare = domain.brand_name == first_label(domain.domain)
    return SetupFields(
        brand_name=(site.name or default_name(domain.domain)) if is_bare else domain.brand_name,
        aliases=", ".join(domain.aliases),
        language=site.language or _DEFAULT_LANGUAGE,
        category=category,
    )


def read_fields(form: FormFields, *, is_sandbox: bool) -> SetupFields:
    """Return the fields. Samples of a sandbox that has ended meanwhile are dropped: they are not live suggestions."""
    is_outdated = "samples" in form and not is_sandbox
    return SetupFields(
        brand_name=str(form.get("brand_name", "")),
        aliases=str(form.get("aliases", "")),
        language=str(form.get("language", "")).strip(),
        countries=str(form.get("countries", "")),
        category=str(form.get("category", "")),
        competitors=str(form.get("competitors", "")),
        suggestions=() if is_outdated else _read_prompts(form.getlist("suggestion")),
        accepted=() if is_outdated else _read_prompts(form.getlist("accepted")),
        own_prompts=tuple(dict.fromkeys(split_lines(str(form.get("prompts", ""))))),
        platforms=tuple(map(str, form.getlist("platform"))) if "choose_platforms" in form else None,
    )


def _read_prompts(given: Sequence[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, given)))[:_MAX_SUGGESTIONS]


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
    values: dict[str, Any] = {
        "brand_name": fields.brand_name,
        "aliases": split_names(fields.aliases),
        "competitors": [{"domain": each} for each in split_names(fields.competitors)],
        "language_code": fields.language,
        "countries": countries,
        "prompts": list(fields.own_prompts),
        "suggested": list(fields.accepted),
        "platforms": fields.platforms,
        "category": fields.category,
    }
    try:
        return msgspec.convert(values, SetupInput)
    except msgspec.ValidationError as error:
        found = re.search(r"\$\.(\w+)", str(error))
        field = {"suggested": "prompts"}.get(found[1], found[1]) if found else "setup"
        raise invalid_field(field, _LENGTHS.get(field, "cannot be read"), "length") from error
