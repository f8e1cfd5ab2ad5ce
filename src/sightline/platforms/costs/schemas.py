"""Schema of platform costs in the Console API."""

import uuid
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.examples import CONSOLE_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away
from sightline.kit.structs import convert_struct
from sightline.platforms.costs.models import CostRow

_DECIMALS = 6  # of US dollars: one call can cost a fraction of a cent


class PlatformCost(msgspec.Struct, frozen=True, kw_only=True):
    """What the calls of one domain to one AI platform used and cost on one day."""

    day: Annotated[str, Meta(description="Day of the calls (UTC), such as `2026-11-16`.")]
    domain_id: Annotated[
        uuid.UUID, Meta(description="Console domain or tracked domain for which the platform was called.")
    ]
    domain: Annotated[str, Meta(description="Host name of the domain.")]
    platform: Annotated[str, Meta(description="Key of the platform.")]
    calls: Annotated[
        int,
        Meta(
            description="Number of requests sent: for answers, for suggested prompts and for the editor, including "
            "retries and failed ones."
        ),
    ]
    failed_calls: Annotated[int, Meta(description="Number of calls without a usable reply.")]
    priced_calls: Annotated[
        int, Meta(description="Number of calls whose cost is known. `cost_usd` is the sum over these calls alone.")
    ]
    input_tokens: Annotated[
        int | None, Meta(description="Input tokens, as far as the platform reports them. Null if it reports none.")
    ]
    output_tokens: Annotated[
        int | None, Meta(description="Output tokens, as far as the platform reports them. Null if it reports none.")
    ]
    searches: Annotated[
        int | None, Meta(description="Searches, as far as the platform reports them. Null if it reports none.")
    ]
    cost_usd: Annotated[
        float | None,
        Meta(
            description="Cost in US dollars, as reported by the platform or computed from prices that the operator has "
            "entered. Null if no call has a known cost."
        ),
    ]
    editor_calls: Annotated[
        int, Meta(description="The part of `calls` that edited insights: names, themes, wording and prompts.")
    ]
    editor_cost_usd: Annotated[
        float | None, Meta(description="The part of `cost_usd` for these calls. Null if no such call has a known cost.")
    ]


def to_platform_cost(row: CostRow) -> PlatformCost:
    return convert_struct(
        PlatformCost,
        row,
        day=row.day.isoformat(),
        cost_usd=round_cost(row.cost_usd),
        editor_cost_usd=round_cost(row.editor_cost_usd),
    )


def round_cost(cost: Decimal | None) -> float | None:
    return None if cost is None else round_half_away(float(cost), _DECIMALS)


# Examples

EXAMPLES = {
    "list_platform_costs": Example(
        [
            PlatformCost(
                day="2026-11-14",
                domain_id=CONSOLE_DOMAIN_ID,
                domain="acme.com",
                platform="chatgpt",
                calls=41,
                failed_calls=1,
                priced_calls=40,
                input_tokens=312_480,
                output_tokens=28_115,
                searches=52,
                cost_usd=0.973055,
                editor_calls=3,
                editor_cost_usd=0.031248,
            )
        ]
    ),
}
