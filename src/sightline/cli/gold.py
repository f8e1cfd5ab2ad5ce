"""gold: how well the analysis of answers agrees with human labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from sightline.cli.context import build_table, out, print_result
from sightline.cli.failures import fail

if TYPE_CHECKING:
    from sightline.answers.gold import Agreement, Disagreement
    from sightline.answers.gold_themes import ThemeDisagreement

_COLUMNS = {
    "names": "names",
    "mention_precision": "precision",
    "mention_recall": "recall",
    "rank_exact": "rank",
    "stance_exact": "stance",
    "cited_urls_exact": "cited URLs",
    "sentiment_macro_f1": "sentiment F1",
    "sentiment_abstained": "abstained",
    "sentiment_opposite": "opposite",
}
_THEME_COLUMNS = {
    "labels": "labels",
    "precision": "precision",
    "recall": "recall",
    "polarity_exact": "polarity",
    "polarity_opposite": "opposite",
}
_SENTIMENT = {"sentiment_macro_f1": "macro-F1", "sentiment_abstained": "abstained", "sentiment_opposite": "opposite"}


def gold(
    file: Annotated[
        Path | None,
        typer.Argument(help="File of labeled answers, one JSON object per line. Default: Sightline's own set."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary and every prediction as JSON.")] = False,
    confusions: Annotated[
        bool, typer.Option("--confusions", help="List every label that the analysis missed.")
    ] = False,
) -> None:
    """Compare the analysis of labeled answers with their labels: mentions, rank, stance, sentiment and themes."""
    from sightline.answers.gold import GoldError, compare_scorers, evaluate, load_gold_set, load_theme_set, read_file
    from sightline.answers.gold_themes import evaluate_themes

    try:
        answers = load_gold_set() if file is None else read_file(file)
    except GoldError as error:
        fail(str(error))
    report = evaluate(answers)
    labeled_aspects = [answer for answer in (load_theme_set() if file is None else answers) if answer.aspects]
    themes = evaluate_themes(labeled_aspects)
    summary = report.summary() | {"themes": themes.summary()}
    summary["scorers"] = {name: _sentiment_rates(agreement) for name, agreement in compare_scorers(answers).items()}
    predictions = msgspec.to_builtins(report.predictions)

    def print_text() -> None:
        out.print(f"{report.answers} answers, extractor version {summary['extractor_version']}\n", highlight=False)
        _print_rates("", {name: summary[name] for name in ("all", "unambiguous", "ambiguous")})
        _print_scorers(summary["scorers"])
        _print_rates("Language", summary["languages"])
        _print_rates("Kind", summary["kinds"])
        if len(summary["files"]) > 1:
            _print_rates("File", summary["files"])
        _print_themes(summary["themes"])
        if confusions:
            _print_confusions([*report.disagreements, *themes.disagreements], hide_held_out=file is None)

    print_result({"summary": summary, "predictions": predictions}, as_json, print_text)


def _print_confusions(cases: "Sequence[Disagreement | ThemeDisagreement]", *, hide_held_out: bool) -> None:
    """List differences, except for those in held-out files, which nobody may look at while changing rules."""
    from sightline.answers.gold import HELD_OUT, THEMES_HELD_OUT

    held_out = {HELD_OUT, THEMES_HELD_OUT} if hide_held_out else set()
    listed = build_table("Answer", "Name", "Field", "Label", "Found")
    for case in (case for case in cases if case.file not in held_out):
        listed.add_row(case.id, case.name, case.field, str(case.label), str(case.found))
    out.print(listed)
    if held_out:
        names = " and ".join(sorted(held_out))
        out.print(f"\nDifferences in {names} are not listed: name a file to see its differences.", highlight=False)


def _print_themes(summary: dict[str, Any]) -> None:
    if not summary["answers"]:
        return
    out.print(f"Themes: {summary['answers']} answers\n", highlight=False)
    _print_rates("", {"all": summary["all"]}, _THEME_COLUMNS)
    _print_rates("Kind", summary["kinds"], _THEME_COLUMNS)
    if len(summary["files"]) > 1:
        _print_rates("File", summary["files"], _THEME_COLUMNS)


def _sentiment_rates(agreement: "Agreement") -> dict[str, Any]:
    rates = agreement.rates()
    return {"labels": sum(agreement.sentiments.values()), **{key: rates[key] for key in _SENTIMENT}}


def _print_scorers(scorers: dict[str, Any]) -> None:
    """Print the scorers side by side, each over the answers in the languages that it knows."""
    rates = build_table("Sentiment by", "labels", *_SENTIMENT.values())
    for column in rates.columns[1:]:
        column.justify = "right"
    for name, values in scorers.items():
        rates.add_row(name, *(_format_rate(values[key]) for key in ("labels", *_SENTIMENT)))
    out.print(rates, "", sep="\n")


def _print_rates(heading: str, groups: dict[str, Any], columns: Mapping[str, str] = _COLUMNS) -> None:
    if list(groups) == ["?"]:
        return
    rates = build_table(heading, *columns.values())
    for column in rates.columns[1:]:
        column.justify = "right"
    for name, values in groups.items():
        rates.add_row(name, *(_format_rate(values[key]) for key in columns))
    out.print(rates, "", sep="\n")


def _format_rate(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
