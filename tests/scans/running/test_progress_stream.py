"""`GET /scans/{id}/events` on a real server, while its worker runs the scan."""

import asyncio
import json

import httpx

from tests.installation import Installation
from tests.process.serving.processes import running

CONSOLE = "/api/v1/console"


async def test_progress_comes_while_the_scan_runs_and_the_stream_ends_with_it(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path) as installation:
        tenant = await installation.tenant()
    settings = {
        "database_url": database_url,
        "secret_key": "s" * 40,
        "data_dir": tmp_path / "data",
        "sandbox_latency_ms": 400,
        "platform_concurrency": 2,
        "analyzer_processes": 0,
    }
    with running("serve", **settings) as process:
        async with httpx.AsyncClient(base_url=process.url, headers={"X-API-Key": tenant.test}, timeout=30) as client:

            async def post(path, body):
                return await client.post(CONSOLE + path, json=body, headers={"Idempotency-Key": path})

            domain = (await post("/domains", {"domain": "acme.com"})).json()["data"]["id"]
            build_keywords = [f"best crm {number}" for number in range(8)]
            body = {"domain_id": domain, "keywords": build_keywords, "platforms": ["chatgpt"]}
            scan = (await post("/scans", body)).json()["data"]["id"]
            loop = asyncio.get_running_loop()
            told, times, name = [], [], ""
            async with client.stream("GET", f"{CONSOLE}/scans/{scan}/events") as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                async for line in stream.aiter_lines():
                    if line.startswith("event: "):
                        name = line.removeprefix("event: ")
                    elif line.startswith("data: "):
                        told.append((name, json.loads(line.removeprefix("data: "))))
                        times.append(loop.time())
    names = [name for name, _ in told]
    assert names[-1] == "end" and set(names[:-1]) == {"progress"}
    counts = [scan["answers_completed"] for _, scan in told]
    assert counts == sorted(counts) and counts[-1] == 8 and len(set(counts)) >= 3
    assert told[-1][1]["status"] == "completed" and told[-1][1]["visibility_score"] is not None
    assert times[-1] - times[0] > 0.4, "they came one by one, not all at the end"
