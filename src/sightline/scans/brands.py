"""Whom a check measures: the brand behind a domain, and its competitors, as they are looked for in answers."""

from collections.abc import Iterable

import msgspec

from sightline.answers.models import Brand
from sightline.domains.models import Competitor
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
    name = default_name(domain) if brand_name == first_label(domain) else brand_name
    brand = Brand(name, tuple(aliases), (domain, *owned_domains))
    return Measured(brand, _rivals(brand, competitors))


def _rivals(brand: Brand, competitors: Iterable[Competitor]) -> tuple[Brand, ...]:
    """One brand per name: competitors under one name are one rival with several domains. A rival whose name would be
    the measured brand's own is known by its domain, for answers could not tell the two apart."""
    taken = {name.casefold() for name in (brand.name, *brand.aliases)}
    found: dict[str, Brand] = {}
    for each in competitors:
        rival = Brand(each.name, (), (each.domain,)) if each.name else name_of_domain(each.domain)
        if rival.name.casefold() in taken:
            rival = Brand(each.domain, (), (each.domain,))
        key = rival.name.casefold()
        if (known := found.get(key)) is not None:
            rival = Brand(
                known.name,
                tuple(dict.fromkeys((*known.aliases, *rival.aliases))),
                tuple(dict.fromkeys((*known.domains, *rival.domains))),
            )
        found[key] = rival
    return tuple(found.values())
