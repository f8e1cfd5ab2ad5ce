"""Running `sightline check`: find prompts, ask the platforms, then print and save the result."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sightline.answers.scorers import ScorerName, parse_scorer_name
from sightline.cli.check_input import CheckRequest
from sightline.cli.check_progress import show_progress
from sightline.cli.check_tables import print_sandbox_notice, print_scan
from sightline.cli.context import out, print_result
from sightline.cli.failures import err
from sightline.cli.report_file import save_report
from sightline.insights.editor.caller import PlatformEditor
from sightline.insights.editor.setup import NO_EDITOR, suggest_prompts
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.platforms.names import platform_name
from sightline.scans.editor_platform import EditorPlatform, choose_editor
from sightline.scans.local_check import run_check
from sightline.scans.models import PromptsSource, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.platform_clients import PlatformClients, build_subject, open_platform_clients
from sightline.scans.record import ScanRecord, summarize_scan
from sightline.scans.suggest import SuggestedPrompts, SuggestionInput, suggest_in_sandbox
from sightline.settings import Settings

SIGNAL_EXIT_BASE = 128  # plus the number of the signal, as in shells


class StopSignal:
    """An event that the first SIGINT or SIGTERM sets. A second signal ends the process as usual."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.signal = 0

    def set(self, number: int) -> None:
        self.signal = number
        self.event.set()
        self.release()

    def attach(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self.set, number)

    def release(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().remove_signal_handler(number)


def execute_check(request: CheckRequest, settings: Settings, *, as_json: bool, save: Path | None) -> int:
    """Run, print and save a scan, and return the exit code."""
    scan, stopped_by = asyncio.run(_run(request, settings))
    if scan is None:
        err.print("Stopped before any question was asked.")
        return SIGNAL_EXIT_BASE + stopped_by
    if as_json and scan.answers_source == "sandbox":
        print_sandbox_notice(err)
    print_result(_build_document(scan) if as_json else None, as_json, lambda: print_scan(scan, out))
    if save is not None:
        save_report(scan, save)
    if stopped_by:
        return SIGNAL_EXIT_BASE + stopped_by
    return 1 if scan.results.failed == scan.results.planned else 0


async def _run(request: CheckRequest, settings: Settings) -> tuple[ScanRecord | None, int]:
    stop = StopSignal()
    stop.attach()
    try:
        async with _open_clients(request, settings) as clients:
            started_at = utc_now()
            finding = _find_prompts(request, clients, settings)
            source, suggested = await _run_until_stopped(stop.event, finding) or (None, None)
            if source is None or suggested is None:
                return None, stop.signal
            if source != "given":
                _print_prompts(suggested)
            plan = _build_plan(request, clients, suggested)
            answers = await _collect_answers(
                plan, clients, stop.event, parse_scorer_name(settings.sentiment) if request.sentiment else None
            )
        scan = summarize_scan(
            plan,
            answers,
            answers_source=clients.source,
            prompts_source=source,
            started_at=started_at,
            stopped=bool(stop.signal) and len(answers) < plan.size,
            note=suggested.note,
            day=request.day,
            sentiment=request.sentiment,
        )
        return scan, stop.signal if scan.stopped else 0
    finally:
        stop.release()


@asynccontextmanager
async def _open_clients(request: CheckRequest, settings: Settings) -> AsyncIterator[PlatformClients]:
    subject = build_subject(request.domain, request.brand, request.competitors)
    async with open_platform_clients(settings, subject, request.day or utc_now().date()) as clients:
        yield clients


async def _collect_answers(
    plan: ScanPlan, clients: PlatformClients, stop: asyncio.Event, scorer: ScorerName | None
) -> list[ScanAnswer]:
    answers: list[ScanAnswer] = []
    running = run_check(plan, clients, new_id=lambda: str(new_id()), stop=stop, sentiment=scorer)
    with show_progress(plan, err) as view:
        async with aclosing(running):
            async for answer in running:
                answers.append(answer)
                view.add(answer)
    return answers


def _print_prompts(suggested: SuggestedPrompts) -> None:
    """Show the prompts that are about to be asked, and why they are general ones."""
    err.print(f"No prompts were given, so these {len(suggested.prompts)} are asked:", highlight=False)
    for number, prompt in enumerate(suggested.prompts, 1):
        err.print(f"{number:>3}. {prompt}", highlight=False, markup=False, soft_wrap=True)
    if suggested.note:
        err.print(suggested.note, highlight=False, markup=False)


def _build_plan(request: CheckRequest, clients: PlatformClients, suggested: SuggestedPrompts) -> ScanPlan:
    return ScanPlan(
        domain=request.domain,
        brand=request.brand,
        competitors=request.competitors,
        prompts=tuple(
            ScanPrompt(id=str(number), text=text, language=suggested.language, country=request.country)
            for number, text in enumerate(suggested.prompts, 1)
        ),
        platforms=request.platforms,
        uncited=clients.uncited & set(request.platforms),
    )


async def _find_prompts(
    request: CheckRequest, clients: PlatformClients, settings: Settings
) -> tuple[PromptsSource, SuggestedPrompts]:
    if request.prompts:
        return "given", SuggestedPrompts(request.prompts, request.language)
    if clients.source == "sandbox":
        subject = build_subject(request.domain, request.brand, request.competitors)
        return "suggested", suggest_in_sandbox(subject, language=request.language, country=request.country)
    wanted = SuggestionInput(
        domain=request.domain,
        brand=request.brand,
        competitors=request.competitors,
        language=request.language,
        country=request.country,
        category=request.category,
    )
    editor = choose_editor(settings, clients.connectors)
    if editor is None:
        found = await suggest_prompts(wanted, None, clients.fetch_page, fault=NO_EDITOR["off"])
    else:
        err.print(f"Asking {platform_name(editor.platform)} for prompts.", highlight=False)
        caller = PlatformEditor(EditorPlatform.open(clients, editor))
        found = await suggest_prompts(wanted, caller, clients.fetch_page)
    return "templates" if found.from_templates == len(found.prompts) else "suggested", found


async def _run_until_stopped(stop: asyncio.Event, work: Any) -> Any:
    """Return the result of the work, or None if it was stopped before its end."""
    task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait([task, stopped], return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        stopped.cancel()
        await asyncio.gather(task, stopped, return_exceptions=True)


def _build_document(scan: ScanRecord) -> dict[str, Any]:
    return {
        "domain": scan.plan.domain,
        "brand": scan.plan.brand.name,
        "answers_source": scan.answers_source,
        "results": msgspec.to_builtins(scan.results),
        "answers": [_build_answer(answer) for answer in scan.answers],
        "metrics_version": scan.metrics_version,
        "extractor_version": scan.extractor_version,
        "incomplete": scan.incomplete,
    }


def _build_answer(answer: ScanAnswer) -> dict[str, Any]:
    origin = answer.provenance
    fields = {
        "id": answer.id,
        "prompt": answer.prompt.text,
        "platform": answer.platform,
        "country": answer.prompt.country,
        "status": answer.status,
        "fault": answer.fault,
        "text": answer.text,
        "cited": answer.cited,
        "retrieved": answer.retrieved,
        "queries": answer.queries,
        "model_asked": origin.model_asked,
        "model_served": origin.model_served,
        "country_honoured": origin.country_honoured,
        "usage": origin.usage,
        "cost_usd": origin.cost_usd,
        "latency_ms": origin.latency_ms,
        "reading": answer.analysis,
    }
    document: dict[str, Any] = msgspec.to_builtins(fields)
    return document
