"""Profile pages: pages of review sites about one company, on which no other company can be listed. Pure."""

import re
from collections.abc import Collection, Iterator

from sightline.domains.names import first_label, registrable_domain
from sightline.scans.sources import classify_site

# The path of a profile, by the name of the site, which has a domain in many countries. The group is the company.
_PROFILES = {
    site: re.compile(rf"(?:^|/){path}")
    for site, path in {
        "bbb": r"profile/[^/]+/([^/]+)",
        "capterra": r"(?:p|software|reviews)/\d+/([^/]+)",
        "clutch": r"profile/([^/]+)",
        "comparably": r"companies/([^/]+)",
        "crozdesk": r"software/([^/]+)",
        "ekomi": r"bewertungen-([^/]+)",
        "feefo": r"reviews/([^/]+)",
        "g2": r"(?:products|sellers)/([^/]+)",
        "gartner": r"reviews/(?:market/[^/]+/vendor|product)/([^/]+)",
        "getapp": r"a/([^/]+)",
        "glassdoor": r"(?:reviews|overview)/([^/]+-(?:reviews-e|ei_ie)\d[^/]*)",
        "goodfirms": r"(?:company|software)/([^/]+)",
        "omr": r"reviews/product/([^/]+)",
        "peerspot": r"products/([^/]+)-reviews",
        "producthunt": r"(?:products|posts)/([^/]+)",
        "reviews": r"company-reviews/store/([^/]+)",
        "saasworthy": r"product/([^/]+)",
        "selecthub": r"p/[^/]+/([^/]+)",
        "sitejabber": r"reviews/([^/]+)",
        "slashdot": r"software/p/([^/]+)",
        "softwareadvice": r"((?<=product/)\d+-[^/]+|[^/]+(?=-profile(?:/|$)))",
        "sourceforge": r"software/product/([^/]+)",
        "tripadvisor": r"((?:airline|attraction|hotel|restaurant)_review-[^/]+)",
        "trustedshops": r"(?:bewertung|evaluation|reviews)/info_([^/]+)",
        "trustpilot": r"review/([^/]+)",
        "trustradius": r"products/([^/]+)",
        "yelp": r"biz/([^/]+)",
    }.items()
}
# Words around the company that announce other companies: "g2.com/products/acme/competitors/alternatives".
_OTHERS = re.compile(
    r"(?:^|[^a-z])(?:alternatives?|best|categor(?:y|ies)|compar[a-z]*|competitors?|top|versus|vs)(?![a-z])"
)
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}")


def is_profile_page(url: str, names: Collection[str] = ()) -> bool:
    """Return whether an address without a scheme is that of a profile page: "trustpilot.com/review/acme.com".

    Well-known sites are recognized by their paths. On any other review site, a part of the path must be a domain or one
    of these names of brands.
    """
    host, _, path = url.lower().partition("/")
    path = path.partition("?")[0]
    return any(not _OTHERS.search(f"{path[:start]} {path[end:]}") for start, end in _find_companies(host, path, names))


def _find_companies(host: str, path: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Find the parts of a path that are a company."""
    site = registrable_domain(host) or host
    profile = _PROFILES.get(first_label(site))
    if profile is not None:
        found = profile.search(path)
        if found is not None:
            yield found.span(1)
    elif classify_site(site) == "review":
        known = {_to_key(name) for name in names} - {""}
        for part in re.finditer(r"[^/]+", path):
            if _to_key(part[0]) in known or (_HOST.fullmatch(part[0]) and registrable_domain(part[0])):
                yield part.span()


def _to_key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())
