"""What a page of the app works with: the signed-in user, the workspace, and the domain that its URL names."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from msgspec.structs import replace

from sightline.accounts.models import Actor, Membership, Role
from sightline.accounts.page_paths import console_path, domain_path, workspace_path
from sightline.api.app_context import AppContext
from sightline.clients.look import SIGHTLINE, Look
from sightline.clients.manage import read_look
from sightline.db.engine import Database
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import list_tracked_domains, read_tracked_domain
from sightline.insights.read import count_waiting
from sightline.kit.ids import parse_id
from sightline.onboarding.sandbox_end.notices import list_sandbox_notices
from sightline.plans.table import runs_scheduled_checks
from sightline.presentation.language import gettext
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import PageRequest, SignedInRequest, require_role, require_signed_in

_MAX_SWITCHER_DOMAINS = 50


class PageContext(NamedTuple):
    """The signed-in request, narrowed down to a workspace and, on most dashboard pages, to a domain."""

    signed_in: SignedInRequest
    membership: Membership
    actor: Actor
    domain: TrackedDomainRow | None = None
    domains: Sequence[TrackedDomainRow] = ()
    """The domains that the switcher offers."""
    area: Literal["dashboard", "console"] = "dashboard"
    notices: Sequence[str] = ()
    """What an owner should know on every page, such as what ended with the sandbox."""

    waiting: Mapping[str, int] = {}
    """How much waits for a person on pages of the domain, by their key."""

    look: Look = SIGHTLINE
    """What a guest sees in the place of Sightline's sign and color."""
    look_path: str = ""

    @property
    def app_context(self) -> AppContext:
        return self.signed_in.app_context

    @property
    def db(self) -> Database:
        return self.signed_in.app_context.db

    @property
    def now(self) -> datetime:
        return self.signed_in.now

    @property
    def may_edit(self) -> bool:
        return self.membership.role.covers(Role.EDITOR)

    @property
    def may_manage(self) -> bool:
        return self.membership.role.covers(Role.ADMIN)

    @property
    def is_guest(self) -> bool:
        """Return whether the person sees the domains of single clients only, and nothing of the workspace."""
        return self.actor.clients is not None

    @property
    def runs_checks(self) -> bool:
        """Return whether the plan runs Full and Daily Checks. If not, pages must not promise what depends on them."""
        return runs_scheduled_checks(self.actor.plan)

    @property
    def base_check(self) -> str:
        """Return the name of the check that the figures of the domain are based on."""
        audited = self.domain is not None and self.domain.last_audit_at and not self.domain.last_full_check_at
        return gettext("Free Audit") if audited else gettext("Full Check")

    def console(self, *segments: str, livemode: bool | None = None) -> str:
        """Return a path below the workspace's Console, in the current mode unless `livemode` is given."""
        live = self.actor.livemode if livemode is None else livemode
        return console_path(self.membership.workspace_id, *segments, livemode=live)

    def path(self, *segments: str) -> str:
        """Return a path below the domain, or below the workspace if the page belongs to no domain."""
        if self.domain is None:
            return workspace_path(self.membership.workspace_id, *segments)
        return domain_path(self.membership.workspace_id, self.domain.id, *segments)


async def open_workspace(request: PageRequest, workspace: str, *, needs: Role = Role.VIEWER) -> PageContext:
    """Return the context of a workspace page; raise `SignInRequired` or a 404 problem for non-members.

    Refused: roles below the needed one. Pages hide what a role may not do, but its addresses can be requested.
    """
    signed_in = await require_signed_in(request)
    membership, actor = signed_in.select_workspace(workspace)
    require_role(actor, needs)
    domains = await list_tracked_domains(signed_in.app_context.db, actor, after=None, page_size=_MAX_SWITCHER_DOMAINS)
    notices = await read_notices(signed_in, membership)
    ctx = PageContext(signed_in, membership, actor, domains=domains.rows, notices=notices)
    return await _show_look(ctx, membership.clients[0]) if len(membership.clients) == 1 else ctx


async def _show_look(ctx: PageContext, client_id: uuid.UUID) -> PageContext:
    """Return the context with the look of a guest's client."""
    look = await read_look(ctx.db, ctx.actor.workspace_id, client_id)
    return ctx._replace(look=look, look_path=workspace_path(ctx.actor.workspace_id, "clients", str(client_id)))


async def read_notices(signed_in: SignedInRequest, membership: Membership | None) -> list[str]:
    """Return the notices for an owner of the workspace, or for a user who is a member of none."""
    if membership is not None and membership.role is not Role.OWNER:
        return []
    workspace_id = None if membership is None else membership.workspace_id
    return await list_sandbox_notices(
        signed_in.app_context.db,
        signed_in.user.id,
        workspace_id,
        sandbox_ended_at=signed_in.sandbox_ended_at,
        now=signed_in.now,
    )


async def open_domain(
    request: PageRequest, workspace: str, domain: str, *, needs: Role = Role.VIEWER, members_only: bool = False
) -> PageContext:
    """Return the context of a domain page; a domain of another workspace is a 404 problem.

    A guest has the role there that they were given for the domain's client, but not on pages for members only.
    """
    ctx = await open_workspace(request, workspace, needs=Role.GUEST)
    wanted = parse_id(domain)
    offered = (each for each in ctx.domains if each.id == wanted)
    found = next(offered, None) or await read_tracked_domain(ctx.db, ctx.actor, wanted)
    if members_only:
        require_role(ctx.actor, Role.VIEWER)
    role = ctx.membership.find_role(found.client_id)
    assert role is not None, "guests read the domains of their clients only"
    ctx = ctx._replace(membership=replace(ctx.membership, role=role), actor=replace(ctx.actor, role=role))
    require_role(ctx.actor, needs)
    if ctx.is_guest and found.client_id is not None and len(ctx.membership.clients) > 1:
        ctx = await _show_look(ctx, found.client_id)
    waiting = await count_waiting(ctx.db, ctx.actor.workspace_id, found.id)
    return ctx._replace(domain=found, waiting=waiting if ctx.may_edit else {"alerts": waiting["alerts"]})


async def receive_form(
    request: PageRequest, workspace: str, domain: str, *, needs: Role = Role.EDITOR
) -> tuple[PageContext, Form]:
    """Return the context of a form about a domain, and its fields."""
    return await open_domain(request, workspace, domain, needs=needs), await read_form(request)
