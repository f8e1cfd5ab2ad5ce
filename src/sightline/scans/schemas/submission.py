"""Schemas of a scan to submit or to preview in the Console API."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.examples import CHECKED_PROMPT, CONSOLE_DOMAIN_ID, Example
from sightline.scans.schemas.scan import PENDING_EXAMPLE_SCAN
from sightline.scans.suggestions.templates import MAX_CATEGORY

MAX_KEYWORDS = 50
MAX_PLATFORM_KEYS = 100  # repeats included

KeywordsSource = Literal["given", "suggested"]
Keywords = Annotated[list[str], Meta(min_length=1, max_length=MAX_KEYWORDS)]
PlatformKeys = Annotated[list[str], Meta(min_length=1, max_length=MAX_PLATFORM_KEYS)]


class ScanInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A scan to submit or to preview. Unknown fields are ignored. Null has the same meaning as leaving a field out."""

    domain_id: Annotated[str, Meta(description="Id of a registered Console domain.", min_length=1)]
    keywords: Annotated[
        Keywords | None,
        Meta(
            description="Prompts to ask: 1 to 50, each of 2 to 500 characters. They are trimmed, and repeats are "
            "dropped, even if they differ in case. If omitted, Sightline suggests ten prompts."
        ),
    ] = None
    category: Annotated[
        Annotated[str, Meta(max_length=MAX_CATEGORY)] | None,
        Meta(
            description="What the brand sells, as a plural or a mass noun such as `running shoes`. Suggested prompts "
            "ask about it. It has no effect if you send `keywords`."
        ),
    ] = None
    platforms: Annotated[
        PlatformKeys | None,
        Meta(
            description="Keys of platforms from `GET /platforms`; repeats are dropped. If omitted, every enabled "
            "platform is asked."
        ),
    ] = None
    max_credits: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(
            description="Highest price that you accept, in credits. A scan that costs more is refused when it is "
            "submitted. A preview returns its price, and says so in `exceeds_max_credits`."
        ),
    ] = None
    content_project_id: Annotated[
        Annotated[str, Meta(max_length=255)] | None,
        Meta(description="Your own reference. It is stored with the scan and returned unchanged."),
    ] = None


class ScanPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The price of a scan, and what it would ask. Nothing is charged or stored."""

    credits_required: Annotated[int, Meta(description="Credits that submitting the scan would charge.")]
    balance: Annotated[int, Meta(description="Credits that the workspace has.")]
    balance_after: Annotated[
        int, Meta(description="Credits that would be left. A negative number shows how many are missing.")
    ]
    sufficient: Annotated[bool, Meta(description="Whether the workspace has enough credits.")]
    exceeds_max_credits: Annotated[
        bool | None,
        Meta(
            description="Whether the scan costs more than `max_credits`, so that submitting it would be refused. Null "
            "if you sent no `max_credits`."
        ),
    ]
    answers_total: Annotated[
        int, Meta(description="Number of answers that would be asked for: prompts times platforms.")
    ]
    platforms: Annotated[list[str], Meta(description="Keys of the platforms that would be asked.")]
    keywords: Annotated[
        list[str],
        Meta(
            description="Prompts that would be asked. If you sent none, Sightline suggests ten. In the sandbox, this "
            "list already contains the suggestions. Otherwise Sightline makes them when the scan starts, and this list "
            "is empty."
        ),
    ]
    keywords_source: Annotated[
        KeywordsSource, Meta(description="`given` if you sent the prompts, otherwise `suggested`.")
    ]
    active_scan_id: Annotated[
        uuid.UUID | None,
        Meta(
            description="Pending or running scan of the domain. Until it ends, you cannot submit another one. "
            "Null if there is none."
        ),
    ]


# Examples

_PREVIEW = ScanPreview(
    credits_required=1,
    balance=42,
    balance_after=41,
    sufficient=True,
    exceeds_max_credits=False,
    answers_total=1,
    platforms=["chatgpt"],
    keywords=[CHECKED_PROMPT],
    keywords_source="given",
    active_scan_id=None,
)
_SCAN_REQUEST = {
    "domain_id": str(CONSOLE_DOMAIN_ID),
    "keywords": [CHECKED_PROMPT],
    "platforms": ["chatgpt"],
    "max_credits": 5,
    "content_project_id": "spring-launch",
}

EXAMPLES = {
    "submit_scan": Example(PENDING_EXAMPLE_SCAN, _SCAN_REQUEST),
    "preview_scan": Example(_PREVIEW, _SCAN_REQUEST),
}
