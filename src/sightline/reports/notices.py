"""The finding of a scan and what limits its figures, worded once for the terminal and the report."""

from collections.abc import Sequence

from sightline.platforms.names import platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell
from sightline.presentation.dates import format_date
from sightline.presentation.dates import format_period as format_days
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import (
    EARLY_READING,
    FAULT_PHRASES,
    NO_DOMAIN,
    ONLY_BRANDED,
    count_answers,
    describe_incomplete_platforms,
    describe_standing,
)
from sightline.reports.second_opinion import list_file_notices
from sightline.scans.record import ScanRecord
from sightline.scans.schemas.results import PlatformResult, PromptCell, ScanMeasurements


def describe_finding(scan: ScanRecord) -> str:
    """Describe what a reader should remember of the scan, in a sentence or two."""
    results = scan.results
    return describe_standing(
        scan.plan.brand.name,
        results.headline,
        has_ranking=bool(results.competitors),
        with_position=scan.opinion is None,  # its ranking is the first thing below
    )


def list_notices(scan: ScanRecord) -> list[tuple[str, str]]:
    """Return (title, explanation) of everything that limits what the figures mean."""
    results, notices = scan.results, []
    if scan.stopped:
        notices.append(
            (gettext("Stopped early"), gettext("The check was stopped. The figures cover the answers until then."))
        )
    if scan.incomplete:
        text = f"{_describe_missing(results)} {describe_incomplete(results.platforms)}"
        notices.append((gettext("Incomplete"), text.strip()))
    if results.early_reading and results.valid:
        notices.append(_translate(EARLY_READING, scan))
    if results.only_branded and results.valid:
        notices.append(_translate(ONLY_BRANDED, scan))
    elif results.branded is not None:
        notices.append((gettext("Branded prompts"), _describe_branded(scan)))
    if not scan.plan.brand.domains:
        notices.append(_translate(NO_DOMAIN, scan))
    if scan.note:
        notices.append((gettext("About the prompts"), scan.note))
    return notices + list_file_notices(scan)


def _translate(notice: tuple[str, str], scan: ScanRecord) -> tuple[str, str]:
    title, text = notice
    return gettext(title), gettext(text, brand=scan.plan.brand.name)


def _describe_missing(results: ScanMeasurements) -> str:
    planned = ngettext(
        "%(number)s planned answer",
        "%(number)s planned answers",
        results.planned,
        number=format_number(results.planned),
    )
    failed, unanswered = format_number(results.failed), format_number(results.unanswered)
    if not results.unanswered:
        return gettext("%(failed)s of %(planned)s failed.", failed=failed, planned=planned)
    if not results.failed:
        return gettext("%(unanswered)s of %(planned)s are missing.", unanswered=unanswered, planned=planned)
    return gettext(
        "Of %(planned)s, %(failed)s failed and %(unanswered)s are missing.",
        planned=planned,
        failed=failed,
        unanswered=unanswered,
    )


def format_period(scan: ScanRecord) -> str:
    """Write when the answers were given: the day of a check, or the days that a file names."""
    if scan.answered_at is None:
        day = format_date(scan.started_at)
        return gettext("analyzed %(date)s", date=day) if scan.answers_source == "file" else day
    return format_days(*scan.answered_at)


def format_repeats(scan: ScanRecord, prompt_id: str, platform: str) -> str:
    """Write how many repeats of a prompt name the brand, such as 2/3; empty where it was not asked twice."""
    figure = scan.spot_checks.get((prompt_id, platform))
    return f"{figure.numerator}/{figure.n}" if figure is not None and figure.n > 1 else ""


def describe_cell(scan: ScanRecord, prompt_id: str, cell: PromptCell) -> str:
    """Describe a cell in words. Of several answers, it says how many name the brand, and its median position."""
    figure = scan.spot_checks.get((prompt_id, cell.platform))
    if figure is None or figure.n <= 1 or not cell.mentioned:
        return gettext(CELL_STATES[classify_cell(cell)].words)
    counts = {"named": format_number(figure.numerator), "answers": count_answers(figure.n)}
    if cell.position is None:
        return gettext("named in %(named)s of %(answers)s", **counts)
    return gettext(
        "named in %(named)s of %(answers)s, median position %(position)s", position=str(cell.position), **counts
    )


def list_faults(scan: ScanRecord) -> list[tuple[str, str]]:
    """Return (platforms, what failed there and why). Platforms with the same faults are one entry."""
    platforms_by_fault: dict[str, list[str]] = {}
    for row in scan.results.platforms:
        if row.faults:
            platforms_by_fault.setdefault(_describe_faults(row), []).append(platform_name(row.platform))
    total = len(scan.results.platforms)
    return [
        (gettext("Every platform") if len(names) == total > 2 else ", ".join(names), faults)
        for faults, names in platforms_by_fault.items()
    ]


def describe_incomplete(platforms: Sequence[PlatformResult]) -> str:
    """Describe which platforms gave too few answers; empty where none did."""
    names = [platform_name(each.platform) for each in platforms if each.incomplete]
    return describe_incomplete_platforms(names, of=len(platforms))


def _describe_faults(platform: PlatformResult) -> str:
    return "; ".join(
        f"{each.answers} \u00d7 {gettext(FAULT_PHRASES[each.kind])} ({each.kind}): {each.message.rstrip('.')}"
        for each in platform.faults
    )


def _describe_branded(scan: ScanRecord) -> str:
    branded = scan.results.branded
    number = sum(prompt.branded for prompt in scan.results.prompts)
    text = ngettext(
        "%(number)s prompt names %(brand)s and counts for citations only.",
        "%(number)s prompts name %(brand)s and count for citations only.",
        number,
        brand=scan.plan.brand.name,
        number=format_number(number),
    )
    if branded is None or branded.ai_mentions.value is None:
        return text
    mentions = branded.ai_mentions
    named = gettext(
        "Of the %(answers)s, %(named)s also name it.",
        answers=count_answers(mentions.n),
        named=format_number(mentions.value),
    )
    return f"{text} {named}"
