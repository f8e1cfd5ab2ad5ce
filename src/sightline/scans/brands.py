"""Whom a check measures: the brand behind a domain, and its competitors, as they are looked for in answers."""

from collections.abc import Iterable, Sequence

import msgspec

from sightline.answers.models import Brand
from sightline.competitors.models import CompetitorRow
from sightline.domains.models import Competitor, TrackedDomainRow
from sightline.domains.names import first_label


class Measured(msgspec.Struct, frozen=True):
    """Frozen with the scan: a domain that is changed later changes no scan that was accepted before."""

    brand: Brand
    competitors: tuple[Brand, ...] = ()


def default_name(domain: str) -> str:
    """The label that was registered, as a name is written: names in small letters look like ordinary words."""
    label = first_label(domain)
    return label[:1].upper() + label[1:]


def name_of_domain(domain: str, *, as_given: str | None = None) -> Brand:
    """A brand of which only the domain is known: the domain, as it was given, names its owner, too."""
    return Brand(default_name(domain), (as_given or domain,), (domain,))


def measure_domain(
    domain: str,
    brand_name: str,
    aliases: Iterable[str],
    owned_domains: Iterable[str],
    competitors: Iterable[Competitor],
) -> Measured:
    """The brand of a domain's record. The bare first label, which nobody chose, is looked for with its capital."""
    brand = _measured_brand(domain, brand_name, aliases, owned_domains)
    given = (Brand(each.name, (), (each.domain,)) if each.name else name_of_domain(each.domain) for each in competitors)
    return Measured(brand, _rivals(brand, given))


def measure_tracked(domain: TrackedDomainRow, competitors: Sequence[CompetitorRow]) -> Measured:
    """The brand of a tracked domain, and its confirmed competitors.

    A competitor is known by the name that its own site declares and by those that people gave it. Until it has any, it
    is known by its domain alone: a name is never made of the first label.
    """
    brand = _measured_brand(domain.domain, domain.brand_name, domain.aliases, domain.owned_domains)
    own = _names_of(brand)
    rivals = []
    for each in competitors:
        if each.competitor_domain is None:
            continue  # found by name alone, so nobody has confirmed it
        shown, *others = [name for name in each.all_names if name.casefold() not in own] or [each.competitor_domain]
        rivals.append(Brand(shown, tuple(others), (each.competitor_domain,)))
    return Measured(brand, _rivals(brand, rivals))


def _measured_brand(domain: str, brand_name: str, aliases: Iterable[str], owned_domains: Iterable[str]) -> Brand:
    name = default_name(domain) if brand_name == first_label(domain) else brand_name
    return Brand(name, tuple(aliases), (domain, *owned_domains))


def _names_of(brand: Brand) -> set[str]:
    return {name.casefold() for name in (brand.name, *brand.aliases)}


def _rivals(brand: Brand, rivals: Iterable[Brand]) -> tuple[Brand, ...]:
    """One brand per name: competitors under one name are one rival with several domains. A rival whose name would be
    the measured brand's own is known by its domain, for answers could not tell the two apart."""
    taken = _names_of(brand)
    found: dict[str, Brand] = {}
    for each in rivals:
        rival = Brand(each.domains[0], (), each.domains) if each.name.casefold() in taken else each
        key = rival.name.casefold()
        if (known := found.get(key)) is not None:
            rival = Brand(
                known.name,
                tuple(dict.fromkeys((*known.aliases, *rival.aliases))),
                tuple(dict.fromkeys((*known.domains, *rival.domains))),
            )
        found[key] = rival
    return tuple(found.values())
