"""Schema of a platform in the Console API."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Tier = Literal["trial", "starter", "professional", "agency"]


class Platform(msgspec.Struct, frozen=True):
    """An AI platform that a scan can ask."""

    key: Annotated[
        str, Meta(description="Key of the platform. Send it in the field `platforms` when you submit a scan.")
    ]
    name: Annotated[str, Meta(description="Display name of the platform.")]
    company: Annotated[str, Meta(description="Company that makes the platform.")]
    enabled: Annotated[
        bool,
        Meta(
            description="Whether a scan can ask the platform. True if the platform is not paused, and is connected or "
            "answered by the sandbox."
        ),
    ]
    min_tier: Annotated[
        Tier,
        Meta(description="Smallest plan whose dashboard checks include the platform. Does not restrict Console scans."),
    ]
    available_as_addon: Annotated[
        bool, Meta(description="Whether a smaller plan can add the platform. Does not restrict Console scans.")
    ]
