"""A signed-in person who looks at a page: who they are, in which workspace, and what they may do there."""

from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from litestar import Request
from litestar.datastructures import State

from sightline.accounts import sessions
from sightline.accounts.models import Actor, Membership, Role, User
from sightline.api.app_context import AppContext
from sightline.api.edge.auth import find_session_token
from sightline.api.edge.same_origin import is_same_origin
from sightline.errors import Problem
from sightline.kit.ids import parse_id

Asked = Request[Any, Any, State]


class SignInNeeded(Exception):
    """Nobody is signed in here, or not any more. Whoever signs in is brought back to `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """One request for a page."""

    app_context: AppContext
    user: User
    workspaces: list[Membership]
    session_digest: bytes
    path: str
    now: datetime

    def enter(self, workspace: str, *, livemode: bool = True) -> tuple[Membership, Actor]:
        """The workspace by the id in the address. One that the person is no member of is simply not there."""
        wanted = parse_id(workspace)
        for each in self.workspaces:
            if each.workspace_id == wanted:
                return each, self._act(each, livemode=livemode)
        raise Problem("workspace_not_found", "You are a member of no workspace at this address.")

    def _act(self, membership: Membership, *, livemode: bool) -> Actor:
        return Actor(
            via="session",
            workspace_id=membership.workspace_id,
            user_id=self.user.id,
            role=membership.role,
            plan=membership.plan,
            livemode=livemode,
            billing=membership.billing,
        )


async def read_visit(request: Asked) -> Visit:
    """Who is signed in; else `SignInNeeded`."""
    app_context: AppContext = request.app.state.app_context
    token = old_token_of(request)
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if token is None:
        raise SignInNeeded(path)
    digest, now = sessions.digest_of(token), app_context.clock()
    try:
        known = await sessions.read_session(app_context.db, digest, now=now)
    except Problem as problem:
        raise SignInNeeded(path) from problem
    await sessions.note_seen(app_context.db, digest, known.seen_at, now=now)
    return Visit(
        app_context=app_context,
        user=known.user,
        workspaces=known.workspaces,
        session_digest=digest,
        path=request.url.path,
        now=now,
    )


def require_role(actor: Actor, needed: Role) -> None:
    """A page offers only what the person may do; this is for those who come by another way."""
    if actor.role is None or not actor.role.covers(needed):
        detail = (
            f"This needs the role {needed} or above; you are {actor.role} of this workspace. An admin can change that."
        )
        raise Problem("workspace_access_required", detail, reason="role", required_role=str(needed))


def require_own_form(request: Asked) -> None:
    """A browser says where a form was. One of another site is refused, whatever cookie comes with it."""
    if not find_same_origin(request):
        raise Problem("csrf_failed", "This form was sent from another site. Open the page here and send it again.")


def find_same_origin(request: Asked) -> bool | None:
    """Return whether the browser sent the request from one of our pages; None when it did not say."""
    return is_same_origin(
        fetch_site=request.headers.get("sec-fetch-site"),
        origin=request.headers.get("origin"),
        host=request.headers.get("host"),
        public_url=request.app.state.app_context.settings.public_url,
    )


def old_token_of(request: Asked) -> str | None:
    """Of the session that the browser comes with, whether it still holds or not."""
    app_context: AppContext = request.app.state.app_context
    return find_session_token(request.headers.get("cookie", ""), https=app_context.settings.is_https)


def address_of(request: Asked) -> str:
    return request.client.host if request.client else "unknown"


def agent_of(request: Asked) -> str | None:
    return request.headers.get("user-agent")


def is_own_path(path: str) -> bool:
    """Whether a path leads to a page of ours: nobody is sent elsewhere after signing in."""
    parts = urlsplit(path)
    return path.startswith("/") and not path.startswith(("//", "/\\")) and not parts.netloc and not parts.scheme


def sign_in_path(path: str) -> str:
    return f"/sign-in?next={quote(path, safe='')}"
