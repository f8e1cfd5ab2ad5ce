"""Running what `sightline check` was asked for: prompts, answers, and how they are shown, printed and saved."""

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sightline.answers.judge import Judge
from sightline.answers.scorers import ScorerName, parse_scorer_name
from sightline.cli.check_input import Wish
from sightline.cli.check_progress import watch_check
from sightline.cli.check_tables import print_check, print_sandbox_notice
from sightline.cli.context import err, fail, out, print_result
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.platforms.models import Question
from sightline.platforms.names import platform_name
from sightline.presentation.phrases import FAULT_PHRASES
from sightline.reports.scan_report import render_scan_report
from sightline.scans.local_check import run_check
from sightline.scans.models import Plan, Prompt, PromptsSource, ScanAnswer
from sightline.scans.platform_clients import PlatformClients, build_subject, open_platform_clients
from sightline.scans.record import ScanRecord, summarize_scan
from sightline.scans.suggest import Suggested, suggest_in_sandbox, suggest_live
from sightline.settings import Settings

STOPPED = 128  # and the number of the signal, as shells say it


class Stop:
    """Set by the first SIGINT or SIGTERM. A second one ends the process in the usual way."""

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


def run_wish(wish: Wish, settings: Settings, *, as_json: bool, save: Path | None) -> int:
    """Runs, shows and saves the check. Returns the exit code."""
    check, stopped_by = asyncio.run(_run(wish, settings))
    if check is None:
        err.print("Stopped before anything was asked.")
        return STOPPED + stopped_by
    if as_json and check.answers_source == "sandbox":
        print_sandbox_notice(err)
    print_result(_document(check) if as_json else None, as_json, lambda: print_check(check, out))
    if save is not None:
        _save(check, save)
    if stopped_by:
        return STOPPED + stopped_by
    return 1 if check.results.failed == check.results.planned else 0


async def _run(wish: Wish, settings: Settings) -> tuple[ScanRecord | None, int]:
    stop = Stop()
    stop.attach()
    try:
        async with _desk(wish, settings) as desk:
            started_at = utc_now()
            source, suggested = await _until(stop.event, _find_prompts(wish, desk)) or (None, None)
            if source is None or suggested is None:
                return None, stop.signal
            plan = _plan(wish, desk, suggested)
            answers = await _collect(
                wish, plan, desk, stop.event, parse_scorer_name(settings.sentiment) if wish.sentiment else None
            )
        check = summarize_scan(
            plan,
            answers,
            answers_source=desk.source,
            prompts_source=source,
            started_at=started_at,
            stopped=bool(stop.signal) and len(answers) < plan.size,
            note=suggested.note,
            day=wish.day,
            sentiment=wish.sentiment,
        )
        return check, stop.signal if check.stopped else 0
    finally:
        stop.release()


@asynccontextmanager
async def _desk(wish: Wish, settings: Settings) -> AsyncIterator[PlatformClients]:
    subject = build_subject(wish.domain, wish.brand, wish.competitors)
    async with open_platform_clients(settings, subject, wish.day or utc_now().date()) as desk:
        yield desk


async def _collect(
    wish: Wish, plan: Plan, desk: PlatformClients, stop: asyncio.Event, scorer: ScorerName | None
) -> list[ScanAnswer]:
    answers: list[ScanAnswer] = []
    judge = _judge(desk, wish.platforms) if scorer is not None else None
    running = run_check(plan, desk, new_id=lambda: str(new_id()), stop=stop, sentiment=scorer, judge=judge)
    with watch_check(plan, err) as watcher:
        async with aclosing(running):
            async for answer in running:
                answers.append(answer)
                watcher.note(answer)
    return answers


def _plan(wish: Wish, desk: PlatformClients, suggested: Suggested) -> Plan:
    return Plan(
        domain=wish.domain,
        brand=wish.brand,
        competitors=wish.competitors,
        prompts=tuple(
            Prompt(id=str(number), text=text, language=suggested.language, country=wish.country)
            for number, text in enumerate(suggested.prompts, 1)
        ),
        platforms=wish.platforms,
        uncited=desk.uncited & set(wish.platforms),
    )


async def _find_prompts(wish: Wish, desk: PlatformClients) -> tuple[PromptsSource, Suggested]:
    if wish.prompts:
        return "given", Suggested(wish.prompts, wish.language)
    if desk.source == "sandbox":
        subject = build_subject(wish.domain, wish.brand, wish.competitors)
        return "suggested", suggest_in_sandbox(subject, language=wish.language, country=wish.country)
    advisor = desk.find_advisor(wish.platforms)

    async def ask(question: str) -> tuple[str, str | None]:
        if advisor is None:
            return "", "no connected platform can be asked for them"
        err.print(f"Asking {platform_name(advisor)} for prompts.", highlight=False)
        outcome = await desk.ask(advisor, Question(question, wish.country, wish.language))
        if outcome.fault is not None:
            return "", f"{platform_name(advisor)} failed: {FAULT_PHRASES[outcome.fault.kind]}"
        return outcome.answer.text, None

    found = await suggest_live(
        wish.domain, wish.brand, wish.competitors, language=wish.language, country=wish.country, ask=ask
    )
    return "templates" if found.note else "suggested", found


def _judge(desk: PlatformClients, platforms: tuple[str, ...]) -> Judge | None:
    """A connected model for the answers that the offline scorer leaves alone. The sandbox has no opinion."""
    advisor = desk.find_advisor(platforms) if desk.source == "live" else None
    if advisor is None:
        return None

    async def ask(question: str) -> str | None:
        outcome = await desk.ask(advisor, Question(question))
        return outcome.answer.text or None

    return ask


async def _until(stop: asyncio.Event, work: Any) -> Any:
    """The result of the work, or None when it was stopped before its end."""
    task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait([task, stopped], return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        stopped.cancel()
        await asyncio.gather(task, stopped, return_exceptions=True)


def _document(check: ScanRecord) -> dict[str, Any]:
    return {
        "domain": check.plan.domain,
        "brand": check.plan.brand.name,
        "answers_source": check.answers_source,
        "results": msgspec.to_builtins(check.results),
        "answers": [_answer(answer) for answer in check.answers],
        "metrics_version": check.metrics_version,
        "extractor_version": check.extractor_version,
        "incomplete": check.incomplete,
    }


def _answer(answer: ScanAnswer) -> dict[str, Any]:
    origin = answer.provenance
    whole = {
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
        "reading": answer.reading,
    }
    made: dict[str, Any] = msgspec.to_builtins(whole)
    return made


def _save(check: ScanRecord, path: Path) -> None:
    """All of it or nothing: whoever reads the file meanwhile sees the old one."""
    path = path.resolve()  # the file behind a link is replaced, not the link
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            draft.write_text(render_scan_report(check), "utf-8", errors="replace")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        fail(f"The report could not be written to {path}: {error.strerror}.")
    err.print(f"Report written to {path}", highlight=False, markup=False)
