"""Which tables belong to a workspace: all that have a `workspace_id`. What an export leaves out is listed here."""

from collections.abc import Mapping, Sequence

import msgspec

# Tables that an export leaves out, each with the reason, which its manifest quotes.
LEFT_OUT_TABLES: Mapping[str, str] = {
    "answer_facts": "an index for searching, made from the answers",
    "answer_payloads": "in payloads.jsonl, with those that are stored outside of the database",
    "domain_changes": "bookkeeping of the tables API",
    "idempotency_keys": "responses that are stored for a day, to answer repeated requests",
    "table_changes": "bookkeeping of the tables API",
    "workspace_deletions": "the request for the deletion",
    "workspace_export_parts": "the content of exports",
    "workspace_exports": "the list of exports",
}
# Columns with secrets or their hashes, and addresses that act as secrets.
LEFT_OUT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "api_keys": ("digest", "previous_digest"),
    "checkout_attempts": ("provider_session", "checkout_url"),
    "identity_providers": ("client_secret",),
    "invitations": ("digest",),
    "local_orders": ("session",),
    "report_emails": ("digest",),
    "report_links": ("digest", "password_hash"),
    "report_shares": ("digest",),
    "setup_suggestions": ("digest",),
    "webhook_attempts": ("request_headers",),
    "webhook_endpoints": ("secret", "old_secret"),
}


class OwnedTable(msgspec.Struct, frozen=True):
    """A table with rows of workspaces, as the database describes it."""

    name: str
    key: list[str]
    binary_columns: list[str]
    refers_to: list[str]
    """The tables that its foreign keys name, without itself."""
    refers_to_itself: bool


def sort_for_deletion(tables: Sequence[OwnedTable]) -> list[OwnedTable]:
    """Return the tables in an order in which no row is deleted that another one still refers to."""
    left, ordered = {each.name: each for each in tables}, []
    while left:
        needed = {parent for each in left.values() for parent in each.refers_to}
        free = [each for name, each in left.items() if name not in needed]
        assert free, f"foreign keys of {', '.join(left)} form a circle"
        ordered += free
        for each in free:
            del left[each.name]
    return ordered
