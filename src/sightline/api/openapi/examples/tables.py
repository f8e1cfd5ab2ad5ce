"""Examples of tables."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.openapi.examples.checks import PROMPT_ID
from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, page
from sightline.tables.schemas import TableRow, list_tables

PATH_IDS: Mapping[str, str] = {"table_name": "mentions"}


class _Mention(TableRow, frozen=True, kw_only=True):
    """A row of the table `mentions`, with its own columns."""

    scope: str
    answers_source: str
    answer_id: UUID
    prompt_id: UUID
    prompt: str
    language: str | None
    country: str | None
    branded: bool
    platform: str
    brand_id: str
    brand: str
    is_own: bool
    mentioned: bool
    occurrences: int
    rank: int | None
    stance: str | None
    sentiment: float | None
    sentiment_label: str | None
    cited_pages: int
    visibility: float


_ROW = _Mention(
    row_id="01990f70-5a13-7b94-8e27-c6d1f03a48b5/acme.com",
    domain_id=TRACKED_DOMAIN_ID,
    scan_id=UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28"),
    measured_at="2026-11-14T09:32:41.530922+00:00",
    updated_at="2026-11-14T09:32:41.530922+00:00",
    removed_at=None,
    metrics_version="2",
    extractor_version="12",
    scope="full_check",
    answers_source="live",
    answer_id=UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5"),
    prompt_id=PROMPT_ID,
    prompt="Which anvil suits a small forge?",
    language="en",
    country=None,
    branded=False,
    platform="chatgpt",
    brand_id="acme.com",
    brand="Acme",
    is_own=True,
    mentioned=True,
    occurrences=2,
    rank=1,
    stance="neutral",
    sentiment=72.5,
    sentiment_label="positive",
    cited_pages=1,
    visibility=1.0,
)
_CSV = (
    "row_id,domain_id,scan_id,\u2026,brand_id,brand,is_own,mentioned,occurrences,rank,\u2026\n"
    f"{_ROW.row_id},{_ROW.domain_id},{_ROW.scan_id},\u2026,acme.com,Acme,true,true,2,1,\u2026\n"
)

EXAMPLES: Mapping[str, Example] = {
    "list_domain_tables": Example(page(next(each for each in list_tables() if each.name == "mentions"))),
    "read_table": Example(page(_ROW)),
    "stream_table_csv": Example(_CSV),
    "stream_table_jsonl": Example(f'{{"row_id":"{_ROW.row_id}","brand_id":"acme.com","mentioned":true}}\n'),
    "stream_table_parquet": Example("PAR1\u2026PAR1"),
}
