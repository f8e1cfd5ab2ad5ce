"""Schemas of corrections in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.answers.corrections import CorrectionKind
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, TRACKED_DOMAIN_ID, USER_ID, Example
from sightline.kit.structs import convert_struct
from sightline.scans.corrections.models import MAX_WORDS_LENGTH, CorrectionRow

_KIND = (
    "`not_this_brand`: the words are marked as the brand and mean something else. `missing`: the words name the brand "
    "and are not marked."
)
_PHRASE = (
    "Longer phrase in which the words never mean the brand, such as `target audience` if the brand is `Target`. It "
    "applies to all answers."
)
_START = "Offset of the first character in `text` of the answer, counted from 0 in Unicode code points."


class CorrectionInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in an answer that the analysis got wrong, in the form of `occurrences`."""

    scan_id: Annotated[str, Meta(description="Check that the answer belongs to.", min_length=1)]
    answer_id: Annotated[str, Meta(description="Answer to correct.", min_length=1)]
    kind: Annotated[CorrectionKind, Meta(description=_KIND)]
    start: Annotated[int, Meta(description=_START, ge=0)]
    end: Annotated[int, Meta(description="Offset of the first character after the words.", ge=1)]
    text: Annotated[
        str,
        Meta(
            description="Words at this place, exactly as in the answer. Different words are refused, so a wrong "
            "offset cannot correct the wrong place.",
            min_length=1,
            max_length=MAX_WORDS_LENGTH,
        ),
    ]
    phrase: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_WORDS_LENGTH)] | None,
        Meta(description=f"For `not_this_brand` only. {_PHRASE} If null or omitted, only this answer is corrected."),
    ] = None
    add_name: Annotated[
        bool,
        Meta(
            description="For `missing` only. Whether the words also become a name of the brand, which applies to all "
            "answers. If false, only this answer is corrected. The default is true. No name is added if the words are "
            "already a name of the brand, are a name of a competitor, or do not look like a name. In the response, "
            "`name` is then null."
        ),
    ] = True


class AnswerCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """A correction of one answer, its effect on all other answers, and who made it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the correction, used as `correction_id`.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain that the correction belongs to.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Check that the answer belongs to.")]
    answer_id: Annotated[uuid.UUID, Meta(description="Corrected answer.")]
    kind: Annotated[CorrectionKind, Meta(description=_KIND)]
    start: Annotated[int, Meta(description=_START)]
    end: Annotated[int, Meta(description="Offset of the first character after the words.")]
    text: Annotated[str, Meta(description="Words at this place of the answer.")]
    phrase: Annotated[str | None, Meta(description=f"{_PHRASE} Null if the correction has no phrase.")]
    name: Annotated[
        str | None,
        Meta(
            description="Name that this correction added to the brand. Undoing removes it. Null if no name was added."
        ),
    ]
    created_by: Annotated[
        uuid.UUID, Meta(description="Member who made the correction, or who created the key that made it.")
    ]
    api_key_id: Annotated[
        uuid.UUID | None, Meta(description="Key that made the correction. Null if it was made in the app.")
    ]
    created_at: Annotated[Timestamp, Meta(description="When the correction was made.")]


def to_answer_correction(row: CorrectionRow) -> AnswerCorrection:
    return convert_struct(
        AnswerCorrection,
        row,
        start=row.span_start,
        end=row.span_end,
        text=row.words,
        created_at=to_iso(row.created_at),
    )


# Examples

_CORRECTION_ID = uuid.UUID("01990f70-3e15-7a62-8b0d-4c9a71f6e238")
PATH_IDS = {"data": {"correction_id": str(_CORRECTION_ID)}}

_CORRECTION = AnswerCorrection(
    id=_CORRECTION_ID,
    domain_id=TRACKED_DOMAIN_ID,
    scan_id=CHECK_ID,
    answer_id=CHECK_ANSWER_ID,
    kind="not_this_brand",
    start=41,
    end=45,
    text="acme",
    phrase="acme of perfection",
    name=None,
    created_by=USER_ID,
    api_key_id=uuid.UUID("01990f70-01c2-7d5e-9a47-b83f60e2d914"),
    created_at="2026-11-14T09:30:00.123456+00:00",
)

EXAMPLES = {
    "list_corrections": Example([_CORRECTION]),
    "correct_answer": Example(
        _CORRECTION,
        {
            "scan_id": str(CHECK_ID),
            "answer_id": str(CHECK_ANSWER_ID),
            "kind": "not_this_brand",
            "start": 41,
            "end": 45,
            "text": "acme",
            "phrase": "acme of perfection",
        },
    ),
}
