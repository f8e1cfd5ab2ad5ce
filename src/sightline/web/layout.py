"""The layout around every page of the app: side navigation, switchers and banners."""

from typing import Any, NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.platforms.access import find_connections, is_sandbox
from sightline.presentation.language import gettext, translatable
from sightline.web.filter_bar import FilterBar
from sightline.web.page_context import PageContext
from sightline.web.render import private_html_response, render


class NavLink(NamedTuple):
    key: str
    title: str
    path: str


# The pages of a domain in the order of the navigation: key, title, and path segments below the domain.
DASHBOARD: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("overview", translatable("Overview"), ()),
    ("prompts", translatable("Prompts"), ("prompts",)),
    ("answers", translatable("Answers"), ("answers",)),
    ("searches", translatable("Searches"), ("searches",)),
    ("competitors", translatable("Competitors"), ("competitors",)),
    ("sources", translatable("Sources"), ("sources",)),
    ("sentiment", translatable("Sentiment and themes"), ("sentiment",)),
    ("opportunities", translatable("Opportunities"), ("opportunities",)),
    ("recommendations", translatable("Recommendations"), ("recommendations",)),
    ("alerts", translatable("Alerts"), ("alerts",)),
    ("checks", translatable("Checks"), ("checks",)),
    ("reports", translatable("Reports"), ("reports",)),
    ("settings", translatable("Settings"), ("settings",)),
)


# The pages of the Console, with the lowest role that may open each.
CONSOLE: tuple[tuple[str, str, tuple[str, ...], Role], ...] = (
    ("overview", translatable("Overview"), (), Role.VIEWER),
    ("scans", translatable("Scans"), ("scans",), Role.VIEWER),
    ("domains", translatable("Domains"), ("domains",), Role.VIEWER),
    ("credits", translatable("Credits"), ("credits",), Role.VIEWER),
    ("keys", translatable("Keys"), ("keys",), Role.ADMIN),
    ("webhooks", translatable("Webhooks"), ("webhooks",), Role.ADMIN),
    ("usage", translatable("Usage"), ("usage",), Role.VIEWER),
)

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
    navigation = _build_navigation(ctx, context.get("carried", "" if bar is None else bar.carried))
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
        bottom_bar=[link for link in navigation if link.key in _BOTTOM_BAR] or _build_workspace_links(ctx),
        section=section,
        title=title,
        problem=problem,
        sandbox=is_sandbox(ctx.app_context.settings),
        unconnected=not find_connections(ctx.app_context.settings),
        other_mode_path=_other_mode_path(ctx, section),
        **context,
    )
    return private_html_response(html, status=status, problem=problem)


def _build_navigation(ctx: PageContext, carried: str) -> list[NavLink]:
    if ctx.area == "console":
        return [
            NavLink(key, gettext(title), ctx.console(*segments))
            for key, title, segments, needed in CONSOLE
            if ctx.membership.role.covers(needed)
        ]
    if ctx.domain is None:
        return []
    return [
        NavLink(key, gettext(title), ctx.path(*segments) + (carried if key in MEASURING else ""))
        for key, title, segments in DASHBOARD
    ]


def _build_workspace_links(ctx: PageContext) -> list[NavLink]:
    """Return the links of a page that belongs to no domain."""
    return [
        NavLink("domains", gettext("Domains"), ctx._replace(domain=None).path()),
        NavLink("console", gettext("Console"), ctx.console()),
    ]


def _other_mode_path(ctx: PageContext, section: str) -> str:
    """Return the same section of the Console in the other mode; a detail page leads to its list."""
    segments = next((segments for key, _, segments, _ in CONSOLE if key == section), ())
    return ctx.console(*segments, livemode=not ctx.actor.livemode)
