"""Schemas of tracked prompts in the Data API."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away_or_none
from sightline.metrics.sentiment import Label
from sightline.prompts import models
from sightline.prompts.demand_value import monthly_value, to_dollars, traffic_value
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.metrics_period import MAX_CO_MENTIONED, MeasurementState, MetricsPeriod, read_metrics_period
from sightline.prompts.tags.names import MAX_TAG_LENGTH, MAX_TAGGED_AT_ONCE, MAX_TAGS


class PromptInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prompt to add and pin. `language_code` is required for new prompts; `existing_id` names a prompt to pin."""

    prompt: Annotated[
        str,
        Meta(
            description="Text of 2 to 500 characters after trimming. Prompts are compared after Unicode NFKC "
            "normalization, ignoring case and white space."
        ),
    ]
    language_code: Annotated[
        str | None,
        Meta(
            description="ISO 639-1 code. Required for a new prompt. With `existing_id` it is optional, and must "
            "match the language of that prompt."
        ),
    ] = None
    country_iso_2: Annotated[
        str | None,
        Meta(
            description="ISO 3166-1 alpha-2 code. Null or omitted means Global. With `existing_id` the country of "
            "that prompt stays."
        ),
    ] = None
    existing_id: Annotated[
        str | None,
        Meta(
            description="Id of a prompt of this domain to pin, sent together with its text. The prompt keeps its "
            "country and language."
        ),
    ] = None


class TagChangeInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tags to add to prompts and to remove from them."""

    prompt_ids: Annotated[
        list[str],
        Meta(description="Ids of active prompts of the domain.", min_length=1, max_length=MAX_TAGGED_AT_ONCE),
    ]
    add: Annotated[
        list[str],
        Meta(
            description=f"Tags to add. A tag has 1 to {MAX_TAG_LENGTH} characters, must not contain commas or "
            f"semicolons, and is stored in lower case. A prompt can have at most {MAX_TAGS} tags.",
            max_length=MAX_TAGS,
        ),
    ] = []
    remove: Annotated[list[str], Meta(description="Tags to remove.", max_length=MAX_TAGS)] = []


class PromptSentiment(msgspec.Struct, frozen=True):
    """Median score and most frequent label of the scored answers that name the brand."""

    score: Annotated[
        float | None,
        Meta(
            description="Median score, 0 to 100; between 40 and 60 is neutral. Null with fewer than 3 scored answers, "
            "and if the period is not current."
        ),
    ]
    label: Annotated[Label | None, Meta(description="Most frequent label. Null whenever the score is null.")]
    responses_analyzed: Annotated[
        int, Meta(description="Number of scored answers that name the brand. Unscored answers never count as neutral.")
    ]
    low_data: Annotated[bool, Meta(description="Whether there are fewer than 3 scored answers.")]
    mixed: Annotated[bool, Meta(description="Whether the labels are tied. `label` is then `neutral`.")]
    measurement_state: Annotated[
        MeasurementState,
        Meta(
            description="`measured`; `insufficient_data`: fewer than 3 scored answers; `expired`: the period "
            "ended 30 days ago or more; `not_measured`: there is no period yet."
        ),
    ]
    period_start: Annotated[Timestamp | None, Meta(description="Start of the period. Null if there is none.")]
    period_end: Annotated[Timestamp | None, Meta(description="End of the period. Null if there is none.")]


class PromptMetricsPeriod(msgspec.Struct, frozen=True):
    """The period that the prompt's metrics describe. They are as of its end, not as of the request."""

    period_start: Annotated[Timestamp | None, Meta(description="30 days before the end. Null if there is no period.")]
    period_end: Annotated[
        Timestamp | None, Meta(description="When the metrics were computed. Null if there is no period.")
    ]
    refreshed_at: Annotated[Timestamp | None, Meta(description="Same time as `period_end`.")]
    is_current: Annotated[
        bool, Meta(description="Whether the period still describes the prompt: it does for 30 days after its end.")
    ]


class Prompt(msgspec.Struct, frozen=True):
    """A tracked prompt. Null means not measured or unknown, never zero."""

    id: Annotated[uuid.UUID, Meta(description="Id of the prompt, used as `prompt_id` and as `existing_id`.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language_code: Annotated[
        str | None,
        Meta(description="Language of the prompt (ISO 639-1). Null for prompts from before languages were recorded."),
    ]
    country_iso_2: Annotated[
        str | None, Meta(description="Country of the prompt (ISO 3166-1 alpha-2). Null if none is set.")
    ]
    user_pinned: Annotated[bool, Meta(description="Whether the prompt is pinned, through the API or in the dashboard.")]
    pinned_at: Annotated[Timestamp | None, Meta(description="When the prompt was pinned. Null if it is not pinned.")]
    source: Annotated[
        models.Source,
        Meta(
            description="`added_by_you`: added by someone in the workspace, in the dashboard, through the API or "
            "during setup. `suggested`: suggested by Sightline."
        ),
    ]
    status: Annotated[str, Meta(description="Always `active`.")]
    search_volume: Annotated[
        int | None, Meta(description="Estimated monthly searches for this text in search engines. Null if unknown.")
    ]
    ai_search_volume: Annotated[
        int | None,
        Meta(
            description="Estimated monthly demand for this exact prompt, country and language on AI platforms. The "
            "estimate is derived from questions that people type into search engines. It does not count actual use, "
            "visits or conversions. Null unless the state is `estimated`."
        ),
    ]
    ai_search_volume_state: Annotated[
        models.VolumeState,
        Meta(
            description="`estimated`; `no_estimate`: looked up, none exists; `pending`: not looked up yet; "
            "`failed`: the lookup failed; `unsupported`: this text, country or language cannot be looked up; "
            "`legacy_unknown`: the origin of an older value is unknown."
        ),
    ]
    cpc_usd: Annotated[float | None, Meta(description="Estimated cost per click in US dollars. Null if unknown.")]
    estimated_traffic_value_usd: Annotated[
        float | None,
        Meta(
            description="`monthly_value_usd` times the share of answers in `prompt_metrics_period` that name the "
            "brand. Null if either is unknown."
        ),
    ]
    monthly_value_usd: Annotated[
        float | None, Meta(description="`search_volume` times `cpc_usd`. Null if either is unknown.")
    ]
    sentiment: Annotated[
        PromptSentiment, Meta(description="Sentiment about the brand in the answers of `prompt_metrics_period`.")
    ]
    co_mentioned_brands: Annotated[
        list[str],
        Meta(
            description="Up to 5 domains of sites that are cited in answers that name the brand. Despite the name of "
            "the field, they are not brands. The answers are those of `prompt_metrics_period`. Empty if the period is "
            "not current.",
            max_length=MAX_CO_MENTIONED,
        ),
    ]
    prompt_metrics_period: Annotated[
        PromptMetricsPeriod,
        Meta(
            description="The 30 days that `estimated_traffic_value_usd`, `sentiment` and `co_mentioned_brands` "
            "describe."
        ),
    ]
    consecutive_uncited: Annotated[
        int, Meta(description="Number of checks in a row that asked the prompt without a citation of the brand.")
    ]
    last_scanned_at: Annotated[
        Timestamp | None, Meta(description="When a check last asked the prompt. Null before the first one.")
    ]
    created_at: Annotated[Timestamp, Meta(description="When the prompt was added.")]
    measures_nothing: Annotated[
        bool,
        Meta(
            description="Whether no answer to the prompt named any brand, tracked or not, in at least three checks in "
            "a row."
        ),
    ] = False
    tags: Annotated[
        list[str], Meta(description="Tags of the prompt, in lower case and sorted.", max_length=MAX_TAGS)
    ] = []
    replaces: Annotated[
        uuid.UUID | None,
        Meta(
            description="Id of the earlier prompt, if this prompt was made by editing its text. The earlier "
            "prompt keeps its history. Null otherwise."
        ),
    ] = None


def to_prompt(row: models.PromptRow, now: datetime) -> Prompt:
    period = read_metrics_period(row, now)
    monthly = monthly_value(row.search_volume, row.cpc_usd)
    return Prompt(
        row.id,
        row.domain_id,
        row.prompt,
        row.language_code,
        row.country_iso_2,
        row.pinned_at is not None,
        to_iso_or_none(row.pinned_at),
        row.source,
        row.status,
        row.search_volume,
        row.ai_search_volume,
        row.ai_search_volume_state,
        to_dollars(row.cpc_usd),
        to_dollars(traffic_value(monthly, period.named_share)),
        to_dollars(monthly),
        _to_sentiment(period),
        period.co_mentioned_brands,
        _to_metrics_period(period),
        row.consecutive_uncited,
        to_iso_or_none(row.last_scanned_at),
        to_iso(row.created_at),
        measures_nothing(row),
        row.tags,
        row.replaces,
    )


def _to_sentiment(period: MetricsPeriod) -> PromptSentiment:
    return PromptSentiment(
        round_half_away_or_none(period.score),
        period.label,
        period.responses_analyzed,
        period.low_data,
        period.mixed,
        period.state,
        to_iso_or_none(period.start),
        to_iso_or_none(period.end),
    )


def _to_metrics_period(period: MetricsPeriod) -> PromptMetricsPeriod:
    end = to_iso_or_none(period.end)
    return PromptMetricsPeriod(to_iso_or_none(period.start), end, refreshed_at=end, is_current=period.is_current)


# Examples

EXAMPLE_PROMPT_ID = uuid.UUID("01990f6c-41d7-7e08-93ab-d05f7c2b8e61")
PATH_IDS = {"data": {"prompt_id": str(EXAMPLE_PROMPT_ID)}}


_ENDED, _STARTED = "2026-11-14T08:30:51.377020+00:00", "2026-10-15T08:30:51.377020+00:00"
_PROMPT = Prompt(
    id=EXAMPLE_PROMPT_ID,
    domain_id=TRACKED_DOMAIN_ID,
    prompt="What is the best anvil for a small forge?",
    language_code="en",
    country_iso_2="US",
    user_pinned=True,
    pinned_at="2026-11-03T10:12:08.004512+00:00",
    source="added_by_you",
    status="active",
    search_volume=1_300,
    ai_search_volume=210,
    ai_search_volume_state="estimated",
    cpc_usd=1.85,
    estimated_traffic_value_usd=1_443.0,
    monthly_value_usd=2_405.0,
    sentiment=PromptSentiment(
        score=72.5,
        label="positive",
        responses_analyzed=14,
        low_data=False,
        mixed=False,
        measurement_state="measured",
        period_start=_STARTED,
        period_end=_ENDED,
    ),
    co_mentioned_brands=["g2.com", "forgejournal.com"],
    prompt_metrics_period=PromptMetricsPeriod(_STARTED, _ENDED, _ENDED, is_current=True),
    consecutive_uncited=2,
    last_scanned_at=_ENDED,
    created_at="2026-08-17T08:40:19.730066+00:00",
    tags=["forge", "top of funnel"],
)
_NEW = msgspec.structs.replace(
    _PROMPT,
    pinned_at="2026-11-14T09:30:00.123456+00:00",
    search_volume=None,
    ai_search_volume=None,
    ai_search_volume_state="pending",
    cpc_usd=None,
    estimated_traffic_value_usd=None,
    monthly_value_usd=None,
    sentiment=PromptSentiment(
        score=None,
        label=None,
        responses_analyzed=0,
        low_data=True,
        mixed=False,
        measurement_state="not_measured",
        period_start=None,
        period_end=None,
    ),
    co_mentioned_brands=[],
    prompt_metrics_period=PromptMetricsPeriod(None, None, None, is_current=False),
    consecutive_uncited=0,
    last_scanned_at=None,
    created_at="2026-11-14T09:30:00.123456+00:00",
    tags=[],
)

EXAMPLES = {
    "list_prompts": Example([_PROMPT]),
    "add_prompt": Example(
        _NEW,
        {"prompt": "What is the best anvil for a small forge?", "language_code": "en", "country_iso_2": "US"},
    ),
    "unpin_prompt": Example(msgspec.structs.replace(_PROMPT, user_pinned=False, pinned_at=None)),
}
