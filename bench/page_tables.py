"""The tables that the page shows of each benchmark's result."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from bench import (
    admission,
    analyze,
    ask,
    engine,
    full_check,
    hostile,
    ledger,
    pages,
    phrases,
    sentiment,
    tracking,
    webhooks,
)
from bench.comparison import Result
from bench.engine.ideal import IdealFigures
from bench.engine.throughput import ThroughputFigures
from bench.report import AnyResult
from bench.results import to_table
from bench.tracking.reads import Read

Tables = list[list[str]]


def build_tables(result: AnyResult) -> Tables:
    return _BUILDERS[type(result)](result)


def _compare_servers(result: Result) -> Tables:
    columns = ("", "Requests/s", "Relative to base", "CPU ms per request", "Relative to base", "p50 ms", "p99 ms")
    rows = (
        (
            each.server,
            f"{each.requests_per_second:,.0f}",
            f"{each.ratio_to_base:.2f}",
            _format(each.cpu_ms_per_request),
            _format(each.cpu_ratio_to_base),
            f"{each.p50_ms:.1f}",
            f"{each.p99_ms:.1f}",
        )
        for each in result.figures
    )
    return [to_table(columns, rows)]


def _ask(result: ask.AskResult) -> Tables:
    calls = (
        (name, f"{each['calls_per_second']:,.0f}", f"{each['cpu_ms_per_call']:.3f}")
        for name, each in result.figures.items()
    )
    ideal = ask.IDEAL_SECONDS
    many = {"ideal": ideal, **{name: median(runs) for name, runs in result.many_seconds.items()}}
    together = ((name, f"{seconds:.2f}", f"{seconds / ideal:.2f}") for name, seconds in many.items())
    return [
        to_table(("", "Calls/s", "CPU ms per call"), calls),
        to_table((f"{ask.QUESTIONS:,} questions", "Seconds", "Relative to ideal"), together),
    ]


def _analyze(result: analyze.AnalyzeResult) -> Tables:
    base = result.microseconds["re"]
    rows = ((name, f"{taken:,.0f}", f"{taken / base:.2f}") for name, taken in result.microseconds.items())
    return [to_table(("", "CPU µs per answer", "Relative to `re`"), rows)]


def _admission(result: admission.AdmissionResult) -> Tables:
    columns = ("Active scans", "Workspaces", "Worker CPU ms", "Database CPU ms", "Elapsed ms", "Longest hold ms")
    rows = (
        (
            f"{one.scans:,}",
            f"{one.workspaces:,}",
            f"{one.worker_cpu_ms:.1f}",
            _format(one.database_cpu_ms, 1),
            f"{one.elapsed_ms:.1f}",
            f"{one.longest_hold_ms:.1f}",
        )
        for one in result.figures
    )
    return [to_table(columns, rows)]


def _sentiment(result: sentiment.SentimentResult) -> Tables:
    return _list(
        ("CPU time per new passage", f"{result.new_milliseconds:.1f} ms"),
        ("CPU time per cached passage", f"{result.known_milliseconds:.1f} ms"),
        ("CPU time for loading, once per process", f"{result.load_milliseconds:.0f} ms"),
        ("Memory", f"{_format(result.memory_mb, 0)} MB"),
    )


def _phrases(result: phrases.PhrasesResult) -> Tables:
    number = f"{result.wordings:,}"
    return _list(
        ("CPU time per new phrase", f"{result.new_milliseconds:.1f} ms"),
        (f"CPU time for {number} new phrases", f"{result.group_seconds:.1f} s"),
        (f"CPU time for {number} cached phrases", f"{result.known_group_seconds:.2f} s"),
        ("CPU time for loading, once per process", f"{result.load_milliseconds:.0f} ms"),
        ("Memory, in addition to the sentiment model", f"{_format(result.memory_mb, 0)} MB"),
    )


def _full_check(result: full_check.FullCheckResult) -> Tables:
    rows = (
        (
            f"{check.answers} answers",
            f"{check.completed:.2f} s",
            f"{check.completed / result.ideal_seconds:.2f}",
            _format(check.cpu.get("worker")),
            " + ".join(_format(cpu.get("worker")) for cpu in check.steps.values()),
        )
        for check in result.checks
    )
    return [to_table(("", "Duration", "Relative to ideal", "CPU s", "by step"), rows)]


def _engine(result: engine.EngineResult) -> Tables:
    rows: list[tuple[str, str, str]] = []
    for name, figures in result.parts.items():
        rows += [(f"`{name}`: {what}", allowed, got) for what, allowed, got in _list_part(figures)]
    return [to_table(("Part", "Target", "Measured"), rows)]


def _list_part(figures: engine.PartFigures) -> Iterable[tuple[str, str, str]]:
    if isinstance(figures, IdealFigures):
        for workers, rounds in figures.rounds.items():
            times = median(each.timing.completed for each in rounds) / figures.ideal_seconds
            yield f"time relative to ideal, {workers}", f"{figures.at_most:g}", f"{times:.2f}"
            for process in rounds[0].cpu_ms_per_answer:
                cpu = median(each.cpu_ms_per_answer[process] for each in rounds)
                yield f"CPU ms per answer, {workers}, {process}", "", f"{cpu:.2f}"
    elif isinstance(figures, ThroughputFigures):
        (target,) = figures.targets
        yield "answers per second relative to a bare loop", f"at least {target.at_least:g}", f"{target.got:.2f}"
    else:
        for case in figures.cases:
            longer = median(wait.longer for wait in case.waits)
            what = f"extra seconds for {case.answers} answers behind 400 questions, {case.workers}"
            yield what, f"{case.allowed_seconds:g}", f"{longer:.2f}"


def _ledger(result: ledger.LedgerResult) -> Tables:
    speeds = {name: median(rounds) for name, rounds in result.throughput.items()}
    rows = (
        (name, f"{speed:,.0f}", f"{result.rows / speed:.2f}", f"{speed / speeds['copy']:.2f}")
        for name, speed in speeds.items()
    )
    return [to_table(("", "Rows/s", "Seconds", "Relative to `COPY`"), rows)]


def _pages(result: pages.PagesResult) -> Tables:
    columns = ("", "Page ms", "Endpoint ms", "Page CPU ms", "Endpoint CPU ms", "CPU ratio", "Page kB", "Endpoint kB")
    rows = (
        (
            pair.name,
            f"{median(pair.page_ms):.2f}",
            f"{median(pair.twin_ms):.2f}",
            _format(pair.page_cpu_ms),
            _format(pair.twin_cpu_ms),
            _format(pair.page_cpu_ms / pair.twin_cpu_ms if pair.page_cpu_ms and pair.twin_cpu_ms else None),
            f"{pair.page_kb:.0f}",
            f"{pair.twin_kb:.0f}",
        )
        for pair in result.pairs
    )
    return [to_table(columns, rows)]


def _tracking(result: tracking.TrackingResult) -> Tables:
    few, lots = (f"{number:,} answers" for number in result.answers)
    one, many = (f"{number:,} domains" for number in result.domains)
    carried = result.carried
    return [
        _compare_reads(few, lots, [*result.by_age, result.following_by_age]),
        _compare_reads(one, many, result.by_domains),
        *_list(
            ("Domains that the CPU time of two cores is enough for", f"{carried.by_cpu:,}"),
            ("Domains that one worker serves, as measured", f"{carried.as_measured:,}"),
            ("Domains at 20 concurrent calls of 10 s to each platform", f"{carried.by_platforms:,}"),
            ("CPU time per domain and day", f"{carried.cpu_a_day:.2f} s"),
            ("Disk per domain and day", f"{carried.megabytes_per_day:.1f} MB"),
        ),
    ]


def _compare_reads(small: str, large: str, reads: Sequence[Read]) -> list[str]:
    rows = (
        (each.name, f"{median(each.small.ms):.2f}", f"{median(each.large.ms):.2f}", f"**{each.growth:.2f}**")
        for each in reads
    )
    return to_table(("ms per request", small, large, "Ratio"), rows)


def _webhooks(result: webhooks.WebhookResult) -> Tables:
    ours, bare = (median(result.throughput[name]) for name in ("worker", "bare"))
    rows = (
        ("worker", f"{ours:,.0f}", f"{result.ratio:.2f}", _format(result.cpu_ms_per_delivery)),
        ("bare loop", f"{bare:,.0f}", "1.00", ""),
    )
    return [to_table(("", "Deliveries/s", "Relative to bare loop", "CPU ms per delivery"), rows)]


def _hostile(result: hostile.HostileResult) -> Tables:
    rows = (
        (each.version, f"{each.alone:.1f} ms", f"**{each.attacked:.1f} ms**", f"{each.limit:.1f} ms", len(each.errors))
        for each in result.figures
    )
    columns = ("", "p99 alone", "p99 during the attacks", "Target", "Errors")
    return [to_table(columns, (map(str, row) for row in rows))]


def _list(*rows: tuple[str, str]) -> Tables:
    return [to_table(("", ""), rows)]


def _format(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


_BUILDERS: dict[type, Callable[[Any], Tables]] = {
    Result: _compare_servers,
    admission.AdmissionResult: _admission,
    ask.AskResult: _ask,
    analyze.AnalyzeResult: _analyze,
    sentiment.SentimentResult: _sentiment,
    phrases.PhrasesResult: _phrases,
    full_check.FullCheckResult: _full_check,
    engine.EngineResult: _engine,
    ledger.LedgerResult: _ledger,
    pages.PagesResult: _pages,
    tracking.TrackingResult: _tracking,
    webhooks.WebhookResult: _webhooks,
    hostile.HostileResult: _hostile,
}
