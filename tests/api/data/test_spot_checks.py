"""GET /domains/{domain_id}/prompts/{prompt_id}/spot-checks: how likely one look at a platform finds the brand."""

import pytest

from sightline.kit.ids import new_id
from tests.api.assertions import DATA, assert_problem
from tests.scan_history import ScanHistory

NAMED, ABSENT = "Acme is a solid choice for a small forge.", "Globex is what most smiths use these days."
PROMPT, OTHER = "best anvil for a small forge", "which anvil is quiet"


@pytest.fixture
async def history(installation):
    return await ScanHistory.open(installation, PROMPT, OTHER)


async def read(history, text=PROMPT):
    ids = {row["prompt"]: row["id"] for row in await history.rows("prompts")}
    async with history.installation.client(X_API_Key=history.tenant.data_write) as client:
        answer = await client.get(f"{DATA}/domains/{history.domain_id}/prompts/{ids[text]}/spot-checks")
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]


async def run_checks(history, *scripts, days=1):
    """Run a check for each script, the first one full and the others daily, some days apart."""
    for number, script in enumerate(scripts):
        await history.run_scan("daily_check" if number else "full_check", script, insights=False)
        history.installation.clock.advance(days=days)


def on_chatgpt(text):
    """Return a script in which ChatGPT gives this answer to the first prompt; everything else names nobody."""
    return lambda prompt, platform: text if (prompt.text, platform) == (PROMPT, "chatgpt") else ABSENT


async def test_each_platform_has_the_share_of_the_repeats_that_name_the_brand(history):
    await run_checks(history, *[on_chatgpt(text) for text in (NAMED, NAMED, ABSENT, NAMED, ABSENT)])
    found = await read(history)
    assert (found["domain_id"], found["period_days"]) == (str(history.domain_id), 90)
    chatgpt, gemini, perplexity = found["platforms"]
    assert [each["platform"] for each in found["platforms"]] == ["chatgpt", "gemini", "perplexity"]
    chance = chatgpt["chance"]
    assert (chance["value"], chance["low"], chance["high"]) == (60.0, 23.1, 88.2)
    assert (chance["numerator"], chance["denominator"], chance["n"]) == (3, 5, 5)
    assert chatgpt["summary"] == "If someone asks once, the chance of seeing Acme is 60% (23% to 88%)."
    assert chatgpt["first_asked_at"] < chatgpt["last_asked_at"]
    assert gemini["chance"]["value"] == perplexity["chance"]["value"] == 0.0
    assert (await read(history, OTHER))["platforms"][0]["chance"]["value"] == 0.0, "repeats of another prompt"


async def test_with_four_repeats_there_is_no_number(history):
    await run_checks(history, *[on_chatgpt(NAMED)] * 4)
    chatgpt, *_ = (await read(history))["platforms"]
    assert (chatgpt["chance"]["value"], chatgpt["chance"]["low"], chatgpt["chance"]["n"]) == (None, None, 4)
    assert chatgpt["summary"] == "Too few answers to estimate the chance: 4 so far, 5 needed."


async def test_a_failed_answer_is_no_repeat(history):
    await run_checks(history, *[on_chatgpt(text) for text in (NAMED, None, NAMED, None, NAMED, NAMED)])
    chatgpt, gemini, _ = (await read(history))["platforms"]
    assert (chatgpt["chance"]["n"], gemini["chance"]["n"]) == (4, 6)


async def test_answers_older_than_ninety_days_do_not_count(history):
    await run_checks(history, *[on_chatgpt(NAMED)] * 3, days=10)
    history.installation.clock.advance(days=70)
    await run_checks(history, *[on_chatgpt(ABSENT)] * 4)  # now the first two are 104 and 94 days old
    chatgpt, *_ = (await read(history))["platforms"]
    assert (chatgpt["chance"]["numerator"], chatgpt["chance"]["n"]) == (1, 5)


async def test_before_the_first_check_there_is_nothing(history):
    assert (await read(history))["platforms"] == []


async def test_an_unknown_prompt_and_one_of_another_domain_are_not_found(history, installation):
    other = await ScanHistory.open(installation, PROMPT)
    (foreign,) = [row["id"] for row in await other.rows("prompts")]
    async with installation.client(X_API_Key=history.tenant.data_write) as client:
        for prompt_id in (foreign, new_id(), "nonsense"):
            path = f"{DATA}/domains/{history.domain_id}/prompts/{prompt_id}/spot-checks"
            assert_problem(await client.get(path), 404, "not_found")
