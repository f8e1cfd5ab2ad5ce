"""Reading robots.txt as RFC 9309 says: groups of one name are merged, the longest rule wins, `*` and `$` count. Pure.

The parser of the standard library knows no wildcards and takes the first rule instead of the longest.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote

import msgspec

MAX_BYTES = 512 * 1024
"""What is read of a file. RFC 9309 asks for 500 KiB at least."""
_MAX_RULES = 20_000
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_MAX_CRAWL_DELAY = 30.0


class Rule(msgspec.Struct, frozen=True):
    allows: bool
    pattern: str
    """Normalized, with `*` and a last `$`."""
    line: int


class RobotsRules(msgspec.Struct, frozen=True):
    """The rules of a file by the name of the agent in lower case, and what it says besides."""

    groups: dict[str, list[Rule]] = {}
    sitemaps: tuple[str, ...] = ()
    crawl_delays: dict[str, float] = {}

    def find_rule(self, agent: str, path: str) -> Rule | None:
        """Return the rule that decides about a path with its query, or None if no rule does: it is allowed."""
        if path == "/robots.txt":
            return None
        wanted = _normalize(path or "/")
        rules = self.groups.get(self._find_group(agent), ())
        matching = [rule for rule in rules if _matches(rule.pattern, wanted)]
        return max(matching, key=lambda rule: (len(rule.pattern), rule.allows), default=None)

    def allows(self, agent: str, path: str) -> bool:
        rule = self.find_rule(agent, path)
        return rule is None or rule.allows

    def find_crawl_delay(self, agent: str) -> float:
        return self.crawl_delays.get(self._find_group(agent), 0.0)

    def _find_group(self, agent: str) -> str:
        name = agent.lower()
        return name if name in self.groups else "*"


def parse_robots(text: str) -> RobotsRules:
    """Return the rules. Lines that cannot be read are skipped, as is everything after 20,000 rules."""
    parser = _Parser()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon and parser.count < _MAX_RULES:
            parser.read_line(key.strip().lower(), value.strip(), number)
    return RobotsRules(parser.groups, tuple(dict.fromkeys(parser.sitemaps)), parser.delays)


class _Parser:
    def __init__(self) -> None:
        self.groups: dict[str, list[Rule]] = {}
        self.delays: dict[str, float] = {}
        self.sitemaps: list[str] = []
        self.count = 0
        self._names: list[str] = []
        self._in_rules = False

    def read_line(self, key: str, value: str, number: int) -> None:
        if key in {"user-agent", "useragent"}:
            self._read_name(value)
        elif key in {"allow", "disallow"}:
            self._in_rules = True
            self.count += 1
            if value:
                pattern = _normalize(value if value.startswith(("/", "*")) else f"/{value}")
                for name in self._names:
                    self.groups[name].append(Rule(key == "allow", pattern, number))
        elif key == "crawl-delay":
            self._in_rules = True
            self.delays.update(dict.fromkeys(self._names, _read_delay(value)))
        elif key == "sitemap" and value:
            self.sitemaps.append(value)

    def _read_name(self, value: str) -> None:
        if self._in_rules:
            self._names, self._in_rules = [], False
        product = _PRODUCT.match(value)
        if value.startswith("*") or product:
            self._names.append("*" if product is None else product[0].lower())
            self.groups.setdefault(self._names[-1], [])


def _read_delay(value: str) -> float:
    try:
        return min(max(float(value), 0.0), _MAX_CRAWL_DELAY)
    except ValueError:
        return 0.0


def _normalize(path: str) -> str:
    """Return a path in which each octet is spelled in one way."""

    def respell(match: re.Match[str]) -> str:
        octet = int(match[1], 16)
        return chr(octet) if octet in _UNRESERVED else f"%{octet:02X}"

    return quote(_ESCAPE.sub(respell, path), safe="/%?#[]@!$&'()*+,;=:~-._", errors="replace")


def _matches(pattern: str, path: str) -> bool:
    """Return whether a pattern fits the beginning of a path, in time that grows with the length of the path."""
    is_whole = pattern.endswith("$")
    parts: Sequence[str] = (pattern[:-1] if is_whole else pattern).split("*")
    if not path.startswith(parts[0]):
        return False
    place = len(parts[0])
    if len(parts) == 1:
        return not is_whole or place == len(path)
    for part in parts[1:-1]:
        found = path.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    last = parts[-1]
    if is_whole:
        return len(path) - len(last) >= place and path.endswith(last)
    return path.find(last, place) >= 0
