"""Every tool, over HTTP, with keys of each kind, role, scope and plan."""

import json
from datetime import timedelta

import pytest

from sightline.kit.clock import utc_now
from sightline.mcp.toolbox import Tool
from sightline.mcp.tools import ALL_TOOLS
from sightline.scans.retention.remove import remove_old_answers_any_workspace
from tests.mcp.conftest import connect_by_sdk, mint_keys, open_customer, track_history

FIGURE = {"value", "unit", "direction", "n", "interval", "over", "null_reason"}
READ = {"list_domains", "get_visibility", "compare_periods", "get_answer", "list_competitors", "list_sources"}
READ |= {"get_scan", "explain_metric"}
INSIGHTS = READ | {
    "list_prompts",
    "get_prompt_history",
    "list_opportunities",
    "list_recommendations",
    "list_site_findings",
    "list_alerts",
}
INSIGHTS |= {"get_report", "list_findings"}
CONSOLE_READ = {"list_domains", "get_answer", "get_scan", "explain_metric"}
CONSOLE = CONSOLE_READ | {"preview_scan", "submit_scan"}
EXPECTED = {
    "data, agency, write": INSIGHTS | {"pin_prompt", "unpin_prompt"},
    "data, agency, read": INSIGHTS,
    "data, agency, write, viewer": INSIGHTS,
    "data, professional": INSIGHTS,
    "data, starter": READ,
    "data, free": {"explain_metric"},
    "console, live": CONSOLE,
    "console, test": CONSOLE,
    "console, live, viewer": CONSOLE_READ,
    "console, live, scope read": CONSOLE_READ,
}


class Walk:
    """Calls tools and checks every result. The client validates each against the schema that the tool declares."""

    def __init__(self, client, tools) -> None:
        self.client, self.called = client, set()
        self.names = {tool.name for tool in tools}
        assert all(tool.output_schema for tool in tools)

    async def call(self, name: str, **arguments):
        if name not in self.names:
            return None
        self.called.add(name)
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, (name, result.content[0].text)
        assert len(result.model_dump_json()) < 25_000, name
        assert json.loads(result.content[0].text) == result.structured_content
        check_figures(result.structured_content)
        return result.structured_content


def check_figures(value, path="") -> None:
    """Check that every figure has all its members, and every row all its columns."""
    if isinstance(value, dict):
        if "value" in value:
            assert value.keys() >= FIGURE, path
            assert (value["value"] is None) == bool(value["null_reason"]), path
        if "columns" in value:
            assert all(len(row) == len(value["columns"]) for row in value["rows"]), path
        for name, member in value.items():
            check_figures(member, f"{path}.{name}")


async def walk_tools(walk: Walk, history, customer, scan_id: str, console_answer: str) -> None:
    """Call every tool that the key has, with what the tools before it returned."""
    tracked = {"domain_id": str(history.domain_id)}
    await walk.call("list_domains")
    await walk.call("explain_metric", metric="market_position")
    visibility = await walk.call("get_visibility", **tracked)
    compared = await walk.call("compare_periods", **tracked)
    await walk.call("list_competitors", **tracked)
    await walk.call("list_competitors", **tracked, platform="perplexity")
    await walk.call("list_sources", **tracked)
    for name in ("list_opportunities", "list_recommendations", "list_findings", "list_alerts", "get_report"):
        found = await walk.call(name, **tracked)
        assert not found or found["notes"] == visibility["notes"] != [], name
    await walk.call("list_site_findings", **tracked)
    prompts = await walk.call("list_prompts", **tracked)
    if prompts:
        prompt_id, text = prompts["prompts"]["rows"][0][:2]
        history_of_prompt = await walk.call("get_prompt_history", **tracked, prompt_id=prompt_id)
        answer = next(row for row in history_of_prompt["answers"]["rows"] if row[3] == "ok")
        await walk.call("get_answer", scan_id=answer[9], answer_id=answer[10])
        await walk.call("pin_prompt", **tracked, prompt=text, prompt_id=prompt_id)
        await walk.call("unpin_prompt", **tracked, prompt_id=prompt_id)
    if compared:
        await walk.call("get_scan", scan_id=compared["now"]["scan_id"])
        await walk.call("get_answer", **await find_answer(history, compared["now"]["scan_id"]))
    else:
        await walk.call("get_scan", scan_id=scan_id)
        await walk.call("get_answer", scan_id=scan_id, answer_id=console_answer)
    content = {"domain_id": customer.domain, "platforms": ["chatgpt"], "keywords": ["best anvil"]}
    preview = await walk.call("preview_scan", **content)
    if preview:
        await walk.call("submit_scan", **content, quote=preview["quote"])


async def find_answer(history, scan_id: str) -> dict[str, str]:
    query = "SELECT id FROM answers WHERE workspace_id = $1 AND status = 'ok' AND scan_id = $2::uuid LIMIT 1"
    found = await history.installation.db.fetchval(query, history.workspace_id, scan_id)
    return {"scan_id": scan_id, "answer_id": str(found)}


@pytest.mark.slow
async def test_every_key_has_and_can_use_exactly_its_tools(world, installation):
    history, customer = await track_history(installation), await open_customer(installation)
    scan_id, check = await customer.completed()
    keys = await mint_keys(installation, history, customer)
    assert keys.keys() == EXPECTED.keys()
    async with world.running():
        for name, key in keys.items():
            installation.clock.advance(minutes=1)
            async with world.connect(key) as client:
                tools = (await client.list_tools()).tools
                assert {tool.name for tool in tools} == EXPECTED[name], name
                walk = Walk(client, tools)
                if name in {"data, agency, write", "console, live"}:
                    await walk_tools(walk, history, customer, scan_id, check.answers[0].id)
                    assert walk.called == EXPECTED[name], name
                for hidden in sorted({tool.name for tool in ALL_TOOLS} - EXPECTED[name])[:2]:
                    refused = await client.call_tool(hidden, {})
                    assert refused.is_error and refused.content[0].text == f"Unknown tool: {hidden}"
        await check_silence_and_verdict(world, history)
        await check_expired_answer(world, history)


@pytest.mark.slow
async def test_over_stdio_the_same_keys_have_the_same_tools(installation):
    """Both kinds of keys together have all tools."""
    history, customer = await track_history(installation), await open_customer(installation)
    keys = await mint_keys(installation, history, customer)
    for name, key in keys.items():
        installation.clock.advance(minutes=1)
        kind = name.partition(",")[0]
        async with connect_by_sdk(installation, **{"data": None, "console": None, kind: key}) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == EXPECTED[name], name
    installation.clock.advance(minutes=1)
    both = {"data": keys["data, agency, write"], "console": keys["console, test"]}
    async with connect_by_sdk(installation, **both, mode="legacy") as client:
        walk = Walk(client, (await client.list_tools()).tools)
        customer.domain = await installation.console_domain(keys["console, test"])
        await walk_tools(walk, history, customer, "", "")
        assert walk.called == {tool.name for tool in ALL_TOOLS}


async def check_silence_and_verdict(world, history) -> None:
    """A silent platform is null with a reason, and a drop has a verdict."""
    tracked = {"domain_id": str(history.domain_id)}
    async with world.connect(history.tenant.data, mode="legacy") as client:
        compared = (await client.call_tool("compare_periods", tracked)).structured_content
        query = {**tracked, "scan_id": compared["now"]["scan_id"]}
        alone = (await client.call_tool("get_visibility", query)).structured_content
    row = next(row for row in alone["platforms"]["rows"] if row[0] == "gemini")
    assert row[1:11] == [0, *[None] * 9] and row[11] == "No valid answer: 7 planned, 7 failed."
    coverage = compared["figures"]["brand_coverage_pct"]
    assert (coverage["before"]["value"], coverage["now"]["value"]) == (100.0, 0.0)
    assert coverage["change"]["verdict"] == "down" and coverage["change"]["test"] == "matched_answers"
    assert compared["figures"]["market_position"]["now"]["direction"] == "lower_is_better"


async def check_expired_answer(world, history) -> None:
    """An answer that retention has deleted is refused with the reason, and with what is still there."""
    query = "SELECT id FROM scans WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1"
    scan_id = str(await history.installation.db.fetchval(query, history.workspace_id))
    answer = await find_answer(history, scan_id)
    later = utc_now() + timedelta(days=40)  # ids of scans have the time of this machine
    await remove_old_answers_any_workspace(history.installation.db, 35, now=later)
    async with world.connect(history.tenant.data, mode="legacy") as client:
        refused = await client.call_tool("get_answer", answer)
        scan = await client.call_tool("get_scan", {"scan_id": scan_id})
    assert refused.is_error and "answers_expired" in refused.content[0].text
    assert "You can still read the scan and its results." in refused.content[0].text
    assert not scan.is_error


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_every_tool_says_when_to_use_it_and_what_it_does(tool: Tool):
    assert "Use it" in tool.description
    hints = tool.annotations
    assert hints.read_only_hint == (tool.name not in {"submit_scan", "pin_prompt", "unpin_prompt"})
    assert hints.destructive_hint is False and hints.idempotent_hint is True
