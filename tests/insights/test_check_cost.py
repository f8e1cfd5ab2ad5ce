"""What a Full Check will cost is shown before it runs, with the share of the editor, from one function."""

import uuid

import pytest

from sightline.accounts.models import build_operator_actor
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.workspaces import change_profile
from sightline.insights.editor.caller import FEWEST_REQUESTS
from sightline.insights.editor.check_cost import estimate_check_cost
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.models import PlatformCall
from sightline.platforms.pauses import pause_platform
from tests.installation import Installation
from tests.tracked_domains import Tracker
from tests.web.operator.test_operator_area import make_operator
from tests.web.page_browser import open_browser

PRICES = {"claude": {"input": 1.0, "output": 5.0}}
EDITOR = {"editor": "claude:opus"}


@pytest.fixture
async def open_installation(database_url, tmp_path):
    """ChatGPT and Claude are connected; Claude has prices."""
    opened = []

    async def open_one(**settings):
        keys = {"openai_api_key": "k", "anthropic_api_key": "k", "platform_prices": PRICES}
        opened.append(Installation.open(database_url, tmp_path, **(keys | settings)))
        return await opened[-1].__aenter__()

    yield open_one
    for each in opened:
        await each.__aexit__(None, None, None)


async def spend(installation, workspace_id, *, editor_usd=7.0):
    """Count two answers of each platform, and expensive calls of the editor, which say nothing about answers."""
    log, domain = CallLog(installation.db, clock=installation.clock), uuid.uuid4()
    for platform, cost in (("chatgpt", 0.02), ("chatgpt", 0.04), ("claude", 0.01), ("claude", 0.01)):
        log.count(workspace_id, domain, PlatformCall(platform=platform, requests=1, cost_usd=cost, failed=False))
    log.count(
        workspace_id,
        domain,
        PlatformCall(platform="claude", requests=1, cost_usd=editor_usd, failed=False),
        for_editor=True,
    )
    await log.flush()


async def estimate(installation, workspace_id=None, *, prompts=200, platforms=("chatgpt", "claude")):
    return await estimate_check_cost(
        installation.db,
        installation.app_context.settings,
        workspace_id,
        prompts=prompts,
        platforms=platforms,
        now=installation.clock(),
    )


async def test_a_check_costs_what_answers_cost_lately_and_the_editor_at_most_a_twentieth(open_installation):
    installation = await open_installation(**EDITOR)
    tenant = await installation.tenant()
    before = await estimate(installation)
    assert (before.answers_usd, before.editor_usd, before.editor_requests) == (None, None, 20), "5% of 400 answers"
    assert (await estimate(installation, prompts=1)).editor_requests == FEWEST_REQUESTS
    await spend(installation, tenant.workspace.id)
    cost = await estimate(installation, tenant.workspace.id)
    assert (cost.answers, cost.editor.platform) == (400, "claude")
    assert cost.answers_usd == pytest.approx(200 * (0.03 + 0.01)) and cost.editor_usd == pytest.approx(0.40)
    assert (await estimate(installation, platforms=("chatgpt", "grok"))).answers_usd is None, "no price for Grok"
    installation.clock.advance(days=32)
    assert (await estimate(installation)).answers_usd is None, "old prices say nothing"


async def test_where_nobody_edits_the_editor_costs_nothing(open_installation):
    installation = await open_installation(**EDITOR)
    tenant = await installation.tenant()
    await spend(installation, tenant.workspace.id)
    async with installation.db.transaction() as tx:
        await change_profile(tx, build_operator_actor(tenant.workspace.id), ProfileChanges(editor_declined=True))
    declined = await estimate(installation, tenant.workspace.id)
    assert (declined.editor, declined.editor_usd, declined.editor_requests) == (None, None, 0)
    assert declined.answers_usd == pytest.approx(8.0) and (await estimate(installation)).editor is not None
    async with installation.db.transaction() as tx:
        await pause_platform(tx, "claude", now=installation.clock())
    assert (await estimate(installation)).editor is None


async def test_a_platform_that_the_settings_pause_does_not_edit(open_installation):
    installation = await open_installation(paused_platforms="chatgpt")
    assert (await estimate(installation)).editor.platform == "claude"


async def test_the_sandbox_costs_nothing(installation):
    assert await estimate(installation) is None


async def test_pages_show_the_cost_before_a_check(open_installation):
    installation = await open_installation(platform_prices={})
    async with Tracker.open(installation) as tracker:
        made = await tracker.track()
    path = f"/w/{tracker.tenant.id}/d/{made.domain.id}/checks"
    async with open_browser(installation, tracker.tenant.owner) as browser:
        page = (await browser.get(path)).text
        assert "Their cost is not known yet." in page and "The editor (ChatGPT) is sent at most 8 more." in page
    settings = installation.app_context.settings
    settings.__dict__["platform_prices"] = {"chatgpt": {"input": 1.0}}
    await spend(installation, tracker.tenant.workspace.id)
    async with open_browser(installation, tracker.tenant.owner) as browser:
        page = (await browser.get(path)).text
        assert "costs the operator about" in page and "The editor (ChatGPT) adds at most" in page
    async with open_browser(installation, await make_operator(installation)) as browser:
        page = (await browser.get("/operator/platforms")).text
    assert "It is the first connected language model, because SIGHTLINE_EDITOR is auto." in page
    assert "A Full Check sends 200 requests and costs the operator about 4.00 USD." in page
    assert "The editor (ChatGPT) adds at most 0.20 USD." in page
