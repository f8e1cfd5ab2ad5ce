"""Examples of request counts and costs."""

from collections.abc import Mapping

from sightline.api.openapi.examples.example import CONSOLE_DOMAIN_ID, Example, envelope, page
from sightline.platforms.costs.schemas import PlatformCost
from sightline.usage.schemas import UsageFigures

EXAMPLES: Mapping[str, Example] = {
    "read_usage": Example(envelope(UsageFigures(214, 3_870, 41_552, 1.4, "2026-11-14T09:30:00.123456+00:00"))),
    "list_platform_costs": Example(
        page(
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
        )
    ),
}
