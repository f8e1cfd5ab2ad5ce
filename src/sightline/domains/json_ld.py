"""Reading JSON-LD: what a page declares about the site in the words of schema.org. Pure."""

import json
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborNode

from sightline.domains.page_declarations import JSON_LD

Node = dict[str, Any]


def read_json_ld(tag: LexborNode) -> list[Node]:
    """Return the top-level nodes of a script tag. Nested ones (a publisher, a reviewed brand) are not about the site.

    A script of another type, or one that cannot be parsed, has none.
    """
    if (tag.attributes.get("type") or "").partition(";")[0].strip().lower() != JSON_LD:
        return []
    try:
        return list(list_nodes(json.loads(tag.text(), strict=False)))
    except (ValueError, RecursionError):
        return []


def list_types(node: Node) -> list[str]:
    """Return the types of a node in lower case, without the address of their vocabulary."""
    types = node.get("@type")
    return [
        kind.rpartition("/")[2].rpartition(":")[2].lower()
        for kind in (types if isinstance(types, list) else [types])
        if isinstance(kind, str)
    ]


def list_nodes(value: Any, *, depth: int = 4) -> Iterator[Node]:
    """Return the top-level nodes of a parsed block."""
    if isinstance(value, list) and depth:
        for each in value:
            yield from list_nodes(each, depth=depth - 1)
    elif isinstance(value, dict):
        yield value
        if depth and isinstance(value.get("@graph"), list | dict):
            yield from list_nodes(value["@graph"], depth=depth - 1)
