"""The fixed texts of a weekly report, the same on the page and in the PDF."""

from sightline.metrics.registry import REGISTRY
from sightline.presentation.changes import COMPARISON_RULE, RANKING_RULE, VERDICT_RULE
from sightline.presentation.language import gettext
from sightline.presentation.ranges import TWO_RANGES


def build_labels(brand: str) -> dict[str, str]:
    """Return the headings, columns and notes of a report by name, in the chosen language."""
    return {
        "eyebrow": gettext("Sightline · weekly report"),
        "heading": gettext("%(brand)s in AI answers", brand=brand),
        "sandbox_notice": gettext("Sandbox notice"),
        **_list_sections(brand),
        **_list_columns(),
        **_list_notes(brand),
        "missing_title": gettext("Some characters are missing in this PDF."),
        "missing_why": gettext(
            "The server has no font for these scripts, so boxes appear instead. The web page of this report shows all "
            "characters. Install a font on the server, such as Noto Sans, to complete later reports."
        ),
        "read_answer": gettext("Read the full answer"),
    }


def _list_sections(brand: str) -> dict[str, str]:
    return {
        "todo": gettext("What to do"),
        "effects": gettext("Did it work?"),
        "changes": gettext("What changed"),
        "platforms": gettext("By platform"),
        "competitors": gettext("Competitors"),
        "said": gettext("What answers say about %(brand)s", brand=brand),
        "sentiment": gettext("Sentiment"),
        "sources": gettext("Sources"),
        "method": gettext("How to read this report"),
        "appendix": gettext("Appendix"),
        "all_tasks": gettext("Recommendations, largest expected effect first"),
        "all_effects": gettext("Effects of completed actions"),
        "opportunities": gettext("Biggest opportunities"),
        "moved": gettext("Changed answers"),
        "countries": gettext("By country"),
        "all_competitors": gettext("All tracked brands"),
        "all_themes": gettext("All themes"),
        "all_sources": gettext("Cited sites"),
        "proofs": gettext("Quoted answers"),
    }


def _list_columns() -> dict[str, str]:
    return {
        "platform": gettext("Platform"),
        "country": gettext("Country"),
        "answers": gettext("Answers"),
        "score": gettext("Visibility Score"),
        "brand_coverage": gettext("Brand Coverage"),
        "coverage": gettext("Coverage"),
        "mentions": gettext("AI Mentions"),
        "citations": gettext("Citations"),
        "share": gettext("Share of Voice"),
        "position": gettext("Position"),
        "brand": gettext("Brand"),
        "site": gettext("Site"),
        "kind": gettext("Type"),
        "prompt": gettext("Prompt"),
        "where": gettext("Where"),
        "of_hundred": gettext("Score (0 to 100)"),
        "you": gettext("You"),
        "tied": gettext("Tied"),
    }


def _list_notes(brand: str) -> dict[str, str]:
    return {
        "nothing_to_do": gettext("There are no recommendations this week: no finding is clear enough to act on."),
        "first": gettext("This is the first Full Check. The next report compares its figures with these."),
        "trend_note": gettext(
            "Each point is a Full Check with its range for these prompts. The light line shows Daily Checks, which may "
            "run fewer prompts. Use it only to follow the trend."
        ),
        "moved_note": gettext(
            "Single answers often change by chance. To see whether a figure has really changed, look for “Up” or "
            "“Down” next to it at the top."
        ),
        "nothing_moved": gettext("The same answers name %(brand)s as in the previous Full Check.", brand=brand),
        "platforms_note": gettext("Figures by platform, with their ranges for these prompts"),
        "countries_note": gettext("Figures by country, with their ranges for these prompts"),
        "competitors_note": gettext(
            "Tracked brands by Visibility Score, with ranges for these prompts. A range of positions means that there "
            "is not enough data to give an exact position. Brands with the same score share a position."
        ),
        "no_competitors": gettext(
            "No competitor is tracked, so Share of Voice and Market Position are not measured. Add competitors to see "
            "a ranking in the next report."
        ),
        "opportunities_note": gettext(
            "Prompts where answers name other brands but not %(brand)s. The opportunity score, from 0 to 100, is high "
            "if many answers do so and if they are likely to change.",
            brand=brand,
        ),
        "proofs_note": gettext("Quotes are word for word. Members of the workspace can open the full answers."),
        "method_note": describe_method(),
    }


def describe_method() -> str:
    """Explain the main figure, the ranges, the verdicts, the dash and which answers count."""
    score = REGISTRY["visibility_score"]
    dash = gettext("A dash means that there is no value. 0 is a measured value.")
    valid = gettext("Only AI answers with at least 20 characters of text are counted.")
    checks = gettext("A Full Check runs all prompts once a week. On the other days, a Daily Check may run fewer.")
    explained = f"{gettext(score.name)}: {gettext(score.explanation)}"
    rules = (TWO_RANGES, VERDICT_RULE, RANKING_RULE, COMPARISON_RULE)
    return " ".join((explained, checks, *map(gettext, rules), dash, valid))
