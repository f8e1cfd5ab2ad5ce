"""The sandbox ends once, even if the first process dies while ending it and the next two start at the same time."""

import asyncio
from contextlib import ExitStack

import pytest

from tests.credits.buyers import open_buyer
from tests.onboarding.test_sandbox_end import buy_and_pay
from tests.process.serving.processes import Running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # three processes


async def test_test_money_is_removed_once(database_url, tmp_path):
    settings = {
        "database_url": database_url,
        "secret_key": "s" * 40,
        "data_dir": tmp_path / "process",
        "openai_api_key": "sk-platform",
        "openai_base_url": "http://127.0.0.1:1",
    }
    async with open_buyer(database_url, tmp_path, with_stripe=False) as buyer:
        await buy_and_pay(buyer)
        with ExitStack() as stack:

            def start(command: str, **more: object) -> Running:
                started = Running(command, **settings, **more)
                stack.callback(started.kill)
                return started

            dying = start("api", test_crash_at="before_sandbox_end_commit")
            assert await asyncio.to_thread(dying.process.wait, 90) == 137, dying.printed
            assert await buyer.balance() == 10
            api, worker = start("api"), start("worker")
            await asyncio.to_thread(api.wait_until_listening)
            await asyncio.to_thread(worker.wait_for_line, "worker_started")
            assert (api.printed + worker.printed).count('"sandbox_left"') == 1
        assert await buyer.balance() == 0
        assert [delta for delta, _, _ in await buyer.entries()] == [10, -10]
