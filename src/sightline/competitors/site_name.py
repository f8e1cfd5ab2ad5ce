"""Parsing the name that a site declares for itself. Pure.

A name is declared by an Organization or a WebSite in JSON-LD, or else by `og:site_name` or `application-name`. A title
is not a declaration: it contains slogans and the name of the page. Without a declaration the name is unknown.
"""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.competitors.names import MAX_NAME_LENGTH, tidy_name

_ORGANIZATIONS = frozenset(
    {
        "organization", "corporation", "onlinebusiness", "onlinestore", "localbusiness", "store", "ngo", "airline",
        "newsmediaorganization", "educationalorganization", "collegeoruniversity", "governmentorganization",
        "medicalorganization", "financialservice", "professionalservice", "bankorcreditunion", "insuranceagency",
        "sportsorganization", "hotel", "restaurant",
    }
)  # fmt: skip
_SITES = frozenset({"website"})
# Unescaping entities shortens a text, but not from more than this to an acceptable name.
_MAX_RAW_LENGTH = 10 * MAX_NAME_LENGTH


def parse_site_name(html: str) -> str | None:
    """Return the first declared name, skipping malformed declarations."""
    nodes: list[dict[str, Any]] = []
    declared: dict[str, str] = {}
    for tag in LexborHTMLParser(html).css("script[type], meta[content]"):
        if tag.tag == "script":
            nodes += _read_json_ld(tag)
            continue
        for key in (tag.attributes.get("property"), tag.attributes.get("name")):
            name = tidy_name((tag.attributes["content"] or "")[:_MAX_RAW_LENGTH])
            if key and name:
                declared.setdefault(key.strip().lower(), name)
    for kinds in (_ORGANIZATIONS, _SITES):
        for node in nodes:
            if (name := _find_name(node, kinds)) is not None:
                return name
    return declared.get("og:site_name") or declared.get("application-name")


def _read_json_ld(tag: LexborNode) -> list[dict[str, Any]]:
    """Return the top-level nodes. Nested ones (a publisher, a reviewed brand) are not about the site."""
    if (tag.attributes["type"] or "").partition(";")[0].strip().lower() != "application/ld+json":
        return []
    try:
        return list(_top_nodes(json.loads(tag.text(), strict=False)))
    except (ValueError, RecursionError):
        return []


def _top_nodes(value: Any, *, depth: int = 4) -> Iterator[dict[str, Any]]:
    if isinstance(value, list) and depth:
        for each in value:
            yield from _top_nodes(each, depth=depth - 1)
    elif isinstance(value, dict):
        yield value
        if depth and isinstance(value.get("@graph"), list | dict):
            yield from _top_nodes(value["@graph"], depth=depth - 1)


def _find_name(node: dict[str, Any], kinds: frozenset[str]) -> str | None:
    types = node.get("@type")
    for kind in types if isinstance(types, list) else [types]:
        if isinstance(kind, str) and kind.rpartition("/")[2].rpartition(":")[2].lower() in kinds:
            return _find_text(node.get("name"))
    return None


def _find_text(value: Any) -> str | None:
    """Return the first text of a name that may have a language or be in several languages."""
    for each in value if isinstance(value, list) else [value]:
        text = each.get("@value") if isinstance(each, dict) else each
        if isinstance(text, str) and len(text) <= _MAX_RAW_LENGTH and (name := tidy_name(unescape(text))) is not None:
            return name
    return None
