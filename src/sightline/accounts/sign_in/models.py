"""Sessions, the browsers that have them, and the counts of failed attempts to sign in."""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor, Membership, Role, User
from sightline.accounts.second_factor.models import UsedFactor
from sightline.errors import Problem


class Browser(msgspec.Struct, frozen=True):
    """What a request says of the browser that sent it: its address, its `User-Agent` and its cookies."""

    address: str
    agent: str | None = None
    session_token: str | None = None
    device_token: str | None = None
    factor_token: str | None = None
    """The token of a sign-in that waits for its second factor."""
    journey: str | None = None
    """What was sealed when a sign-in left for its identity provider."""


class SignedIn(msgspec.Struct, frozen=True):
    """A live session: its user, their workspaces, and what every request needs to know of the installation."""

    session_digest: bytes
    user: User
    workspaces: list[Membership]
    expires_at: datetime
    seen_at: datetime | None
    is_operator: bool
    """The user operates the installation."""
    operator_email: str | None
    """Whom to ask about the installation: its first operator."""
    sandbox_ended_at: datetime | None
    """When the first platform was connected."""
    console_enabled: bool
    has_second_factor: bool
    confirmed_at: datetime
    """When the person last proved who they are, such as by signing in."""
    provider_id: uuid.UUID | None
    """The identity provider through which the session began; None for a password."""

    def find_membership(self, workspace_id: uuid.UUID | None) -> Membership:
        """Return the membership.

        Refused: a workspace that is closed, or that the user is not a member of (404), and one that requires a second
        factor of a user who has none, or single sign-on of somebody who signed in otherwise (403).
        """
        for each in self.workspaces:
            if each.workspace_id == workspace_id:
                if self._lacks_single_sign_on(each):
                    raise Problem("single_sign_on_required")
                if self._lacks_second_factor(each):
                    raise Problem("second_factor_setup_required")
                return each
        raise Problem("workspace_not_found")

    def may_open(self, membership: Membership) -> bool:
        return not self._lacks_single_sign_on(membership) and not self._lacks_second_factor(membership)

    def _lacks_second_factor(self, membership: Membership) -> bool:
        return membership.requires_second_factor and not self.has_second_factor

    def _lacks_single_sign_on(self, membership: Membership) -> bool:
        """Return whether the person has to sign in through the provider. Operators and guests do not have to.

        Guests come from other companies, and operators keep a way in when the provider is down.
        """
        if self.is_operator or membership.role is Role.GUEST:
            return False
        return membership.required_provider_id not in {None, self.provider_id}

    def build_actor(self, membership: Membership, *, livemode: bool) -> Actor:
        return Actor(
            via="session",
            workspace_id=membership.workspace_id,
            user_id=self.user.id,
            role=membership.role,
            plan=membership.plan,
            livemode=livemode,
            billing=membership.billing,
            clients=tuple(membership.clients) if membership.role is Role.GUEST else None,
        )


class NewSession(msgspec.Struct, frozen=True):
    """What a browser gets that has just signed in: its session, and the token by which it is known later."""

    token: str
    device: str


class PendingSignIn(msgspec.Struct, frozen=True):
    """A sign-in with the right password that waits for the second factor. It is no session and opens nothing."""

    token: str
    methods: list[UsedFactor]


class WaitingUser(msgspec.Struct, frozen=True):
    """Whose sign-in waits for a second factor, and the challenge that a passkey has to sign."""

    user_id: uuid.UUID
    challenge: bytes | None
    provider_id: uuid.UUID | None


class EmailChange(msgspec.Struct, frozen=True):
    """A change of an e-mail address that waits for its confirmations."""

    user_id: uuid.UUID
    email: str
    """The new address."""
    old_confirmed: bool
    new_confirmed: bool

    @property
    def is_confirmed(self) -> bool:
        return self.old_confirmed and self.new_confirmed


class OpenSession(msgspec.Struct, frozen=True):
    """A session as its owner sees it."""

    id: uuid.UUID
    agent: str | None
    created_at: datetime
    seen_at: datetime | None
    expires_at: datetime
    is_current: bool
    by_single_sign_on: bool


class FailureCount(msgspec.Struct, frozen=True):
    """The failed attempts of one subject, and until when it has to wait."""

    subject: uuid.UUID
    failures: float
    counted_at: datetime
    wait_until: datetime
