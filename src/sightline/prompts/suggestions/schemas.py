"""Schemas of suggested prompts in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away
from sightline.kit.structs import convert_struct
from sightline.prompts.suggestions.models import Origin, SuggestionRow
from sightline.prompts.suggestions.origins import describe_origin


class PromptSuggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that Sightline proposes. Nothing is tracked until somebody accepts it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the suggestion.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain of the suggestion.")]
    prompt: Annotated[str, Meta(description="Text of the suggested prompt.")]
    language_code: Annotated[str | None, Meta(description="Language of the prompts that led to the suggestion.")]
    country_iso_2: Annotated[
        str | None, Meta(description="Country of the prompts that led to the suggestion. Null if none is set.")
    ]
    priority: Annotated[
        float,
        Meta(
            description="From 0 to 100. Higher if more answers led to the suggestion, if it differs more from earlier "
            "prompts, and if more of these answers name competitors but not the brand."
        ),
    ]
    origin: Annotated[
        Origin,
        Meta(
            description="`fan_out`: a platform searched the web for it to answer another prompt. `question`: an answer "
            "asks it. `aspect`: about an aspect that answers talk about. `use`: about a purpose that answers recommend "
            "products for. `rivals`: compares competitors. `stage`: about a stage of the purchase "
            "that no prompt covers. `setup`: suggested at setup. `template`: a general question about "
            "what the brand sells."
        ),
    ]
    origin_subjects: Annotated[
        tuple[str, ...],
        Meta(
            description="What the origin is about: platforms, an aspect, a purpose, competitors, a stage, or what the "
            "brand sells. Empty if unknown."
        ),
    ]
    origin_answers: Annotated[
        int | None, Meta(description="Number of answers that led to the suggestion. Null if none did.")
    ]
    origin_summary: Annotated[str, Meta(description="Origin of the suggestion, in words.")]
    scan_id: Annotated[
        uuid.UUID | None,
        Meta(description="Full Check whose answers led to the suggestion. Null for suggestions at setup."),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the prompt was first suggested.")]


def to_suggestion(row: SuggestionRow) -> PromptSuggestion:
    return convert_struct(
        PromptSuggestion,
        row,
        priority=round_half_away(row.priority),
        origin_subjects=tuple(row.origin_subjects),
        origin_summary=describe_origin(row.origin, row.origin_subjects, row.origin_answers),
        created_at=to_iso(row.created_at),
    )


# Examples

_SUGGESTION = PromptSuggestion(
    id=uuid.UUID("01990f6c-58e2-7b31-8d4f-2c7be0a91f53"),
    domain_id=TRACKED_DOMAIN_ID,
    prompt="Which anvils are the quietest?",
    language_code="en",
    country_iso_2="US",
    priority=57.4,
    origin="aspect",
    origin_subjects=("noise",),
    origin_answers=9,
    origin_summary="Asks about an aspect that answers mention: noise",
    scan_id=uuid.UUID("01990f6c-33d1-7a5e-9c02-6f1d84b7e2aa"),
    created_at="2026-11-14T08:30:51.377020+00:00",
)

EXAMPLES = {
    "list_prompt_suggestions": Example([_SUGGESTION]),
}
