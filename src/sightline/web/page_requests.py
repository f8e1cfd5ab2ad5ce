"""Requests for pages: who is signed in, what they may do, and where signing in leads back to."""

from datetime import datetime
from urllib.parse import quote

from sightline.accounts.models import Actor, Membership, Role
from sightline.accounts.second_factor.models import FactorAnswer
from sightline.accounts.sign_in.models import SignedIn
from sightline.accounts.sign_in.recent import ConfirmQuestion, Proof, ask_to_confirm, confirm, is_recent
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
from sightline.web.form_parsing import FormFields
from sightline.web.form_parsing import PageRequest as PageRequest  # noqa: PLC0414 - pages import it from here

CONFIRM_PREFIX = "confirm_"
"""The fields of a form that prove who sends it."""


class SignInRequired(Exception):
    """Nobody is signed in, or the session has ended. Signing in leads back to `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class ConfirmationRequired(Exception):
    """The person has to prove who they are. `problem` says what was wrong with a proof that was sent."""

    def __init__(self, question: ConfirmQuestion, email: str, problem: Problem | None) -> None:
        super().__init__(problem)
        self.question, self.email, self.problem = question, email, problem


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
    identify_caller(by_user_id=user.id, address=exchange.client_address)
    show_times_in(user.timezone or DEFAULT_ZONE)
    if user.language is not None:
        write_in(user.language)
    if request.needs_recent_sign_in:
        await _require_recent(request, exchange, signed_in)
    return convert_struct(
        SignedInRequest, signed_in, app_context=exchange.app_context, path=request.url.path, now=exchange.now
    )


async def _require_recent(request: PageRequest, exchange: Exchange, signed_in: SignedIn) -> None:
    """Verify the proof that a form brings, and take it out of its fields. Without one, ask for it."""
    form = await request.form() if request.method == "POST" else FormFields()
    sent = {name: str(value) for name, value in form.items() if name.startswith(CONFIRM_PREFIX)}
    request.parsed_form = FormFields([each for each in form.multi_items() if each[0] not in sent])
    if is_recent(signed_in, now=exchange.now):
        return
    db, settings, problem = exchange.app_context.db, exchange.app_context.settings, None
    password, code, passkey = (sent.get(CONFIRM_PREFIX + name, "") for name in ("password", "code", "passkey"))
    proof = Proof(password, FactorAnswer(code, passkey))
    if proof:
        try:
            await confirm(db, settings, signed_in, proof, address=exchange.client_address, now=exchange.now)
        except Problem as refused:
            problem = refused
        else:
            return
    raise ConfirmationRequired(await ask_to_confirm(db, settings, signed_in), signed_in.user.email, problem)


def require_role(actor: Actor, needed: Role) -> None:
    """Refuse an actor below the needed role: pages hide such actions, but their URLs can be requested."""
    if actor.role is None or not actor.role.covers(needed):
        raise Problem("workspace_access_required", reason="role", required_role=str(needed))


def sign_in_path(path: str, *, unsent: bool = False) -> str:
    """Return the path of the sign-in page, which leads back. `unsent` says that a form was not sent."""
    return f"/sign-in?next={quote(path, safe='')}" + ("&unsent=yes" if unsent else "")
