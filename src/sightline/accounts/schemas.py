"""Schemas of the account and the session in the Console API."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.accounts.models import Role, Workspace
from sightline.accounts.sign_in.models import SignedIn
from sightline.accounts.sign_in.recent import LIFETIME
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import USER_ID, WORKSPACE_ID, Example
from sightline.kit.structs import convert_struct
from sightline.plans.table import Plan

ShortText = Annotated[str, Meta(max_length=254)]
RequiredText = Annotated[str, Meta(min_length=1, max_length=254)]
Url = Annotated[str, Meta(max_length=2_048)]


class ProfileChanges(msgspec.Struct, omit_defaults=True):
    """Changes to a workspace's profile. A field that you leave out does not change."""

    name: Annotated[RequiredText | msgspec.UnsetType, Meta(description="Display name of the workspace.")] = (
        msgspec.UNSET
    )
    company: Annotated[
        ShortText | msgspec.UnsetType | None, Meta(description="Legal name for invoices. Null clears it.")
    ] = msgspec.UNSET
    billing_email: Annotated[
        ShortText | msgspec.UnsetType | None, Meta(description="Address that invoices are sent to. Null clears it.")
    ] = msgspec.UNSET
    website: Annotated[
        Url | msgspec.UnsetType | None,
        Meta(description="Website of the company, an http or https URL. Null clears it."),
    ] = msgspec.UNSET
    timezone: Annotated[
        RequiredText | msgspec.UnsetType,
        Meta(description="Name from the IANA time zone database, such as `Europe/Berlin`."),
    ] = msgspec.UNSET
    editor_declined: Annotated[
        bool | msgspec.UnsetType,
        Meta(description="True if no language model may edit insights: rules alone then find and word them."),
    ] = msgspec.UNSET


class Account(msgspec.Struct, frozen=True):
    """The profile of the workspace that the key or session acts in."""

    id: Annotated[uuid.UUID, Meta(description="Id of the workspace.")]
    name: Annotated[str, Meta(description="Display name of the workspace.")]
    company: Annotated[str | None, Meta(description="Legal name for invoices. Null if none is set.")]
    billing_email: Annotated[str | None, Meta(description="Address that invoices are sent to. Null if none is set.")]
    website: Annotated[
        str | None, Meta(description="Website of the company, an http or https URL. Null if none is set.")
    ]
    timezone: Annotated[str, Meta(description="Name from the IANA time zone database, such as `Europe/Berlin`.")]
    plan: Annotated[Plan, Meta(description="Plan of the workspace.")]
    created_at: Annotated[Timestamp, Meta(description="When the workspace was created.")]
    editor_declined: Annotated[
        bool, Meta(description="Whether the workspace has declined that a language model edits its insights.")
    ]


def to_account(workspace: Workspace) -> Account:
    return convert_struct(Account, workspace, created_at=to_iso(workspace.created_at))


class Credentials(msgspec.Struct, frozen=True):
    """E-mail address and password to sign in with."""

    email: Annotated[
        str, Meta(description="E-mail address of the user.", min_length=3, max_length=254, examples=["owner@acme.com"])
    ]
    password: Annotated[
        str,
        Meta(description="Password of the user.", min_length=1, max_length=1_000, examples=["correct horse battery"]),
    ]


class FactorInput(msgspec.Struct, frozen=True):
    """The second factor of a sign-in that has begun with `POST /session`."""

    factor_token: Annotated[
        str,
        Meta(
            description="`factor_token` of the problem `second_factor_required`.",
            min_length=1,
            max_length=100,
            examples=["Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9fQ4tR6wX8zA1"],
        ),
    ]
    code: Annotated[
        str,
        Meta(
            description="Six digits of the authenticator app, or a recovery code.",
            min_length=6,
            max_length=100,
            examples=["492039"],
        ),
    ]


class ConfirmInput(msgspec.Struct, frozen=True):
    """A proof of the person: the password, or a code of the authenticator app."""

    password: Annotated[str, Meta(description="Password of the user.", max_length=1_000)] = ""
    code: Annotated[str, Meta(description="Six digits of the authenticator app.", max_length=100)] = ""


class UserProfile(msgspec.Struct, frozen=True):
    """A user, as the user sees it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the user.")]
    email: Annotated[str, Meta(description="E-mail address that the user signs in with.")]
    name: Annotated[str, Meta(description="Display name of the user.")]


class SessionWorkspace(msgspec.Struct, frozen=True):
    """A workspace of the user, with the user's role in it."""

    id: Annotated[
        uuid.UUID, Meta(description="Id of the workspace. Send it as `X-Workspace-Id` to act in this workspace.")
    ]
    name: Annotated[str, Meta(description="Display name of the workspace.")]
    plan: Annotated[Plan, Meta(description="Plan of the workspace.")]
    role: Annotated[Role, Meta(description="Role of the user in this workspace.")]
    billing: Annotated[
        bool, Meta(description="Whether the user has billing permission. Only a member with it can become the payer.")
    ]
    is_payer: Annotated[
        bool, Meta(description="Whether the user pays for the workspace. Only the payer can buy credits.")
    ]


class Session(msgspec.Struct, frozen=True):
    """A session. Send `csrf_token` as `X-CSRF-Token` with writes that do not come from Sightline's own pages."""

    user: Annotated[UserProfile, Meta(description="The user who is signed in.")]
    workspaces: Annotated[list[SessionWorkspace], Meta(description="Workspaces that the user is a member of.")]
    csrf_token: Annotated[str, Meta(description="Token to send as `X-CSRF-Token` with writes that use the session.")]
    expires_at: Annotated[
        Timestamp,
        Meta(
            description="When the session ends unless it is used again. Each use postpones this time, up to the "
            "session's maximum lifetime."
        ),
    ]
    signed_in_by: Annotated[
        Literal["password", "single_sign_on"],
        Meta(description="How the session began. Either may be followed by a second factor."),
    ]
    confirmed_until: Annotated[
        Timestamp,
        Meta(
            description="Until when the session may change keys. After that, such a request gets 403 "
            "`reauthentication_required`, and `POST /session/confirm` moves this time."
        ),
    ]


class SignedOut(msgspec.Struct, frozen=True):
    """Confirmation that the session has ended."""

    deleted: Annotated[bool, Meta(description="Always true.")]


def to_session(signed_in: SignedIn, csrf_token: str) -> Session:
    user = signed_in.user
    return Session(
        user=UserProfile(user.id, user.email, user.name),
        workspaces=[
            SessionWorkspace(m.workspace_id, m.name, m.plan, m.role, m.billing, m.is_payer)
            for m in signed_in.workspaces
        ],
        csrf_token=csrf_token,
        expires_at=to_iso(signed_in.expires_at),
        signed_in_by="password" if signed_in.provider_id is None else "single_sign_on",
        confirmed_until=to_iso(signed_in.confirmed_at + LIFETIME),
    )


# Examples

EXAMPLE_USER = UserProfile(USER_ID, "owner@acme.com", "Acme Owner")
EXAMPLE_ACCOUNT = Account(
    id=WORKSPACE_ID,
    name="Acme",
    company="Acme GmbH",
    billing_email="billing@acme.com",
    website="https://acme.com",
    timezone="Europe/Berlin",
    plan=Plan.AGENCY,
    created_at="2026-08-17T08:15:30.204117+00:00",
    editor_declined=False,
)

_SESSION = Session(
    user=EXAMPLE_USER,
    workspaces=[SessionWorkspace(WORKSPACE_ID, "Acme", Plan.AGENCY, Role.OWNER, billing=True, is_payer=True)],
    csrf_token="Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9f",  # noqa: S106 - made up
    expires_at="2026-11-28T09:30:00.123456+00:00",
    signed_in_by="password",
    confirmed_until="2026-11-21T09:45:00.123456+00:00",
)

EXAMPLE_CREDENTIALS = {"email": "owner@acme.com", "password": "correct horse battery"}

EXAMPLES = {
    "create_session": Example(_SESSION, EXAMPLE_CREDENTIALS),
    "continue_session": Example(
        _SESSION, {"factor_token": "Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9fQ4tR6wX8zA1", "code": "492039"}
    ),
    "confirm_session": Example(_SESSION, {"password": "correct horse battery"}),
    "read_session": Example(_SESSION),
    "delete_session": Example(SignedOut(deleted=True)),
    "read_account": Example(EXAMPLE_ACCOUNT),
    "update_account": Example(EXAMPLE_ACCOUNT, {"company": "Acme GmbH", "timezone": "Europe/Berlin"}),
}
