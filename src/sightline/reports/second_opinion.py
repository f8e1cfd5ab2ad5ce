"""The second opinion on a file of answers, worded once for the terminal, the report and the page."""

from collections.abc import Sequence
from typing import NamedTuple

from sightline.insights.findings.sentences import TIER_NAMES
from sightline.metrics.period_change import Tier
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers, count_platforms, count_prompts
from sightline.scans.answer_files.changes import DayComparison
from sightline.scans.answer_files.columns import MissingPart
from sightline.scans.answer_files.misread_names import MisreadName, Reading
from sightline.scans.answer_files.models import FileReading
from sightline.scans.answer_files.schemas import build_comparison
from sightline.scans.record import ScanRecord
from sightline.scans.schemas.results import CompetitorResult
from sightline.scans.second_opinions.schemas import (
    FileLine,
    FileReadingResult,
    MisreadNameResult,
    MisreadSentence,
    SecondOpinionResult,
)

READINGS: dict[Reading, str] = {
    "not_the_brand": translatable("not the brand"),
    "part_of_word": translatable("inside another word"),
    "other_brand": translatable("part of another name"),
    "brand": translatable("the brand"),
}
_MISSING: dict[MissingPart, str] = {
    "prompt": translatable(
        "No column holds the prompts, so all answers count as answers to one prompt, and nothing can be said about "
        "similar questions."
    ),
    "platform": translatable("No column holds the platform, so all answers count as those of one platform."),
    "answered_at": translatable("No column holds a date, so no changes are shown."),
    "sources": translatable("No column holds sources. Only links in the texts count as citations."),
}
_MAX_AHEAD = 4
_MARKET_EXAMPLES = 2


class ChangeRow(NamedTuple):
    """A tested change between two days. `tier` is its verdict, `verdict` the same in words."""

    name: str
    counts: str
    tier: Tier
    verdict: str
    is_own: bool


def describe_lead(competitors: Sequence[CompetitorResult]) -> str:
    """Describe who is really ahead: the only brand that can be first within the ranges, or all that can."""
    ranked = [row for row in competitors if row.position is not None]
    if len(ranked) < 2:
        return ""
    ahead = [row.name for row in ranked if row.position_low == 1]
    if len(ahead) == 1:
        return gettext(
            "%(brand)s is ahead for these prompts. The range of its place does not include any place but the first.",
            brand=ahead[0],
        )
    if len(ahead) > _MAX_AHEAD:
        return ngettext(
            "Nobody is clearly ahead: %(num)s brand can be first within the ranges.",
            "Nobody is clearly ahead: %(num)s brands can be first within the ranges.",
            len(ahead),
        )
    return gettext(
        "Nobody is clearly ahead: within the ranges, %(brands)s can each be first.", brands=join_names(ahead)
    )


def describe_comparison(scan: ScanRecord) -> str:
    """Say which days are compared over how many answers, or why no days are."""
    opinion = scan.opinion
    if opinion is None:
        return ""
    compared, reading = opinion.comparison, opinion.reading
    if compared is None:
        if "answered_at" in reading.missing:
            return gettext("The file has no dates, so nothing can be compared over time.")
        if reading.ambiguous_dates:
            return gettext(
                "Dates such as 03/04/2026 do not tell the day from the month, so nothing is compared over time. Write "
                "them as 2026-04-03."
            )
        return gettext(
            "All answers are of one day, or hardly any are of another, so nothing can be compared over time."
        )
    days = {"before": format_date(compared.before), "now": format_date(compared.now)}
    if not compared.changes:
        return gettext(
            "%(before)s and %(now)s cannot be compared: no prompt was asked on the same platform on both days.", **days
        )
    moved = sum(row.tier != "rest" for row in list_changes(scan))
    verdict = (
        ngettext("%(num)s change is more than chance.", "%(num)s changes are more than chance.", moved)
        if moved
        else gettext("Every difference is within chance.")
    )
    basis = gettext(
        "%(before)s compared with %(now)s, over %(answers)s on each of the two days to the same prompts on the same "
        "platforms.",
        answers=count_answers(compared.answers),
        **days,
    )
    return f"{verdict} {basis}"


def list_changes(scan: ScanRecord) -> list[ChangeRow]:
    """Return the change of every brand, and of the platforms and prompts that changed by more than chance."""
    compared = scan.opinion.comparison if scan.opinion else None
    if compared is None:
        return []
    prompts = {prompt.id: prompt.text for prompt in scan.plan.prompts}
    rows = []
    for tested in compared.changes:
        if tested.subject != "brand" and tested.tier == "rest":
            continue
        own = scan.plan.brand.name
        name = tested.name
        if tested.subject == "platform":
            name = gettext("%(brand)s on %(platform)s", brand=own, platform=platform_name(tested.name))
        elif tested.subject == "prompt":
            name = gettext("%(brand)s for “%(prompt)s”", brand=own, prompt=prompts[tested.name])
        change = tested.change
        counts = gettext(
            "%(before)s → %(now)s of %(answers)s",
            before=format_number(change.before),
            now=format_number(change.now),
            answers=format_number(change.now_answers),
        )
        is_own = tested.subject != "brand" or tested.name == own
        rows.append(ChangeRow(name, counts, tested.tier, gettext(TIER_NAMES[tested.tier]), is_own))
    return rows


def describe_rest(compared: DayComparison) -> str:
    """Say how many platforms and prompts changed within chance only; empty if there are none."""
    platforms = sum(each.subject == "platform" and each.tier == "rest" for each in compared.changes)
    prompts = sum(each.subject == "prompt" and each.tier == "rest" for each in compared.changes)
    if not platforms and not prompts:
        return ""
    return gettext(
        "By platform and by prompt: %(platforms)s and %(prompts)s without a change beyond chance.",
        platforms=count_platforms(platforms),
        prompts=count_prompts(prompts),
    )


def describe_misread(name: MisreadName) -> str:
    """Say in how many answers the letters of a name stand, and in how many of them they name the brand."""
    sentences = [
        gettext(
            "A search for the letters finds %(found)s; %(named)s of them name the brand.",
            found=count_answers(name.found),
            named=format_number(name.found - name.not_named),
        )
    ]
    if name.is_ordinary_word:
        sentences.append(gettext("The name is also an ordinary word or a short one."))
    if name.other_spelling:
        sentences.append(
            gettext("%(answers)s name it in another spelling only.", answers=count_answers(name.other_spelling))
        )
    return " ".join(sentences)


def describe_markets(scan: ScanRecord) -> str:
    """Say which prompts are left out because they are about other markets; empty for a file about one."""
    others = scan.opinion.other_markets if scan.opinion else None
    if others is None:
        return ""
    brand = scan.plan.brand.name
    examples = "; ".join(
        gettext("“%(prompt)s” (%(names)s)", prompt=each.prompt, names=join_names(each.names))
        for each in others.examples[:_MARKET_EXAMPLES]
    )
    if not others.prompts:
        return gettext(
            "The prompts are about several markets, and no answer names %(brand)s, so its market is unknown and "
            "nothing is ranked. Name its competitors to measure their market. The largest markets: %(examples)s.",
            brand=brand,
            examples=examples,
        )
    return gettext(
        "The figures are about the market of %(brand)s: %(prompts)s with %(answers)s. Left out are %(others)s with "
        "%(other_answers)s about other markets, such as %(examples)s. To measure one of them, too, name a competitor "
        "from it.",
        brand=brand,
        prompts=count_prompts(len(scan.plan.prompts)),
        answers=count_answers(scan.results.planned),
        others=count_prompts(others.prompts),
        other_answers=count_answers(others.answers),
        examples=examples,
    )


def name_place(reading: FileReading, number: int | str) -> str:
    """Name the place of an answer in its file: the row that a spreadsheet shows, or the line."""
    if reading.unit == "row":
        return gettext("row %(number)s", number=number)
    return gettext("line %(number)s", number=number)


def name_answer(reading: FileReading, answer_id: str) -> str:
    """Name an answer by its id in the file, or by its place."""
    if "id" in reading.columns:
        return gettext("answer %(number)s", number=answer_id)
    return name_place(reading, answer_id)


def describe_missing(part: MissingPart) -> str:
    """Say what it means that no column of a file holds a field."""
    return gettext(_MISSING[part])


def build_opinion_result(scan: ScanRecord) -> SecondOpinionResult:
    """Build the result as the API returns it."""
    opinion = scan.opinion
    assert opinion is not None  # the record is that of a file
    reading = opinion.reading
    return SecondOpinionResult(
        lead=describe_lead(scan.results.competitors) or None,
        figures=scan.results,
        other_markets=opinion.other_markets,
        comparison=build_comparison(scan),
        misread_names=[
            MisreadNameResult(
                name=each.brand,
                found=each.found,
                not_named=each.not_named,
                sentences=[
                    MisreadSentence(
                        text="".join(part.text for part in sentence.parts),
                        reading=sentence.reading,
                        platform=sentence.platform,
                        prompt=sentence.prompt,
                    )
                    for sentence in each.sentences
                ],
            )
            for each in opinion.misread_names
        ],
        reading=FileReadingResult(
            unused=list(reading.unused),
            left_out=reading.left_out,
            first_left_out=[FileLine(number, reason) for number, reason in reading.bad_lines],
            recoded=reading.recoded,
            cut=reading.cut,
            ambiguous_dates=reading.ambiguous_dates,
            days=reading.days,
        ),
    )


def list_file_notices(scan: ScanRecord) -> list[tuple[str, str]]:
    """Return (title, explanation) of what the file does not say, and of what of it was not used."""
    if scan.opinion is None:
        return []
    reading = scan.opinion.reading
    notices = [(gettext("Missing in the file"), describe_missing(each)) for each in reading.missing]
    if reading.left_out:
        lines = "; ".join(
            f"{name_place(reading, number)}: {reason.rstrip('.')}" for number, reason in reading.bad_lines[:3]
        )
        text = ngettext(
            "%(num)s line is not an answer and was left out (%(lines)s).",
            "%(num)s lines are not answers and were left out (%(lines)s).",
            reading.left_out,
            lines=lines,
        )
        notices.append((gettext("Left out"), text))
    if reading.recoded:
        text = ngettext(
            "%(num)s answer is not in UTF-8. It was read as Windows-1252; if its letters look wrong, save the file in "
            "UTF-8.",
            "%(num)s answers are not in UTF-8. They were read as Windows-1252; if their letters look wrong, save the "
            "file in UTF-8.",
            reading.recoded,
        )
        notices.append((gettext("Encoding"), text))
    if reading.cut:
        text = ngettext(
            "%(num)s answer is as long as a spreadsheet's cell can be. Its end is probably missing.",
            "%(num)s answers are as long as a spreadsheet's cell can be. Their ends are probably missing.",
            reading.cut,
        )
        notices.append((gettext("Cut texts"), text))
    if reading.ambiguous_dates:
        text = ngettext(
            "%(num)s date does not tell the day from the month, and is not used.",
            "%(num)s dates do not tell the day from the month, and are not used.",
            reading.ambiguous_dates,
        )
        notices.append((gettext("Dates"), text))
    return notices
