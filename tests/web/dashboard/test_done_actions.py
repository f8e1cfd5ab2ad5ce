"""Done actions on the page Recommendations: the date, the verdict, the prompts and the checks."""

from tests.insights.watched_market import CONCERNED, KEY, USUAL, WatchedMarket
from tests.web.page_browser import open_browser


async def test_an_action_is_marked_with_a_date_and_shows_whether_it_worked(installation):
    market = await WatchedMarket.open(installation)
    before = [await market.run_full_check(*USUAL) for _ in range(2)]
    await market.recommend(await market.run_full_check())
    history = market.history
    path = f"/w/{history.tenant.id}/d/{history.domain_id}/recommendations"
    async with open_browser(installation, history.tenant.owner) as browser:
        for wrong in ("2036-01-01", "today", "2026-02-30"):
            refused = await browser.post(f"{path}/{KEY}/done", data={"done_on": wrong}, follow_redirects=True)
            assert "Enter a date up to today" in refused.text and 'id="done"' not in refused.text
        today = installation.clock().date().isoformat()
        marked = await browser.post(f"{path}/{KEY}/done", data={"done_on": today}, follow_redirects=True)
        assert "Too early: 0 of 2 Full Checks" in marked.text.split('id="done"')[1]
    later = [await market.run_full_check(*USUAL, *CONCERNED) for _ in range(2)]
    await market.recommend(later[-1], page="elsewhere.com/anvils")
    async with open_browser(installation, history.tenant.owner) as browser:  # weeks later
        shown = (await browser.get(path)).text.split('id="done"')[1]
        assert "Worked" in shown and "Up by 100 points (" in shown
        assert "0.0% before and 100.0% after for 3 prompts" in " ".join(shown.split())
        for check in (*before, *later):
            assert f"/checks/{check}" in shown
        assert all(text in shown for text in CONCERNED)
        moved = await browser.post(f"{path}/{KEY}/done", data={"done_on": "2026-01-05"}, follow_redirects=True)
        assert "Done on 5 Jan 2026" in moved.text and "Not enough history." in moved.text
        await browser.post(f"{path}/{KEY}/undo")
        assert 'id="done"' not in (await browser.get(path)).text
