"""What checks will cost is told before anything is asked, from one function, and compared with what was spent."""

import asyncio
import uuid
from datetime import UTC, date, datetime
from decimal import Decimal

import msgspec
import pytest

from sightline.accounts.models import build_operator_actor
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.workspaces import change_profile
from sightline.domains.tracking.queries import set_next_check
from sightline.domains.tracking.read import read_tracked_domain
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.insights.cost_forecast import (
    announce_likely_limits,
    expect_month_any_workspace,
    forecast_costs,
    plan_answers,
    read_domain_costs,
)
from sightline.insights.editor.caller import FEWEST_REQUESTS
from sightline.mail.emails import OutgoingEmail
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.plans.table import Plan, build_plan_table
from sightline.platforms import access
from sightline.platforms.connections.save import save_options
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.costs.read import CostPeriod, read_costs
from sightline.platforms.models import PlatformCall, Usage
from sightline.platforms.pauses import pause_platform
from sightline.platforms.pricing import Prices
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.prompts import suggest_prompts
from sightline.platforms.sandbox.transport import SandboxTransport, sandbox_connection, sandbox_connector
from sightline.scans.platform_clients import PlatformClients, build_subject
from sightline.scans.running.simulated_scan import run_simulated_scan
from sightline.scans.scheduling import queries as schedule
from sightline.scans.scheduling.due import list_due, next_due
from sightline.scans.scheduling.enqueue_check import enqueue_check, plan_check
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.states import Priority
from sightline.scans.stored import decode_measured
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
    plans = build_plan_table({})
    answers = plan_answers(Plan.AGENCY, plans[Plan.AGENCY], prompts=prompts, platforms=len(platforms))
    return await forecast_costs(
        installation.db,
        installation.app_context.settings,
        workspace_id,
        answers,
        platforms,
        now=installation.clock(),
    )


def bases(forecast):
    return [each.price and each.price.basis for each in forecast.platforms]


async def test_a_check_costs_what_answers_cost_lately_and_the_editor_at_most_a_twentieth(open_installation):
    installation = await open_installation(**EDITOR)
    tenant = await installation.tenant()
    before = await estimate(installation)
    chatgpt, claude = (each.price.usd for each in before.platforms)
    assert bases(before) == ["list", "entered"] and before.uses_list_prices
    assert chatgpt == pytest.approx(8_000 * 1e-6 + 1_000 * 5e-6 + 0.01), "a usual answer at the list price"
    assert claude == pytest.approx(8_000 * 1e-6 + 1_000 * 5e-6), "at the operator's prices, without one for searches"
    await spend(installation, tenant.workspace.id)
    cost = await estimate(installation, tenant.workspace.id)
    assert (cost.answers.full, cost.editor.platform, bases(cost)) == (400, "claude", ["measured"] * 2)
    assert cost.check_usd == pytest.approx(200 * (0.03 + 0.01)) and cost.editor_usd == pytest.approx(0.40)
    assert cost.week_usd == pytest.approx((200 + 6 * 50) * 0.04)
    assert cost.month_usd == pytest.approx(cost.week_usd * 365.25 / 84)
    assert [each.surface for each in cost.platforms] == ["api", "api"]
    unknown = await estimate(installation, platforms=("chatgpt", "grok"))
    assert unknown.unpriced == ["grok"] and unknown.check_usd == pytest.approx(6.0), "the sum leaves Grok out"
    assert (unknown.editor_usd, unknown.editor_requests) == (None, 20), "5% of 400 answers"
    few = await estimate(installation, prompts=1, platforms=("chatgpt", "grok"))
    assert few.editor_requests == FEWEST_REQUESTS
    installation.clock.advance(days=32)
    assert bases(await estimate(installation)) == ["list", "entered"], "old costs say nothing"


async def test_retries_and_second_requests_are_part_of_what_an_answer_costs(open_installation):
    installation = await open_installation()
    log = CallLog(installation.db, clock=installation.clock)
    count = log.recorder(uuid.uuid4(), uuid.uuid4())
    for requests, failed, cost in ((2, False, 0.02), (1, True, 0.01), (1, False, None), (1, True, None)):
        count(PlatformCall(platform="chatgpt", requests=requests, cost_usd=cost, failed=failed, usage=Usage(100, 10)))
    await log.flush()
    (price,) = [each.price for each in (await estimate(installation, platforms=("chatgpt",))).platforms]
    assert price.basis == "measured" and price.usd == pytest.approx(0.03), "the cost of one of two answers is known"


async def test_new_prices_of_the_operator_count_at_once_and_for_what_answers_used(open_installation):
    installation = await open_installation(platform_prices={})
    log = CallLog(installation.db, clock=installation.clock)
    used = PlatformCall(platform="claude", requests=1, cost_usd=9.0, failed=False, usage=Usage(2_000, 500, 2))
    log.count(uuid.uuid4(), uuid.uuid4(), used)
    await log.flush()
    installation.clock.advance(days=1)
    settings = installation.app_context.settings
    prices = {"input": 1.0, "output": 2.0, "search": 5.0}
    async with installation.db.transaction() as tx:
        await save_options(tx, "claude", msgspec.convert(prices, Prices), None, now=installation.clock())
    settings.__dict__["platform_prices"] = {"claude": prices}
    (price,) = [each.price for each in (await estimate(installation, platforms=("claude",))).platforms]
    assert price.basis == "entered" and price.usd == pytest.approx(0.002 + 0.001 + 0.01)


def test_a_week_is_one_full_check_and_six_daily_checks_of_the_daily_set():
    plans = build_plan_table({})
    week = plan_answers(Plan.STARTER, plans[Plan.STARTER], prompts=30, platforms=4)
    assert (week.full, week.daily, week.total) == (120, 40, 120 + 6 * 40)
    audit = plan_answers(Plan.FREE, plans[Plan.FREE], prompts=10, platforms=3)
    assert (audit.full, audit.daily, audit.total, audit.once) == (30, 0, 30, True)


async def test_where_nobody_edits_the_editor_costs_nothing(open_installation):
    installation = await open_installation(**EDITOR)
    tenant = await installation.tenant()
    await spend(installation, tenant.workspace.id)
    async with installation.db.transaction() as tx:
        await change_profile(tx, build_operator_actor(tenant.workspace.id), ProfileChanges(editor_declined=True))
    declined = await estimate(installation, tenant.workspace.id)
    assert (declined.editor, declined.editor_usd, declined.editor_requests) == (None, None, 0)
    assert declined.check_usd == pytest.approx(8.0) and (await estimate(installation)).editor is not None
    async with installation.db.transaction() as tx:
        await pause_platform(tx, "claude", now=installation.clock())
    assert (await estimate(installation)).editor is None


async def test_a_platform_that_the_settings_pause_does_not_edit(open_installation):
    installation = await open_installation(paused_platforms="chatgpt")
    assert (await estimate(installation)).editor.platform == "claude"


async def test_the_sandbox_costs_nothing(installation):
    free = await estimate(installation)
    assert (free.check_usd, free.month_usd, free.editor, bases(free)) == (0.0, 0.0, None, ["sandbox"] * 2)


async def test_pages_show_the_cost_before_a_check(open_installation):
    installation = await open_installation(platform_prices={}, openai_model="gpt-of-tomorrow")
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


START_DAY = date(2026, 11, 15)
_PAID = (
    "chatgpt",
    "gemini",
    "perplexity",
    "google_ai_overviews",
    "claude",
    "copilot",
    "grok",
    "mistral",
    "google_ai_mode",
)
_PER_SEARCH = ("google_ai_overviews", "copilot", "google_ai_mode")
DEMO_PRICES = {key: {"input": 1.0, "output": 5.0, "search": 1.0} for key in _PAID} | {
    key: {"search": 10.0} for key in _PER_SEARCH
}


class PaidDemo:
    """The demonstration's checks, whose made-up answers are counted at prices like those of live platforms."""

    def __init__(self, installation, tracker) -> None:
        self.installation, self.db, self.workspace_id = installation, installation.db, tracker.workspace_id
        self.settings = installation.app_context.settings
        self.rules = msgspec.structs.replace(build_check_rules(self.settings), source="sandbox")
        self.log = CallLog(self.db, clock=installation.clock)

    async def start(self, prompts):
        async with self.db.transaction() as tx:
            now = self.installation.clock()
            made = await track_domain(tx, self.workspace_id, TrackInput("acme.com"), plans=self.rules.plans, now=now)
            setup = SetupInput(language_code="en", prompts=prompts)
            done = await complete_setup(tx, self.workspace_id, made.id, setup, rules=self.rules, now=now)
            self.domain_id = made.id
            await self.answer(tx, done.first_check)
        await self.log.flush()

    async def answer(self, tx, scan):
        measured = decode_measured(scan.brand)
        subject = build_subject(scan.domain, measured.brand, measured.competitors)
        transport = SandboxTransport(subject, scan.created_at.date(), latency_ms=0, sleep=asyncio.sleep)
        ways = {key: (sandbox_connector(key), sandbox_connection(key)) for key in scan.selected_platforms}
        gates, policy = access.build_gates(self.settings), access.build_policy(self.settings)
        on_call = self.log.recorder(self.workspace_id, self.domain_id)
        clients = PlatformClients("sandbox", ways, transport, gates, policy, on_call=on_call)
        await run_simulated_scan(tx, scan, clients, now=scan.created_at)

    async def run_until(self, end):
        domain = await self.read_domain()
        for due in list_due(domain.anchor_at, domain.next_check_at, end, now=self.installation.clock()):
            self.installation.clock.now = due.at
            async with self.db.transaction() as tx:
                scheduled = await schedule.lock_active_domain(tx, self.workspace_id, self.domain_id)
                order = await plan_check(tx, scheduled, self.rules.plans[Plan.AGENCY], due.scope, self.rules)
                scan = await enqueue_check(tx, scheduled, order, priority=Priority.DAILY, rules=self.rules, now=due.at)
                await self.answer(tx, scan)
                await set_next_check(tx, self.workspace_id, self.domain_id, next_due(domain.anchor_at, due.at))
            await self.log.flush()
        self.installation.clock.now = end

    async def read_domain(self):
        return await read_tracked_domain(self.db, build_operator_actor(self.workspace_id), self.domain_id)

    async def forecast(self):
        domain = await self.read_domain()
        return await read_domain_costs(self.db, self.settings, domain, self.workspace_id, now=self.installation.clock())

    async def read_log(self, since, until):
        rows = await read_costs(self.db, self.workspace_id, CostPeriod(since, until))
        return float(sum(row.cost_usd for row in rows))


@pytest.mark.slow
async def test_the_forecast_of_the_demonstration_equals_its_cost_log_within_two_percent(open_installation):
    keys = dict.fromkeys(
        ("google_api_key", "perplexity_api_key", "xai_api_key", "mistral_api_key", "serpapi_api_key"), "k"
    )
    installation = await open_installation(**keys, platform_prices=DEMO_PRICES)
    async with Tracker.open(installation) as tracker:
        demo = PaidDemo(installation, tracker)
        await demo.start(list(suggest_prompts(Subject("acme.com", "Acme"), "en", 12)))
        first = await demo.forecast()
        assert len(first.forecast.platforms) == len(DEMO_PRICES) and set(bases(first.forecast)) == {"measured"}
        assert first.forecast.check_usd == pytest.approx(await demo.read_log(START_DAY, START_DAY))
        await demo.run_until(datetime(2026, 11, 22, tzinfo=UTC))
        planned = await demo.forecast()
        everywhere = await expect_month_any_workspace(installation.db, demo.settings, now=installation.clock())
        assert sum(each.expected_usd for each in everywhere.values()) > planned.expected_usd, "with the editor's share"
        await demo.run_until(datetime(2026, 11, 29, tzinfo=UTC))
        week = await demo.read_log(date(2026, 11, 22), date(2026, 11, 28))
        assert planned.forecast.week_usd == pytest.approx(week, rel=0.02)
        assert (await demo.forecast()).last_week_usd == pytest.approx(week), (
            "the forecast stands next to what was spent"
        )
        await demo.run_until(datetime(2026, 12, 1, tzinfo=UTC))
        assert planned.expected_usd == pytest.approx(await demo.read_log(START_DAY, date(2026, 11, 30)), rel=0.02)
        actual = await tracker.read(f"/domains/{demo.domain_id}/costs")
        assert actual["month_spent_usd"] == 0 and actual["platforms"][0]["basis"] == "measured"
        assert actual["month_expected_usd"] == pytest.approx(actual["month_usd"], rel=0.1)


async def test_a_limit_is_announced_on_the_day_that_it_becomes_likely_once_a_month(open_installation):
    installation = await open_installation()
    settings, db, operator = installation.app_context.settings, installation.db, await make_operator(installation)
    async with Tracker.open(installation) as tracker:
        made = await tracker.track()
        await db.execute("UPDATE scans SET status = 'completed', completed_at = created_at")
        await spend(installation, tracker.workspace_id)

    async def announce():
        return [each.platform for each in await announce_likely_limits(db, settings, now=installation.clock())]

    async def limit(dollars):
        async with db.transaction() as tx:
            await save_options(tx, "chatgpt", None, Decimal(dollars), now=installation.clock())

    assert await announce() == [], "no limit"
    await limit("1000")
    assert await announce() == [], "out of reach"
    await limit("1")
    assert await announce() == ["chatgpt"] and await announce() == []
    mails = [row[0] for row in await db.fetch("SELECT payload FROM jobs WHERE payload LIKE '%probably%'")]
    (email,) = [msgspec.json.decode(each, type=OutgoingEmail) for each in mails]
    assert email.to == operator.email and "ChatGPT will probably reach its monthly limit" in email.subject
    assert "on 26 Nov" in email.text and f"{settings.public_url}/operator/platforms/chatgpt" in email.text
    async with open_browser(installation, operator) as browser:
        page = (await browser.get("/operator/platforms")).text
    assert "limit likely on 26 Nov" in page and "expected:" in page
    await limit("1.1")
    assert await announce() == ["chatgpt"], "another limit"
    await db.execute("UPDATE domains SET next_check_at = '2026-12-01T10:00:00Z' WHERE id = $1", made.domain.id)
    installation.clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    assert await announce() == ["chatgpt"], "another month"
    async with db.transaction() as tx:
        await pause_platform(tx, "chatgpt", now=installation.clock())
    await limit("1.2")
    assert await announce() == [], "a paused platform is not asked"
