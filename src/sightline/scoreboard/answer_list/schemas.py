"""Schema of an answer in a list."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.answers.decisive_sentence import SentencePart, cut_decisive_sentence
from sightline.answers.models import ANSWER_STANCE_MEANING, MENTIONED_MEANING, Stance
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, CHECKED_PROMPT, CHECKED_PROMPT_ID, Example
from sightline.metrics.observation import BRANDED_MEANING, SURFACE_MEANING, Status, Surface
from sightline.metrics.sentiment import Label, label_score
from sightline.scans.models import AnswersSource
from sightline.scans.stored import Scope, decode_record
from sightline.scoreboard.answer_list.queries import ListedRow

Change = Literal["gained", "lost"]
CHANGE_MEANING = (
    "`gained`: the answer names the brand, and the answer to the same prompt on the same platform in the previous "
    "check did not. `lost`: the reverse."
)


class ListedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A short form of a tracked domain's answer. `GET /scans/{scan_id}/answers/{answer_id}` returns the full text."""

    id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Check that the answer belongs to.")]
    measurement_scope: Annotated[Scope, Meta(description="Kind of that check.")]
    answers_source: Annotated[AnswersSource, Meta(description="`live`, or `sandbox` for made-up answers.")]
    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    country_iso_2: Annotated[str | None, Meta(description="Country of the prompt. Null if none is set.")]
    language_code: Annotated[str | None, Meta(description="Language of the prompt. Null if none is recorded.")]
    platform: Annotated[str, Meta(description="Key of the platform.")]
    surface: Annotated[Surface, Meta(description=SURFACE_MEANING)]
    status: Annotated[Status, Meta(description="`ok`, `no_surface` (no AI answer was shown) or `failed`.")]
    branded: Annotated[
        bool,
        Meta(description=f"Whether the prompt names the brand. {BRANDED_MEANING}"),
    ]
    mentioned: Annotated[bool | None, Meta(description=f"{MENTIONED_MEANING} Null unless the status is `ok`.")]
    cited: Annotated[
        bool | None, Meta(description="Whether the answer cites a page of the brand. Null unless the status is `ok`.")
    ]
    position: Annotated[
        int | None,
        Meta(description="Rank of the brand among the brands in the answer, 1 is first. Null if it has none."),
    ]
    stance: Annotated[
        Stance | None,
        Meta(description=ANSWER_STANCE_MEANING),
    ]
    sentiment: Annotated[
        Label | None,
        Meta(description="Sentiment about the brand. Only answers of Full Checks are scored. Null if not scored."),
    ]
    change: Annotated[
        Change | None,
        Meta(description=f"{CHANGE_MEANING} Null if nothing changed, or there is nothing to compare."),
    ]
    competitors: Annotated[tuple[str, ...], Meta(description="Tracked competitors that the answer names.")]
    sentence: Annotated[
        tuple[SentencePart, ...],
        Meta(
            description="The sentence that names the brand. If there is none, the sentence about the competitor "
            "that the answer ranks first, or else the first sentence. It comes in parts; `brand` is "
            "set in each part that names a brand."
        ),
    ]
    answered_at: Annotated[Timestamp, Meta(description="When the answer was stored.")]


def to_listed_answer(row: ListedRow) -> ListedAnswer:
    record = decode_record(row.record)
    analysis = record.analysis
    own = analysis.brands[0] if analysis else None
    scored = own is not None and own.sentiment is not None and own.stance != "unknown"
    return ListedAnswer(
        id=row.id,
        scan_id=row.scan_id,
        measurement_scope=row.scope,
        answers_source="sandbox" if "source:sandbox" in row.labels else "live",
        prompt_id=row.prompt_id,
        prompt=row.prompt,
        country_iso_2=row.country,
        language_code=row.language,
        platform=row.platform,
        surface=record.provenance.surface,
        status=row.status,
        branded="branded" in row.labels,
        mentioned=own.mentioned if own else None,
        cited=own.cited if own else None,
        position=own.rank if own else None,
        stance=own.stance if own else None,
        sentiment=label_score(own.sentiment.score) if own and own.sentiment and scored else None,
        change="gained" if "gained" in row.labels else "lost" if "lost" in row.labels else None,
        competitors=tuple(brand.name for brand in analysis.brands[1:] if brand.mentioned) if analysis else (),
        sentence=cut_decisive_sentence(row.text, analysis),
        answered_at=to_iso(row.answered_at),
    )


# Examples

_LISTED_ANSWER = ListedAnswer(
    id=CHECK_ANSWER_ID,
    scan_id=CHECK_ID,
    measurement_scope="full_check",
    answers_source="live",
    prompt_id=CHECKED_PROMPT_ID,
    prompt=CHECKED_PROMPT,
    country_iso_2=None,
    language_code="en",
    platform="chatgpt",
    surface="api",
    status="ok",
    branded=False,
    mentioned=True,
    cited=True,
    position=1,
    stance="neutral",
    sentiment="positive",
    change="gained",
    competitors=("Globex",),
    sentence=(SentencePart("Acme", "Acme"), SentencePart(" makes the best anvil for a small forge.")),
    answered_at="2026-11-14T09:32:41.530922+00:00",
)

EXAMPLES = {
    "list_answers": Example([_LISTED_ANSWER]),
}
