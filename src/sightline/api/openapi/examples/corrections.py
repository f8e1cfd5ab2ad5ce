"""Examples of corrections."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.openapi.examples import checks
from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, USER_ID, Example, envelope, page
from sightline.api.schemas import Removed
from sightline.scans.corrections.schemas import AnswerCorrection

_CORRECTION_ID = UUID("01990f70-3e15-7a62-8b0d-4c9a71f6e238")
PATH_IDS: Mapping[str, str] = {"correction_id": str(_CORRECTION_ID)}

_CORRECTION = AnswerCorrection(
    id=_CORRECTION_ID,
    domain_id=TRACKED_DOMAIN_ID,
    scan_id=UUID(checks.PATH_IDS["scan_id"]),
    answer_id=UUID(checks.PATH_IDS["answer_id"]),
    kind="not_this_brand",
    start=41,
    end=45,
    text="acme",
    phrase="acme of perfection",
    name=None,
    created_by=USER_ID,
    api_key_id=UUID("01990f70-01c2-7d5e-9a47-b83f60e2d914"),
    created_at="2026-11-14T09:30:00.123456+00:00",
)

EXAMPLES: Mapping[str, Example] = {
    "list_corrections": Example(page(_CORRECTION)),
    "correct_answer": Example(
        envelope(_CORRECTION),
        {
            "scan_id": checks.PATH_IDS["scan_id"],
            "answer_id": checks.PATH_IDS["answer_id"],
            "kind": "not_this_brand",
            "start": 41,
            "end": 45,
            "text": "acme",
            "phrase": "acme of perfection",
        },
    ),
    "undo_correction": Example(envelope(Removed(_CORRECTION_ID, deleted=True))),
}
