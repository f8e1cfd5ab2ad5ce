"""Keep the load going for a given time, and take a sample every minute."""

import asyncio
import time
from pathlib import Path

import aiohttp
import msgspec

from bench.engine.installation import run_limited
from bench.environment import BenchEnvironment
from bench.soak.findings import Sample
from bench.soak.load import Load
from bench.soak.site import SoakSite, open_site
from bench.soak.sizes import read_relations
from bench.tracking.databases import opened
from sightline.db.engine import Database

_EXTRA_SECONDS = 600


def run_soak(
    environment: BenchEnvironment, *, minutes: float, every: float = 60, domains: int = 4, file: Path | None = None
) -> list[Sample]:
    """Run the load for some minutes, and take a sample every few seconds."""
    with open_site(environment, domains=domains, prompts=20) as site:
        limit = 60 * minutes + _EXTRA_SECONDS
        return run_limited(_run(site, 60 * minutes, every, file), limit, *site.children.values())


async def _run(site: SoakSite, seconds: float, every: float, file: Path | None) -> list[Sample]:
    samples: list[Sample] = []
    async with (
        opened(site.environment, connections=8) as db,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
    ):
        load = Load(site, db, session)
        tasks = [asyncio.create_task(work) for work in await load.start()]
        began = time.monotonic()
        try:
            while (elapsed := time.monotonic() - began) < seconds:
                done, _ = await asyncio.wait(
                    tasks, timeout=min(every, seconds - elapsed), return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    task.result()  # the load only ends with an error
                samples.append(await _sample(site, db, load, time.monotonic() - began))
                _print_progress(samples)
                if file is not None:
                    await asyncio.to_thread(file.write_bytes, msgspec.json.encode(samples))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return samples


async def _sample(site: SoakSite, db: Database, load: Load, elapsed: float) -> Sample:
    answers, deliveries = await db.fetchrow(
        """SELECT (SELECT coalesce(sum(answers_completed), 0)::bigint FROM scans),
                  (SELECT count(*) FROM webhook_deliveries WHERE status = 'succeeded')"""
    )
    return Sample(
        minutes=elapsed / 60,
        answers=answers,
        deliveries=deliveries,
        pages=load.counts.pages,
        failures=load.counts.failures,
        relations=await read_relations(db),
        megabytes=await asyncio.to_thread(site.read_megabytes),
    )


def _print_progress(samples: list[Sample]) -> None:
    last = samples[-1]
    before = samples[-2] if len(samples) > 1 else None
    answers = last.answers - (before.answers if before else 0)
    seconds = 60 * (last.minutes - (before.minutes if before else 0))
    working = sum(relation.size for relation in last.relations if not relation.is_history)
    history = sum(relation.size for relation in last.relations if relation.is_history)
    memory = ", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in last.megabytes.items())
    print(
        f"{last.minutes:6.1f} min  {answers / seconds:6.1f} answers/s  working {working / 1e6:7.1f} MB  "
        f"history {history / 1e6:9.1f} MB  {memory}",
        flush=True,
    )
