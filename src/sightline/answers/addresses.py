"""Bare addresses and citation marks inside prose, and the addresses that redirects contain."""

import base64
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, unquote

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[!-~]+|(?<![\w@/.:-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z]{2,24}/[!-~]+", re.IGNORECASE
)
_SIGN = re.compile(r"[/wW](?:(?<=/)|[wW]{2}\.)")  # a slash or "www.", found faster if few characters can begin it
_MARK = re.compile(
    r"[\[【](?:(?<=\[)(?:\^?\d{1,3}(?:\s?[,;-]\s?\^?\d{1,3}){0,20}|\^[\w-]{1,20})\]|(?<=【)[^】\n]{1,60}】)"
)
_MARK_OPENS = ("[", "【")
_TRAILING = ".,;:!?)]}>'\"*_~|"
# Redirects that contain their target, and the parameter that holds it.
_WRAPPERS: dict[str, tuple[str, ...]] = {
    "google.com": ("q", "url"),
    "duckduckgo.com": ("uddg",),
    "facebook.com": ("u",),
    "instagram.com": ("u",),
    "linkedin.com": ("url",),
    "reddit.com": ("url",),
    "youtube.com": ("q",),
    "bing.com": ("u",),
    "yahoo.com": ("RU",),
    "slack-redir.net": ("url",),
    "safelinks.protection.outlook.com": ("url",),
}
_WRAPPER_PATHS = re.compile(r"/(?:url|l/?|l\.php|redirect|safety/go|ck/a|aclk|link)?$")


def find_addresses(text: str) -> Iterator[tuple[str, int]]:
    """Yield each address and its place, without the punctuation of the sentence around it.

    An address has no blank, so only the runs of text with a slash or "www." are searched: the pattern is slow.
    """
    end = 0
    while (sign := _SIGN.search(text, end)) is not None:
        start = max(end, text.rfind(" ", end, sign.start()) + 1)
        blank = text.find(" ", sign.end())
        end = blank if blank >= 0 else len(text)
        for match in _ADDRESS.finditer(text, start, end):
            yield _trim(match[0]), match.start()


def find_marks(text: str) -> Iterator[tuple[str, int]]:
    """Yield each citation mark and its place: [1], [1, 2], [^3], 【4†source】."""
    if any(opening in text for opening in _MARK_OPENS):
        for match in _MARK.finditer(text):
            yield match[0], match.start()


def opens_with_mark(text: str) -> bool:
    return text[:1] in _MARK_OPENS and _MARK.match(text) is not None


def _trim(url: str) -> str:
    """Strip trailing punctuation. A bracket at the end stays if it was opened inside the address."""
    end = len(url)
    surplus = url.count(")") - url.count("(")
    while end and url[end - 1] in _TRAILING and (url[end - 1] != ")" or surplus > 0):
        surplus -= url[end - 1] == ")"
        end -= 1
    return url[:end]


def find_redirect_target(host: str, domain: str, path: str, query: str) -> str | None:
    """Return the address inside a redirect such as `google.com/url?q=…`; None for any other address."""
    if host == "cdn.ampproject.org" or host.endswith(".cdn.ampproject.org"):
        inner = re.match(r"/[a-z]/(?:s/)?(.+)", path)
        return f"https://{inner[1]}" if inner else None
    if not query or not (host.startswith("out.") or _WRAPPER_PATHS.search(path)):
        return None
    parameters = _WRAPPERS.get(domain) or _WRAPPERS.get(host.partition(".")[2])
    if domain.startswith("google.") and parameters is None:
        parameters = _WRAPPERS["google.com"]
    if parameters is None:
        return None
    values = parse_qs(query, max_num_fields=200) if query.count("&") < 200 else {}
    for name in parameters:
        for value in values.get(name, ()):
            target = _bing_target(value) if domain == "bing.com" else value
            if target.lower().startswith(("http://", "https://")):
                return target
            if target.lower().startswith("http%3a") or target.lower().startswith("https%3a"):
                return unquote(target)
    return None


def _bing_target(value: str) -> str:
    """Decode the address in a Bing redirect: `a1`, then base64."""
    if not value.startswith("a1"):
        return value
    try:
        return base64.urlsafe_b64decode(value[2:] + "=" * (-len(value[2:]) % 4)).decode("utf-8", "replace")
    except ValueError:
        return value
