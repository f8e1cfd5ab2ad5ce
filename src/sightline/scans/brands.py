"""The brands that a scan measures: the brand of a domain and its competitors, with the names to find in answers."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from sightline.answers.corrections import Correction
from sightline.answers.models import Brand
from sightline.competitors.models import CompetitorRow
from sightline.domains.models import Competitor, TrackedDomainRow
from sightline.domains.names import InvalidDomainName, clean_domain, first_label

MAX_NAME_LENGTH = 100


class MeasuredBrands(msgspec.Struct, frozen=True):
    """The measured brand and its competitors, stored with the scan: later changes to the domain do not affect it.

    `corrections` are what users corrected in the answers of the scan, by the id of the answer. `category` is what the
    brand sells, for the suggestion of prompts.
    """

    brand: Brand
    competitors: tuple[Brand, ...] = ()
    corrections: dict[str, tuple[Correction, ...]] = {}
    category: str | None = None

    @property
    def listed(self) -> tuple[Brand, ...]:
        """Return all brands, the measured one first."""
        return (self.brand, *self.competitors)


def default_name(domain: str) -> str:
    """Return the registered label with a capital: names in lower case look like ordinary words."""
    label = first_label(domain)
    return label[:1].upper() + label[1:]


def brand_from_domain(domain: str, *, as_entered: str | None = None) -> Brand:
    """Build a brand from its domain alone. The domain as it was entered also counts as its name."""
    return Brand(default_name(domain), (as_entered or domain,), (domain,))


def read_named_brand(text: str, *, livemode: bool) -> Brand:
    """Return the brand of NAME, NAME=domain or a domain. A name alone owns no pages, so nothing counts as cited.

    Raises `ValueError` with a sentence.
    """
    name, sign, domain = text.rpartition("=")
    if not sign:
        try:  # a domain alone names its owner, too
            return brand_from_domain(clean_domain(domain, livemode=livemode), as_entered=clean_brand_name(domain))
        except InvalidDomainName:
            return Brand(clean_brand_name(domain))
    try:
        return Brand(clean_brand_name(name), (), (clean_domain(domain, livemode=livemode),))
    except InvalidDomainName as error:
        raise ValueError(f"{domain!r} is not a domain: {error}. Write NAME or NAME=domain.") from error


def clean_brand_name(text: str) -> str:
    """Return the name with single spaces. Raises `ValueError` for an empty or a very long one."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise ValueError(f"needs a name of 1 to {MAX_NAME_LENGTH} characters.")
    return name


def build_console_brands(
    domain: str,
    brand_name: str,
    aliases: Iterable[str],
    owned_domains: Iterable[str],
    competitors: Iterable[Competitor],
) -> MeasuredBrands:
    """Build the brands of a Console domain. A brand name that is only the first label is matched with a capital."""
    brand = _measured_brand(domain, brand_name, aliases, owned_domains)
    brands = (
        Brand(each.name, (), (each.domain,)) if each.name else brand_from_domain(each.domain) for each in competitors
    )
    return MeasuredBrands(brand, _merge_competitors(brand, brands))


def build_tracked_brands(
    domain: TrackedDomainRow, competitors: Sequence[CompetitorRow], exclusions: Sequence[str] = ()
) -> MeasuredBrands:
    """Build the brands of a tracked domain and its confirmed competitors.

    `exclusions` are phrases in which a name of the brand means something else. A competitor is matched by its domain,
    by the name that its own site declares and by those that users gave it. If users gave it none, it is also matched
    by the name in its domain, such as Trello for trello.com, which is never shown.
    """
    brand = _measured_brand(domain.domain, domain.brand_name, domain.aliases, domain.owned_domains, exclusions)
    own = _names_of(brand)
    derived = _derive_names(competitors, own)
    rivals = []
    for each in competitors:
        if each.competitor_domain is None:
            continue  # found by name alone, so it is not confirmed
        shown, *others = [name for name in each.all_names if name.casefold() not in own] or [each.competitor_domain]
        others += derived.get(each.competitor_domain, ())
        rivals.append(Brand(shown, tuple(others), (each.competitor_domain,)))
    return MeasuredBrands(brand, _merge_competitors(brand, rivals))


def _derive_names(competitors: Sequence[CompetitorRow], own: Collection[str]) -> dict[str, list[str]]:
    """Return the name in each competitor's domain, where users gave no name and no other brand has this one."""
    nameless = [each.competitor_domain for each in competitors if each.competitor_domain and not each.names]
    labels = Counter(default_name(domain).casefold() for domain in nameless)
    known = {*own, *(name.casefold() for each in competitors for name in each.all_names)}
    names = {domain: default_name(domain) for domain in nameless}
    return {
        domain: [name]
        for domain, name in names.items()
        if name.casefold() not in known and labels[name.casefold()] == 1
    }


def _measured_brand(
    domain: str,
    brand_name: str,
    aliases: Iterable[str],
    owned_domains: Iterable[str],
    exclusions: Iterable[str] = (),
) -> Brand:
    name = default_name(domain) if brand_name == first_label(domain) else brand_name
    return Brand(name, tuple(aliases), (domain, *owned_domains), exclusions=tuple(exclusions))


def _names_of(brand: Brand) -> set[str]:
    return {name.casefold() for name in (brand.name, *brand.aliases)}


def _merge_competitors(brand: Brand, rivals: Iterable[Brand]) -> tuple[Brand, ...]:
    """Merge competitors of the same name into one brand with several domains.

    A competitor with a name of the measured brand is matched by its domain: answers could not tell the two apart.
    """
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
