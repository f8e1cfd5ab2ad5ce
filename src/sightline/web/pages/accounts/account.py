"""One's own account: name, password, and where one is signed in. It belongs to the person, not to a workspace."""

from collections.abc import Iterable

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts import queries, sessions
from sightline.accounts.users import rename_user
from sightline.api.edge.auth import session_cookie
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.usage.sign_in import count_sign_in, give_back_sign_in
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.accounts.words import say_agent, say_day, say_faults, say_moment
from sightline.web.pages.console.forms import read_form
from sightline.web.render import app_page, render
from sightline.web.visits import Asked, Visit, address_of, agent_of, read_visit, require_own_form

_DONE = {
    "renamed": "Your name is changed.",
    "password": "Your password is changed. You are signed out everywhere else.",
    "ended": "The session has ended.",
    "others": "You are signed out everywhere else.",
}


@reading("/account")
async def account(request: Asked, done: FromQuery[str] = "") -> Response[str]:
    return await _page(request, await read_visit(request), done=_DONE.get(done))


@acting("/account/name")
async def rename(request: Asked) -> Response[str]:
    require_own_form(request)
    visit = await read_visit(request)
    name = (await read_form(request)).text("name")
    try:
        async with visit.app_context.db.transaction() as tx:
            await rename_user(tx, visit.user.id, name)
    except Problem as problem:
        return await _page(request, visit, problem=problem)
    return _back(request, "renamed")


@acting("/account/password")
async def change_password(request: Asked) -> Response[str]:
    """Wrong guesses count as failed sign-ins. Whoever succeeds goes on in this browser with a fresh session."""
    require_own_form(request)
    visit = await read_visit(request)
    given = await request.form()
    app_context, settings, now = visit.app_context, visit.app_context.settings, visit.now
    limit = settings.sign_in_rate_per_minute
    try:
        attempt = await count_sign_in(app_context.db, address_of(request), visit.user.email, limit=limit, now=now)
        token, ended = await sessions.change_own_password(
            app_context.db,
            visit.user,
            str(given.get("current_password", ""))[:1_000],
            str(given.get("new_password", "")),
            agent=agent_of(request),
            lifetime=settings.session_lifetime,
            now=now,
        )
    except Problem as problem:
        return await _page(request, visit, problem=problem)
    await give_back_sign_in(app_context.db, attempt, now=now)
    _forget(visit, ended)
    return _back(request, "password", session_cookie(token, settings.session_lifetime, https=settings.is_https))


@acting("/account/sessions/{session:str}/end")
async def end_session(request: Asked, session: FromPath[str]) -> Response[str]:
    require_own_form(request)
    visit = await read_visit(request)
    async with visit.app_context.db.transaction() as tx:
        digest = await sessions.end_session(tx, visit.user.id, parse_id(session))
    _forget(visit, [digest])
    return _back(request, "ended")


@acting("/account/sessions/end-others")
async def end_other_sessions(request: Asked) -> Response[str]:
    require_own_form(request)
    visit = await read_visit(request)
    async with visit.app_context.db.transaction() as tx:
        ended = await queries.delete_other_sessions(tx, visit.user.id, visit.session_digest)
    _forget(visit, ended)
    return _back(request, "others")


def _forget(visit: Visit, digests: Iterable[bytes]) -> None:
    """An ended session must not read on from copies while the database is away."""
    for digest in digests:
        visit.app_context.copies.end_credential(digest, now=visit.now)


def _back(request: Asked, done: str, cookie: str | None = None) -> Response[str]:
    asked = parse_id(request.query_params.get("from", ""))
    return go_to(f"/account?done={done}" + (f"&from={asked}" if asked else ""), cookie=cookie)


async def _page(
    request: Asked, visit: Visit, *, done: str | None = None, problem: Problem | None = None
) -> Response[str]:
    """In the frame of the workspace that the person came from; by itself for somebody who has none."""
    place = _place(visit, request.query_params.get("from", ""))
    known = await queries.list_sessions(visit.app_context.db, visit.user.id, visit.session_digest, now=visit.now)
    context = {
        "sessions": known,
        "origin": f"?from={place.membership.workspace_id}" if place else "",
        "done": done,
        "faults": say_faults(problem),
        "say_agent": say_agent,
        "say_day": say_day,
        "say_moment": say_moment,
    }
    status = problem.kind.status if problem else 200
    if place is None:
        html = render("app/account_alone.html", title="Account", user=visit.user, workspaces=[], **context)
        return app_page(html, status=status)
    return show(place, "app/account.html", here="account", title="Account", status=status, **context)


def _place(visit: Visit, asked: str) -> Place | None:
    if not visit.workspaces:
        return None
    wanted = parse_id(asked)
    chosen = next((each for each in visit.workspaces if each.workspace_id == wanted), visit.workspaces[0])
    membership, actor = visit.enter(str(chosen.workspace_id))
    return Place(visit, membership, actor)


PAGES = (account, rename, change_password, end_session, end_other_sessions)
