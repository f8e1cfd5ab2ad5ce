"""The layout around every page of the app: side navigation, switchers and banners."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.models import TrackedDomainRow
from sightline.errors import Problem
from sightline.platforms.access import find_connections, is_sandbox
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext, translatable
from sightline.web.filter_bar import FilterBar
from sightline.web.page_context import PageContext
from sightline.web.render import private_html_response, render


class NavLink(NamedTuple):
    key: str
    title: str
    path: str
    icon: str
    waiting: int = 0
    """How much waits there for a person."""


class NavGroup(NamedTuple):
    """Links of the navigation below one heading; the Console has a single group without one."""

    title: str
    links: Sequence[NavLink]


# The pages of a domain, in the groups and the order of the navigation: key, title and icon. The path of a page is its
# key, except for the Overview.
DASHBOARD: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        translatable("Measure"),
        (
            ("overview", translatable("Overview"), "squares-2x2"),
            ("prompts", translatable("Prompts"), "chat-bubble-left"),
            ("answers", translatable("Answers"), "document-text"),
            ("sources", translatable("Sources"), "globe-alt"),
            ("competitors", translatable("Competitors"), "chart-bar"),
            ("sentiment", translatable("Sentiment"), "heart"),
            ("facts", translatable("Facts"), "check-badge"),
        ),
    ),
    (
        translatable("Act"),
        (
            ("recommendations", translatable("Recommendations"), "check-circle"),
            ("site-review", translatable("Site review"), "shield-check"),
            ("alerts", translatable("Alerts"), "bell"),
        ),
    ),
    (translatable("Share"), (("reports", translatable("Reports"), "presentation-chart-line"),)),
    (
        translatable("Manage"),
        (
            ("checks", translatable("Checks"), "clock"),
            ("settings", translatable("Settings"), "adjustments-horizontal"),
        ),
    ),
)
# Pages that are tabs of another page, which the navigation then marks.
TABS = {"searches": "prompts", "opportunities": "prompts"}


# The pages of the Console, with the lowest role that may open each.
CONSOLE: tuple[tuple[str, str, str, Role], ...] = (
    ("overview", translatable("Overview"), "squares-2x2", Role.VIEWER),
    ("scans", translatable("Scans"), "bolt", Role.VIEWER),
    ("domains", translatable("Domains"), "globe-alt", Role.VIEWER),
    ("credits", translatable("Credits"), "credit-card", Role.VIEWER),
    ("keys", translatable("Keys"), "key", Role.ADMIN),
    ("webhooks", translatable("Webhooks"), "code-bracket", Role.ADMIN),
    ("usage", translatable("Usage"), "chart-bar", Role.VIEWER),
)

ICONS = frozenset(
    {
        "cpu-chip",
        "magnifying-glass",
        "user-circle",
        *(icon for _, links in DASHBOARD for _, _, icon in links),
        *(icon for _, _, icon, _ in CONSOLE),
    }
)
"""The icons of all pages. Reading one from its package takes ten milliseconds."""

# The links that a phone shows in its bottom bar, for either area; the rest opens with one more tap.
_BOTTOM_BAR = frozenset({"overview", "prompts", "alerts", "checks", "scans", "credits", "keys"})


# The measuring pages: a link from one to another keeps the filter.
MEASURING = frozenset(
    {"overview", "prompts", "answers", "searches", "competitors", "sources", "sentiment", "opportunities"}
)


def render_page(
    ctx: PageContext,
    template: str,
    *,
    section: str,
    title: str,
    status: int = 200,
    problem: Problem | None = None,
    **context: Any,
) -> Response:
    """Render a page inside the layout, with `section` marked in the navigation. A refused form is its `problem`.

    Measuring pages give their filter as `bar`, or as its query string `carried`. The response is never cached: it
    belongs to one person.
    """
    bar: FilterBar | None = context.get("bar")
    navigation = build_navigation(ctx, context.get("carried", "" if bar is None else bar.carried))
    html = render(
        template,
        ctx=ctx,
        user=ctx.signed_in.user,
        is_operator=ctx.signed_in.is_operator,
        can_send_email=ctx.app_context.settings.smtp_url is not None,
        operator_email=ctx.app_context.settings.operator_email or ctx.signed_in.operator_email,
        membership=ctx.membership,
        workspaces=ctx.signed_in.workspaces,
        domain=ctx.domain,
        domains=ctx.domains,
        navigation=navigation,
        bottom_bar=[link for group in navigation for link in group.links if link.key in _BOTTOM_BAR],
        section=section,
        marked=TABS.get(section, section),
        freshness=None if ctx.domain is None else describe_freshness(ctx.domain, ctx.now),
        title=title,
        problem=problem,
        sandbox=is_sandbox(ctx.app_context.settings),
        unconnected=not find_connections(ctx.app_context.settings),
        other_mode_path=_other_mode_path(ctx, section),
        **context,
    )
    return private_html_response(html, status=status, problem=problem)


def build_navigation(ctx: PageContext, carried: str = "") -> list[NavGroup]:
    """Return the links of the area, without the pages that the role may not open."""
    if ctx.area == "console":
        links = [
            NavLink(key, gettext(title), _console_path(ctx, key), icon)
            for key, title, icon, needed in CONSOLE
            if ctx.membership.role.covers(needed)
        ]
        return [NavGroup("", links)]
    if ctx.domain is None:
        domains = NavLink("domains", gettext("Domains"), ctx.path(), "squares-2x2")
        if ctx.is_guest:
            return [NavGroup("", [domains])]
        return [NavGroup("", [domains, NavLink("console", gettext("Console"), ctx.console(), "code-bracket")])]
    return [NavGroup(gettext(group), [_link_page(ctx, *each, carried) for each in pages]) for group, pages in DASHBOARD]


def _link_page(ctx: PageContext, key: str, title: str, icon: str, carried: str) -> NavLink:
    path = ctx.path() if key == "overview" else ctx.path(key)
    return NavLink(key, gettext(title), path + (carried if key in MEASURING else ""), icon, ctx.waiting.get(key, 0))


def _console_path(ctx: PageContext, key: str, *, livemode: bool | None = None) -> str:
    return ctx.console(*([] if key == "overview" else [key]), livemode=livemode)


def _other_mode_path(ctx: PageContext, section: str) -> str:
    """Return the same section of the Console in the other mode; a detail page leads to its list."""
    key = section if section in {key for key, *_ in CONSOLE} else "overview"
    return _console_path(ctx, key, livemode=not ctx.actor.livemode)


class Freshness(NamedTuple):
    """How new the figures are: the latest check in a few words, and all checks in one line each."""

    latest: str
    lines: list[str]


def describe_freshness(domain: TrackedDomainRow, now: datetime) -> Freshness:
    """Describe which checks the figures come from and what comes next."""
    lines = []
    if domain.last_full_check_at is not None:
        lines.append(
            gettext("Full Check completed %(time)s", time=format_near_datetime(domain.last_full_check_at, now))
        )
    elif domain.last_audit_at is not None:
        lines.append(gettext("Free Audit completed %(time)s", time=format_near_datetime(domain.last_audit_at, now)))
    if domain.last_daily_check_at is not None:
        lines.append(
            gettext("Daily Check completed %(time)s", time=format_near_datetime(domain.last_daily_check_at, now))
        )
    if domain.next_check_at is not None:
        time = format_near_datetime(domain.next_check_at, now)
        if domain.next_check_scope == "full_check":
            lines.append(gettext("Next Full Check %(time)s", time=time))
        else:
            lines.append(gettext("Next Daily Check %(time)s", time=time))
    times = (domain.last_full_check_at, domain.last_daily_check_at, domain.last_audit_at)
    newest = max((each for each in times if each is not None), default=None)
    if newest is None:
        return Freshness(gettext("Not checked yet"), lines)
    return Freshness(gettext("Checked %(time)s", time=format_near_datetime(newest, now)), lines)
