"""The bad days of a provider. A test scripts them; by hand, a word such as `fake:rate_limited` in the prompt does."""

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
    """Each of these is one reply."""

    @staticmethod
    def none() -> Fault:
        """A good answer, for a place between two bad ones."""
        return Fault("none")

    @staticmethod
    def rate_limited(retry_after: float | str | None = None) -> Fault:
        """A number is sent as seconds, a text (an HTTP date) as it is."""
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
        """A proxy's page in HTML in place of anything that the provider says."""
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
        """A 200 that holds an error, in the provider's own form."""
        return Fault("inner_error")

    @staticmethod
    def missing_fields() -> Fault:
        return Fault("missing_fields")

    @staticmethod
    def blank() -> Fault:
        return Fault("blank")

    @staticmethod
    def blank_lines() -> Fault:
        """A good answer after blank lines, as servers send them to keep a connection alive."""
        return Fault("blank_lines")

    @staticmethod
    def huge(characters: int = 1_200_000) -> Fault:
        return Fault("huge", amount=characters)

    @staticmethod
    def nothing_found() -> Fault:
        """A search page without the block."""
        return Fault("nothing_found")


def fault_in(prompt: str) -> Fault | None:
    found = WORD.search(prompt)
    make = getattr(Faults, found[1], None) if found else None
    if found is None or make is None:
        return None
    return make(int(found[2])) if found[2] else make()
