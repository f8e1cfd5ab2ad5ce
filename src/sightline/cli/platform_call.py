"""What `platform test` prints about a real call of a platform."""

from typing import Any

from rich.markup import escape

from sightline.cli.context import out
from sightline.cli.failures import err
from sightline.platforms.models import FaultKind, Outcome
from sightline.presentation.numbers import format_cost

_REMEDIES: dict[FaultKind, str] = {
    "rate_limited": "The rate limit is reached. Try again in a minute, or lower SIGHTLINE_PLATFORM_CONCURRENCY.",
    "unavailable": "The platform cannot be reached or is overloaded. Check the network and the provider's status page.",
    "timeout": "No complete answer arrived in time. Try again; if it keeps failing, raise SIGHTLINE_ASK_TIMEOUT.",
    "malformed": "The response has a format that this version does not know. Check the base address. If "
    "it is correct, report the problem.",
    "blank": "The platform returned an empty answer. Try another model or another prompt.",
    "no_money": "The quota or balance is used up. Top up your account with the provider.",
    "unauthorised": "The credentials are wrong, or they do not allow this model or tool. Check {settings}.",
    "rejected": "The provider rejected the request. Check the model and the base address.",
}


def describe_call(outcome: Outcome, ways: str) -> dict[str, Any]:
    """Return the result of a call, and what to do if it failed: `ways` names the settings of the connection."""
    answer = outcome.answer
    fault = outcome.fault
    return {
        "platform": outcome.platform,
        "vendor": outcome.vendor,
        "surface": outcome.surface,
        "verdict": {"ok": "answered", "no_surface": "no_surface", "failed": "failed"}[outcome.status],
        "model_asked": outcome.model_asked,
        "model_served": answer.model,
        "latency_ms": outcome.latency_ms,
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "searches": answer.usage.searches,
        "cost_usd": outcome.cost_usd,
        "sources_cited": len(answer.cited),
        "sources_retrieved": len(answer.retrieved),
        "text": answer.text or None,
        "fault": fault and {"kind": fault.kind, "message": fault.message},
        "remedy": fault and _REMEDIES[fault.kind].format(settings=ways),
    }


def print_call(report: dict[str, Any]) -> None:
    about = f"{report['platform']} through {report['vendor']}"
    if report["verdict"] == "failed":
        err.print(f"[red]{about} failed:[/red] {escape(report['fault']['message'])}", highlight=False)
        err.print(report["remedy"], highlight=False, markup=False)
        return
    message = "answered" if report["verdict"] == "answered" else "showed no AI answer for this prompt"
    out.print(f"[green]{about} {message}[/green] in {report['latency_ms'] / 1000:.1f} s.", highlight=False)
    tokens = [report["input_tokens"], report["output_tokens"]]
    lines = {
        "Model": report["model_served"] or "unknown",
        "Tokens": "unknown" if tokens == [None, None] else f"{tokens[0]} in, {tokens[1]} out",
        "Searches": "unknown" if report["searches"] is None else report["searches"],
        "Cost": "unknown (set SIGHTLINE_PLATFORM_PRICES)"
        if report["cost_usd"] is None
        else format_cost(report["cost_usd"]),
        "Sources": f"{report['sources_cited']} cited, {report['sources_retrieved']} retrieved",
    }
    for name, value in lines.items():
        out.print(f"  {name:<9} {value}", highlight=False, markup=False)
