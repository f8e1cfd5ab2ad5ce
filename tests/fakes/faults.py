"""The faults of a provider, scripted by a test or caused by a word such as `fake:rate_limited` in a prompt."""

import re
from dataclasses import dataclass

WORD = re.compile(r"\bfake:([a-z_]+)(?:=(\d+))?")


@dataclass(frozen=True)
class Fault:
    kind: str
    status: int = 0
    retry_after: str | None = None
    amount: float = 0


class Faults:
    """Constructors of faults. Each fault affects one reply."""

    @staticmethod
    def none() -> Fault:
        """Answer normally, e.g. between two faults."""
        return Fault("none")

    @staticmethod
    def rate_limited(retry_after: float | str | None = None) -> Fault:
        """Send Retry-After as seconds for a number, or unchanged for a text such as an HTTP date."""
        return Fault("rate_limited", retry_after=None if retry_after is None else str(retry_after))

    @staticmethod
    def no_money() -> Fault:
        return Fault("no_money")

    @staticmethod
    def unauthorised() -> Fault:
        return Fault("unauthorised")

    @staticmethod
    def server_error(status: int = 500) -> Fault:
        return Fault("server_error", status=status)

    @staticmethod
    def overloaded() -> Fault:
        return Fault("overloaded")

    @staticmethod
    def gateway_page() -> Fault:
        """Reply with the HTML error page of a proxy instead of a reply of the provider."""
        return Fault("gateway_page")

    @staticmethod
    def silence() -> Fault:
        return Fault("silence")

    @staticmethod
    def drip(seconds_between_bytes: float = 0.05) -> Fault:
        return Fault("drip", amount=seconds_between_bytes)

    @staticmethod
    def cut() -> Fault:
        return Fault("cut")

    @staticmethod
    def broken_json() -> Fault:
        return Fault("broken_json")

    @staticmethod
    def inner_error() -> Fault:
        """Reply with a 200 that contains an error in the format of the provider."""
        return Fault("inner_error")

    @staticmethod
    def missing_fields() -> Fault:
        return Fault("missing_fields")

    @staticmethod
    def blank() -> Fault:
        return Fault("blank")

    @staticmethod
    def blank_lines() -> Fault:
        """Answer normally after blank lines, which servers send to keep a connection alive."""
        return Fault("blank_lines")

    @staticmethod
    def huge(characters: int = 1_200_000) -> Fault:
        return Fault("huge", amount=characters)

    @staticmethod
    def nothing_found() -> Fault:
        """Reply with a search page without the AI block."""
        return Fault("nothing_found")


def find_fault(prompt: str) -> Fault | None:
    found = WORD.search(prompt)
    make = getattr(Faults, found[1], None) if found else None
    if found is None or make is None:
        return None
    return make(int(found[2])) if found[2] else make()
