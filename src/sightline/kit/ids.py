"""Ids: UUIDv7, which sorts by time of creation, so that new rows go to the end of every index."""

import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    return uuid_utils.compat.uuid7()


def parse_id(text: str) -> uuid.UUID | None:
    """Parse an id in its canonical spelling, or return None: a malformed id is treated as an unknown one."""
    if len(text) != 36:
        return None
    try:
        parsed = uuid.UUID(text)
    except ValueError:
        return None
    return parsed if str(parsed) == text.lower() else None
