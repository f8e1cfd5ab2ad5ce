"""GET /domains/{domain_id}/searches: what platforms searched for, page by page."""

from tests.api.assertions import DATA, assert_problem
from tests.scan_history import ScanHistory, ScriptedAnswer


def _search(prompt, platform):
    queries = tuple(f"{prompt.text} {number}" for number in range(30))
    return ScriptedAnswer("Acme is good.", cited=("https://g2.com/a",), queries=queries)


async def test_searches_are_listed_page_by_page_and_a_check_in_between_moves_none(installation):
    history = await ScanHistory.open(installation, "anvil", "forge")
    await history.run_full_check(_search)
    stranger = await ScanHistory.open(installation, "anvil")
    path = f"{DATA}/domains/{history.domain_id}/searches"
    async with installation.client(X_API_Key=history.tenant.data_write) as client:
        first = (await client.get(path)).json()
        await history.run_daily_check(_search)
        second = (await client.get(f"{path}?cursor={first['meta']['next_cursor']}")).json()
        other = await client.get(f"{DATA}/domains/{stranger.domain_id}/searches")
        assert_problem(other, 404, "domain_not_found")
    found = [(row["prompt"], row["search"]) for row in (*first["data"], *second["data"])]
    assert len(first["data"]) == 50 and second["meta"]["next_cursor"] is None
    assert sorted(found) == sorted((text, f"{text} {number}") for text in ("anvil", "forge") for number in range(30))
    row = second["data"][0]
    assert row["answers"] == 3 and row["sites"] == [{"name": "g2.com", "answers": 3}]
    assert [each["name"] for each in row["platforms"]] == ["chatgpt", "gemini", "perplexity"]
