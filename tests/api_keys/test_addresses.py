"""Networks of a key: what is accepted, and which addresses are in them."""

from ipaddress import ip_network

import pytest

from sightline.api_keys.addresses import MAX_NETWORKS, is_allowed, is_within, parse_networks
from sightline.errors import Problem

NETWORKS = [ip_network("203.0.113.0/24"), ip_network("2001:db8::/32")]


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("203.0.113.7", True),
        ("203.0.114.7", False),
        ("::ffff:203.0.113.7", True),  # how a socket for both families writes an IPv4 address
        ("::ffff:198.51.100.1", False),
        ("2001:db8:1::9", True),
        ("2001:db9::9", False),
        ("unknown", False),
        ("", False),
    ],
)
def test_an_address_is_in_one_of_the_networks(address, allowed):
    assert is_allowed(address, NETWORKS) is allowed
    assert is_allowed(address, []), "without networks every address is allowed"


def test_a_single_address_is_a_network_and_repetitions_are_dropped():
    found = parse_networks([" 203.0.113.7 ", "203.0.113.7/32", "2001:db8::1"])
    assert [str(network) for network in found] == ["203.0.113.7/32", "2001:db8::1/128"]


@pytest.mark.parametrize("text", ["", "acme.com", "203.0.113.7/24", "203.0.113.0/33", "fe80::1%eth0", "1.2.3"])
def test_what_is_no_network_is_refused_by_name(text):
    with pytest.raises(Problem) as refused:
        parse_networks(["203.0.113.0/24", text])
    (error,) = refused.value.members["errors"]
    assert error["field"] == "allowed_addresses[1]" and error["message"].endswith(f"not “{text}”")
    with pytest.raises(Problem):
        parse_networks(["203.0.113.7"] * (MAX_NETWORKS + 1))


def test_a_network_is_within_others():
    assert is_within(ip_network("203.0.113.128/25"), NETWORKS)
    assert is_within(ip_network("2001:db8:1::/48"), NETWORKS)
    assert not is_within(ip_network("203.0.112.0/23"), NETWORKS)
    assert not is_within(ip_network("0.0.0.0/0"), NETWORKS)
