"""Network addresses of callers, and addresses of pages."""

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

# Parameters that say where a visitor comes from, and nothing about the page.
_TRACKING = re.compile(
    r"(?:utm_\w*|mtm_\w*|pk_\w*|hsa_\w*|gad_\w*|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|"
    r"ttclid|li_fat_id|srsltid|igshid|mibextid|epik|irclickid|mkt_tok|mc_cid|mc_eid|_hsenc|_hsmi|_ga|_gl|_gsid|_pos|_sid|"
    r"_ss|_psq|_fid|ref|ref_|ref_src|spm)",
    re.IGNORECASE,
)


@lru_cache(4_096)
def address_group(address: str) -> str:
    """Return the unit of limits per address: an IPv4 address, or the /64 of an IPv6 one, which is one customer's.

    Anything else, such as the name of a socket, is returned unchanged.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, 64), strict=False))


def is_loopback(host: str) -> bool:
    """Return whether an address or a host name means this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def strip_tracking(query: str) -> str:
    """Return the query of an address without what differs between visits to the same page."""
    query = query.replace("&amp;", "&")
    return "&".join(item for item in query.split("&") if item and not _TRACKING.fullmatch(item.partition("=")[0]))
