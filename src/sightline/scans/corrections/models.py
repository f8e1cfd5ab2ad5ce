"""The rows of corrections."""

import uuid
from datetime import datetime

import msgspec

from sightline.answers.corrections import Correction, CorrectionKind

MAX_CORRECTIONS = 500
"""The number of corrections that a tracked domain can have."""
MAX_WORDS_LENGTH = 200


class CorrectionRow(msgspec.Struct, frozen=True):
    """One row of `corrections`. `phrase` excludes the name everywhere; `name` is a name that it gave the brand."""

    id: uuid.UUID
    domain_id: uuid.UUID
    scan_id: uuid.UUID
    answer_id: uuid.UUID
    kind: CorrectionKind
    span_start: int
    span_end: int
    words: str
    phrase: str | None
    name: str | None
    created_by: uuid.UUID
    api_key_id: uuid.UUID | None
    created_at: datetime

    def overlaps(self, start: int, end: int) -> bool:
        return self.span_start < end and start < self.span_end


class SignedCorrection(msgspec.Struct, frozen=True):
    """A correction with the name of the member who made it, and that of the key if one was used."""

    correction: CorrectionRow
    member: str
    key: str | None


CorrectionsByAnswer = dict[str, tuple[Correction, ...]]
"""What an analysis needs to know of corrections, by the id of the answer."""
