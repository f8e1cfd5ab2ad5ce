"""Results for people and for machines."""

from collections.abc import Callable
from typing import Any

import msgspec

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
from bench.comparison import Result, Target
from bench.profiling import Profile

AnyResult = (
    Result
    | admission.AdmissionResult
    | ask.AskResult
    | analyze.AnalyzeResult
    | sentiment.SentimentResult
    | phrases.PhrasesResult
    | engine.EngineResult
    | full_check.FullCheckResult
    | hostile.HostileResult
    | ledger.LedgerResult
    | pages.PagesResult
    | tracking.TrackingResult
    | webhooks.WebhookResult
)


_PRINTERS: dict[type, Callable[[Any], None]] = {
    admission.AdmissionResult: admission.print_figures,
    ask.AskResult: ask.print_figures,
    analyze.AnalyzeResult: analyze.print_figures,
    sentiment.SentimentResult: sentiment.print_figures,
    phrases.PhrasesResult: phrases.print_figures,
    engine.EngineResult: engine.print_figures,
    full_check.FullCheckResult: full_check.print_figures,
    hostile.HostileResult: hostile.print_figures,
    ledger.LedgerResult: ledger.print_figures,
    pages.PagesResult: pages.print_figures,
    tracking.TrackingResult: tracking.print_figures,
    webhooks.WebhookResult: webhooks.print_figures,
}


def print_result(result: AnyResult) -> None:
    print(f"\n{result.title}\n")
    _PRINTERS.get(type(result), _print_figures)(result)
    _print_targets(result.targets)


def _print_figures(result: Result) -> None:
    columns = f"to {result.base}"
    print(f"  {'':<10}{'req/s':>9}{columns:>12}{'CPU ms/req':>13}{columns:>12}{'p50 ms':>10}{'p99 ms':>10}")
    for one in result.figures:
        cpu, cpu_ratio = _figure(one.cpu_ms_per_request), _figure(one.cpu_ratio_to_base)
        print(
            f"  {one.server:<10}{one.requests_per_second:>9.0f}{one.ratio_to_base:>12.2f}{cpu:>13}{cpu_ratio:>12}"
            f"{one.p50_ms:>10.2f}{one.p99_ms:>10.2f}"
        )
    rounds = len(next(iter(result.throughput.values())))
    print(
        f"\n  Medians over {rounds} alternating rounds; ratios are made within a round. Latency at a constant"
        f"\n  {result.rate:.0f} requests per second, from the time a request was due.\n"
    )


def _print_targets(targets: list[Target]) -> None:
    for target in targets:
        verdict = "pass" if target.met else "FAIL"
        print(
            f"  {verdict}  {target.server} is {target.got:.3f} of {target.other} (half of the rounds: "
            f"{target.middle_half[0]:.3f} to {target.middle_half[1]:.3f}); wanted: at least {target.at_least}"
        )
    print()


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def to_json(results: list[AnyResult]) -> str:
    documents = []
    for result in results:
        document = msgspec.to_builtins(result)
        for target, plain in zip(result.targets, document["targets"], strict=True):
            plain["met"] = target.met
        documents.append(document)
    return msgspec.json.format(msgspec.json.encode(documents), indent=2).decode()


def print_profile(title: str, profile: Profile, *, per: str = "request") -> None:
    print(f"\n{title} under cProfile\n")
    print(f"  {'own µs':>8}{'share':>8}{'with callees':>14}{'calls':>8}   per {per}, over {profile.requests} {per}s")
    for line in profile.lines:
        print(
            f"  {line.own_us:>8.1f}{line.own_us / profile.us:>8.1%}{line.total_us:>14.1f}{line.calls:>8.1f}   "
            f"{line.function}"
        )
    print()
