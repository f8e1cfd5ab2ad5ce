"""`sightline check`: one check in the terminal, in this process alone, without a database or a server."""

from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.context import AsJson, load_settings
from sightline.cli.failures import err, fail
from sightline.settings import SettingsError

Many = list[str]


def check(
    domain: Annotated[str, typer.Argument(help="The brand's domain or a URL on it, for example acme.com.")],
    prompt: Annotated[
        Many | None,
        typer.Option("--prompt", "-p", help="A prompt to ask; can be repeated. Default: ten suggested prompts."),
    ] = None,
    platform: Annotated[
        Many | None,
        typer.Option("--platform", help="Key of a platform to ask; can be repeated. Default: all enabled platforms."),
    ] = None,
    competitor: Annotated[
        Many | None,
        typer.Option(
            "--competitor", "-c", help="Competitor to compare with: NAME, NAME=domain or a domain; can be repeated."
        ),
    ] = None,
    brand: Annotated[
        str | None, typer.Option(help="Name of the brand. Default: the first label of the domain.")
    ] = None,
    alias: Annotated[Many | None, typer.Option("--alias", help="Another name of the brand; can be repeated.")] = None,
    country: Annotated[str | None, typer.Option(help="Country to ask from: two-letter code, such as DE.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the prompts: two-letter code, such as de.")] = None,
    category: Annotated[
        str | None,
        typer.Option(help="What the brand sells, such as 'running shoes': suggested prompts ask about it."),
    ] = None,
    day: Annotated[str | None, typer.Option(help="Sandbox only: the day to answer for, YYYY-MM-DD.")] = None,
    sentiment: Annotated[
        bool,
        typer.Option(
            "--sentiment",
            help="Also score the sentiment about the brand, in English answers.",
        ),
    ] = False,
    save: Annotated[Path | None, typer.Option(help="Write a report to this self-contained HTML file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask the AI platforms once, and show in this terminal how a brand appears in their answers.

    While no platform is connected, the answers are made up (sandbox);
    `sightline platform list` shows how to connect one. Ctrl-C stops the check
    and reports the answers so far. Exits with 1 if every answer failed, 2 if
    the input is not valid, 130 if it was stopped.
    """
    # These imports are slow, and the other commands do not need them.
    from sightline.cli import check_input
    from sightline.kit.clock import utc_now
    from sightline.platforms import access

    settings = load_settings()
    try:
        sandbox = access.is_sandbox(settings)
        platforms = check_input.parse_platforms(platform or (), settings)
        name = check_input.parse_domain(domain, sandbox=sandbox)
        own = check_input.parse_brand(name, brand, alias or ())
        request = check_input.CheckRequest(
            domain=name,
            brand=own,
            competitors=check_input.parse_competitors(competitor or (), own, sandbox=sandbox),
            prompts=check_input.parse_prompts(prompt or ()),
            platforms=platforms,
            country=check_input.parse_country(country),
            language=check_input.parse_language(language),
            category=check_input.parse_category(category),
            day=check_input.parse_day(day, utc_now().date(), sandbox=sandbox),
            sentiment=sentiment,
        )
        if save is not None:
            check_input.require_writable(save)

        from sightline.cli.check_run import execute_check

        code = execute_check(request, settings, as_json=as_json, save=save)
    except SettingsError as error:
        fail(str(error))
    except KeyboardInterrupt:
        err.print("Stopped.")
        code = 130
    raise typer.Exit(code)
