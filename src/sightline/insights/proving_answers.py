"""The answers that prove a finding, as the Data API returns them."""

import uuid
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.insights.models import (
    Proof,
)


class ProvingAnswer(msgspec.Struct, frozen=True):
    """An answer that supports a finding. Read it with `GET /scans/{scan_id}/answers/{answer_id}`."""

    scan_id: Annotated[uuid.UUID, Meta(description="Check that the answer belongs to.")]
    answer_id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]


def to_proving_answers(proofs: Sequence[Proof]) -> tuple[ProvingAnswer, ...]:
    return tuple(ProvingAnswer(proof.scan_id, proof.answer_id) for proof in proofs)
