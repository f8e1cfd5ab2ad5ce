"""`sightline gold`: how well the extractor agrees with people."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import fail, out, show, table

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


def gold(
    file: Annotated[
        Path | None, typer.Argument(help="Labelled answers, one JSON object a line. Unset: the project's own set.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary and every prediction as JSON.")] = False,
    confusions: Annotated[
        bool, typer.Option("--confusions", help="List every label that the extractor did not meet.")
    ] = False,
) -> None:
    """Compare the extractor with answers that people have labelled: precision, recall, rank, stance, sentiment."""
    from sightline.answers.gold import GoldError, evaluate, own_set, read_file

    try:
        report = evaluate(own_set() if file is None else read_file(file))
    except GoldError as error:
        fail(str(error))
    summary = report.summary()
    predictions = msgspec.to_builtins(report.predictions)

    def human() -> None:
        out.print(f"{report.answers} answers, extractor version {summary['extractor_version']}\n", highlight=False)
        _print_rates("", {name: summary[name] for name in ("all", "unambiguous", "ambiguous")})
        _print_rates("Language", summary["languages"])
        _print_rates("Kind", summary["kinds"])
        if confusions:
            listed = table("Answer", "Name", "Field", "Label", "Found")
            for case in report.disagreements:
                listed.add_row(case.id, case.name, case.field, str(case.label), str(case.found))
            out.print(listed)

    show({"summary": summary, "predictions": predictions}, as_json, human)


def _print_rates(heading: str, groups: dict[str, Any]) -> None:
    if list(groups) == ["?"]:
        return
    rates = table(heading, *_COLUMNS.values())
    for column in rates.columns[1:]:
        column.justify = "right"
    for name, values in groups.items():
        rates.add_row(name, *(_written(values[key]) for key in _COLUMNS))
    out.print(rates, "", sep="\n")


def _written(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
