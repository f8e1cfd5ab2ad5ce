"""Counts with their nouns."""


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a count such as "1 answer" or "1,204 answers"; `many` is the plural where an s is not enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
