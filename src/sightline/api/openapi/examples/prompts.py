"""Examples of tracked prompts."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, envelope, page
from sightline.api.schemas import Removed
from sightline.metrics.figure import Figure, Range
from sightline.prompts.imports.schemas import PromptImport
from sightline.prompts.schemas import Prompt, PromptMetricsPeriod, PromptSentiment
from sightline.prompts.suggestions.schemas import PromptSuggestion
from sightline.scoreboard.schemas import PromptSourceChange, PromptSourceChanges, PromptSpotChecks, SpotCheckResult
from sightline.scoreboard.tag_figures import PromptTags, TagFigures

_PROMPT_ID = UUID("01990f6c-41d7-7e08-93ab-d05f7c2b8e61")
PATH_IDS: Mapping[str, str] = {"prompt_id": str(_PROMPT_ID)}


_ENDED, _STARTED = "2026-11-14T08:30:51.377020+00:00", "2026-10-15T08:30:51.377020+00:00"
_PROMPT = Prompt(
    id=_PROMPT_ID,
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

_SPOT_CHECKS = PromptSpotChecks(
    prompt_id=_PROMPT_ID,
    domain_id=TRACKED_DOMAIN_ID,
    period_days=90,
    platforms=(
        SpotCheckResult(
            platform="chatgpt",
            chance=Figure(
                value=44.0,
                low=31.2,
                high=57.7,
                n=50,
                numerator=22,
                denominator=50,
                early_reading=False,
                incomplete=False,
            ),
            summary="If someone asks once, the chance of seeing Acme is 44% (31% to 58%).",
            first_asked_at="2026-08-18T08:31:02.150884+00:00",
            last_asked_at=_ENDED,
        ),
        SpotCheckResult(
            platform="gemini",
            chance=Figure(
                value=None,
                low=None,
                high=None,
                n=3,
                numerator=1,
                denominator=3,
                early_reading=False,
                incomplete=False,
            ),
            summary="Too few answers to estimate the chance: 3 so far, 5 needed.",
            first_asked_at="2026-11-12T08:30:40.911372+00:00",
            last_asked_at=_ENDED,
        ),
    ),
)

_SOURCE_CHANGES = PromptSourceChanges(
    prompt_id=_PROMPT_ID,
    domain_id=TRACKED_DOMAIN_ID,
    period_days=30,
    sources=(
        PromptSourceChange(
            platform="chatgpt",
            site="g2.com",
            change="new",
            at="2026-11-02T08:34:12.660184+00:00",
            cited=9,
            answers=12,
        ),
        PromptSourceChange(
            platform="chatgpt",
            site="forge-weekly.com",
            change="lost",
            at="2026-11-05T08:30:40.911372+00:00",
            cited=3,
            answers=4,
        ),
    ),
)

_SUGGESTION = PromptSuggestion(
    id=UUID("01990f6c-58e2-7b31-8d4f-2c7be0a91f53"),
    domain_id=TRACKED_DOMAIN_ID,
    prompt="Which anvils are the quietest?",
    language_code="en",
    country_iso_2="US",
    priority=57.4,
    origin="aspect",
    origin_subjects=("noise",),
    origin_answers=9,
    origin_summary="Asks about an aspect that answers mention: noise",
    scan_id=UUID("01990f6c-33d1-7a5e-9c02-6f1d84b7e2aa"),
    created_at=_ENDED,
)

_TAGS = PromptTags(
    domain_id=TRACKED_DOMAIN_ID,
    tags=[
        TagFigures(
            tag="forge",
            prompts=12,
            measured=11,
            brand_coverage_pct=Figure(
                value=43.2,
                low=36.4,
                high=50.1,
                n=44,
                numerator=19,
                denominator=44,
                early_reading=False,
                incomplete=False,
                prompts=11,
                market=Range(30.1, 57.4),
            ),
            visibility_score=Figure(
                value=31.8,
                low=26.0,
                high=37.9,
                n=44,
                numerator=14,
                denominator=44,
                early_reading=False,
                incomplete=False,
                prompts=11,
                market=Range(20.6, 44.5),
            ),
        )
    ],
)

EXAMPLES: Mapping[str, Example] = {
    "list_prompts": Example(page(_PROMPT)),
    "list_prompt_suggestions": Example(page(_SUGGESTION)),
    "read_prompt_spot_checks": Example(envelope(_SPOT_CHECKS)),
    "read_prompt_source_changes": Example(envelope(_SOURCE_CHANGES)),
    "import_prompts": Example(
        envelope(PromptImport(domain_id=TRACKED_DOMAIN_ID, added=1, restored=0, already_tracked=0, repeated=0)),
        {
            "prompts": [
                {
                    "prompt": "Which anvil is quietest?",
                    "language_code": "en",
                    "country_iso_2": "US",
                    "tags": ["forge"],
                    "pinned": False,
                }
            ]
        },
    ),
    "read_prompt_tags": Example(envelope(_TAGS)),
    "change_prompt_tags": Example(envelope(_TAGS), {"prompt_ids": [str(_PROMPT_ID)], "add": ["forge"], "remove": []}),
    "add_prompt": Example(
        envelope(_NEW),
        {"prompt": "What is the best anvil for a small forge?", "language_code": "en", "country_iso_2": "US"},
    ),
    "unpin_prompt": Example(envelope(msgspec.structs.replace(_PROMPT, user_pinned=False, pinned_at=None))),
    "remove_prompt": Example(envelope(Removed(_PROMPT_ID, deleted=True))),
}
