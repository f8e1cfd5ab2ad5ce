"""Which addresses a limit per address counts as one."""

import pytest

from sightline.kit.addresses import address_group


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("unknown", "unknown"),
    ],
)
def test_ipv6_counts_by_64_and_ipv4_by_address(address, group):
    assert address_group(address) == group
