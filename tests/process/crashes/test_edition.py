"""A worker that is killed during an edition, as by kill -9: another one ends it, and asks for nothing twice."""

import asyncio
from collections import Counter

import pytest

from sightline.insights.editor.caller import FEWEST_REQUESTS
from sightline.insights.editor.queries import add_themes
from sightline.insights.editor.sorting import CodebookTheme
from sightline.kit.clock import utc_now
from sightline.onboarding.sandbox_end.leave import leave_sandbox
from tests.fakes.editor import EditorModel, find_kind
from tests.installation import Installation
from tests.process.serving.processes import Running
from tests.running_worker import until, working
from tests.scans.running.provider import Provider
from tests.tracked_domains import PROMPTS, Tracker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ANSWER = "1. **Hooli** - a maker of anvils.\n2. **Acme** - easy to use in every small forge.\n3. **Globex** - heavy."
EASE = CodebookTheme("t1", "ease of use", "what is said about ease of use", ("Acme is easy to use.",))
FIRST = {"market", "names", "themes"}
HELD = {"names": FIRST - {"names"}, "sorting": FIRST, "prompts": FIRST | {"sorting", "wording"}}
"""What is stored when a request of this kind is on its way."""


@pytest.fixture
async def provider():
    async with Provider() as opened:
        opened.edits = EditorModel()
        opened.says = dict.fromkeys(PROMPTS, ANSWER)
        yield opened


@pytest.mark.parametrize("point", [*HELD, "before_insights_commit", "after_insights_commit"])
async def test_the_next_worker_ends_the_edition_with_the_stored_replies(point, database_url, tmp_path, provider):
    provider.holds = {point}
    settings = {"platform_concurrency": 10, "worker_timeout": 1, "ask_attempts": 1, **provider.settings}
    async with Installation.open(database_url, tmp_path, **settings) as installation:
        db, installation.clock.now = installation.db, utc_now()
        await leave_sandbox(db, installation.app_context.settings, now=utc_now())
        async with Tracker.open(installation) as tracker:
            made = await tracker.track()
        key = (tracker.workspace_id, made.domain.id)
        async with db.transaction() as tx:
            await add_themes(tx, *key, [EASE])

        async def list_stored():
            return {row[0].rpartition("-")[0] for row in await db.fetch("SELECT request_key FROM editor_replies")}

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
            if point in HELD:

                async def is_on_its_way():
                    return await list_stored() == HELD[point] and provider.in_flight

                await until(is_on_its_way, seconds=90)
                process.kill()
            else:
                assert await asyncio.to_thread(process.process.wait, 90) == 137, process.printed
        finally:
            process.kill()
        stored, asked = await list_stored(), provider.asked.copy()
        provider.holds = set()
        async with working(installation, analyzer_processes=0):
            await until(lambda: db.fetchval("SELECT count(*) FROM reports"), seconds=90)
        again = Counter(find_kind(text) for text in (provider.asked - asked) if "JSON only:" in text)
        assert stored.isdisjoint(again), "its reply was stored"
        assert await list_stored() == FIRST | {"sorting", "wording", "prompts"}
        assert all(number == 1 for number in again.values())
        row = await db.fetchrow("SELECT scan_id, editor FROM editions")
        assert tuple(row) == (made.first_check.id, f"chatgpt:{installation.app_context.settings.openai_model}")
        assert await db.fetchval("SELECT count(*) FROM editor_replies") <= FEWEST_REQUESTS
        assert await db.fetchval("SELECT count(*) FROM themes") == 1
        assert await db.fetchval("SELECT count(*) FROM drawn_insights") == 5, "each part once"
        assert await db.fetchval("SELECT count(*) FROM events WHERE type = 'report.ready'") == 1
        assert await db.fetchval("SELECT count(*) FROM credit_entries") == 0, "an edition is free of charge"
