"""The version of a domain's data."""

import msgspec


class DomainVersion(msgspec.Struct, frozen=True):
    """Texts that change whenever the data of a domain do.

    `rows` changes with the domain itself and the newest domains next to it, the board, the latest completed scans, an
    alert, a task, a competitor, a prompt, a report or a person's decision. Earlier scans need no version of their
    own: whatever changes them also changes the board afterwards.
    """

    rows: str
    newest_scan: str
    """Changes with every answer of a running scan."""
    is_settled: bool
    """No worker is storing what it found in answers, which takes many transactions."""
