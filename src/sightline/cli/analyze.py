"""`sightline analyze`: measure answers that you already have, without asking anybody."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.context import AsJson, load_settings
from sightline.cli.failures import err, fail

Many = list[str]


def analyze(
    file: Annotated[
        Path,
        typer.Argument(
            help="File of answers: CSV or JSON Lines, with a text and, where known, prompt, platform, date, country "
            "and sources of each answer."
        ),
    ],
    brand: Annotated[str, typer.Option("--brand", help="The brand to measure: NAME=domain, NAME or a domain.")],
    alias: Annotated[Many | None, typer.Option("--alias", help="Another name of the brand; can be repeated.")] = None,
    competitor: Annotated[
        Many | None,
        typer.Option(
            "--competitor",
            "-c",
            help="Competitor to compare with: NAME, NAME=domain or a domain; can be repeated. By default, the brands "
            "that the answers name most often.",
        ),
    ] = None,
    sentiment: Annotated[
        bool, typer.Option(help="Also score the sentiment about each brand, which takes longer.")
    ] = True,
    report: Annotated[
        Path | None, typer.Option("--report", "--save", help="Write a report to this self-contained HTML file.")
    ] = None,
    column: Annotated[
        Many | None,
        typer.Option(
            "--column", help="Column of a field, such as text=Antwort; 'prompt=' for none. Others are recognized."
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(help="Two days to compare, such as 2026-11-02,2026-11-16. By default, the first and the last."),
    ] = None,
    editor: Annotated[
        str | None,
        typer.Option(
            "--editor", help="Platform that names rivals, sorts themes and words actions. Its key is in the settings."
        ),
    ] = None,
    editor_dir: Annotated[
        Path | None,
        typer.Option(
            "--editor-dir", help="Write the questions for an editor to this folder, and use the replies there."
        ),
    ] = None,
    facts: Annotated[
        Path | None,
        typer.Option(
            "--facts", help="JSON file of what is true of the brand, to compare the answers with; needs an editor."
        ),
    ] = None,
    category: Annotated[
        str | None,
        typer.Option(help="What the brand sells, such as 'running shoes': without an editor, prompts ask about it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how a brand appears in answers that you already have. Without --editor, nothing is sent.

    Lines that are not answers are left out and listed. If they are more than
    one in ten, nothing is analyzed. Several answers to the same prompt on the
    same platform count as repeats. Exits with 1 if no answer could be
    measured, 2 if the input is not valid, 130 if it was stopped.
    """
    # These imports are slow, and the other commands do not need them.
    from sightline.cli.analyze_editor import open_editor, read_facts, require_editor
    from sightline.cli.analyze_run import execute_analysis
    from sightline.cli.check_input import require_writable

    settings = load_settings()
    require_editor(settings, editor, editor_dir, has_facts=facts is not None)
    try:
        if report is not None:
            require_writable(report, option="--report")
        code = execute_analysis(
            file,
            brand,
            aliases=alias or (),
            competitors=competitor or (),
            scorer_setting=settings.sentiment if sentiment else "off",
            processes=settings.analyzer_processes,
            as_json=as_json,
            save=report,
            columns=column or (),
            compare=compare,
            category=category,
            facts=read_facts(facts),
            open_editor=partial(open_editor, settings, editor, editor_dir),
            has_editor=bool(editor or editor_dir),
        )
    except OSError as error:
        fail(f"The answers could not be analyzed: {error.strerror or error}.")
    except KeyboardInterrupt:
        err.print("Stopped.")
        code = 130
    raise typer.Exit(code)
