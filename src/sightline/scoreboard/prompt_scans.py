"""Building the prompt scans of a scan: for each prompt, a few facts per answer. Pure."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.scans.models import AnswersSource, ScanAnswer
from sightline.scans.stored import Scope
from sightline.scoreboard.models import CellFacts, PromptScanRow, encode_facts


def build_prompt_scans(
    answers: Sequence[ScanAnswer],
    *,
    scan_id: uuid.UUID,
    scope: Scope,
    answers_source: AnswersSource,
    completed_at: datetime,
) -> list[PromptScanRow]:
    """Build one row per prompt that the scan asked, in the order of its answers."""
    by_prompt: dict[str, list[CellFacts]] = {}
    named: set[str] = set()
    for answer in answers:
        by_prompt.setdefault(answer.prompt.id, []).append(to_cell_facts(answer))
        if _names_a_brand(answer):
            named.add(answer.prompt.id)
    return [
        PromptScanRow(
            prompt_id=uuid.UUID(prompt_id),
            scan_id=scan_id,
            scope=scope,
            answers_source=answers_source,
            completed_at=completed_at,
            valid=sum(cell.status == "ok" for cell in cells),
            cited=any(cell.cited for cell in cells),
            cells=encode_facts(tuple(cells)),
            named=prompt_id in named,
        )
        for prompt_id, cells in by_prompt.items()
    ]


def _names_a_brand(answer: ScanAnswer) -> bool:
    """Return whether the answer names a tracked brand, or presents any other."""
    analysis = answer.analysis
    return analysis is not None and (analysis.n_brands > 0 or any(brand.mentioned for brand in analysis.brands))


def to_cell_facts(answer: ScanAnswer) -> CellFacts:
    analysis = answer.analysis
    if analysis is None:
        if answer.status != "no_surface":
            return CellFacts(answer.platform, "failed", answer.id)
        return CellFacts(answer.platform, "no_surface", answer.id, surface=answer.provenance.surface)
    own = analysis.brands[0]
    return CellFacts(
        platform=answer.platform,
        status="ok",
        answer_id=answer.id,
        mentioned=own.mentioned,
        cited=own.cited,
        rank=own.rank,
        sentiment=None if own.sentiment is None or own.stance == "unknown" else own.sentiment.score,
        unscored=own.unscored,
        has_sources=bool(analysis.citations) or analysis.unresolved > 0,
        source_domains=tuple(dict.fromkeys(citation.domain for citation in analysis.citations)),
        surface=answer.provenance.surface,
    )
