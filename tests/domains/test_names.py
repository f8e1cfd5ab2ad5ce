"""Domain names as decisions 3, "Domain object", defines them.

A name "is reduced to its host, lower case, IDNA, without `www.`"; "no IPs, no single labels, no reserved TLDs except
that `.example`/`.test` names are allowed in test mode".
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.domains.names import InvalidDomainName, clean_domain, first_label, registrable_domain
from tests.property_testing import prove

LONGEST = ".".join(["a" * 63] * 3 + ["b" * 57, "com"])  # 253 characters

ACCEPTED = [
    # as it is
    ("acme.com", "acme.com"),
    ("acme.co.uk", "acme.co.uk"),
    ("1.com", "1.com"),
    ("4chan.org", "4chan.org"),
    ("my-shop.com", "my-shop.com"),
    # "A name may come as a URL"
    ("http://acme.com", "acme.com"),
    ("https://acme.com/", "acme.com"),
    ("https://acme.com/a/path.html", "acme.com"),
    ("https://acme.com:8443/a?b=c#d", "acme.com"),
    ("https://acme.com?b=c", "acme.com"),
    ("https://acme.com#d", "acme.com"),
    ("https://acme.com/login?next=https://other.org/x", "acme.com"),
    ("HTTPS://ACME.COM/Path", "acme.com"),
    ("acme.com/pricing", "acme.com"),
    ("acme.com:443", "acme.com"),
    ("acme.com?q=1", "acme.com"),
    ("acme.com/login?next=https://other.org/x", "acme.com"),
    ("acme.com/go/http://other.org", "acme.com"),
    # "or with `www.`"
    ("www.acme.com", "acme.com"),
    ("https://www.acme.com/", "acme.com"),
    ("WWW.Acme.Com", "acme.com"),
    ("www.acme.co.uk", "acme.co.uk"),
    ("www.docs.acme.com", "docs.acme.com"),
    ("www.www.acme.com", "acme.com"),
    ("www.com", "www.com"),  # here `www` is the registered label
    ("www2.acme.com", "www2.acme.com"),
    ("wwwacme.com", "wwwacme.com"),
    # "a host below a registrable domain stays as it is"
    ("docs.acme.com", "docs.acme.com"),
    ("a.b.c.acme.co.uk", "a.b.c.acme.co.uk"),
    ("acme.github.io", "acme.github.io"),
    ("blog.acme.github.io", "blog.acme.github.io"),
    ("city.kawasaki.jp", "city.kawasaki.jp"),  # an exception of the public suffix list
    # white space around, a dot at the end
    (" acme.com ", "acme.com"),
    ("acme.com\n", "acme.com"),
    ("\tacme.com", "acme.com"),
    ("acme.com.", "acme.com"),
    ("https://www.acme.com./x", "acme.com"),
    # "lower case, IDNA"
    ("Bücher.de", "xn--bcher-kva.de"),
    ("BÜCHER.DE", "xn--bcher-kva.de"),
    ("bu\N{COMBINING DIAERESIS}cher.de", "xn--bcher-kva.de"),
    ("xn--bcher-kva.de", "xn--bcher-kva.de"),
    ("XN--BCHER-KVA.DE", "xn--bcher-kva.de"),
    ("https://www.bücher.de/regal", "xn--bcher-kva.de"),
    ("faß.de", "xn--fa-hia.de"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
    ("münchen.test-shop.com", "xn--mnchen-3ya.test-shop.com"),
    ("例え.jp", "xn--r8jz45g.jp"),
    ("ＡＣＭＥ.com", "acme.com"),  # noqa: RUF001 - full-width letters
    ("ｗｗｗ．ａｃｍｅ．ｃｏｍ", "acme.com"),  # noqa: RUF001 - and dots
    ("acme。com", "acme.com"),
    ("acme．com", "acme.com"),  # noqa: RUF001 - full-width full stop
    ("acme｡com", "acme.com"),
    ("acme.com。", "acme.com"),
    ("acme.com．", "acme.com"),  # noqa: RUF001 - full-width full stop
    ("ac\N{SOFT HYPHEN}me.com", "acme.com"),
    ("ac\N{ZERO WIDTH SPACE}me.com", "acme.com"),
    ("①.com", "1.com"),
    # capitals fold one by one, as browsers do: not by the rule for a sigma at the end of a word
    ("ΟΔΟΣ-ΕΛ.gr", "xn----4lbeyqb2a.gr"),
    ("οδοσ-ελ.gr", "xn----4lbeyqb2a.gr"),
    # length
    ("a" * 63 + ".com", "a" * 63 + ".com"),
    (LONGEST, LONGEST),
]

REFUSED = {
    "nothing": [
        "",
        " ",
        "\n",
        "\u3000",
        "http://",
        "https://",
        "https:///path",
        ".",
        "..",
        "/",
        "?",
        "#",
        ":",
        "@",
        "[]",
    ],
    "a single label": [
        "acme",
        "http://acme",
        "com",
        "uk",
        "localhost",
        "http://localhost:8080/",
        "www",
        "xn--fiqs8s",
        "acme.",
    ],
    "white space": [
        "ac me.com",
        "acme.com acme.org",
        "acme\t.com",
        "acme.com/a path",
        "ac\u3000me.com",
        "ac\u00a0me.com",
    ],
    "control characters": [
        "ac\x00me.com",
        "acme.com\x00",
        "\x00acme.com",
        "ac\x01me.com",
        "ac\x7fme.com",
        "ac\x85me.com",
        "\x01http://acme.com",
        "http://acme.com\x01",
    ],
    "characters no host has": [
        "foo_bar.com",
        "_dmarc.acme.com",
        "*.acme.com",
        "acme!.com",
        "acme%2ecom",
        "acme%00.com",
        "acme,com",
        "acme.com;x",
        "a\\b.com",
        "acme.com\\.other.org",
        '"acme".com',
        "<acme>.com",
        "\ud800.com",
        "acme\u202e.com",
        "٣.com",
    ],
    "labels": [
        "-acme.com",
        "acme-.com",
        "ac--me.com",
        "acme..com",
        ".acme.com",
        "acme.-com",
        "xn--a.com",
        "xn--acme-.com",
        "a" * 64 + ".com",
        "ü" * 63 + ".com",
    ],
    "length": ["a." + LONGEST, ".".join(["a"] * 130) + ".com", "a" * 2048 + ".com", "ü" * 2048],
    "symbols that IDNA has no place for": ["😀.com", "i❤.ws", "xn--i-7iq.ws", "xn--e28h.com"],
    "IPv4": [
        "127.0.0.1",
        "8.8.8.8",
        "http://8.8.8.8/",
        "8.8.8.8:80",
        "8.8.8.8.",
        "127.1",
        "127.0.1",
        "2130706433",
        "http://2130706433",
        "0x7f000001",
        "0X7F000001",
        "0x7f.1",
        "0x7f.0x0.0x0.0x1",
        "017700000001",
        "0177.0.0.1",
        "0177.1",
        "127.0.0.0x1",
        "256.256.256.256",
        "1.2.3.4.5",
        "www.127.0.0.1",
        "www.8.8",
        "acme.com.1",
        "１２７.０.０.１",  # noqa: RUF001 - full-width digits
        "127。0。0。1",
        "１２７．１",  # noqa: RUF001 - full-width digits and dot
        "①.②.③.④",
        "\u0661.\u0662.\u0663.\u0664",
        "１２７.０.０.０ｘ１",  # noqa: RUF001 - full-width hexadecimal
    ],
    "IPv6": [
        "::1",
        "[::1]",
        "http://[::1]/",
        "http://[::1]:8080/",
        "[2001:db8::1]",
        "2001:db8::1",
        "[2001:0DB8:0000:0000:0000:0000:0000:0001]",
        "[::ffff:127.0.0.1]",
        "http://[::ffff:7f00:1]/",
        "::ffff:127.0.0.1",
        "[fe80::1%25eth0]",
        "fe80::1%eth0",
        "[::]",
        "[127.0.0.1]",
        "http://[v1.acme.com]/",  # the form that RFC 3986 keeps for addresses to come
        "[acme.com]",
        "[::1",
        "::1]",
    ],
    "public suffixes": [
        "co.uk",
        "github.io",
        "kawasaki.jp",
        "foo.kawasaki.jp",
        "a.ck",
        "www.co.uk",
        "www.github.io",
        "com.au",
    ],
    "reserved TLDs": [
        "foo.local",
        "printer.local",
        "foo.localhost",
        "x.onion",
        "x.internal",
        "x.invalid",
        "x.alt",
        "home.arpa",
        "router.home.arpa",
        "1.0.0.127.in-addr.arpa",
        "nas.lan",
        "x.corp",
        "x.home",
        "X.ONION",
        "foo。local",
        "foo.local.",
    ],
    "TLDs that do not exist": ["acme.c", "acme.notatld", "acme.1a", "x.テスト", "acme.xn--zckzah"],
    "other schemes": [
        "ftp://acme.com",
        "javascript:alert(1)",
        "javascript://acme.com/%0aalert(1)",
        "data:text/html,acme.com",
        "mailto:info@acme.com",
        "file:///etc/passwd",
        "file://acme.com/x",
        "ws://acme.com",
        "://acme.com",
        "http:acme.com",
    ],
    "user names": [
        "info@acme.com",
        "http://user@acme.com",
        "http://user:secret@acme.com/",
        "http://@acme.com",
        "https://acme.com@other.org",
        "https://acme.com:443@other.org",
    ],
    "ports that are none": ["acme.com:port", "acme.com:99999", "acme.com:-1", "acme.com:٣", "acme.com:80:80"],
}


@pytest.mark.parametrize(("text", "expected"), ACCEPTED)
def test_a_name_is_reduced_to_its_host_lower_case_idna_without_www(text, expected):
    assert clean_domain(text, livemode=True) == expected
    assert clean_domain(text, livemode=False) == expected


@pytest.mark.parametrize("livemode", [True, False])
@pytest.mark.parametrize("kind", REFUSED)
def test_no_ips_no_single_labels_no_reserved_tlds_and_nothing_that_is_no_name(kind, livemode):
    for text in REFUSED[kind]:
        with pytest.raises(InvalidDomainName) as refusal:
            pytest.fail(f"{text!r} became {clean_domain(text, livemode=livemode)!r}")
        assert str(refusal.value), text  # people read it


@pytest.mark.parametrize("text", REFUSED["IPv4"], ids=ascii)
def test_an_address_is_refused_as_an_address_in_every_spelling_that_a_resolver_takes(text):
    with pytest.raises(InvalidDomainName, match="IP address"):
        clean_domain(text, livemode=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("acme.example", "acme.example"),
        ("acme.test", "acme.test"),
        ("a.b.example", "a.b.example"),
        ("https://www.ACME.Example/x", "acme.example"),
        ("acme.example.", "acme.example"),
        ("acme。test", "acme.test"),
        ("acme.test。", "acme.test"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("www.example", "www.example"),
    ],
)
def test_example_and_test_names_are_allowed_in_test_mode(text, expected):
    assert clean_domain(text, livemode=False) == expected
    with pytest.raises(InvalidDomainName, match="test mode"):
        clean_domain(text, livemode=True)


@pytest.mark.parametrize("text", ["example", "test", "http://test", "foo_bar.test", "127.0.0.1.test-", "-a.example"])
def test_in_test_mode_a_reserved_name_still_has_to_be_a_name(text):
    with pytest.raises(InvalidDomainName):
        clean_domain(text, livemode=False)


@pytest.mark.parametrize("text", ["example.com", "test.com", "example.test.org", "local.com", "onion.org"])
def test_only_the_last_label_is_reserved(text):
    assert clean_domain(text, livemode=True) == text


# Properties

anything = st.text(st.characters(exclude_categories=()), max_size=40)
# Texts that are nearly names find more than noise does.
WORDS = ["www", "acme", "Bücher", "xn--bcher-kva", "com", "co", "uk", "github", "io", "example", "test", "local"]
WORDS += ["0x7f", "127", "1", "http", "://", "..", "xn--", "a" * 63]
SIGNS = "-_.:/@[]%#?\\ \x00\u200d\u3002\uff0e\uff41\u0301\u0663\ud800ßΣİ😀"
pieces = st.sampled_from([*WORDS, *SIGNS])
nearly_names = st.lists(pieces, max_size=9).map("".join)
dotted_names = st.lists(pieces, min_size=1, max_size=5).map(".".join)
texts = st.one_of(anything, nearly_names, dotted_names)


@prove
@given(texts, st.booleans())
@example("www.www.acme.com", True)  # noqa: FBT003
@example("acme.com。", True)  # noqa: FBT003
@example("ΟΔΟΣ-ΕΛ.gr", True)  # noqa: FBT003
def test_a_clean_name_is_clean(text, livemode):
    try:
        once = clean_domain(text, livemode=livemode)
    except InvalidDomainName:
        return
    assert clean_domain(once, livemode=livemode) == once


@prove
@given(texts, st.booleans())
@example("http://[", True)  # noqa: FBT003
@example("http://acme.com:²", True)  # noqa: FBT003
@example("a℀b.com", True)  # noqa: FBT003 - a sign that would fold into a slash
def test_any_text_becomes_a_safe_name_or_is_refused(text, livemode):
    """Nothing else is raised, and every result is lower-case ASCII with a dot inside."""
    try:
        name = clean_domain(text, livemode=livemode)
    except InvalidDomainName:
        return
    assert name.isascii() and name == name.lower()
    assert "." in name.strip(".") and name.strip(".") == name
    assert 3 < len(name) <= 253 and all(0 < len(label) <= 63 for label in name.split("."))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert not name.startswith("www.") or name.count(".") == 1
    assert registrable_domain(name) is not None


label = st.text("abcxyz0189", min_size=1, max_size=12)


@prove
@given(label, st.sampled_from(["com", "org", "co.uk", "de", "github.io"]), st.text("abcXYZ019/-.?=&", max_size=20))
def test_scheme_www_path_and_capitals_never_make_another_name(name, suffix, rest):
    plain = f"{name}.{suffix}"
    assert clean_domain(plain, livemode=True) == plain
    for spelling in (f"https://www.{plain}/{rest}", f"WWW.{plain.upper()}", f"http://{plain}:80/{rest}", f"{plain}."):
        assert clean_domain(spelling, livemode=True) == plain


@prove
@given(st.ip_addresses())
def test_no_ips_at_all(address):
    for spelling in (str(address), f"http://{address}/", f"[{address}]", f"http://[{address}]:80/", str(int(address))):
        with pytest.raises(InvalidDomainName):
            clean_domain(spelling, livemode=False)


# Parts of a name


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("acme.com", "acme.com"),
        ("docs.acme.com", "acme.com"),
        ("blog.acme.co.uk", "acme.co.uk"),
        ("a.b.c.acme.co.uk", "acme.co.uk"),
        ("acme.github.io", "acme.github.io"),
        ("blog.acme.github.io", "acme.github.io"),
        ("xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("shop.xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"),
        ("www.ck", "www.ck"),
        ("acme.example", "acme.example"),
        ("a.b.example", "b.example"),
        ("a.b.c.test", "c.test"),
        ("co.uk", None),
        ("github.io", None),
        ("com", None),
        ("acme.notatld", None),
    ],
)
def test_registrable_domain(host, expected):
    assert registrable_domain(host) == expected


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("acme.com", "acme"),
        ("acme.co.uk", "acme"),
        ("docs.acme.com", "acme"),
        ("blog.acme.github.io", "acme"),
        ("my-shop.de", "my-shop"),
        ("acme.example", "acme"),
        ("www.com", "www"),
    ],
)
def test_the_default_brand_name_is_the_first_label_that_the_brand_registered(domain, expected):
    assert first_label(domain) == expected
