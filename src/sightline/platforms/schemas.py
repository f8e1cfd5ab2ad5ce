"""Schema of a platform in the Console API."""

from typing import Literal

import msgspec

Tier = Literal["trial", "starter", "professional", "agency"]


class Platform(msgspec.Struct, frozen=True):
    key: str
    name: str
    company: str
    enabled: bool
    min_tier: Tier
    available_as_addon: bool
