"""Requests for pages: who is signed in, which workspaces they belong to, and what the browser says of itself."""

import re
from datetime import datetime
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Request
from litestar.datastructures import State

from sightline.accounts.kept_forms.keep import read_form
from sightline.accounts.models import Actor, Membership, Role, User
from sightline.accounts.sign_in import sessions
from sightline.accounts.sign_in.sessions import Browser
from sightline.api.app_context import AppContext
from sightline.api.edge.same_origin import is_same_origin
from sightline.api.edge.session_cookies import find_device_token, find_session_token
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.kit.security_log import identify_caller
from sightline.presentation.dates import DEFAULT_ZONE, show_times_in
from sightline.presentation.language import write_in
from sightline.usage.rate_limit import rate_limited
from sightline.web.returned_forms import RESTORE, fill_next_page

PageRequest = Request[Any, Any, State]

_SEGMENT = r"[A-Za-z0-9._~:@-]+"
_LOCAL_PATH = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?(?:\?[!-\[\]-~]*)?")  # any visible ASCII but a backslash


class SignInRequired(Exception):
    """Nobody is signed in, or the session has ended. Signing in leads back to `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class SignedInRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a page by a user who is signed in."""

    app_context: AppContext
    user: User
    workspaces: list[Membership]
    session_digest: bytes
    path: str
    now: datetime
    is_operator: bool = False
    """The user operates the installation."""
    operator_email: str | None = None
    """Whom to ask about the installation."""
    sandbox_ended_at: datetime | None = None
    """When the first platform was connected."""

    def select_workspace(self, workspace: str, *, livemode: bool = True) -> tuple[Membership, Actor]:
        """Return the membership and actor for the workspace id of a URL; non-members get a 404 problem.

        Times of the page are in the person's time zone, or else in that of the workspace.
        """
        wanted = parse_id(workspace)
        for each in self.workspaces:
            if each.workspace_id == wanted:
                show_times_in(self.user.timezone or each.timezone)
                return each, self._actor_in(each, livemode=livemode)
        raise Problem("workspace_not_found")

    def _actor_in(self, membership: Membership, *, livemode: bool) -> Actor:
        return Actor(
            via="session",
            workspace_id=membership.workspace_id,
            user_id=self.user.id,
            role=membership.role,
            plan=membership.plan,
            livemode=livemode,
            billing=membership.billing,
        )


async def require_signed_in(request: PageRequest) -> SignedInRequest:
    """Return who is signed in; raise `SignInRequired` if nobody is.

    Refused, as in the API: an address with too many unknown sessions, and a user with too many requests (429).
    """
    app_context: AppContext = request.app.state.app_context
    token = read_browser(request).session_token
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if token is None:
        raise SignInRequired(path)
    digest, now = sessions.digest_token(token), app_context.clock()
    anonymous, address = app_context.anonymous, client_address(request)
    if not anonymous.read(address, now=now)[1] and not anonymous.is_exempt(digest, "session", now=now):
        raise rate_limited(now)
    try:
        known = await sessions.read_session(app_context.db, digest, now=now)
    except Problem as problem:
        anonymous.forget(digest, "session")
        anonymous.count(address, now=now)
        raise SignInRequired(path) from problem
    anonymous.note_recognized(digest, "session", now=now)
    identify_caller(by_user_id=known.user.id)
    if not app_context.windows.count(known.user.id, app_context.settings.session_rate_per_minute, now=now)[1]:
        raise rate_limited(now)
    await sessions.touch_session(app_context.db, app_context.settings, digest, known.seen_at, now=now)
    show_times_in(known.user.timezone or DEFAULT_ZONE)
    if known.user.language is not None:
        write_in(known.user.language)
    if RESTORE in request.query_params and request.method == "GET":
        fill_next_page(await read_form(app_context.db, app_context.settings, known.user.id, now=now))
    return SignedInRequest(
        app_context=app_context,
        user=known.user,
        workspaces=known.workspaces,
        session_digest=digest,
        path=request.url.path,
        now=now,
        is_operator=known.is_operator,
        operator_email=known.operator_email,
        sandbox_ended_at=known.sandbox_ended_at,
    )


def require_role(actor: Actor, needed: Role) -> None:
    """Refuse an actor below the needed role: pages hide such actions, but their URLs can be requested."""
    if actor.role is None or not actor.role.covers(needed):
        raise Problem("workspace_access_required", reason="role", required_role=str(needed))


def require_same_origin(request: PageRequest) -> None:
    """Refuse a form that was sent from another site, whatever cookie comes with it."""
    if not find_same_origin(request):
        raise Problem("csrf_failed")


def find_same_origin(request: PageRequest) -> bool | None:
    """Return whether the browser sent the request from one of our pages; None when it did not say."""
    return is_same_origin(
        fetch_site=request.headers.get("sec-fetch-site"),
        origin=request.headers.get("origin"),
        host=request.headers.get("host"),
        public_url=request.app.state.app_context.settings.public_url,
    )


def client_address(request: PageRequest) -> str:
    return request.client.host if request.client else "unknown"


def read_browser(request: PageRequest) -> Browser:
    """Return what the request says of its browser. The cookies may be expired or forged."""
    https, cookies = request.app.state.app_context.settings.is_https, request.headers.get("cookie", "")
    return Browser(
        client_address(request),
        request.headers.get("user-agent"),
        find_session_token(cookies, https=https),
        find_device_token(cookies, https=https),
    )


def is_local_path(path: str) -> bool:
    """Return whether the text is a path of this app, so that signing in cannot redirect to another site.

    Our paths have nothing encoded, nothing empty and no dots between slashes. A browser would read a backslash as a
    slash, and leave out a tab or a line break; therefore only what our paths are made of is accepted.
    """
    return _LOCAL_PATH.fullmatch(path) is not None and not {".", ".."} & set(path.partition("?")[0].split("/"))


def sign_in_path(path: str) -> str:
    return f"/sign-in?next={quote(path, safe='')}"
