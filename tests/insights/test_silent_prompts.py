"""Prompts whose answers name nobody: flagged after three checks, in the API and on the pages."""

from tests.insights.anvil_market import LOUD, market_answer, open_market
from tests.web.page_browser import open_browser


def fail_loud(prompt, platform):
    return None if prompt.text == LOUD else market_answer(prompt, platform)


def name_for_loud(prompt, platform):
    return "Globex rings the least of all anvils." if prompt.text == LOUD else market_answer(prompt, platform)


async def list_flagged(history) -> list[str]:
    async with history.installation.client(X_API_Key=history.tenant.data) as client:
        answer = await client.get(f"/api/v1/ext/domains/{history.domain_id}/prompts")
    return [row["prompt"] for row in answer.json()["data"] if row["measures_nothing"]]


async def test_a_prompt_whose_answers_name_nobody_in_three_checks_measures_nothing(installation):
    history = await open_market(installation)
    await history.run_daily_check(market_answer)
    await history.run_daily_check(market_answer)
    await history.run_daily_check(fail_loud)
    assert await list_flagged(history) == [], "a check without valid answers neither counts nor ends the streak"
    await history.run_full_check(market_answer)
    assert await list_flagged(history) == [LOUD]
    (loud,) = [row for row in await history.rows("prompts") if row["prompt"] == LOUD]
    async with open_browser(installation, history.tenant.owner) as browser:
        path = f"/w/{history.tenant.id}/d/{history.domain_id}/prompts"
        listed = await browser.get(f"{path}?show=nothing")
        assert listed.text.count("Answers name no brand</span>") == 1
        page = await browser.get(f"{path}/{loud['id']}")
    assert "No answer of the last 3 checks names any brand" in page.text
    assert "Ask a question that calls for brands." in page.text
    await history.run_daily_check(name_for_loud)
    assert await list_flagged(history) == []
