"""GET /domains/{domain_id}/changes and …/prompts/{prompt_id}/source-changes; pages and reports say the same."""

import pytest

from sightline.kit.ids import new_id
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.api.assertions import DATA, assert_problem
from tests.scan_history import ScanHistory, ScriptedAnswer
from tests.web.page_browser import open_browser

PROMPTS = [f"which anvil is good for {use}" for use in ("knives", "nails", "gates", "rings", "tools", "art", "hooks")]
OLD = ScriptedAnswer("Globex is what most smiths use.", ("https://wiki.org/anvils",))
NEW = ScriptedAnswer("Acme is what most smiths use.", ("https://g2.com/anvils",))
MOVED = "Overall, Acme is named in 21 of 21 answers, up from 0 on 16 Nov."


@pytest.fixture
async def history(installation):
    return await ScanHistory.open(installation, *PROMPTS)


async def get(history, path, status=200):
    async with history.installation.client(X_API_Key=history.tenant.data_write) as client:
        answer = await client.get(f"{DATA}/domains/{history.domain_id}/{path}")
    assert answer.status_code == status, answer.text
    return answer.json()["data"] if status == 200 else answer


async def run_checks(history, *said):
    for each in said:
        scan_id = await history.run_full_check(lambda prompt, platform, each=each: each)
    return scan_id


async def test_changes_are_the_same_in_the_api_on_the_overview_and_in_the_report(history, installation):
    first = await get(history, "changes")
    assert first["changes"] is None and first["summary"][0].startswith("There is nothing to compare yet")
    scan_id = await run_checks(history, OLD, NEW)
    found = await get(history, "changes")
    assert found["summary"][0] == MOVED
    changes = found["changes"]
    assert changes["scan_id"] == str(scan_id) and changes["since"] < changes["until"]
    assert {each["kind"] for each in changes["established"]} >= {"coverage", "platform", "lead", "competitor"}
    assert {each["tier"] for each in changes["established"] if each["kind"] == "coverage"} == {"clear"}
    told = await get(history, "findings")
    assert told["headline"] == MOVED and told["scan_id"] == changes["scan_id"]
    assert [each["kind"] for each in told["findings"][:2]] == ["brand", "competitor"]
    assert {each["site"] for each in told["findings"] if each["kind"] == "source"} == {"wiki.org", "g2.com"}
    assert len(changes["winners"]) == 7
    assert changes["winners"][0]["before"] == {"name": "Globex", "named": 3}
    assert {each["change"] for each in changes["sources"]} == {"new", "lost"}
    await write_report(
        installation.db,
        ScanJob(history.workspace_id, scan_id),
        clock=installation.clock,
        base_url="https://sightline.example",
    )
    summary = await installation.db.fetchval("SELECT summary FROM reports")
    report_id = await installation.db.fetchval("SELECT id FROM reports")
    async with open_browser(installation, history.tenant.owner) as browser:
        report = await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/reports/{report_id}")
        assert " ".join(found["summary"]) in summary and MOVED in report.text
        page = (await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}")).text
    assert all(each["text"] in page for each in told["findings"]) and "g2.com" in page


async def test_a_quiet_week_says_so(history):
    await run_checks(history, OLD, OLD)
    assert (await get(history, "changes"))["summary"] == ["No clear change since 16 Nov."]


async def test_new_and_lost_sources_of_a_prompt_have_dates_and_platforms(history, installation):
    await run_checks(history, OLD, OLD, NEW, NEW)
    (row, *_) = await history.rows("prompts")
    found = await get(history, f"prompts/{row['id']}/source-changes")
    assert (found["prompt_id"], found["period_days"]) == (str(row["id"]), 30)
    chatgpt = [each for each in found["sources"] if each["platform"] == "chatgpt"]
    assert [(each["site"], each["change"], each["at"][:10]) for each in chatgpt] == [
        ("g2.com", "new", "2026-11-18"),
        ("wiki.org", "lost", "2026-11-17"),
    ]
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/prompts/{row['id']}")).text
    assert "g2.com</a> was first cited on 18 Nov" in page and "wiki.org</a> was last cited on 17 Nov" in page


async def test_foreign_domains_and_prompts_are_not_found(history, installation):
    other = await ScanHistory.open(installation, PROMPTS[0])
    (foreign,) = [row["id"] for row in await other.rows("prompts")]
    for prompt_id in (foreign, new_id(), "nonsense"):
        assert_problem(await get(history, f"prompts/{prompt_id}/source-changes", 404), 404, "not_found")
    async with installation.client(X_API_Key=history.tenant.data_write) as client:
        assert_problem(await client.get(f"{DATA}/domains/{other.domain_id}/changes"), 404, "domain_not_found")
