"""A check for people at a terminal: the finding first, then its parts. Reads well from 80 columns on."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sightline.kit.counting import count
from sightline.metrics.figure import Figure
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell, format_cell_mark
from sightline.presentation.dates import format_date
from sightline.presentation.numbers import NOT_MEASURED, format_number
from sightline.presentation.phrases import SANDBOX, SANDBOX_WHY, describe_market
from sightline.presentation.ranges import format_interval, format_position, format_range
from sightline.reports.notices import describe_finding, list_faults, list_notices
from sightline.scans.record import ScanRecord, summarize_provenance
from sightline.scans.schemas.results import PromptCell

_MOST_SOURCES = 12
_MOST_SUGGESTIONS = 8
_HEADS = {
    "chatgpt": "GPT", "gemini": "Gem", "perplexity": "Plx", "google_ai_overviews": "AIO", "claude": "Cla",
    "copilot": "Cop", "grok": "Grk", "mistral": "Mis", "deepseek": "Dsk", "google_ai_mode": "AIM", "local": "Loc",
}  # fmt: skip
_STYLES = {
    "first": "bold green", "second": "green", "third": "green", "later": "green", "unranked": "green",
    "cited": "yellow", "absent": "dim", "no_surface": "dim", "failed": "red", "unanswered": "dim",
}  # fmt: skip


def print_check(check: ScanRecord, console: Console) -> None:
    plan, results = check.plan, check.results
    title = Text.assemble((f"{plan.brand.name} in AI answers", "bold"), f"  {plan.domain}")
    market = describe_market(results.prompts[0].country, results.prompts[0].language)
    title.append(f"  {format_date(check.started_at)}{' · ' + market if market else ''}", "dim")
    console.print(title)
    if check.answers_source == "sandbox":
        print_sandbox_notice(console)
    console.print()
    _say(console, describe_finding(check))
    if not results.valid:
        _print_notices(check, console)
        _print_faults(check, console)
        return
    console.print()
    console.print(_headline(check))
    _print_notices(check, console)
    _print_section(console, "By platform", _platforms(check))
    _print_faults(check, console)
    _print_section(console, "By prompt", _prompts(check))
    console.print(_legend(check), soft_wrap=False)
    _print_competitors(check, console)
    _print_sources(check, console)
    _print_sentiment(check, console)
    _print_origin(check, console)


def print_sandbox_notice(console: Console) -> None:
    console.print(f"[black on yellow] {SANDBOX.upper()} [/]", highlight=False)
    console.print(
        f"[yellow]{SANDBOX_WHY} To ask real ones: sightline platform list[/yellow]", highlight=False, soft_wrap=False
    )


def _headline(check: ScanRecord) -> Table:
    figures = check.results.headline
    made = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column()
    made.add_column(justify="right")
    made.add_column()
    made.add_column()

    def add(name: str, value: str, figure: Figure, basis: str) -> None:
        made.add_row(name, Text(value, "bold"), format_interval(figure), Text(basis, "dim"))

    score, coverage, voice = figures.visibility_score, figures.brand_coverage_pct, figures.share_of_voice_pct
    position = figures.market_position
    untracked = "no competitor is tracked"
    add("Visibility Score", format_number(score.value), score, f"of 100, over {count(score.n, 'answer')}")
    named = f"% · {format_number(coverage.numerator)} of {count(coverage.n, 'answer')}"
    add("Brand Coverage", format_number(coverage.value), coverage, named)
    mentions, cited = figures.ai_mentions, figures.citation_count
    add("AI Mentions", format_number(mentions.value), mentions, f"in {count(mentions.n, 'answer')}")
    add("Citations", format_number(cited.value), cited, f"of own pages, in {count(cited.n, 'answer')}")
    spoken = f"% · {format_number(voice.numerator)} of {format_number(voice.denominator)} mentions"
    silent = untracked if not check.plan.competitors else "nobody is named"
    add("Share of Voice", format_number(voice.value), voice, silent if voice.value is None else spoken)
    ranked = "by Visibility Score"
    unranked = untracked if not check.plan.competitors else "not ranked: neither named nor cited"
    add("Market Position", format_position(position), position, unranked if position.value is None else ranked)
    return made


def _print_notices(check: ScanRecord, console: Console) -> None:
    notices = list_notices(check)
    if notices:
        console.print()
    for title, text in notices:
        _say(console, f"[yellow]{escape(title)}.[/yellow] {escape(text)}", markup=True)


def _platforms(check: ScanRecord) -> Table:
    made = _table("Platform", "Answers", "Visibility", "Coverage %", "Named", "Cited")
    if check.plan.competitors:
        for heading in ("SoV %", "Pos."):
            made.add_column(heading, justify="right", no_wrap=True)
    for row in check.results.platforms:
        name = Text(short_platform_name(row.platform), "yellow" if row.incomplete else "")
        cited = "never" if row.platform in check.plan.uncited else format_number(row.citation_count.value)
        cells: list[Text | str] = [
            Text(f"{row.valid}/{row.planned}", "yellow" if row.incomplete else ""),
            _with_interval(row.visibility_score),
            _with_interval(row.brand_coverage_pct),
            format_number(row.ai_mentions.value),
            cited,
        ]
        if check.plan.competitors:
            cells += [format_number(row.share_of_voice_pct.value), format_number(row.market_position.value)]
        made.add_row(name, *cells)
    return made


def _print_faults(check: ScanRecord, console: Console) -> None:
    for row in check.results.platforms:
        if row.surface_rate is not None:
            rate = row.surface_rate
            _say(
                console,
                f"[dim]{platform_name(row.platform)} showed an AI answer {format_number(rate.numerator)} of "
                f"{rate.n} times: {format_number(rate.value)} % ({format_interval(rate)} %).[/dim]",
                markup=True,
            )
    for where, what in list_faults(check):
        _say(console, f"[red]{escape(where)}:[/red] {escape(what)}", markup=True)


def _prompts(check: ScanRecord) -> Table:
    made = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column("Prompt", overflow="fold", ratio=1)
    for platform in check.plan.platforms:
        made.add_column(_HEADS.get(platform, platform[:3]), justify="right", width=3, no_wrap=True)
    for number, row in enumerate(check.results.prompts, 1):
        prompt = Text(f"{number:>2} {row.prompt}")
        if row.branded:
            prompt.append(" branded", "yellow")
        made.add_row(prompt, *(_cell(cell) for cell in row.platforms))
    return made


def _cell(cell: PromptCell) -> Text:
    return Text(format_cell_mark(cell), _STYLES[classify_cell(cell)])


def _legend(check: ScanRecord) -> Text:
    """Only of the signs that are there."""
    met = {classify_cell(cell) for prompt in check.results.prompts for cell in prompt.platforms}
    parts = ["1, 2, 3 … place among the brands in the answer"]
    parts += [
        f"{CELL_STATES[key].mark.strip() or 'blank'} {CELL_STATES[key].words}"
        for key in ("unranked", "cited", "absent", "no_surface", "failed", "unanswered")
        if key in met
    ]
    return Text("   ".join(parts), "dim")


def _print_competitors(check: ScanRecord, console: Console) -> None:
    results = check.results
    if results.competitors:
        made = _table("Brand", "Position", "Range", "Visibility", "Mentions", "Share of Voice %")
        for row in results.competitors:
            style = "bold" if row.is_own else ""
            name = Text(row.name, style)
            if row.tied:
                name.append(" tied", "dim")
            made.add_row(
                name,
                "not ranked" if row.position is None else str(row.position),
                NOT_MEASURED if row.position is None else format_range(row.position_low, row.position_high),
                _with_interval(row.score),
                format_number(row.mentions),
                format_number(row.share_of_voice_pct),
            )
        _print_section(console, "Competitors", made)
    if not results.candidates:
        if not results.competitors:
            _print_section(
                console,
                "Competitors",
                Text("None is tracked, and the answers name nobody often enough to suggest.", "dim"),
            )
        return
    made = _table("Name", "Domain", "Answers", "Prompts", "Platforms")
    made.columns[1].justify = "left"
    for found in results.candidates[:_MOST_SUGGESTIONS]:
        made.add_row(
            found.name, found.domain or NOT_MEASURED, str(found.answers), str(found.prompts), str(found.platforms)
        )
    heading = (
        "Also named in these answers" if results.competitors else "Competitors: none tracked; named in these answers"
    )
    _print_section(console, heading, made)
    best = results.candidates[0]
    flag = f"--competitor '{best.name}{'=' + best.domain if best.domain else ''}'"
    _say(console, f"[dim]To compare with one, add for example[/dim] {escape(flag)}", markup=True)


def _print_sources(check: ScanRecord, console: Console) -> None:
    sources = check.results.sources
    if not sources:
        _print_section(console, "Sources", Text("No answer cites a source.", "dim"))
        return
    made = _table("Site", "Kind", "Answers", "Pages")
    made.columns[1].justify = "left"
    for row in sources[:_MOST_SOURCES]:
        style = "bold" if row.is_own else ""
        made.add_row(Text(row.domain, style), Text(row.type, style), str(row.answers), str(row.urls))
    _print_section(console, "Sources", made)
    if len(sources) > _MOST_SOURCES:
        console.print(f"[dim]and {count(len(sources) - _MOST_SOURCES, 'more site')}[/dim]", highlight=False)
    rate = check.results.details.citation_rate
    if rate.value is not None:
        _say(
            console,
            f"{check.plan.domain} is cited in {format_number(rate.numerator)} of {count(rate.n, 'answer')} that show "
            f"sources: {format_number(rate.value)} % ({format_interval(rate)} %).",
        )


def _print_sentiment(check: ScanRecord, console: Console) -> None:
    found = check.results.sentiment
    if found is None:
        return
    if found.score is None:
        said = f"Not measured: {count(found.scored, 'answer')} could be scored, and it takes 3."
    else:
        labels = ", ".join(f"{number} {label}" for label, number in found.labels.items())
        said = (
            f"{format_number(found.score)} of 100, {found.label}{' (mixed)' if found.mixed else ''}: {labels} of "
            f"{count(found.scored, 'scored answer')}; {found.unscored} could not be scored and count for nothing."
        )
    _print_section(console, "Sentiment", Text(said))


def _print_origin(check: ScanRecord, console: Console) -> None:
    """Costs only where somebody told them; what nobody told is not free."""
    costs = [row.cost_usd for row in summarize_provenance(check) if row.cost_usd is not None]
    paid = f" · cost ${sum(costs):.4f}" if costs else ""
    versions = f"metrics version {check.metrics_version} · extractor version {check.extractor_version}"
    if check.results.scorers:
        versions += f" · sentiment by {', '.join(check.results.scorers)}"
    console.print()
    console.print(f"[dim]{versions} · answers: {check.answers_source}{paid}[/dim]", highlight=False)


def _with_interval(figure: Figure) -> Text:
    """The value and its interval, right-aligned so that values stand below each other."""
    if not (interval := format_interval(figure)):
        return Text(format_number(figure.value))
    return Text.assemble(format_number(figure.value), (f" {interval:>10}", "dim"))


def _table(first: str, *others: str) -> Table:
    made = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column(first, overflow="fold", min_width=12)
    for heading in others:
        made.add_column(heading, justify="right", no_wrap=True)
    return made


def _print_section(console: Console, title: str, body: Table | Text) -> None:
    console.print()
    console.print(title, style="bold")
    console.print(body, soft_wrap=False)


def _say(console: Console, text: str, *, markup: bool = False) -> None:
    console.print(text, markup=markup, highlight=False, soft_wrap=False)
