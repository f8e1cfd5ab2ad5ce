"""A check that runs in this process without a database, as `sightline check` does: all cells at once.

The gates decide how many calls are under way. Sandbox or live is decided once for the whole check, by whether any
platform is connected: the two never mix.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

from sightline.answers.names import Lexicon
from sightline.answers.scorers import ScorerName
from sightline.platforms.models import Question
from sightline.scans.analyze_answer import analyze_outcome
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.platform_clients import PlatformClients


async def run_check(
    plan: ScanPlan,
    clients: PlatformClients,
    *,
    new_id: Callable[[], str],
    stop: asyncio.Event,
    sentiment: ScorerName | None = None,
) -> AsyncGenerator[ScanAnswer, None]:
    """Yield every answer as it arrives, each cell once.

    Once `stop` is set, calls under way are cancelled, answers that have arrived are still yielded, and then it ends. A
    cancelled cell yields nothing. Closing the generator cancels everything and waits until it has ended.
    """
    if stop.is_set():
        return
    lexicon = Lexicon(plan.tracked)
    done: asyncio.Queue[ScanAnswer | None] = asyncio.Queue()

    async def answer_cell(prompt: ScanPrompt, platform: str) -> None:
        question = Question(prompt.text, prompt.country, prompt.language)
        outcome = await clients.ask(platform, question)
        done.put_nowait(analyze_outcome(outcome, prompt, lexicon, answer_id=new_id(), sentiment=sentiment))

    async def watch() -> None:
        everything = asyncio.ensure_future(asyncio.gather(*cells, return_exceptions=True))
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({everything, stopped}, return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        finally:
            stopped.cancel()
            await _end(cells)
            done.put_nowait(None)

    # Prompt by prompt, so that every platform has something to do from the first moment.
    cells = [
        asyncio.create_task(answer_cell(prompt, platform)) for prompt in plan.prompts for platform in plan.platforms
    ]
    watcher = asyncio.create_task(watch())
    try:
        while (answer := await done.get()) is not None:
            yield answer
        for cell in cells:
            if not cell.cancelled() and (error := cell.exception()) is not None:
                raise error
    finally:
        watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watcher


async def _end(cells: list[asyncio.Task[None]]) -> None:
    for cell in cells:
        cell.cancel()
    await asyncio.gather(*cells, return_exceptions=True)
