"""The requests chart of the Console: every day of the last thirty, from the counts that are kept anyway."""

from sightline.kit.ids import new_id
from tests.web.console.console_browser import open_console_browser


async def test_requests_are_drawn_day_by_day_and_a_quiet_day_is_zero(installation):
    tenant, usage = await installation.tenant(), installation.app_context.usage
    async with open_console_browser(installation, tenant) as console:
        assert "No requests with an API key of this workspace" in (await console.get()).text
        installation.clock.advance(days=-40)
        usage.count(tenant.workspace.id, new_id(), 200, now=installation.clock())
        installation.clock.advance(days=38)
        for status in (200, 200, 404):
            usage.count(tenant.workspace.id, new_id(), status, now=installation.clock())
        installation.clock.advance(days=2)
        usage.count(tenant.workspace.id, new_id(), 200, now=installation.clock())
        await usage.flush()
        days = await usage.read_days(tenant.workspace.id, 30, now=installation.clock())
        assert len(days) == 30 and days[-1].day == installation.clock().date()
        assert [(each.requests, each.errors) for each in days[-3:]] == [(3, 1), (0, 0), (1, 0)]
        for path in ("", "/usage"):
            page = (await console.get(path)).text
            assert "Requests: 4, of these with status 400 or above: 1." in page and "data-chart" in page
    other = await installation.tenant()
    async with open_console_browser(installation, other) as console:
        assert "No requests with an API key" in (await console.get()).text
