"""Domain names: what is valid, and its canonical spelling. Pure, without network access.

A name may come with a scheme, a path, `www.`, capitals or umlauts, and is reduced to its host. A host below a
registrable domain is kept, because then only it and its subdomains belong to the brand.
"""

import ipaddress
import re
from functools import cache
from urllib.parse import urlsplit

import idna
from publicsuffixlist import PublicSuffixList

# RFC 2606 and 6761, plus names of private networks. `.example` and `.test` are allowed in test mode.
_RESERVED = frozenset({"localhost", "local", "internal", "invalid", "onion", "alt", "arpa", "home", "corp", "lan"})
_TEST_ONLY = frozenset({"example", "test"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)?://")


class InvalidDomainName(ValueError):
    """Not a usable domain name. The message explains why to the person who entered it."""


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


def clean_domain(text: str, *, livemode: bool) -> str:
    """Return the host in lower-case ASCII without `www.`. Raises `InvalidDomainName`."""
    host = _to_ascii(_extract_host(text))
    labels = host.split(".")
    while labels[0] == "www" and len(labels) > 2:
        labels = labels[1:]
        host = ".".join(labels)
    if len(labels) < 2:
        raise InvalidDomainName("a single label is not a domain; send a name such as acme.com")
    _require_public(labels[-1], livemode=livemode)
    if labels[-1] not in _TEST_ONLY:
        _require_registrable(host)
    return host


def registrable_domain(host: str) -> str | None:
    """Return the registered part: blog.acme.co.uk → acme.co.uk. acme.github.io counts as registered itself."""
    if host.rpartition(".")[2] in _TEST_ONLY:
        return ".".join(host.split(".")[-2:])
    found: str | None = _suffixes().privatesuffix(host)
    return found


def first_label(domain: str) -> str:
    """Return the default brand name: the label that the brand registered, decoded."""
    label = (registrable_domain(domain) or domain).split(".")[0]
    return idna.decode(label) if label.startswith("xn--") else label


def _extract_host(text: str) -> str:
    text = text.strip()
    if not text or any(character.isspace() or character < " " for character in text):
        raise InvalidDomainName("a domain name has no white space and is not empty")
    # Character by character, as in UTS 46: lowering whole words treats a final sigma differently.
    text = "".join(character.lower() for character in text)
    try:
        parts = urlsplit(text if _SCHEME.match(text) else f"//{text}")
        host, _ = parts.hostname, parts.port  # `port` raises when it is not a number
    except ValueError as error:
        raise InvalidDomainName("this is not a domain name or a URL") from error
    if parts.scheme not in {"", "http", "https"}:
        raise InvalidDomainName("only http and https URLs name a domain")
    if parts.username is not None or parts.password is not None:
        raise InvalidDomainName("a URL with a user name is not accepted")
    if not host or "[" in parts.netloc:
        raise InvalidDomainName("this names no host")
    return host


def _to_ascii(host: str) -> str:
    if _is_address(host):
        raise InvalidDomainName("an IP address is not a domain")
    try:
        # UTS 46 folds case, width and the different dots, as browsers do.
        ascii_host = idna.encode(host, uts46=True).decode().lower().removesuffix(".")
    except (idna.IDNAError, UnicodeError) as error:
        raise InvalidDomainName("this host name holds characters that a domain cannot have") from error
    if len(ascii_host) > 253:
        raise InvalidDomainName("a host name has at most 253 characters")
    if _is_address(ascii_host):
        raise InvalidDomainName("an IP address is not a domain")
    return ascii_host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        # Also old spellings that some resolvers accept as an address: 2130706433, 0x7f.1, 127.1
        last = host.rpartition(".")[2]
        return last.isdigit() or last.lower().startswith("0x")
    return True


def _require_public(tld: str, *, livemode: bool) -> None:
    if tld in _TEST_ONLY and not livemode:
        return
    if tld in _RESERVED or tld in _TEST_ONLY:
        extra = " (allowed in test mode)" if tld in _TEST_ONLY else ""
        raise InvalidDomainName(f".{tld} is reserved and never a public domain{extra}")


def _require_registrable(host: str) -> None:
    if _suffixes().publicsuffix(host) is None:
        raise InvalidDomainName(f".{host.rpartition('.')[2]} is not a public top-level domain")
    if registrable_domain(host) is None:
        raise InvalidDomainName(f"{host} is a public suffix, under which others register; send a name below it")
