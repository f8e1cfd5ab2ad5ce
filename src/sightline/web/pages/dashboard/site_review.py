"""The review of the brand's own site: who may read it, what is broken, and what people decide about it."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights import reviewed_site as insights
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.site_review import manage, queries
from sightline.site_review.agents import Agent, Purpose, read_agents
from sightline.site_review.manage import LatestReview
from sightline.site_review.models import GROUPS, AgentAccess, Group
from sightline.site_review.request import request_review
from sightline.site_review.schemas import SiteFinding, to_site_findings
from sightline.site_review.texts import GROUP_TITLES, PURPOSES, REASON_TEXTS, UNCHECKED_PARTS, UNCHECKED_TEXTS
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect

_SHOWN = 12
_DONE_TEXTS = {
    "start": translatable("The review has started. It takes a few minutes."),
    "ignore": translatable("Ignored. Later reviews do not bring it up."),
    "reopen": translatable("The finding is open again."),
}


class AgentRow(NamedTuple):
    """An agent and what it may read: everything, some cited pages not, nothing, or nobody knows."""

    agent: Agent
    access: AgentAccess
    mark: str
    words: str


class FindingGroup(NamedTuple):
    key: Group
    title: str
    rows: Sequence[SiteFinding]


@page("/w/{workspace}/d/{domain}/site-review")
async def site_review_page(
    request: PageRequest, workspace: str, domain: str, done: str = "", show: str = ""
) -> Response:
    """Show the latest review; `show` is a group whose findings are all listed."""
    return await _render(await open_domain(request, workspace, domain), done=done, show=show)


@form_action("/w/{workspace}/d/{domain}/site-review/start")
async def start_review(request: PageRequest, workspace: str, domain: str) -> Response:
    """Start a review, at most once a day."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    try:
        async with ctx.db.transaction() as tx:
            await request_review(tx, ctx.actor, ctx.domain.id, now=ctx.now)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("site-review") + "?done=start")


@form_action("/w/{workspace}/d/{domain}/site-review/findings/{finding}/{step}")
async def decide_finding(request: PageRequest, workspace: str, domain: str, finding: str, step: str) -> Response:
    """Ignore a finding or open it again. Sending it twice changes nothing."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    form = await read_form(request)
    at = (ctx.actor, ctx.domain.id, parse_id(finding))
    async with ctx.db.transaction() as tx:
        if step == "ignore":
            await insights.ignore_site_finding(tx, *at, form.text("reason")[:500], now=ctx.now)
        elif step == "reopen":
            await insights.reopen_site_finding(tx, *at)
        else:
            raise Problem("not_found")
    return redirect(ctx.path("site-review") + f"?done={step}")


async def _render(ctx: PageContext, *, done: str = "", show: str = "", problem: Problem | None = None) -> Response:
    assert ctx.domain is not None
    at = (ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    latest = await manage.read_latest_review(*at)
    rows = to_site_findings(await queries.list_findings(*at))
    by_state = {state: [row for row in rows if row.state == state] for state in ("open", "mended", "ignored")}
    return render_page(
        ctx,
        "app/site_review.html",
        section="site-review",
        title=gettext("Site review"),
        headline=_describe(latest),
        latest=latest,
        agents=_list_agents(latest),
        agents_checked=read_agents().checked,
        groups=[
            FindingGroup(group, gettext(GROUP_TITLES[group]), [row for row in by_state["open"] if row.group == group])
            for group in GROUPS
        ],
        shown=_SHOWN,
        show=show,
        mended=by_state["mended"],
        ignored=by_state["ignored"],
        unchecked=[
            (gettext(UNCHECKED_PARTS[part]), gettext(UNCHECKED_TEXTS[reason]))
            for part, reason in (latest.site.unchecked.items() if latest.site else ())
        ],
        reasons=REASON_TEXTS,
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


def _describe(latest: LatestReview) -> str:
    """Return the finding that the page opens with."""
    if latest.review is None:
        return gettext("Site review")
    if broken := latest.open["broken"]:
        return ngettext(
            "%(number)s fault on pages that answers cite",
            "%(number)s faults on pages that answers cite",
            broken,
            number=format_number(broken),
        )
    if total := sum(latest.open.values()):
        return ngettext(
            "No cited page is broken. %(number)s finding is open.",
            "No cited page is broken. %(number)s findings are open.",
            total,
            number=format_number(total),
        )
    return gettext("Nothing was found on the pages that were read.")


def _list_agents(latest: LatestReview) -> list[tuple[str, list[AgentRow]]]:
    """Return the agents by purpose, those first that read for an answer."""
    known = {agent.name: agent for agent in read_agents().agents}
    found: dict[Purpose, list[AgentRow]] = {purpose: [] for purpose in PURPOSES}
    for access in latest.site.agents if latest.site else ():
        if (agent := known.get(access.agent)) is not None:
            found[agent.purpose].append(AgentRow(agent, access, *_judge(agent, access)))
    return [(gettext(PURPOSES[purpose]), rows) for purpose, rows in found.items() if rows]


def _judge(agent: Agent, access: AgentAccess) -> tuple[str, str]:
    """Return the tone and the words: keeping training out is a choice, and no fault."""
    fault = "watch" if agent.purpose == "training" else "down"
    if access.home is None:
        return "watch", gettext("not checked")
    if not access.home:
        return fault, gettext("kept out")
    if access.blocked:
        number = len(access.blocked)
        return fault, ngettext(
            "%(number)s cited page blocked", "%(number)s cited pages blocked", number, number=format_number(number)
        )
    return "up", gettext("may read")
