"""The JSON document of `sightline analyze`, written in parts: its answers are never in memory together."""

from collections.abc import Iterator
from typing import IO, Any

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import BrandAnalysis
from sightline.insights.file_insights import FileInsights
from sightline.metrics.discovery import CompetitorSuggestion
from sightline.metrics.registry import METRICS_VERSION
from sightline.presentation.phrases import describe_spot_check
from sightline.reports.second_opinion import describe_lead
from sightline.scans.answer_files.measure import FileMeasurements
from sightline.scans.answer_files.schemas import build_comparison
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.record import ScanRecord


def write_answer(answer: ScanAnswer, file: IO[bytes]) -> None:
    """Write one answer of the document as a line of its own."""
    analysis = answer.analysis
    fields = {
        "id": answer.id,
        "prompt": answer.prompt.text,
        "platform": answer.platform,
        "status": answer.status,
        "fault": answer.fault,
        "brands": [] if analysis is None else [_build_brand(brand) for brand in analysis.brands],
        "brand_count": None if analysis is None else analysis.n_brands,
    }
    file.write(msgspec.json.encode(fields) + b"\n")


def write_document(
    scan: ScanRecord, found: FileMeasurements, insights: FileInsights, answers: IO[bytes], file: IO[bytes]
) -> None:
    """Write the document with the answers that `write_answer` wrote."""
    plan, opinion = scan.plan, scan.opinion
    assert opinion is not None
    head = {
        "brand": plan.brand.name,
        "domain": plan.domain or None,
        "figures": found.results,
        "lead": describe_lead(scan.results.competitors) or None,
        "other_markets": opinion.other_markets,
        "comparison": build_comparison(scan),
        "misread_names": opinion.misread_names,
        "reading": opinion.reading,
        "spot_checks": list(_list_spot_checks(plan, found)),
        "discovered": [_build_discovered(rival) for rival in found.rivals],
        "themes": insights.themes,
        "recommendations": insights.recommendations,
        "opportunities": insights.opportunities,
        "prompt_suggestions": insights.prompt_suggestions,
        "facts": insights.facts,
        "insights_answers": insights.answers,
        "edited_by": insights.edited_by,
        "market": insights.edition.market if insights.edition else None,
        "metrics_version": METRICS_VERSION,
        "extractor_version": EXTRACTOR_VERSION,
    }
    file.write(msgspec.json.encode(head).removesuffix(b"}"))
    separator = b',\n"answers":[\n'
    answers.seek(0)
    for line in answers:
        file.write(separator + line.rstrip(b"\n"))
        separator = b",\n"
    file.write(b"\n]}\n")
    file.flush()


def _build_brand(brand: BrandAnalysis) -> dict[str, Any]:
    return {
        "name": brand.name,
        "mentioned": brand.mentioned,
        "rank": brand.rank,
        "stance": brand.stance,
        "sentiment": brand.sentiment,
        "unscored": brand.unscored,
        "cited": brand.cited,
        "cited_urls": brand.cited_urls,
        "occurrences": brand.occurrences,
    }


def _build_discovered(rival: CompetitorSuggestion) -> dict[str, Any]:
    found = rival.candidate
    return {
        "name": found.name,
        "domain": found.domain,
        "answers": found.answers,
        "prompts": found.prompts,
        "platforms": found.platforms,
        "products": found.products,
    }


def _list_spot_checks(plan: ScanPlan, found: FileMeasurements) -> Iterator[dict[str, Any]]:
    prompts = {prompt.id: prompt for prompt in plan.prompts}
    for (prompt_id, platform), figure in found.spot_checks.items():
        prompt = prompts[prompt_id]
        yield {
            "prompt": prompt.text,
            "country": prompt.country,
            "language": prompt.language,
            "platform": platform,
            "asked": figure.n,
            "named": figure.numerator,
            "chance_pct": figure.value,
            "low": figure.low,
            "high": figure.high,
            "summary": describe_spot_check(plan.brand.name, figure),
        }
