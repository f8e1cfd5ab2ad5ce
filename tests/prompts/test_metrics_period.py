"""spec, Data API prompt: sentiment, co_mentioned_brands, prompt_metrics_period and the dollar values."""

from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest

from sightline.kit.ids import new_id
from sightline.prompts.demand_value import monthly_value, to_dollars, traffic_value
from sightline.prompts.metrics_period import read_metrics_period
from sightline.prompts.models import PromptRow, StoredSentiment
from tests.installation import START as NOW

GOOD = StoredSentiment(score=65.0, label="positive", responses_analyzed=3, low_data=False, mixed=False)
DAY = timedelta(days=1)


def row(end=NOW - DAY, sentiment=GOOD, **changes):
    made = PromptRow(
        id=new_id(),
        domain_id=new_id(),
        prompt="best crm",
        language_code="en",
        country_iso_2=None,
        source="added_by_you",
        status="active",
        pinned_at=None,
        search_volume=None,
        ai_search_volume=None,
        ai_search_volume_state="pending",
        cpc_usd=None,
        period_end=end,
        sentiment=msgspec.json.encode(sentiment) if isinstance(sentiment, StoredSentiment) else sentiment,
        co_mentioned_brands=["g2.com"],
        named_share=0.25,
        consecutive_uncited=0,
        consecutive_unnamed=0,
        last_scanned_at=None,
        created_at=NOW,
    )
    return msgspec.structs.replace(made, **changes)


def test_a_measured_period_starts_30_days_before_its_captured_end():
    shown = read_metrics_period(row(), NOW)
    assert (shown.state, shown.score, shown.label, shown.responses_analyzed) == ("measured", 65.0, "positive", 3)
    assert (shown.start, shown.end, shown.is_current) == (NOW - 31 * DAY, NOW - DAY, True)
    assert (shown.co_mentioned_brands, shown.named_share) == (["g2.com"], 0.25)


@pytest.mark.parametrize(
    "unusable",
    [
        row(end=None),
        row(end=NOW + timedelta(microseconds=1)),
        row(sentiment=b"{broken"),
        row(sentiment=b"[]"),
        row(sentiment=b'{"score": "high"}'),
    ],
    ids=["missing", "future", "broken", "list", "types"],
)
def test_a_missing_invalid_or_future_period_is_not_measured(unusable):
    shown = read_metrics_period(unusable, NOW)
    assert (shown.state, shown.score, shown.label, shown.is_current) == ("not_measured", None, None, False)
    assert (shown.start, shown.end, shown.co_mentioned_brands, shown.named_share) == (None, None, [], None)
    assert (shown.responses_analyzed, shown.low_data, shown.mixed) == (0, True, False)


def test_a_period_expires_30_days_after_its_captured_end():
    end = NOW - 30 * DAY
    assert read_metrics_period(row(end=end + timedelta(microseconds=1)), NOW).state == "measured"
    shown = read_metrics_period(row(end=end), NOW)
    assert (shown.state, shown.score, shown.label, shown.mixed) == ("expired", None, None, False)
    assert (shown.end, shown.is_current, shown.co_mentioned_brands, shown.named_share) == (end, False, [], None)
    assert shown.responses_analyzed == 3


@pytest.mark.parametrize("number", [0, 1, 2])
def test_fewer_than_3_scored_answers_leave_score_and_label_null(number):
    few = StoredSentiment(score=80.0, label="positive", responses_analyzed=number, low_data=False, mixed=True)
    shown = read_metrics_period(row(sentiment=few), NOW)
    assert (shown.state, shown.score, shown.label) == ("insufficient_data", None, None)
    assert (shown.responses_analyzed, shown.low_data, shown.mixed) == (number, True, False)
    assert shown.is_current and shown.co_mentioned_brands == ["g2.com"], "the rest of the period holds"


def test_a_current_period_without_any_scored_answer():
    """A period before the first Full Check: a Daily Check scores no sentiment."""
    shown = read_metrics_period(row(sentiment=None), NOW)
    assert (shown.state, shown.responses_analyzed, shown.is_current) == ("insufficient_data", 0, True)


def test_monthly_value_is_search_volume_times_cpc_and_traffic_value_times_the_share():
    monthly = monthly_value(1_000, Decimal("1.25"))
    assert to_dollars(monthly) == 1_250.0
    assert to_dollars(traffic_value(monthly, 1 / 3)) == 416.67
    assert to_dollars(traffic_value(monthly_value(1, Decimal("0.01")), 0.5)) == 0.01, "half away from zero"
    assert to_dollars(monthly_value(0, Decimal("1.25"))) == 0.0, "measured and none"


def test_each_is_null_when_an_input_is():
    assert monthly_value(None, Decimal(1)) is None and monthly_value(1, None) is None
    assert traffic_value(None, 0.5) is None and traffic_value(Decimal(1), None) is None
    assert to_dollars(None) is None
