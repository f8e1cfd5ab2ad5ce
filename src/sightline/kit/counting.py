"""Numbers of things, in words."""


def count(number: int, one: str, many: str | None = None) -> str:
    """As "1 answer" or "1,204 answers"; `many` where an s is not enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
