"""All tracked prompts as a CSV file, in columns that the import reads, followed by what was measured."""

import csv
import io
from collections.abc import Sequence

from starlette.responses import Response

from sightline.audit.record import record_export
from sightline.kit.clock import to_iso
from sightline.kit.text import guard_formula
from sightline.prompts.read import list_prompts
from sightline.scoreboard.read import read_scoreboard
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompt_list import PromptTableRow, build_rows
from sightline.web.render import HEADERS
from sightline.web.routing import page

_MAX_PROMPTS = 5_000
_COLUMNS = (
    "text", "country", "language", "tags", "pinned", "branded", "named_in", "answers", "best_position", "sentiment",
    "last_check",
)  # fmt: skip


@page("/w/{workspace}/d/{domain}/prompts/export.csv")
async def export_prompts(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    at = (ctx.actor.workspace_id, ctx.domain.id)
    scoreboard = await read_scoreboard(ctx.db, ctx.actor.workspace_id, ctx.domain)
    board = {row.prompt_id: row for row in scoreboard.decode().prompts}
    prompts = await list_prompts(ctx.db, *at, after=None, page_size=_MAX_PROMPTS)
    headers = {
        **HEADERS,
        "Cache-Control": "no-store",
        "Content-Disposition": 'attachment; filename="prompts.csv"',
    }
    await record_export(ctx.db, ctx.actor.workspace_id, "prompts_exported", domain_id=ctx.domain.id)
    content = write_csv(build_rows(prompts.rows, board, (), None, ctx.now))
    return Response(content, media_type="text/csv", headers=headers)


def write_csv(rows: Sequence[PromptTableRow]) -> bytes:
    """Return the rows as UTF-8 with a byte order mark, which spreadsheets need to read accents. Pure."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for row in rows:
        prompt = row.prompt
        writer.writerow(
            guard_formula(str(cell))
            for cell in (
                prompt.prompt,
                prompt.country_iso_2 or "",
                prompt.language_code or "",
                "; ".join(prompt.tags),
                "yes" if prompt.pinned_at else "no",
                "yes" if row.branded else "no",
                row.named if row.answered else "",
                row.answered or "",
                row.best_position or "",
                "" if row.score is None else round(row.score, 1),
                to_iso(prompt.last_scanned_at) if prompt.last_scanned_at else "",
            )
        )
    return file.getvalue().encode("utf-8-sig")
