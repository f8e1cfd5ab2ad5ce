"""The forecast of costs: how many answers checks ask for, and what a check, a week and a month of them cost.

It is the one rule for pages, the API, the command line and limits: the answers that a plan asks for, times what an
answer costs (`price_answers`). Every question is assumed to be answered. The editor is told apart: its cost is bounded.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

import msgspec

from sightline.accounts.queries import find_workspace
from sightline.db.engine import Database, Reader
from sightline.domains.models import TrackedDomainRow
from sightline.insights.editor.caller import COST_SHARE, limit_edition
from sightline.insights.editor.read import find_rules_reason
from sightline.metrics.observation import Surface
from sightline.plans.table import Entitlements, Plan, runs_scheduled_checks
from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.costs.queries import list_open_limits, sum_domain_spend
from sightline.platforms.costs.spend import (
    AnswerPrice,
    LikelyLimit,
    announce_limits,
    price_answers,
    read_spend_any_workspace,
)
from sightline.platforms.pauses import read_enabled
from sightline.scans.editor_platform import EditorChoice, choose_editor
from sightline.scans.scheduling.due import WEEK, list_due
from sightline.scans.scheduling.enqueue_check import preview_full_check
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.scans.scheduling.queries import list_planned_any_workspace
from sightline.settings import Settings

_DAILY_CHECKS = WEEK - 1
WEEKS_OF_MONTH = 365.25 / 12 / WEEK


class PlannedAnswers(msgspec.Struct, frozen=True):
    """`full` answers in the Full Check (on the Free plan, in its one audit) and `daily` in each Daily Check."""

    prompts: int
    platforms: int
    daily_prompts: int
    once: bool
    """Whether the plan runs only one audit."""

    @property
    def full(self) -> int:
        return self.prompts * self.platforms

    @property
    def daily(self) -> int:
        return self.daily_prompts * self.platforms

    @property
    def per_platform(self) -> int:
        """Return the answers of a week on one platform; of the audit, where it is all."""
        return self.prompts if self.once else self.prompts + _DAILY_CHECKS * self.daily_prompts

    @property
    def total(self) -> int:
        return self.per_platform * self.platforms


def plan_answers(plan: Plan, grants: Entitlements, *, prompts: int, platforms: int) -> PlannedAnswers:
    """Return what the checks of a week ask for, with so many prompts, each counted once for each country."""
    once = not runs_scheduled_checks(plan)
    return PlannedAnswers(prompts, platforms, 0 if once else min(prompts, grants.daily_prompts), once)


class PlatformForecast(msgspec.Struct, frozen=True, kw_only=True):
    """What one platform costs in US dollars; None where the price is not known, or for a plan with a single audit."""

    platform: str
    surface: Surface
    price: AnswerPrice | None
    check_usd: float | None
    week_usd: float | None
    month_usd: float | None


class CostForecast(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks of a domain will cost. Sums leave out the platforms whose price is not known."""

    answers: PlannedAnswers
    platforms: tuple[PlatformForecast, ...]
    editor: EditorChoice | None
    """None if nobody edits the checks."""
    editor_usd: float | None
    """The most that the editor can cost in a Full Check."""
    editor_requests: int
    """The most that the editor is asked in a Full Check."""

    @property
    def unpriced(self) -> list[str]:
        return [each.platform for each in self.platforms if each.price is None]

    @property
    def uses_list_prices(self) -> bool:
        return any(each.price is not None and each.price.basis == "list" for each in self.platforms)

    @property
    def check_usd(self) -> float | None:
        return _add(each.check_usd for each in self.platforms)

    @property
    def week_usd(self) -> float | None:
        return _add(each.week_usd for each in self.platforms)

    @property
    def month_usd(self) -> float | None:
        return _add(each.month_usd for each in self.platforms)


def _add(amounts: Iterable[float | None]) -> float | None:
    known = [each for each in amounts if each is not None]
    return sum(known) if known else None


async def forecast_costs(
    db: Reader,
    settings: Settings,
    workspace_id: uuid.UUID | None,
    answers: PlannedAnswers,
    platforms: Sequence[str],
    *,
    now: datetime,
) -> CostForecast:
    """Return what checks that ask these platforms will cost. Without a workspace, of one that lets the editor work."""
    prices = await price_answers(db, settings, now=now)
    connections, sandbox = find_connections(settings), is_sandbox(settings)
    rows = tuple(
        _forecast_platform(
            key,
            "sandbox" if sandbox or key not in connections else connections[key][0].surface,
            prices.get(key),
            answers,
        )
        for key in platforms
    )
    editor = None if sandbox else choose_editor(settings, connections)
    if await find_rules_reason(db, workspace_id, editor) is not None:
        editor = None
    known = bool(rows) and all(row.price is not None for row in rows)
    is_priced = known and editor is not None and editor.platform in settings.platform_prices
    limit = limit_edition(answers.full, _add(row.check_usd for row in rows) if is_priced else None)
    return CostForecast(
        answers=answers,
        platforms=rows,
        editor=editor,
        editor_usd=limit.cost_usd if editor else None,
        editor_requests=limit.requests if editor else 0,
    )


def _forecast_platform(
    platform: str, surface: Surface, price: AnswerPrice | None, answers: PlannedAnswers
) -> PlatformForecast:
    week = None if price is None or answers.once else price.usd * answers.per_platform
    return PlatformForecast(
        platform=platform,
        surface=surface,
        price=price,
        check_usd=None if price is None else price.usd * answers.prompts,
        week_usd=week,
        month_usd=week and week * WEEKS_OF_MONTH,
    )


class PlatformMonth(msgspec.Struct, frozen=True):
    """What answers of a platform cost a domain: in the seven days before today, this month so far, and in all of it."""

    last_week_usd: float
    spent_usd: float
    expected_usd: float | None


class DomainCosts(msgspec.Struct, frozen=True):
    """The forecast of a domain next to what it has cost."""

    forecast: CostForecast
    months: Mapping[str, PlatformMonth]
    """By platform; also of those that are no longer asked."""

    @property
    def last_week_usd(self) -> float:
        return sum(each.last_week_usd for each in self.months.values())

    @property
    def spent_usd(self) -> float:
        return sum(each.spent_usd for each in self.months.values())

    @property
    def expected_usd(self) -> float | None:
        return _add(each.expected_usd for each in self.months.values())


async def read_domain_costs(
    db: Reader, settings: Settings, domain: TrackedDomainRow, workspace_id: uuid.UUID, *, now: datetime
) -> DomainCosts:
    """Return what the checks of a domain will cost and have cost. Where none is planned, they ask for nothing."""
    workspace = await find_workspace(db, workspace_id)
    assert workspace is not None  # of the domain
    rules = build_check_rules(settings)
    planned = await preview_full_check(db, workspace_id, domain.id, workspace.plan, rules)
    prompts, platforms = (len(planned.prompts), planned.platforms) if planned else (0, ())
    answers = plan_answers(workspace.plan, rules.plans[workspace.plan], prompts=prompts, platforms=len(platforms))
    forecast = await forecast_costs(db, settings, workspace_id, answers, platforms, now=now)
    spent = await sum_domain_spend(db, workspace_id, domain.id, today=now.date())
    left = 0
    if domain.anchor_at is not None and domain.next_check_at is not None:
        left = sum(
            answers.prompts if due.scope == "full_check" else answers.daily_prompts
            for due in list_due(domain.anchor_at, domain.next_check_at, _find_month_end(now), now=now)
        )
    months = {}
    for each in forecast.platforms:
        last_week, month = spent.pop(each.platform, (0.0, 0.0))
        expected = None if each.price is None else month + left * each.price.usd
        months[each.platform] = PlatformMonth(last_week, month, expected)
    months |= {platform: PlatformMonth(last_week, month, month) for platform, (last_week, month) in spent.items()}
    return DomainCosts(forecast, months)


class ExpectedMonth(msgspec.Struct, frozen=True):
    """What a platform will have cost at the end of this month in all workspaces, and the sum after each day to come."""

    spent_usd: float
    expected_usd: float
    days: tuple[tuple[date, float], ...]

    def find_day(self, limit: Decimal) -> date | None:
        """Return the day on which a limit will be reached; None if it will not."""
        return next((day for day, spent in self.days if spent >= limit), None)


async def expect_month_any_workspace(db: Reader, settings: Settings, *, now: datetime) -> Mapping[str, ExpectedMonth]:
    """Return what this month (UTC) will cost, by platform: what was spent, and all checks that are still due in it.

    Checks that started or will be started by people, such as those of the Console, are known only once they are paid.
    """
    spend = await read_spend_any_workspace(db, now=now)
    prices = await price_answers(db, settings, now=now)
    due = await _count_due_any_workspace(db, settings, now=now)
    editor = None if is_sandbox(settings) else choose_editor(settings, find_connections(settings))
    costs: dict[str, defaultdict[date, float]] = {key: defaultdict(float) for key in {*prices, *spend}}
    for (platform, day, is_full), answers in due.items():
        if (price := prices.get(platform)) is None:
            continue
        costs[platform][day] += answers * price.usd
        if is_full and editor is not None and editor.platform in costs:
            costs[editor.platform][day] += COST_SHARE * answers * price.usd
    expected = {}
    for platform, by_day in costs.items():
        spent = total = float(spend[platform].month) if platform in spend else 0.0
        days = []
        for day in sorted(by_day):
            total += by_day[day]
            days.append((day, total))
        expected[platform] = ExpectedMonth(spent, total, tuple(days))
    return expected


async def _count_due_any_workspace(
    db: Reader, settings: Settings, *, now: datetime
) -> Mapping[tuple[str, date, bool], int]:
    """Count the answers that the rest of the month asks for, by platform, day, and whether a Full Check asks."""
    rules, end = build_check_rules(settings), _find_month_end(now)
    enabled = await read_enabled(db, rules.enabled)
    counts: defaultdict[tuple[str, date, bool], int] = defaultdict(int)
    for domain in await list_planned_any_workspace(
        db, prompts_by_plan={plan: grants.tracked_prompts for plan, grants in rules.plans.items()}
    ):
        grants = rules.plans[domain.plan]
        answers = plan_answers(domain.plan, grants, prompts=domain.prompts, platforms=0)
        platforms = [key for key in select_platforms(grants, domain.chosen_platforms) if key in enabled]
        for due in list_due(domain.anchor_at, domain.next_check_at, end, now=now):
            is_full = due.scope == "full_check"
            for key in platforms:
                counts[key, due.at.date(), is_full] += answers.prompts if is_full else answers.daily_prompts
    return counts


async def announce_likely_limits(db: Database, settings: Settings, *, now: datetime) -> list[LikelyLimit]:
    """Announce the monthly limits that this month will probably reach, once for each month and limit."""
    limits = await list_open_limits(db, today=now.date())
    if not limits or is_sandbox(settings):
        return []
    expected = await expect_month_any_workspace(db, settings, now=now)
    likely = [
        LikelyLimit(platform, limit, expected[platform].expected_usd, day)
        for platform, limit in sorted(limits.items())
        if platform in expected and (day := expected[platform].find_day(limit)) is not None
    ]
    return await announce_limits(db, settings, likely, now=now) if likely else []


def _find_month_end(now: datetime) -> datetime:
    first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)
