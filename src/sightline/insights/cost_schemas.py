"""Schema of a domain's costs in the Data API: the forecast next to what was spent."""

from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.insights.cost_forecast import DomainCosts
from sightline.kit.examples import Example
from sightline.kit.rounding import round_half_away
from sightline.metrics.observation import SURFACE_MEANING, Surface
from sightline.platforms.costs.spend import PriceBasis

_DECIMALS = 6  # of US dollars, as in the list of costs


class PlatformCostForecast(msgspec.Struct, frozen=True, kw_only=True):
    """What the answers of one platform will cost, and have cost, in US dollars."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    surface: Annotated[
        Surface | None,
        Meta(description=f"{SURFACE_MEANING} Null for a platform that checks no longer ask."),
    ]
    answer_usd: Annotated[float | None, Meta(description="Cost of one answer. Null if the price is not known.")]
    basis: Annotated[
        PriceBasis | None,
        Meta(
            description="How the cost of an answer is known: `measured` (from answers of the last 30 days), `entered` "
            "(from the operator's prices), `list` (from list prices) or `sandbox` (free). Null if it is not known."
        ),
    ]
    check_usd: Annotated[float | None, Meta(description="Forecast of a Full Check. Null if the price is not known.")]
    week_usd: Annotated[
        float | None,
        Meta(description="Forecast of a week: a Full Check and six Daily Checks. Null if the price is not known."),
    ]
    month_usd: Annotated[float | None, Meta(description="Forecast of an average month, which has 4.35 weeks.")]
    last_week_usd: Annotated[float, Meta(description="What the answers of the seven days before today (UTC) cost.")]
    month_spent_usd: Annotated[float, Meta(description="What the answers of this month (UTC) have cost so far.")]
    month_expected_usd: Annotated[
        float | None,
        Meta(
            description="`month_spent_usd` plus the checks that are still due this month. Null if the price is not "
            "known."
        ),
    ]


class CostForecastView(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks of a domain will cost the operator, next to what they have cost, without the editor."""

    check_answers: Annotated[int, Meta(description="Number of answers that a Full Check asks for.")]
    week_answers: Annotated[int, Meta(description="Number of answers that the checks of a week ask for.")]
    check_usd: Annotated[
        float | None,
        Meta(description="Sum of `check_usd` over the platforms with a known price. Null if there is none."),
    ]
    week_usd: Annotated[float | None, Meta(description="Sum of `week_usd` over the platforms with a known price.")]
    month_usd: Annotated[float | None, Meta(description="Sum of `month_usd` over the platforms with a known price.")]
    last_week_usd: Annotated[float, Meta(description="Sum of `last_week_usd`.")]
    month_spent_usd: Annotated[float, Meta(description="Sum of `month_spent_usd`.")]
    month_expected_usd: Annotated[
        float | None, Meta(description="Sum of `month_expected_usd` over the platforms with a known price.")
    ]
    platforms: Annotated[
        list[PlatformCostForecast],
        Meta(description="The platforms that the next check asks, then those that it no longer asks."),
    ]


def to_cost_forecast(costs: DomainCosts) -> CostForecastView:
    forecast = costs.forecast
    asked = {each.platform: each for each in forecast.platforms}
    platforms = []
    for key, month in costs.months.items():
        each = asked.get(key)
        price = each and each.price
        platforms.append(
            PlatformCostForecast(
                platform=key,
                surface=each.surface if each else None,
                answer_usd=_round(price.usd) if price else None,
                basis=price.basis if price else None,
                check_usd=_round(each.check_usd) if each else None,
                week_usd=_round(each.week_usd) if each else None,
                month_usd=_round(each.month_usd) if each else None,
                last_week_usd=round_half_away(month.last_week_usd, _DECIMALS),
                month_spent_usd=round_half_away(month.spent_usd, _DECIMALS),
                month_expected_usd=_round(month.expected_usd),
            )
        )
    return CostForecastView(
        check_answers=forecast.answers.full,
        week_answers=forecast.answers.total,
        check_usd=_round(forecast.check_usd),
        week_usd=_round(forecast.week_usd),
        month_usd=_round(forecast.month_usd),
        last_week_usd=round_half_away(costs.last_week_usd, _DECIMALS),
        month_spent_usd=round_half_away(costs.spent_usd, _DECIMALS),
        month_expected_usd=_round(costs.expected_usd),
        platforms=platforms,
    )


def _round(amount: float | None) -> float | None:
    return None if amount is None else round_half_away(amount, _DECIMALS)


# Examples

EXAMPLES = {
    "read_cost_forecast": Example(
        CostForecastView(
            check_answers=40,
            week_answers=100,
            check_usd=0.96,
            week_usd=2.4,
            month_usd=10.435714,
            last_week_usd=2.351207,
            month_spent_usd=4.702414,
            month_expected_usd=10.222414,
            platforms=[
                PlatformCostForecast(
                    platform="chatgpt",
                    surface="api",
                    answer_usd=0.024,
                    basis="measured",
                    check_usd=0.96,
                    week_usd=2.4,
                    month_usd=10.435714,
                    last_week_usd=2.351207,
                    month_spent_usd=4.702414,
                    month_expected_usd=10.222414,
                )
            ],
        )
    ),
}
