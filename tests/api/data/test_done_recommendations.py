"""GET, POST and DELETE of done recommendations through the Data API."""

from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from tests.api.assertions import DATA, assert_problem
from tests.insights.watched_market import CONCERNED, KEY, USUAL, WatchedMarket


async def send(client, market, method, path="", **options):
    headers = {"X-API-Key": market.history.tenant.data_write, "Idempotency-Key": str(new_id())}
    address = f"{DATA}/domains/{market.history.domain_id}/recommendations{path}"
    return await client.request(method, address, headers=headers, **options)


async def test_an_action_is_marked_watched_and_reopened(installation, client):
    market = await WatchedMarket.open(installation)
    before = [await market.run_full_check(*USUAL) for _ in range(2)]
    led_by = await market.run_full_check()
    await market.recommend(led_by)
    (row,) = (await send(client, market, "GET")).json()["data"]
    assert (row["key"], row["state"], row["effect"]) == (KEY, "open", None)

    marked = await send(client, market, "POST", f"/{KEY}/done", json={})
    assert marked.status_code == 200, marked.text
    done = marked.json()["data"]
    assert (done["done_at"], done["done_by"]) == (to_iso(installation.clock()), market.history.tenant.owner.name)
    assert done["effect"]["status"] == "too_early" and done["still_recommended"]
    (row,) = (await send(client, market, "GET")).json()["data"]
    assert (row["state"], row["effect"]) == ("done", done["effect"])

    later = [await market.run_full_check(*USUAL, *CONCERNED) for _ in range(2)]
    await market.recommend(later[-1], page="elsewhere.com/anvils")
    (done,) = (await send(client, market, "GET", "/done")).json()["data"]
    effect = done["effect"]
    assert (effect["status"], effect["points"], done["still_recommended"]) == ("up", 100.0, False)
    assert effect["low"] > 0 and not effect["is_final"]
    assert effect["baseline_checks"] == list(map(str, before)) and effect["led_by_check"] == str(led_by)
    assert effect["later_checks"] == list(map(str, later))
    assert [prompt["text"] for prompt in effect["treated_prompts"]] == list(CONCERNED)

    reopened = await send(client, market, "DELETE", f"/{KEY}/done")
    assert reopened.json()["data"] == {"key": KEY, "done": False}
    assert (await send(client, market, "GET", "/done")).json()["data"] == []


async def test_bad_dates_and_unknown_actions_are_refused(installation, client):
    market = await WatchedMarket.open(installation)
    await market.recommend(await market.run_full_check())
    for done_at in ("2036-01-01T00:00:00Z", "2026-01-01T00:00:00", "2026-01-01", "yesterday", 7):
        response = await send(client, market, "POST", f"/{KEY}/done", json={"done_at": done_at})
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "done_at", done_at
    for key in ("get_listed-0", "nothing_significant-0", "%00"):
        assert_problem(await send(client, market, "POST", f"/{key}/done", json={}), 404, "not_found")
    assert (await send(client, market, "GET", "/done")).json()["data"] == []
    earlier = {"done_at": "2026-11-01T00:00:00+01:00"}
    done = (await send(client, market, "POST", f"/{KEY}/done", json=earlier)).json()["data"]
    assert done["done_at"] == "2026-10-31T23:00:00.000000+00:00"
