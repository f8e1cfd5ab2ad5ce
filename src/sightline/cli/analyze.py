"""`sightline analyze`: measure answers that you already have, without asking anybody."""

from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.context import AsJson, load_settings
from sightline.cli.failures import err, fail

Many = list[str]


def analyze(
    file: Annotated[
        Path,
        typer.Argument(help="JSON Lines, or CSV if its name ends in .csv, with id, prompt, platform and text of each."),
    ],
    brand: Annotated[str, typer.Option("--brand", help="The brand to measure: NAME=domain, NAME or a domain.")],
    alias: Annotated[Many | None, typer.Option("--alias", help="Another name of the brand; can be repeated.")] = None,
    competitor: Annotated[
        Many | None,
        typer.Option("--competitor", "-c", help="NAME, NAME=domain or a domain to compare with; can be repeated."),
    ] = None,
    sentiment: Annotated[
        bool, typer.Option(help="Judge how answers speak of each brand. Without it the analysis is faster.")
    ] = True,
    save: Annotated[Path | None, typer.Option(help="Write a report to this HTML file; it needs nothing else.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how a brand appears in answers that you already have. Nobody is asked, and nothing is sent anywhere.

    Every line of the file must be an answer: if one is not, each bad line is named and nothing is analyzed. The same
    prompt on the same platform is a repeat. Exits with 1 when no answer could be measured, 2 when the input makes no
    sense, 130 when it was stopped.
    """
    # These imports are slow, and the other commands do not need them.
    from sightline.cli.analyze_run import execute_analysis
    from sightline.cli.check_input import require_writable

    settings = load_settings()
    try:
        if save is not None:
            require_writable(save)
        code = execute_analysis(
            file,
            brand,
            aliases=alias or (),
            competitors=competitor or (),
            scorer_setting=settings.sentiment if sentiment else "off",
            processes=settings.analyzer_processes,
            as_json=as_json,
            save=save,
        )
    except OSError as error:
        fail(f"The answers could not be analyzed: {error.strerror or error}.")
    except KeyboardInterrupt:
        err.print("Stopped.")
        code = 130
    raise typer.Exit(code)
