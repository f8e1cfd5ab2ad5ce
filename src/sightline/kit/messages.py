"""Marking texts for the catalogs, for code below `presentation`, which translates them."""


def translatable(message: str) -> str:
    """Return a text unchanged, and mark it for the catalogs: `gettext` is called where it is shown."""
    return message
