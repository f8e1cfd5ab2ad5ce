"""Saved credentials and options, as they are stored."""

from datetime import datetime
from decimal import Decimal

import msgspec


class SavedCredential(msgspec.Struct, frozen=True):
    """What an operator saved for one vendor. Its key is sealed; `hint` is the end of it, for people."""

    vendor: str
    sealed: bytes | None
    hint: str
    base_url: str | None
    model: str | None
    saved_at: datetime


class SavedOptions(msgspec.Struct, frozen=True):
    """What an operator saved for one platform. `prices` is a JSON document, null where none are saved."""

    platform: str
    prices: str | None
    monthly_limit_usd: Decimal | None
    saved_at: datetime
    surface: str | None = None
    """The surface that the operator chose; None for the default."""
