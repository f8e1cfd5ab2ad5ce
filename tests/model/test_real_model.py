"""A whole check by a model that we did not write, connected as an operator connects it.

The model is small: what it knows proves nothing. Its answers are cut off, repeat themselves and ignore what was asked,
and that is what they are good for.
"""

import asyncio
import json
import os
import subprocess
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
import structlog

from sightline.kit.clock import utc_now
from tests.installation import Installation
from tests.process.serving.processes import Running, free_port
from tests.running_worker import until, working
from tests.scans.running.provider import live_console
from tests.tracked_domains import Tracker
from tests.web.operator.test_operator_area import make_operator
from tests.web.page_browser import open_browser

SLOW = 1_800
"""Seconds in which a busy machine, too, does what a quiet one does in one minute."""
pytestmark = [pytest.mark.timeout(4 * SLOW)]
PATIENT = {"ask_attempts": 1, "ask_timeout": SLOW, "ask_deadline": SLOW}
SECRET_KEY = "s" * 40
log = structlog.get_logger()
PROMPTS = ["best coffee roasters in Europe", "which coffee roaster ships beans on the day of roasting"]
LONGEST = 600  # tokens, as server.py has it
ODD = ["??", "🦊 " * 40, "أفضل محامص القهوة", "Reply with nothing at all.", "a " * 240 + "?"]


@pytest.fixture(scope="module")
def model():
    """The address of the model's server."""
    port, folder = free_port(), Path(__file__).parent
    command = [os.environ["SIGHTLINE_TEST_MODEL"], str(folder / "server.py"), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


async def is_ready(address: str) -> bool:
    async with httpx.AsyncClient() as client:
        try:
            return (await client.get(f"{address}/health", timeout=5)).status_code == 200
        except httpx.TransportError:
            return False


@asynccontextmanager
async def connected(model, database_url, tmp_path, **settings):
    """An installation whose operator has connected the model on the page."""
    await until(lambda: is_ready(model), seconds=SLOW)
    settings = {"secret_key": SECRET_KEY, **PATIENT, **settings}
    async with Installation.open(database_url, tmp_path, **settings) as installation:
        installation.clock.now = utc_now()
        async with open_browser(installation, await make_operator(installation)) as browser:

            async def connect() -> bool:  # its answer to the question that tests a connection may be cut off, or late
                page = await browser.post("/operator/platforms/local/connect", data={"base_url": f"{model}/v1"})
                return page.status_code == 200 and "is connected.</strong>" in page.text

            await until(connect, seconds=SLOW)
        yield installation


async def wait_for_end(installation, console, scan_id: str) -> dict:
    """Wait for the end of a scan in the database: so many requests would reach the rate limit of the API."""
    query = "SELECT status NOT IN ('pending', 'running') FROM scans WHERE id = $1"
    await until(lambda: installation.db.fetchval(query, scan_id), seconds=SLOW)
    return await console.scan(scan_id)


async def read_answers(installation, scan_id: str):
    return await installation.db.fetch(
        "SELECT prompt_index, status, text, record FROM answers WHERE scan_id = $1 ORDER BY prompt_index", scan_id
    )


async def test_a_check_stores_what_the_model_says_as_it_is(model, database_url, tmp_path):
    async with connected(model, database_url, tmp_path) as installation, live_console(installation) as console:
        domain = await console.domain()
        async with working(installation, analyzer_processes=1):
            scan = await console.submit(domain, keywords=[*PROMPTS, *ODD[:-1]], platforms=["local"])
            ended = await wait_for_end(installation, console, scan["id"])
        assert (ended["status"], ended["answers_source"]) == ("completed", "live"), ended
        rows = await read_answers(installation, scan["id"])
        assert len(rows) == ended["answers_total"] == len(PROMPTS) + len(ODD) - 1
        for row in rows:
            kept = json.loads(row["record"])
            log.info("answered", status=row["status"], text=row["text"][:300], fault=kept.get("fault"))
            if row["status"] == "ok":
                provenance = kept["provenance"]
                assert row["text"].strip() and provenance["latency_ms"] > 0
                assert 0 < provenance["usage"]["output_tokens"] <= LONGEST
            else:
                assert not row["text"] and kept["fault"]["kind"] in {"malformed", "blank"}
        assert ended["answers_completed"] > 0
        assert (await console.get(f"/scans/{scan['id']}/results")).status_code == 200


async def test_a_scan_that_is_canceled_in_mid_answer_frees_the_model(model, database_url, tmp_path):
    async with connected(model, database_url, tmp_path) as installation, live_console(installation) as console:
        domain = await console.domain()
        async with working(installation, analyzer_processes=0):
            scan = await console.submit(domain, keywords=[f"{PROMPTS[0]} {number}" for number in range(20)])
            await until(lambda: has_answers(installation, scan["id"], 1), seconds=SLOW)
            canceled = await console.post(f"/scans/{scan['id']}/cancel")
            assert canceled.status_code == 200, canceled.text
            ended = await wait_for_end(installation, console, scan["id"])
            assert ended["status"] == "cancelled" and 0 < ended["answers_completed"] + ended["answers_failed"] < 20
            following = await console.submit(domain, keywords=PROMPTS[:1], platforms=["local"])
            ended = await wait_for_end(installation, console, following["id"])
            assert ended["answers_completed"] + ended["answers_failed"] == 1


async def has_answers(installation, scan_id: str, number: int) -> bool:
    return len(await read_answers(installation, scan_id)) >= number


async def test_a_worker_that_is_killed_in_mid_answer_is_followed_by_another(model, database_url, tmp_path):
    async with (
        connected(model, database_url, tmp_path, worker_timeout=1) as installation,
        live_console(installation) as console,
    ):
        scan = await console.submit(await console.domain(), keywords=[f"{PROMPTS[0]} {n}" for n in range(6)])
        settings = {"database_url": database_url, "secret_key": SECRET_KEY, "data_dir": tmp_path / "data"}
        process = Running("worker", analyzer_processes=0, worker_timeout=1, **PATIENT, **settings)
        try:
            await until(lambda: has_answers(installation, scan["id"], 2), seconds=SLOW)
        finally:
            await asyncio.to_thread(process.kill)
        before = {row["prompt_index"]: row["text"] for row in await read_answers(installation, scan["id"])}
        async with working(installation, analyzer_processes=0):
            ended = await wait_for_end(installation, console, scan["id"])
        after = {row["prompt_index"]: row["text"] for row in await read_answers(installation, scan["id"])}
        assert ended["status"] in {"completed", "failed"}, "it fails if most answers were cut off"
        assert len(after) == 6
        assert before.items() <= after.items(), "what was stored is not asked again"


async def test_an_answer_that_takes_too_long_fails_and_costs_nothing(model, database_url, tmp_path):
    async with (
        connected(model, database_url, tmp_path) as installation,
        live_console(installation) as console,
    ):
        balance = await console.balance()
        async with working(installation, analyzer_processes=0, ask_timeout=0.3):
            scan = await console.submit(await console.domain(), keywords=PROMPTS, platforms=["local"])
            ended = await wait_for_end(installation, console, scan["id"])
        assert ended["answers_failed"] == len(PROMPTS) and ended["credits_refunded"] == ended["credits_charged"]
        assert await console.balance() == balance
        faults = [json.loads(row["record"])["fault"]["kind"] for row in await read_answers(installation, scan["id"])]
        assert set(faults) == {"timeout"}


async def test_an_editor_that_answers_nonsense_changes_no_figure_and_shows_nothing(model, database_url, tmp_path):
    async with connected(model, database_url, tmp_path) as installation, Tracker.open(installation) as tracker:
        await tracker.track("europeancoffeetrip.com", prompts=PROMPTS, brand_name="Coffee")
        async with working(installation, analyzer_processes=1):
            ended = "SELECT (SELECT count(*) FROM reports) + (SELECT count(*) FROM scans WHERE status = 'failed')"
            await until(lambda: installation.db.fetchval(ended), seconds=SLOW)
        assert await installation.db.fetchval("SELECT status FROM scans") == "completed", "try again: it was cut off"
        row = await installation.db.fetchrow("SELECT editor, account FROM editions")
        asked = await installation.db.fetchval("SELECT count(*) FROM editor_replies")
        account = msgspec.json.decode(row["account"])
        log.info("edited", editor=row["editor"], replies=asked, account=account)
        assert row["editor"] is None or row["editor"].startswith("local:")
        assert account["failed"] or account["dropped"] or asked, "it was asked"
        assert not asked or not await installation.db.fetchval("SELECT count(*) FROM themes"), "nothing is made up"
