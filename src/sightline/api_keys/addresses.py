"""The addresses from which a key works: networks in CIDR notation, and whether an address is in one of them."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from sightline.errors import FaultCollector, invalid_field

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

MAX_NETWORKS = 50


def parse_networks(texts: Sequence[str]) -> list[Network]:
    """Return the networks without repetitions; a single address is a network of one. Refused: anything else (422)."""
    if len(texts) > MAX_NETWORKS:
        message = f"must have at most {MAX_NETWORKS} entries; it has {len(texts)}"
        raise invalid_field("allowed_addresses", message, "too_many")
    faults = FaultCollector()
    networks: dict[Network, None] = {}
    for index, text in enumerate(texts):
        try:
            # A zone names an interface of one machine.
            networks[ip_network("" if "%" in text else text.strip())] = None
        except ValueError:
            message = "must be an address or a network such as 203.0.113.0/24 or 2001:db8::/32"
            faults.add(f"allowed_addresses[{index}]", f"{message}, not “{text[:60]}”")
    faults.raise_if_any()
    return list(networks)


def parse_address(text: str) -> Address | None:
    """Return a client's address, or None when it is not known. An IPv4 address in IPv6 form is the IPv4 address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def is_allowed(client_address: str, networks: Iterable[Network]) -> bool:
    """Return whether a key with these networks works from the address. Without networks it works from everywhere."""
    allowed = list(networks)
    address = parse_address(client_address)
    return not allowed or (address is not None and any(address in network for network in allowed))


def is_within(network: Network, outer: Iterable[Network]) -> bool:
    """Return whether every address of the network is in one of the outer ones."""
    return any(
        network.version == each.version and network.subnet_of(each)  # type: ignore[arg-type]
        for each in outer
    )
