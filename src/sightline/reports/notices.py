"""The finding of a scan and what limits its figures, worded once for the terminal and the report."""

from collections.abc import Sequence

from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import (
    EARLY_READING,
    FAULT_PHRASES,
    NO_DOMAIN,
    ONLY_BRANDED,
    describe_incomplete_platforms,
    describe_standing,
)
from sightline.scans.record import ScanRecord
from sightline.scans.schemas.results import PlatformResult


def describe_finding(scan: ScanRecord) -> str:
    """Describe what a reader should remember of the scan, in a sentence or two."""
    results = scan.results
    return describe_standing(scan.plan.brand.name, results.headline, has_ranking=bool(results.competitors))


def list_notices(scan: ScanRecord) -> list[tuple[str, str]]:
    """Return (title, explanation) of everything that limits what the figures mean."""
    results, notices = scan.results, []
    if scan.stopped:
        notices.append(("Stopped early", "The check was stopped; these are the answers that had come by then."))
    if scan.incomplete:
        parts = [(results.failed, "failed"), (results.unanswered, "unanswered")]
        missing = " and ".join(f"{number:,} {what}" for number, what in parts if number)
        text = f"Of {count(results.planned, 'planned answer')}, {missing}. {describe_incomplete(results.platforms)}"
        notices.append(("Incomplete", text.strip()))
    if results.early_reading and results.valid:
        notices.append(EARLY_READING)
    if results.only_branded and results.valid:
        notices.append(ONLY_BRANDED)
    elif results.branded is not None:
        notices.append(("Branded prompts set apart", _describe_branded(scan)))
    if not scan.plan.brand.domains:
        notices.append(NO_DOMAIN)
    if scan.note:
        notices.append(("About the prompts", scan.note))
    return notices


def format_period(scan: ScanRecord) -> str:
    """Write when the answers were given: the day of a check, or the days that a file names."""
    if scan.answered_at is None:
        return f"{'analyzed ' if scan.answers_source == 'file' else ''}{format_date(scan.started_at)}"
    first, last = (format_date(each) for each in scan.answered_at)
    return first if first == last else f"{first} to {last}"


def format_repeats(scan: ScanRecord, prompt_id: str, platform: str) -> str:
    """Write how many repeats of a prompt name the brand, such as 2/3; empty where it was not asked twice."""
    figure = scan.spot_checks.get((prompt_id, platform))
    return f"{figure.numerator}/{figure.n}" if figure is not None and figure.n > 1 else ""


def list_faults(scan: ScanRecord) -> list[tuple[str, str]]:
    """Return (platforms, what failed there and why). Platforms with the same faults are one entry."""
    platforms_by_fault: dict[str, list[str]] = {}
    for row in scan.results.platforms:
        if row.faults:
            platforms_by_fault.setdefault(_describe_faults(row), []).append(platform_name(row.platform))
    total = len(scan.results.platforms)
    return [
        ("Every platform" if len(names) == total > 2 else ", ".join(names), faults)
        for faults, names in platforms_by_fault.items()
    ]


def describe_incomplete(platforms: Sequence[PlatformResult]) -> str:
    """Describe which platforms gave too few answers; empty where none did."""
    names = [platform_name(each.platform) for each in platforms if each.incomplete]
    return describe_incomplete_platforms(names, of=len(platforms))


def _describe_faults(platform: PlatformResult) -> str:
    return "; ".join(
        f"{each.answers} \u00d7 {FAULT_PHRASES[each.kind]} ({each.kind}): {each.message.rstrip('.')}"
        for each in platform.faults
    )


def _describe_branded(scan: ScanRecord) -> str:
    branded = scan.results.branded
    number = sum(prompt.branded for prompt in scan.results.prompts)
    verbs = ("names", "counts", "it") if number == 1 else ("name", "count", "them")
    text = f"{count(number, 'prompt')} {verbs[0]} the brand and {verbs[1]} for citations only."
    if branded is not None and branded.ai_mentions.value is not None:
        mentions = branded.ai_mentions
        text += f" Of {count(mentions.n, 'answer')} to {verbs[2]}, {format_number(mentions.value)} also name it."
    return text
