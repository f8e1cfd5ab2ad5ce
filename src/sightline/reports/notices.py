"""What has to be said beside the figures of a check, in the same words everywhere."""

from collections.abc import Sequence

from sightline.kit.counting import count
from sightline.reports.words import FAULTS, platform_name, say_interval, say_number
from sightline.scans.record import ScanRecord
from sightline.scans.schemas.results import Headline, PlatformResult
from sightline.scoreboard.schemas import ComparedHeadline

SANDBOX = "Sandbox answers: everything here is made up."
SANDBOX_WHY = (
    "No platform is connected, so the answers come from an invented market and say nothing about the real brand."
)


EARLY_READING = (
    "Early reading",
    "Fewer than 10 prompts were measured. Treat every figure as a first hint, not as a level.",
)
ONLY_BRANDED = (
    "Only branded prompts",
    "Every prompt names the brand, so answers nearly have to name it too. Add prompts that do not.",
)


def say_finding(check: ScanRecord) -> str:
    """The one sentence that a reader should leave with."""
    return say_standing(check.plan.brand.name, check.results.headline, ranked=bool(check.results.competitors))


def say_standing(brand: str, headline: Headline | ComparedHeadline, *, ranked: bool) -> str:
    """How often the brand is named, and where that puts it. `ranked`: there is a ranking to be in."""
    coverage, position = headline.brand_coverage_pct, headline.market_position
    if coverage.value is None:
        return f"No answer could be measured, so nothing is known about {brand}."
    said = (
        f"{brand} is named in {coverage.numerator:,} of {count(coverage.n, 'answer')}: {say_number(coverage.value)} % "
        f"(95 % interval {say_interval(coverage)} %)."
    )
    if position.value is not None:
        said += f" It is number {position.value} of {position.denominator} tracked brands"
        sure = position.low == position.high
        said += "." if sure else f", and may be anything from {position.low} to {position.high}."
    elif ranked:
        said += " It is not ranked: no answer names or cites it."
    return said


def list_notices(check: ScanRecord) -> list[tuple[str, str]]:
    """(title, explanation) of everything that limits what the figures tell."""
    results, found = check.results, []
    if check.stopped:
        found.append(("Stopped early", "The check was stopped; these are the answers that had come by then."))
    if check.incomplete:
        parts = [(results.failed, "failed"), (results.unanswered, "unanswered")]
        missing = " and ".join(f"{number:,} {what}" for number, what in parts if number)
        found.append(
            (
                "Incomplete",
                f"Of {count(results.planned, 'planned answer')}, {missing}. {say_where(results.platforms)}".strip(),
            )
        )
    if results.early_reading and results.valid:
        found.append(EARLY_READING)
    if results.only_branded and results.valid:
        found.append(ONLY_BRANDED)
    elif results.branded is not None:
        found.append(("Branded prompts set apart", _say_branded(check)))
    if check.note:
        found.append(("About the prompts", check.note))
    return found


def list_faults(check: ScanRecord) -> list[tuple[str, str]]:
    """(platforms, what failed there and why). Platforms with the same trouble stand together."""
    together: dict[str, list[str]] = {}
    for row in check.results.platforms:
        if row.faults:
            together.setdefault(_say_faults(row), []).append(platform_name(row.platform))
    everywhere = len(check.results.platforms)
    return [
        ("Every platform" if len(names) == everywhere > 2 else ", ".join(names), said)
        for said, names in together.items()
    ]


def _say_faults(platform: PlatformResult) -> str:
    return "; ".join(
        f"{each.answers} \u00d7 {FAULTS[each.kind]} ({each.kind}): {each.message.rstrip('.')}"
        for each in platform.faults
    )


def _say_branded(check: ScanRecord) -> str:
    branded = check.results.branded
    number = sum(prompt.branded for prompt in check.results.prompts)
    verbs = ("names", "counts", "it") if number == 1 else ("name", "count", "them")
    said = f"{count(number, 'prompt')} {verbs[0]} the brand and {verbs[1]} for citations only."
    if branded is not None and branded.ai_mentions.value is not None:
        mentions = branded.ai_mentions
        said += f" Of {count(mentions.n, 'answer')} to {verbs[2]}, {say_number(mentions.value)} also name it."
    return said


def say_where(platforms: Sequence[PlatformResult]) -> str:
    """Which platforms gave too few answers; empty where none did."""
    short = [platform_name(each.platform) for each in platforms if each.incomplete]
    if not short:
        return ""
    where = "every platform" if len(short) == len(platforms) > 1 else ", ".join(short)
    return f"Fewer than 80 % of the answers came from {where}."
