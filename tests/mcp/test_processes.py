"""`sightline api` serves `/mcp`, and `sightline mcp` speaks the protocol on stdout and nothing else."""

import asyncio
import json
import os
import subprocess
import sys

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.process.serving.processes import running

COMMAND = [sys.executable, "-m", "sightline", "mcp"]
MESSAGES = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]
pytestmark = pytest.mark.slow


async def test_both_transports_answer_from_real_processes(installation, database_url, tmp_path):
    tenant = await installation.tenant()
    settings = {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}
    with running("api", **settings) as process:
        keys = {"SIGHTLINE_DATA_KEY": tenant.data, "SIGHTLINE_BASE_URL": process.url}
        stdio = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env={**os.environ, **keys})
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {tenant.data}"}, timeout=60) as http:
            for transport in (streamable_http_client(f"{process.url}/mcp", http_client=http), stdio):
                async with Client(transport) as client:
                    listed = {tool.name for tool in (await client.list_tools()).tools}
                    found = await client.call_tool("list_domains", {})
                    assert "get_visibility" in listed and found.structured_content["domains"]["rows"] == []
        finished = await run_command(keys, "".join(f"{json.dumps(message)}\n" for message in MESSAGES))
    replies = [json.loads(line) for line in finished.stdout.splitlines()]
    assert replies[0]["id"] == 1 and all(reply["jsonrpc"] == "2.0" for reply in replies)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"SIGHTLINE_API_KEY": "dk_live_x"}, "SIGHTLINE_API_KEY must begin with sk_"),
        ({"SIGHTLINE_DATA_KEY": "dk_live_x", "SIGHTLINE_BASE_URL": "http://127.0.0.1:9"}, "cannot be used"),
    ],
    ids=["other kind", "no server"],
)
async def test_what_is_wrong_is_told_on_stderr(keys, said):
    finished = await run_command(keys, "")
    assert finished.returncode == 1 and said in " ".join(finished.stderr.split()) and finished.stdout == ""


async def run_command(keys: dict[str, str], sent: str) -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(
        subprocess.run, COMMAND, env={**os.environ, **keys}, input=sent, capture_output=True, text=True, check=False
    )
