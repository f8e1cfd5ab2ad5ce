"""Network addresses of callers."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network


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
