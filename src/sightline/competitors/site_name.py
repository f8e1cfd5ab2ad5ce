"""Parsing the name that a site declares for itself. Pure.

A name is declared by an Organization or a WebSite in JSON-LD, or else by `og:site_name` or `application-name`. A title
is not a declaration: it contains slogans and the name of the page. Without a declaration the name is unknown.
"""

from html import unescape
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from sightline.competitors.names import MAX_NAME_LENGTH, tidy_name
from sightline.domains.json_ld import Node, list_types, read_json_ld
from sightline.domains.page_declarations import cut_declarations

_ORGANIZATIONS = frozenset(
    {
        "organization", "corporation", "onlinebusiness", "onlinestore", "localbusiness", "store", "ngo", "airline",
        "newsmediaorganization", "educationalorganization", "collegeoruniversity", "governmentorganization",
        "medicalorganization", "financialservice", "professionalservice", "bankorcreditunion", "insuranceagency",
        "sportsorganization", "hotel", "restaurant",
    }
)  # fmt: skip
_SITES = frozenset({"website"})
# Unescaping entities shortens a text, but a longer one than this cannot become an acceptable name.
_MAX_RAW_LENGTH = 10 * MAX_NAME_LENGTH


def parse_site_name(html: str) -> str | None:
    """Return the first declared name, skipping malformed declarations."""
    nodes: list[Node] = []
    declared: dict[str, str] = {}
    for tag in LexborHTMLParser(cut_declarations(html)).css("script[type], meta[content]"):
        if tag.tag == "script":
            nodes += read_json_ld(tag)
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


def _find_name(node: Node, kinds: frozenset[str]) -> str | None:
    return None if kinds.isdisjoint(list_types(node)) else _find_text(node.get("name"))


def _find_text(value: Any) -> str | None:
    """Return the first text of a name that may have a language or be in several languages."""
    for each in value if isinstance(value, list) else [value]:
        text = each.get("@value") if isinstance(each, dict) else each
        if isinstance(text, str) and len(text) <= _MAX_RAW_LENGTH and (name := tidy_name(unescape(text))) is not None:
            return name
    return None
