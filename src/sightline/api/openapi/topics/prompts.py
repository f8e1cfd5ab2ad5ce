"""How the reference speaks of tracked prompts."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.api.schemas import Removed
from sightline.prompts.schemas import Prompt, PromptMetricsPeriod, PromptSentiment

TAGS: Mapping[str, str] = {
    "Data: Prompts": "What is asked for a tracked domain. Adding a prompt pins it; a domain has at most 10 pins.",
}
_PROMPT_ID = UUID("01990f6c-41d7-7e08-93ab-d05f7c2b8e61")
PATH_IDS: Mapping[str, str] = {"prompt_id": str(_PROMPT_ID)}

MEANINGS: Mapping[str, str] = {
    "Prompt.id": "Used as `prompt_id`, and as `existing_id`.",
    "Prompt.domain_id": "The tracked domain.",
    "Prompt.prompt": "Its text.",
    "Prompt.language_code": "Recorded language (ISO 639-1); null for history from before languages were recorded.",
    "Prompt.country_iso_2": "Recorded market (ISO 3166-1 alpha-2); null for Global.",
    "user_pinned": "Whether it is pinned, here or in the dashboard.",
    "pinned_at": "When it was pinned; null when it is not.",
    "Prompt.source": "`added_by_you`: by someone in the workspace, in the dashboard, through the API or during setup. "
    "`suggested`: by us.",
    "Prompt.status": "`active`.",
    "search_volume": "Estimated monthly searches; null when not known.",
    "ai_search_volume": "Statistical estimate of the monthly demand for this very prompt, country and language, "
    "derived from search-question data. It counts no observed assistant usage, visits or conversions. Null in every "
    "state but `estimated`.",
    "ai_search_volume_state": "`estimated`; `no_estimate`: looked up, none exists; `pending`: not looked up; `failed`: "
    "the lookup failed; `unsupported`: this prompt or market cannot be looked up; `legacy_unknown`: history of unknown "
    "provenance.",
    "cpc_usd": "Estimated cost per click in US dollars; null when not known.",
    "monthly_value_usd": "`search_volume` times `cpc_usd`; null when either is.",
    "estimated_traffic_value_usd": "`monthly_value_usd` times the share of the period's answers that name the brand; "
    "null when either is not known.",
    "Prompt.sentiment": "How the answers of the recorded period speak of the brand.",
    "PromptSentiment.score": "Median, 0 to 100, 50 is neutral; null with fewer than 3 scored answers, and without a "
    "current period.",
    "PromptSentiment.label": "The most frequent label; null whenever the score is.",
    "responses_analyzed": "Scored answers that name the brand. Unscored ones never count as neutral.",
    "low_data": "Fewer than 3 scored answers.",
    "mixed": "The labels are tied, and `neutral` stands for both.",
    "measurement_state": "`measured`; `insufficient_data`: fewer than 3 scored answers; `expired`: the period ended 30 "
    "days ago or more; `not_measured`: there is no valid period.",
    "PromptSentiment.period_start": "Start of the recorded period; null when there is none.",
    "PromptSentiment.period_end": "End of the recorded period; null when there is none.",
    "co_mentioned_brands": "Up to 5 source domains cited alongside the brand in the period; empty when it is not "
    "current.",
    "prompt_metrics_period": "The window that these metrics describe.",
    "PromptMetricsPeriod.period_start": "30 days before the end; null when there is no period.",
    "PromptMetricsPeriod.period_end": "When the answers were gathered; null when there is no period.",
    "refreshed_at": "The same moment as `period_end`.",
    "is_current": "Whether the period still speaks for the prompt: it does for 30 days after its end.",
    "consecutive_uncited": "How many checks in a row tested the prompt without citing the brand.",
    "last_scanned_at": "When a check last tested it; null when none has.",
    "Prompt.created_at": "When it was added.",
    "PromptInput.prompt": "2 to 500 characters after trimming. Compared after Unicode NFKC, without regard to case and "
    "white space.",
    "PromptInput.language_code": "ISO 639-1. Required for a new prompt; with `existing_id` it may be left out, and "
    "must be the record's own.",
    "PromptInput.country_iso_2": "ISO 3166-1 alpha-2. Left out or null: Global. With `existing_id` the record's own "
    "stays.",
    "PromptInput.existing_id": "A prompt of this domain to pin, sent together with its text. It keeps its country and "
    "language.",
}

_ENDED, _STARTED = "2026-11-14T08:30:51.377020+00:00", "2026-10-15T08:30:51.377020+00:00"
_PROMPT = Prompt(
    id=_PROMPT_ID,
    domain_id=UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d"),
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
    created_at="2026-11-02T08:40:19.730066+00:00",
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
)

EXAMPLES: Mapping[str, Example] = {
    "list_prompts": Example(Page([_PROMPT], PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))),
    "add_prompt": Example(
        One(_NEW, Meta(REQUEST_ID)),
        {"prompt": "What is the best anvil for a small forge?", "language_code": "en", "country_iso_2": "US"},
    ),
    "remove_prompt": Example(One(Removed(_PROMPT_ID, deleted=True), Meta(REQUEST_ID))),
}
