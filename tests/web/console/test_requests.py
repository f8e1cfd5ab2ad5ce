"""The requests chart of the Console: every day of the last thirty, from the counts that are kept anyway."""

from sightline.kit.ids import new_id
from tests.web.console.browser import at_desk


async def test_requests_are_drawn_day_by_day_and_a_quiet_day_is_zero(installation):
    tenant, usage = await installation.tenant(), installation.app_context.usage
    async with at_desk(installation, tenant) as desk:
        assert "No request with a key of this workspace" in (await desk.get()).text
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
            page = (await desk.get(path)).text
            assert "4 requests, 1 of them answered with 400 or above." in page and "data-chart" in page
    other = await installation.tenant()
    async with at_desk(installation, other) as desk:
        assert "No request with a key" in (await desk.get()).text
