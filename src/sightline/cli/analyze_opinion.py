"""The second opinion on a file in the terminal: who is ahead, what changed, and names that are easily misread."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sightline.platforms.names import short_platform_name
from sightline.presentation.ranges import format_interval, format_range
from sightline.reports.second_opinion import (
    READINGS,
    describe_comparison,
    describe_lead,
    describe_markets,
    describe_misread,
    describe_rest,
    list_changes,
)
from sightline.scans.answer_files.misread_names import MisreadName
from sightline.scans.record import ScanRecord

_MAX_BRANDS, _MAX_NAMES, _MAX_SENTENCES = 12, 5, 3


def print_second_opinion(scan: ScanRecord, console: Console) -> None:
    """Print what the file tells beyond the results of a check. The tables of a check come after it."""
    opinion = scan.opinion
    if opinion is None or not scan.results.valid:
        return
    if markets := describe_markets(scan):
        console.print(f"{escape(markets)}\n", highlight=False)
    if lead := describe_lead(scan.results.competitors):
        console.print(f"[bold]Who is ahead[/bold]\n{escape(lead)}", highlight=False)
        if opinion.are_rivals_chosen:
            console.print("[dim]Compared with the brands that the answers name most often.[/dim]", highlight=False)
        console.print(_build_league(scan))
    console.print(f"\n[bold]What changed[/bold]\n{escape(describe_comparison(scan))}", highlight=False)
    if rows := list_changes(scan):
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for row in rows:
            table.add_row(escape(row.name), row.counts, row.verdict, style="dim" if row.tier == "rest" else "")
        console.print(table)
    if opinion.comparison is not None and (rest := describe_rest(opinion.comparison)):
        console.print(f"[dim]{escape(rest)}[/dim]", highlight=False)
    _print_misread_names(opinion.misread_names, console)
    console.print()


def _print_misread_names(names: Sequence[MisreadName], console: Console) -> None:
    if names:
        console.print("\n[bold]Names that are easily misread[/bold]", highlight=False)
    for name in names[:_MAX_NAMES]:
        console.print(f"[bold]{escape(name.brand)}[/bold] {escape(describe_misread(name))}", highlight=False)
        for sentence in name.sentences[:_MAX_SENTENCES]:
            parts = "".join(
                f"[bold]{escape(part.text)}[/bold]" if part.brand else escape(part.text) for part in sentence.parts
            )
            place = f"{READINGS[sentence.reading]}, {short_platform_name(sentence.platform)}"
            console.print(f"  “{parts}” [dim]{escape(place)}[/dim]", highlight=False)


def _build_league(scan: ScanRecord) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Place", justify="right", no_wrap=True)
    table.add_column("Brand")
    table.add_column("Visibility", justify="right", no_wrap=True)
    table.add_column("For these prompts", no_wrap=True)
    table.add_column("Answers", justify="right", no_wrap=True)
    for row in scan.results.competitors[:_MAX_BRANDS]:
        if row.position is None:
            continue
        place = format_range(row.position_low, row.position_high)
        value = "" if row.score.value is None else str(round(row.score.value))
        table.add_row(
            place, escape(row.name), value, format_interval(row.score), str(row.mentions),
            style="bold" if row.is_own else "",
        )  # fmt: skip
    return table
