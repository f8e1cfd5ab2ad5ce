"""Scopes: which operations a key may call. A Console key without scopes may call all of them."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from sightline.api_keys.format import KeyKind
from sightline.errors import FaultCollector, Problem

ConsoleScope = Literal["read", "scans", "domains", "billing", "webhooks", "keys", "audit"]
DataScope = Literal["read", "write"]
Scope = ConsoleScope | DataScope

CONSOLE_SCOPES: tuple[ConsoleScope, ...] = get_args(ConsoleScope)
SCOPES: Mapping[KeyKind, tuple[str, ...]] = {"console": CONSOLE_SCOPES, "data": get_args(DataScope)}


def grant_scopes(kind: KeyKind, wanted: Sequence[str]) -> list[str]:
    """Return the scopes that a new key stores. Every Data key can read. Refused: a scope of the other API (422)."""
    allowed = SCOPES[kind]
    faults = FaultCollector()
    for index, scope in enumerate(wanted):
        if scope not in allowed:
            message = f"must be one of {', '.join(allowed)} for a {kind.capitalize()} key"
            faults.add(f"scopes[{index}]", message, "unsupported")
    faults.raise_if_any()
    return sorted({*wanted, "read"} if kind == "data" else set(wanted))


def has_scope(scopes: Sequence[str], needed: str) -> bool:
    return not scopes or needed in scopes


def require_scope(scopes: Sequence[str], needed: str) -> None:
    """Refuse a key without the scope (403)."""
    if not has_scope(scopes, needed):
        raise Problem("scope_required", required_scope=needed)
