"""Second opinions in the API."""

import uuid
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.kit.structs import convert_struct
from sightline.metrics.observation import Surface
from sightline.scans.answer_files.markets import OtherMarkets
from sightline.scans.answer_files.misread_names import Reading
from sightline.scans.answer_files.schemas import DayComparisonResult
from sightline.scans.schemas.results import EXAMPLE_FIGURES, EXAMPLE_RESULTS, Headline, ScanMeasurements
from sightline.scans.second_opinions.models import MAX_COMPETITORS, OpinionRow, OpinionState

MAX_CONTENT_BYTES = 10 * 1024 * 1024
"""Of a file in a request. The page takes larger ones, as they arrive."""
Name = Annotated[str, Meta(min_length=1, max_length=100)]


class SecondOpinionInput(msgspec.Struct, frozen=True, kw_only=True):
    """A file of answers, and the brand to measure in it."""

    content: Annotated[
        str,
        Meta(min_length=1, description="The whole file as text: CSV or JSON Lines, at most 10 MB with the request."),
    ]
    file_name: Annotated[str, Meta(max_length=200, description="Its name, for people.")] = "file"
    brand_name: Annotated[Name, Meta(description="Brand to measure.")]
    domain: Annotated[
        Annotated[str, Meta(max_length=253)] | None,
        Meta(description="Domain of the brand. Without it, citations of its pages are not recognized."),
    ] = None
    aliases: Annotated[list[Name], Meta(max_length=20, description="Other names of the brand.")] = []
    competitors: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=360)]],
        Meta(
            max_length=MAX_COMPETITORS,
            description="Competitors as `NAME`, `NAME=domain` or a domain. Without any, the brands that the answers "
            "name most often are compared.",
        ),
    ] = []
    columns: Annotated[
        dict[str, Annotated[str, Meta(max_length=1_000)]],
        Meta(
            max_length=20,
            description="Column of the file by field, where it is not recognized: `text`, `prompt`, `platform`, "
            "`answered_at`, `country`, `language`, `sources`, `queries`, `id` or `run`. An empty name stands for none.",
        ),
    ] = {}


class SecondOpinion(msgspec.Struct, frozen=True, kw_only=True):
    """A file of answers that is measured. It is deleted after 24 hours, its text as soon as it is measured."""

    id: Annotated[uuid.UUID, Meta(description="Id of the second opinion.")]
    status: Annotated[
        OpinionState,
        Meta(
            description="`uploaded` (on the page, before the columns are confirmed), `queued`, `done` or `failed`. "
            "Only `done` has a result."
        ),
    ]
    file_name: Annotated[str, Meta(description="Name of the file.")]
    brand_name: Annotated[str, Meta(description="Measured brand.")]
    columns: Annotated[dict[str, str], Meta(description="Column of the file by field, as it is read.")]
    missing: Annotated[
        list[str],
        Meta(
            description="Fields that the file does not have, among `prompt`, `platform`, `answered_at` and `sources`. "
            "The result says less without them."
        ),
    ]
    fault: Annotated[str | None, Meta(description="Why the file cannot be measured. Null unless it failed.")]
    created_at: Annotated[Timestamp, Meta(description="When it was uploaded.")]
    expires_at: Annotated[Timestamp, Meta(description="When it is deleted.")]


class FileLine(msgspec.Struct, frozen=True):
    """A line that was left out."""

    number: Annotated[int, Meta(description="Number of the row of a CSV file, header included, or of the line.")]
    reason: Annotated[str, Meta(description="Why it is not an answer.")]


class FileReadingResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the file was read, and what of it was not."""

    unused: Annotated[list[str], Meta(description="Columns that hold nothing that is used.")]
    left_out: Annotated[int, Meta(description="Number of lines that are not answers.")]
    first_left_out: Annotated[list[FileLine], Meta(description="The first of them.")]
    recoded: Annotated[int, Meta(description="Answers that are not in UTF-8 and were read as Windows-1252.")]
    cut: Annotated[int, Meta(description="Answers as long as a spreadsheet's cell can be: their ends may be missing.")]
    ambiguous_dates: Annotated[
        int, Meta(description="Dates that do not tell the day from the month, and are not used.")
    ]
    days: Annotated[int, Meta(description="Number of days with answers.")]


class MisreadSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence with the letters of a name."""

    text: Annotated[str, Meta(description="The sentence.")]
    reading: Annotated[
        Reading,
        Meta(
            description="What the letters are: `brand`, `part_of_word`, `other_brand` (part of another name) or "
            "`not_the_brand`."
        ),
    ]
    platform: Annotated[str, Meta(description="Platform of the answer.")]
    prompt: Annotated[str, Meta(description="Prompt of the answer.")]


class MisreadNameResult(msgspec.Struct, frozen=True, kw_only=True):
    """A brand whose name is easily misread."""

    name: Annotated[str, Meta(description="Name of the brand.")]
    found: Annotated[int, Meta(description="Answers that hold the letters of the name.")]
    not_named: Annotated[int, Meta(description="Those of them that do not name the brand.")]
    sentences: Annotated[list[MisreadSentence], Meta(description="Sentences that show it.")]


class SecondOpinionResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of answers says. The surface of all its answers is `import`."""

    lead: Annotated[
        str | None, Meta(description="Who is really ahead, in a sentence. Null with fewer than two brands.")
    ]
    figures: Annotated[ScanMeasurements, Meta(description="The figures, as those of a scan with these answers.")]
    other_markets: Annotated[
        OtherMarkets | None,
        Meta(
            description="What is left out because it is about other markets than that of the brand. Null if the file "
            "is about one market."
        ),
    ]
    comparison: Annotated[
        DayComparisonResult | None,
        Meta(description="What changed between two days, and what of it is chance. Null if no days can be compared."),
    ]
    misread_names: Annotated[list[MisreadNameResult], Meta(description="Names that are easily misread.")]
    reading: Annotated[FileReadingResult, Meta(description="How the file was read.")]


class ImportedHistoryWeek(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of the imported answers of one week, alone. They are no check, and nothing is compared with them."""

    first_day: Annotated[date, Meta(description="Monday of the week, in UTC.")]
    last_day: Annotated[date, Meta(description="Day of the last answer.")]
    file_name: Annotated[str, Meta(description="Name of the file.")]
    surface: Annotated[Surface, Meta(description="Always `import`.")] = "import"
    platforms: Annotated[list[str], Meta(description="Platforms with answers.")]
    headline: Annotated[Headline, Meta(description="The figures.")]


class ImportedHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The imported history of a tracked domain."""

    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    weeks: Annotated[list[ImportedHistoryWeek], Meta(description="Its weeks, oldest first. Empty without a history.")]


class HistoryInput(msgspec.Struct, frozen=True):
    """Where to keep the weeks of a second opinion."""

    domain_id: Annotated[str, Meta(description="Tracked domain of the measured brand.")]


def to_second_opinion(row: OpinionRow) -> SecondOpinion:
    layout = row.read_head().layout
    return SecondOpinion(
        id=row.id,
        status=row.state,
        file_name=row.file_name,
        brand_name=row.read_request().brand.name,
        columns={str(field): name for field, name in layout.columns.items()},
        missing=list(layout.missing),
        fault=row.fault,
        created_at=to_iso(row.created_at),
        expires_at=to_iso(row.expires_at),
    )


# Examples

EXAMPLE_ID = uuid.UUID("0197a7a1-9c12-7d40-8e11-2b6f0c1d7a53")
EXAMPLE_OPINION = SecondOpinion(
    id=EXAMPLE_ID,
    status="done",
    file_name="export.csv",
    brand_name="Acme",
    columns={"text": "Answer", "prompt": "Question", "platform": "Model", "answered_at": "Date"},
    missing=["sources"],
    fault=None,
    created_at="2026-11-19T08:22:10.118240+00:00",
    expires_at="2026-11-20T08:22:10.118240+00:00",
)
_RESULT = SecondOpinionResult(
    lead="Nobody is clearly ahead: within the ranges, Acme and Globex can each be first.",
    figures=convert_struct(ScanMeasurements, EXAMPLE_RESULTS),
    other_markets=None,
    comparison=None,
    misread_names=[],
    reading=FileReadingResult(unused=[], left_out=0, first_left_out=[], recoded=0, cut=0, ambiguous_dates=0, days=1),
)
_HISTORY = ImportedHistory(
    domain_id=TRACKED_DOMAIN_ID,
    weeks=[
        ImportedHistoryWeek(
            first_day=date(2026, 11, 2),
            last_day=date(2026, 11, 6),
            file_name="export.csv",
            platforms=["chatgpt"],
            headline=Headline(**EXAMPLE_FIGURES),
        )
    ],
)
PATH_IDS = {"data": {"opinion_id": str(EXAMPLE_ID)}}
EXAMPLES = {
    "list_second_opinions": Example([EXAMPLE_OPINION]),
    "create_second_opinion": Example(
        msgspec.structs.replace(EXAMPLE_OPINION, status="queued"),
        {
            "file_name": "export.csv",
            "content": "Question,Answer,Model,Date\nbest anvil,Acme is the best.,ChatGPT,2026-11-02\n",
            "brand_name": "Acme",
            "domain": "acme.com",
            "competitors": ["Globex=globex.com"],
        },
    ),
    "read_second_opinion": Example(EXAMPLE_OPINION),
    "read_second_opinion_result": Example(_RESULT),
    "keep_second_opinion": Example(_HISTORY, {"domain_id": str(TRACKED_DOMAIN_ID)}),
    "read_imported_history": Example(_HISTORY),
}
