"""Second factors, as they are stored and as people see them."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

FactorKind = Literal["app", "passkey"]
UsedFactor = Literal["app", "passkey", "recovery_code"]


class Factor(msgspec.Struct, frozen=True):
    """An authenticator app or a passkey, as its owner sees it."""

    id: uuid.UUID
    kind: FactorKind
    name: str
    created_at: datetime
    used_at: datetime | None


class FactorSecret(msgspec.Struct, frozen=True):
    """What verifies a factor: the sealed key of an app, or the public key of a passkey."""

    id: uuid.UUID
    secret: bytes
    counter: int
    """The last time step of an app that was accepted, or the signature counter of a passkey."""


class FactorState(msgspec.Struct, frozen=True):
    """The second factors of a person."""

    factors: list[Factor]
    codes_left: int

    @property
    def methods(self) -> list[UsedFactor]:
        """Return with what the person can continue a sign-in."""
        kinds: list[UsedFactor] = sorted({each.kind for each in self.factors})
        return [*kinds, "recovery_code"] if self.codes_left else kinds


class FactorAnswer(msgspec.Struct, frozen=True):
    """What proves a second factor: a code of an app, a recovery code, or the response of a passkey as JSON."""

    code: str = ""
    passkey: str = ""
