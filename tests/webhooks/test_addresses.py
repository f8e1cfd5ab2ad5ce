"""Which addresses may be registered, and ways around the rule that are refused."""
# ruff: noqa: RUF001 - characters that look alike are the subject here

import pytest

from sightline.errors import Problem
from sightline.http.egress import EgressGuard
from sightline.webhooks.addresses import clean_url

STRICT = EgressGuard(https_only=True)
LENIENT = EgressGuard(https_only=True, allow_loopback=True)

BYPASSES = [
    # not https, or not a URL
    "http://acme.com/", "ftp://acme.com/", "file:///etc/passwd", "javascript:alert(1)", "acme.com", "//acme.com/", "",
    "https:", "https://", "https:///x", "https:acme.com", "https:/acme.com", "gopher://acme.com/", "wss://acme.com/",
    # this machine and private networks, as addresses
    "https://127.0.0.1/", "https://127.9.9.9/", "https://[::1]/", "https://0.0.0.0/", "https://[::]/",
    "https://10.0.0.1/", "https://192.168.0.1/", "https://172.16.0.1/", "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data", "https://[fd00:ec2::254]/", "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/", "https://224.0.0.1/", "https://255.255.255.255/",
    # in other spellings
    "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/",
    "https://127.0.1/", "https://0/", "https://0x0/", "https://00000177.1/", "https://1.2.3.4.5/", "https://a.0x7f/",
    "https://2852039166/", "https://0xa9fea9fe/", "https://169.254.43518/", "https://0251.0376.0251.0376/",
    # embedded in an IPv6 address
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::127.0.0.1]/", "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::a9fe:a9fe]/", "https://[2002:7f00:1::]/", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "https://[fec0::1]/", "https://[::ffff:0:127.0.0.1]/",
    # as names
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/", "https://intranet/",
    "https://127.0.0.1./", "https://acme.com./", "https://.acme.com/", "https://acme..com/", "https://-/",
    # look-alikes: digits, dots and letters of other scripts
    "https://１２７.０.０.１/", "https://127。0。0。1/", "https://①②⑦.⓪.⓪.①/", "https://ⓛocalhost/", "https://١٢٧.0.0.1/",
    "https://loc\u00adalhost/", "https://acme\u200b.com/",
    # percent-encoded hosts
    "https://%31%32%37.0.0.1/", "https://127.0.0.1%2f.acme.com/", "https://acme.com%00/", "https://%6cocalhost/",
    # user names, ports, fragments
    "https://user@acme.com/", "https://user:word@acme.com/", "https://@acme.com/", "https://:@acme.com/",
    "https://acme.com@127.0.0.1/", "https://127.0.0.1\\@acme.com/", "https://acme.com:80/", "https://acme.com:8443/",
    "https://acme.com:22/", "https://acme.com:+443/", "https://acme.com:４４３/", "https://acme.com:/",
    "https://acme.com:99999/", "https://acme.com:-1/", "https://acme.com/#x", "https://acme.com/#", "https://acme.com#",
    # characters that are read differently here and there
    "https://acme.com\t/", "https://ac\tme.com/", "https://acme.com/\r\nHost: x", " https://acme.com/",
    "https://acme.com/ ", "https://acme.com/a b", "https://acme.com\\.evil.com/", "https://[::1", "https://[v1.acme]/",
    "https://acme .com/", "https://acme.com/\x7f", "https://acme,com/", "https://acme.com;x/",
]  # fmt: skip


@pytest.mark.parametrize("url", BYPASSES)
def test_urls_that_try_to_bypass_the_checks_are_refused(url):
    with pytest.raises(Problem) as refused:
        clean_url(url, STRICT)
    assert refused.value.code == "invalid_webhook_url"
    assert refused.value.members["errors"][0]["field"] == "url"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("https://acme.com", "https://acme.com"),
        ("https://hooks.acme.com/a/b?c=d&e", "https://hooks.acme.com/a/b?c=d&e"),
        ("HTTPS://Hooks.ACME.com/Path", "https://hooks.acme.com/Path"),
        ("https://acme.com:443/x", "https://acme.com/x"),
        ("https://bücher.de/ü", "https://xn--bcher-kva.de/%C3%BC"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"),
        ("https://acme.com/a%2Fb?x=%26", "https://acme.com/a%2Fb?x=%26"),
        ("https://acme.com/@user", "https://acme.com/@user"),
        ("https://my_hooks.acme.com/", "https://my_hooks.acme.com/"),
    ],
)
def test_a_public_https_address_is_kept_in_the_form_in_which_it_is_sent(given, sent):
    assert clean_url(given, STRICT) == sent
    assert clean_url(sent, STRICT) == sent


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9000/x", "http://localhost:3000/", "http://[::1]:8080/", "https://localhost:8443/",
        "http://127.8.8.8/", "http://hooks.localhost:81/", "http://[::ffff:127.0.0.1]:5000/",
    ],
)  # fmt: skip
def test_http_to_loopback_on_any_port_where_the_operator_allows_it(url):
    assert clean_url(url, LENIENT).startswith(url.partition("://")[0])
    with pytest.raises(Problem):
        clean_url(url, STRICT)


@pytest.mark.parametrize(
    "url",
    [
        "http://acme.com/", "http://10.0.0.1/", "https://10.0.0.1/", "http://169.254.169.254/", "https://acme.com:8443/",
        "http://intranet/", "http://0.0.0.0:9000/", "http://[::]:9000/", "http://localhost.acme.com/", "http://2130706433/",
        "http://user@localhost/", "http://localhost:9000/#x", "http://127.0.0.1.:9000/", "http://8.8.8.8:9000/",
    ],
)  # fmt: skip
def test_allowing_loopback_allows_nothing_else(url):
    with pytest.raises(Problem):
        clean_url(url, LENIENT)
