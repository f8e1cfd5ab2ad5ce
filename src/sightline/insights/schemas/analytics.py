"""The analytics of a domain: a scoreboard or one check, with its themes and its trend."""

import uuid
from typing import Annotated, Literal

from msgspec import Meta

from sightline.insights.schemas.themes import Theme, UnreadLanguage
from sightline.kit.clock import Timestamp
from sightline.scans.schemas.scan import Scan
from sightline.scoreboard.schemas import Board, TrendPoint


class Analytics(Board, frozen=True, kw_only=True):
    """The figures of a brand, from the latest valid answers (`scoreboard`) or from one check alone (`scan`)."""

    source: Annotated[
        Literal["scoreboard", "scan"],
        Meta(description="`scoreboard`: the latest valid answers. `scan`: one check alone."),
    ]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    scan: Annotated[
        Scan | None,
        Meta(
            description="Requested check. For the scoreboard: the latest Full Check, whose prompts and platforms "
            "count in the figures. Before the first Full Check, it is the latest check. Null before the first check."
        ),
    ]
    as_of: Annotated[
        Timestamp | None,
        Meta(description="When the latest check in these figures completed. Null before the first check."),
    ]
    themes: Annotated[
        tuple[Theme, ...],
        Meta(
            description="Brand Themes of the latest Full Check: aspects of the brand that its answers mention. Empty "
            "if `scan` is any other check. Only the Professional and Agency plans include them."
        ),
    ]
    unread_themes: Annotated[
        tuple[UnreadLanguage, ...],
        Meta(description="Languages for which themes are not available, most answers first."),
    ]
    trend: Annotated[
        tuple[TrendPoint, ...], Meta(description="One point for each check of the last year, oldest first.")
    ]
