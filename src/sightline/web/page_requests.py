"""Requests for pages: who is signed in, what they may do, and where signing in leads back to."""

import re
from datetime import datetime
from urllib.parse import quote

from sightline.accounts.models import Actor, Membership, Role
from sightline.accounts.sign_in.models import SignedIn
from sightline.api.app_context import AppContext
from sightline.api.edge.authentication import identify_user
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.routes import RouteMatch
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.kit.security_log import identify_caller
from sightline.kit.structs import convert_struct
from sightline.presentation.dates import DEFAULT_ZONE, show_times_in
from sightline.presentation.language import write_in
from sightline.web.form_parsing import PageRequest as PageRequest  # noqa: PLC0414 - pages import it from here

_SEGMENT = r"[A-Za-z0-9._~:@-]+"
_LOCAL_PATH = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?(?:\?[!-\[\]-~]*)?")  # any visible ASCII but a backslash


class SignInRequired(Exception):
    """Nobody is signed in, or the session has ended. Signing in leads back to `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class SignedInRequest(SignedIn, frozen=True, kw_only=True):
    """A request for a page by a user who is signed in."""

    app_context: AppContext
    path: str
    now: datetime

    def select_workspace(self, workspace: str, *, livemode: bool = True) -> tuple[Membership, Actor]:
        """Return the membership and actor for the workspace id of a URL; non-members get a 404 problem.

        Times of the page are in the person's time zone, or else in that of the workspace.
        """
        membership = self.find_membership(parse_id(workspace))
        show_times_in(self.user.timezone or membership.timezone)
        return membership, self.build_actor(membership, livemode=livemode)


def open_exchange(request: PageRequest) -> Exchange:
    """Return the request as the edge knows it, whose rules about callers and browsers hold for pages, too."""
    return Exchange(request.scope, None, RouteMatch(None), request.app.state.app_context)


async def require_signed_in(request: PageRequest) -> SignedInRequest:
    """Return who is signed in; raise `SignInRequired` if nobody is. Refused: too many requests (429)."""
    exchange = open_exchange(request)
    try:
        signed_in = await identify_user(exchange)
    except Problem as problem:
        if problem.kind.status != 401:
            raise
        query = f"?{request.url.query}" if request.url.query else ""
        raise SignInRequired(request.url.path + query) from problem
    user = signed_in.user
    identify_caller(by_user_id=user.id)
    show_times_in(user.timezone or DEFAULT_ZONE)
    if user.language is not None:
        write_in(user.language)
    return convert_struct(
        SignedInRequest, signed_in, app_context=exchange.app_context, path=request.url.path, now=exchange.now
    )


def require_role(actor: Actor, needed: Role) -> None:
    """Refuse an actor below the needed role: pages hide such actions, but their URLs can be requested."""
    if actor.role is None or not actor.role.covers(needed):
        raise Problem("workspace_access_required", reason="role", required_role=str(needed))


def is_local_path(path: str) -> bool:
    """Return whether the text is a path of this app, so that signing in cannot redirect to another site.

    Our paths have nothing encoded, nothing empty and no dots between slashes. A browser would read a backslash as a
    slash, and leave out a tab or a line break; therefore only what our paths are made of is accepted.
    """
    return _LOCAL_PATH.fullmatch(path) is not None and not {".", ".."} & set(path.partition("?")[0].split("/"))


def sign_in_path(path: str, *, unsent: bool = False) -> str:
    """Return the path of the sign-in page, which leads back. `unsent` says that a form was not sent."""
    return f"/sign-in?next={quote(path, safe='')}" + ("&unsent=yes" if unsent else "")
