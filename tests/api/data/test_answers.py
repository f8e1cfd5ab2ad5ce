"""GET /domains/{domain_id}/answers: the list of the Answers page, with the same filter."""

from tests.api.assertions import DATA, assert_problem
from tests.scan_history import ScanHistory
from tests.web.dashboard.dashboard_history import FORGE, QUIET, answer_by_platform


async def test_the_api_lists_what_the_page_lists(installation):
    history = await ScanHistory.open(installation, FORGE, QUIET)
    scan_id = await history.run_full_check(answer_by_platform)
    stranger = await ScanHistory.open(installation, FORGE)
    path = f"{DATA}/domains/{history.domain_id}/answers"
    async with installation.client(X_API_Key=history.tenant.data_write) as client:
        everything = (await client.get(path)).json()["data"]
        named = (await client.get(f"{path}?check={scan_id}&brand=named&platform=chatgpt")).json()["data"]
        assert_problem(await client.get(f"{path}?brand=maybe"), 422, "validation_failed")
        for wrong in ("brand=maybe&since=never&prompt=x", "since=2026-11-02&until=2026-11-01&order=ahead&sites=new"):
            refused = assert_problem(await client.get(f"{path}?{wrong}"), 422, "validation_failed")
            assert len(refused["errors"]) == 3, wrong
        assert_problem(await client.get(f"{path}?evidence=theme:{scan_id}"), 404, "not_found")
        elsewhere = await client.get(f"{DATA}/domains/{stranger.domain_id}/answers")
        assert_problem(elsewhere, 404, "domain_not_found")
    assert len(everything) == 6 and {each["prompt"] for each in named} == {FORGE, QUIET}
    assert [part["text"] for part in named[0]["sentence"]] == ["Acme", " is best."]
    facts = {"mentioned": True, "position": 1, "cited": True, "branded": False, "competitors": ["Globex"]}
    assert facts.items() <= named[0].items()
