"""The result of a check or an analyzed file in the terminal: the finding first, then its parts, for 80 columns."""

from itertools import islice

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sightline.kit.counting import count
from sightline.kit.shell_command import format_command
from sightline.metrics.figure import Figure
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell, format_cell_mark
from sightline.presentation.numbers import NOT_MEASURED, format_number
from sightline.presentation.phrases import (
    METRIC_NAMES,
    SANDBOX,
    SANDBOX_WHY,
    describe_market,
    describe_spot_check,
    describe_unscored,
)
from sightline.presentation.ranges import (
    TWO_RANGES,
    format_interval,
    format_market_range,
    format_position,
    format_range,
)
from sightline.reports.notices import describe_finding, format_period, format_repeats, list_faults, list_notices
from sightline.scans.record import ScanRecord, summarize_provenance
from sightline.scans.schemas.results import PromptCell

_MAX_PROMPTS = 50
_MAX_SPOT_CHECKS = 20
_MAX_SOURCES = 12
_MAX_SUGGESTIONS = 8
_COLUMN_HEADS = {
    "chatgpt": "GPT", "gemini": "Gem", "perplexity": "Plx", "google_ai_overviews": "AIO", "claude": "Cla",
    "copilot": "Cop", "grok": "Grk", "mistral": "Mis", "deepseek": "Dsk", "google_ai_mode": "AIM", "local": "Loc",
}  # fmt: skip
_STATE_STYLES = {
    "first": "bold green", "second": "green", "third": "green", "later": "green", "unranked": "green",
    "cited": "yellow", "absent": "dim", "no_surface": "dim", "failed": "red", "unanswered": "dim",
}  # fmt: skip


def print_scan(scan: ScanRecord, console: Console) -> None:
    plan, results = scan.plan, scan.results
    title = Text.assemble((f"{plan.brand.name} in AI answers", "bold"), f"  {plan.domain}" if plan.domain else "")
    markets = {describe_market(prompt.country, prompt.language) for prompt in results.prompts}
    market = markets.pop() if len(markets) == 1 else "several markets"
    title.append(f"  {format_period(scan)}{' · ' + market if market else ''}", "dim")
    console.print(title)
    if scan.answers_source == "sandbox":
        print_sandbox_notice(console)
    console.print()
    _print_text(console, describe_finding(scan))
    if not results.valid:
        _print_notices(scan, console)
        _print_faults(scan, console)
        return
    console.print()
    console.print(_build_headline(scan))
    console.print()
    console.print(f"[dim]{TWO_RANGES}[/dim]", highlight=False, soft_wrap=False)
    _print_missing_ranges(scan, console)
    _print_notices(scan, console)
    _print_section(console, "By platform", _build_platforms(scan))
    _print_faults(scan, console)
    _print_section(console, "By prompt", _build_prompts(scan))
    if len(results.prompts) > _MAX_PROMPTS:
        console.print(f"[dim]and {count(len(results.prompts) - _MAX_PROMPTS, 'more prompt')}[/dim]", highlight=False)
    console.print(_build_legend(scan), soft_wrap=False)
    _print_spot_checks(scan, console)
    _print_competitors(scan, console)
    _print_sources(scan, console)
    _print_sentiment(scan, console)
    _print_origin(scan, console)


def print_sandbox_notice(console: Console) -> None:
    console.print(f"[black on yellow] {SANDBOX.upper()} [/]", highlight=False)
    console.print(f"[yellow]{SANDBOX_WHY} To see how to ask real ones, run:[/yellow]", highlight=False, soft_wrap=False)
    console.print(f"  {format_command('platform', 'list')}", style="yellow", highlight=False, markup=False)


def _build_headline(scan: ScanRecord) -> Table:
    figures = scan.results.headline
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column("For these\nprompts", no_wrap=True)
    table.add_column("For questions\nlike these", no_wrap=True)
    table.add_column()

    def add(name: str, value: str, figure: Figure, basis: str) -> None:
        ranges = (format_interval(figure), format_market_range(figure))
        table.add_row(name, Text(value, "bold"), *ranges, Text(basis, "dim"))

    score, coverage, voice = figures.visibility_score, figures.brand_coverage_pct, figures.share_of_voice_pct
    position = figures.market_position
    untracked = "no competitor is tracked"
    add("Visibility Score", format_number(score.value), score, f"of 100, based on {count(score.n, 'answer')}")
    named = f"% · {format_number(coverage.numerator)} of {count(coverage.n, 'answer')}"
    add("Brand Coverage", format_number(coverage.value), coverage, named)
    mentions, cited = figures.ai_mentions, figures.citation_count
    add("AI Mentions", format_number(mentions.value), mentions, f"in {count(mentions.n, 'answer')}")
    add("Citations", format_number(cited.value), cited, f"of own pages, in {count(cited.n, 'answer')}")
    spoken = f"% · {format_number(voice.numerator)} of {format_number(voice.denominator)} mentions"
    silent = untracked if not scan.plan.competitors else "nobody is named"
    add("Share of Voice", format_number(voice.value), voice, silent if voice.value is None else spoken)
    ranked = "by Visibility Score"
    unranked = untracked if not scan.plan.competitors else "not ranked: neither named nor cited"
    add("Market Position", format_position(position), position, unranked if position.value is None else ranked)
    return table


def _print_missing_ranges(scan: ScanRecord, console: Console) -> None:
    """Say which figures have no range for questions like these, and why."""
    figures = scan.results.headline
    missing = [
        METRIC_NAMES[name]
        for name in ("visibility_score", "brand_coverage_pct", "share_of_voice_pct", "market_position")
        if (figure := getattr(figures, name)).low is not None and figure.market is None
    ]
    if missing:
        names = ", ".join(missing)
        _print_text(
            console,
            f"[dim]No range for questions like these, because there are fewer than five prompts: {names}.[/dim]",
            markup=True,
        )


def _print_notices(scan: ScanRecord, console: Console) -> None:
    notices = list_notices(scan)
    if notices:
        console.print()
    for title, text in notices:
        _print_text(console, f"[yellow]{escape(title)}.[/yellow] {escape(text)}", markup=True)


def _build_platforms(scan: ScanRecord) -> Table:
    table = _build_table("Platform", "Answers", "Visibility", "Coverage %", "Named", "Cited")
    if scan.plan.competitors:
        for heading in ("SoV %", "Pos."):
            table.add_column(heading, justify="right", no_wrap=True)
    for row in scan.results.platforms:
        name = Text(short_platform_name(row.platform), "yellow" if row.incomplete else "")
        cited = "never" if row.platform in scan.plan.uncited else format_number(row.citation_count.value)
        cells: list[Text | str] = [
            Text(f"{row.valid}/{row.planned}", "yellow" if row.incomplete else ""),
            _format_with_interval(row.visibility_score),
            _format_with_interval(row.brand_coverage_pct),
            format_number(row.ai_mentions.value),
            cited,
        ]
        if scan.plan.competitors:
            cells += [format_number(row.share_of_voice_pct.value), format_number(row.market_position.value)]
        table.add_row(name, *cells)
    return table


def _print_faults(scan: ScanRecord, console: Console) -> None:
    for row in scan.results.platforms:
        if row.surface_rate is not None:
            rate = row.surface_rate
            _print_text(
                console,
                f"[dim]{platform_name(row.platform)} showed an AI answer {format_number(rate.numerator)} of "
                f"{rate.n} times: {format_number(rate.value)}% ({format_interval(rate)}%).[/dim]",
                markup=True,
            )
    for where, what in list_faults(scan):
        _print_text(console, f"[red]{escape(where)}:[/red] {escape(what)}", markup=True)


def _build_prompts(scan: ScanRecord) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("Prompt", overflow="fold", ratio=1)
    for platform in scan.plan.platforms:
        table.add_column(_COLUMN_HEADS.get(platform, platform[:3]), justify="right", min_width=3, no_wrap=True)
    shown = zip(scan.plan.prompts, scan.results.prompts, strict=True)
    for number, (prompt_asked, row) in enumerate(islice(shown, _MAX_PROMPTS), 1):
        prompt = Text(f"{number:>2} {row.prompt}")
        if row.branded:
            prompt.append(" branded", "yellow")
        table.add_row(prompt, *(_build_cell(cell, scan, prompt_asked.id) for cell in row.platforms))
    return table


def _build_cell(cell: PromptCell, scan: ScanRecord, prompt_id: str) -> Text:
    mark = format_repeats(scan, prompt_id, cell.platform) or format_cell_mark(cell)
    return Text(mark, _STATE_STYLES[classify_cell(cell)])


def _print_spot_checks(scan: ScanRecord, console: Console) -> None:
    if not scan.has_repeats:
        return
    brand, numbers = scan.plan.brand.name, {prompt.id: number for number, prompt in enumerate(scan.plan.prompts, 1)}
    measured = [(key, figure) for key, figure in scan.spot_checks.items() if figure.value is not None]
    if not measured:
        most = max(scan.spot_checks.values(), key=lambda figure: figure.n)
        _print_section(console, "Spot check", Text(describe_spot_check(brand, most), "dim"))
        return
    table = _build_table("Prompt", "Platform", "Asked", "Named", "Chance %")
    for (prompt_id, platform), figure in measured[:_MAX_SPOT_CHECKS]:
        table.add_row(
            f"Q{numbers[prompt_id]}",
            short_platform_name(platform),
            str(figure.n),
            format_number(figure.numerator),
            _format_with_interval(figure),
        )
    _print_section(console, f"Spot check: the chance that one answer names {brand}", table)
    if len(measured) > _MAX_SPOT_CHECKS:
        more = count(len(measured) - _MAX_SPOT_CHECKS, "more row")
        console.print(f"[dim]and {more} in the report and with --json[/dim]", highlight=False)


def _build_legend(scan: ScanRecord) -> Text:
    """Return the legend of the marks that are used."""
    met = {classify_cell(cell) for prompt in scan.results.prompts for cell in prompt.platforms}
    parts = ["1, 2, 3 … place among the brands in the answer"]
    if scan.has_repeats:
        parts.append("2/3 named in two of three answers")
    parts += [
        f"{CELL_STATES[key].mark.strip() or 'blank'} {CELL_STATES[key].words}"
        for key in ("unranked", "cited", "absent", "no_surface", "failed", "unanswered")
        if key in met
    ]
    return Text("   ".join(parts), "dim")


def _print_competitors(scan: ScanRecord, console: Console) -> None:
    results = scan.results
    if results.competitors:
        table = _build_table("Brand", "Position", "Range", "Visibility", "Mentions", "Share of Voice %")
        for row in results.competitors:
            style = "bold" if row.is_own else ""
            name = Text(row.name, style)
            if row.tied:
                name.append(" tied", "dim")
            table.add_row(
                name,
                "not ranked" if row.position is None else str(row.position),
                NOT_MEASURED if row.position is None else format_range(row.position_low, row.position_high),
                _format_with_interval(row.score),
                format_number(row.mentions),
                format_number(row.share_of_voice_pct),
            )
        _print_section(console, "Competitors", table)
    if not results.candidates:
        if not results.competitors:
            _print_section(
                console,
                "Competitors",
                Text("No competitor is tracked, and the answers name none often enough to suggest it.", "dim"),
            )
        return
    table = _build_table("Name", "Domain", "Answers", "Prompts", "Platforms")
    table.columns[1].justify = "left"
    for found in results.candidates[:_MAX_SUGGESTIONS]:
        table.add_row(
            found.name, found.domain or NOT_MEASURED, str(found.answers), str(found.prompts), str(found.platforms)
        )
    heading = (
        "Also named in these answers" if results.competitors else "Competitors: none tracked; named in these answers"
    )
    _print_section(console, heading, table)
    best = results.candidates[0]
    flag = f"--competitor '{best.name}{'=' + best.domain if best.domain else ''}'"
    _print_text(console, f"[dim]To compare with one, add for example[/dim] {escape(flag)}", markup=True)


def _print_sources(scan: ScanRecord, console: Console) -> None:
    sources = scan.results.sources
    if not sources:
        _print_section(console, "Sources", Text("No answer cites a source.", "dim"))
        return
    table = _build_table("Site", "Kind", "Answers", "Pages")
    table.columns[1].justify = "left"
    for row in sources[:_MAX_SOURCES]:
        style = "bold" if row.is_own else ""
        table.add_row(Text(row.domain, style), Text(row.type, style), str(row.answers), str(row.urls))
    _print_section(console, "Sources", table)
    if len(sources) > _MAX_SOURCES:
        console.print(f"[dim]and {count(len(sources) - _MAX_SOURCES, 'more site')}[/dim]", highlight=False)
    rate = scan.results.details.citation_rate
    if rate.value is not None:
        site = scan.plan.domain or scan.plan.brand.name
        _print_text(
            console,
            f"{site} is cited in {format_number(rate.numerator)} of {count(rate.n, 'answer')} that show "
            f"sources: {format_number(rate.value)}% ({format_interval(rate)}%).",
        )


def _print_sentiment(scan: ScanRecord, console: Console) -> None:
    found = scan.results.sentiment
    if found is None:
        return
    if found.score is None:
        text = f"Not measured: {count(found.scored, 'answer')} could be scored, and at least 3 are needed."
    else:
        labels = ", ".join(f"{number} {label}" for label, number in found.labels.items())
        text = (
            f"{format_number(found.score)} of 100, {found.label}{' (mixed)' if found.mixed else ''}: {labels} of "
            f"{count(found.scored, 'scored answer')}."
        )
    text = f"{text} {describe_unscored(scan.plan.brand.name, found.unscored, found.unscored_reasons)}".rstrip()
    _print_section(console, "Sentiment", Text(text))


def _print_origin(scan: ScanRecord, console: Console) -> None:
    """Print versions and costs. Costs that a platform did not report are not printed as free."""
    costs = [row.cost_usd for row in summarize_provenance(scan) if row.cost_usd is not None]
    paid = f" · cost ${sum(costs):.4f}" if costs else ""
    versions = f"metrics version {scan.metrics_version} · extractor version {scan.extractor_version}"
    if scan.results.scorers:
        versions += f" · sentiment by {', '.join(scan.results.scorers)}"
    console.print()
    console.print(f"[dim]{versions} · answers: {scan.answers_source}{paid}[/dim]", highlight=False)


def _format_with_interval(figure: Figure) -> Text:
    """Return the value and its interval, padded so that the values of a column are aligned."""
    if not (interval := format_interval(figure)):
        return Text(format_number(figure.value))
    return Text.assemble(format_number(figure.value), (f" {interval:>10}", "dim"))


def _build_table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, overflow="fold", min_width=12)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _print_section(console: Console, title: str, body: Table | Text) -> None:
    console.print()
    console.print(title, style="bold")
    console.print(body, soft_wrap=False)


def _print_text(console: Console, text: str, *, markup: bool = False) -> None:
    console.print(text, markup=markup, highlight=False, soft_wrap=False)
