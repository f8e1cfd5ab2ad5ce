"""A worker process that dies at a named point, as by kill -9; the next one brings the scan to its right end."""

import asyncio

import pytest

from tests.installation import Installation
from tests.process.serving.processes import Running
from tests.running_worker import working
from tests.scans.running.provider import build_keywords, live_console

pytestmark = pytest.mark.slow

POINTS = (
    "after_provider_answered",
    "before_answers_commit",
    "after_answers_commit",
    "before_finish_commit",
    "after_finish_commit",
)


@pytest.mark.parametrize("point", POINTS)
async def test_killed_there_nothing_is_lost_and_nothing_happens_twice(point, database_url, tmp_path, provider):
    settings = {"platform_concurrency": 10, "worker_timeout": 1, "ask_attempts": 1, **provider.settings}
    async with Installation.open(database_url, tmp_path, console_rate_per_minute=1_000_000, **settings) as installation:
        async with live_console(installation) as console:
            before = await console.balance()
            scan = await console.submit(await console.domain(), keywords=build_keywords(6), platforms=["chatgpt"])
            process = Running(
                "worker",
                database_url=database_url,
                secret_key="s" * 40,
                data_dir=tmp_path / "data",
                test_crash_at=point,
                analyzer_processes=1,
                **settings,
            )
            try:
                assert await wait_for(process) == 137, process.printed
                stored = {row[0] for row in await installation.db.fetch("SELECT prompt_index FROM answers")}
                asked = dict(provider.asked)
                async with working(installation, analyzer_processes=0):
                    ended = await console.ended(scan["id"])
            finally:
                process.kill()
            assert (ended["status"], ended["answers_completed"]) == ("completed", 6)
            assert await console.balance() == before - 1
            again = {word for word in build_keywords(6) if provider.asked[word] > asked.get(word, 0)}
            assert again == {word for number, word in enumerate(build_keywords(6)) if number not in stored}
        for table, rows in (("answers", 6), ("scan_results", 1), ("events WHERE type = 'scan.completed'", 1)):
            assert await installation.db.fetchval(f"SELECT count(*) FROM {table}") == rows


async def wait_for(process) -> int | None:
    """Its exit code. The provider answers meanwhile, which is why this does not block."""
    return await asyncio.to_thread(process.process.wait, 40)
