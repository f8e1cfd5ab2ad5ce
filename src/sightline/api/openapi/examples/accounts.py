"""Examples of the session, the account and a new workspace."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.accounts.models import Role
from sightline.accounts.schemas import Account, Session, SessionWorkspace, SignedOut, UserProfile
from sightline.api.openapi.examples.api_keys import FIRST_KEYS
from sightline.api.openapi.examples.example import (
    USER_ID,
    WORKSPACE_ID,
    Example,
    envelope,
)
from sightline.onboarding.schemas import Bootstrap
from sightline.plans.table import Plan

_CREATED_AT = "2026-08-17T08:15:30.204117+00:00"

_ACCOUNT = Account(
    id=UUID(WORKSPACE_ID),
    name="Acme",
    company="Acme GmbH",
    billing_email="billing@acme.com",
    website="https://acme.com",
    timezone="Europe/Berlin",
    plan=Plan.AGENCY,
    created_at=_CREATED_AT,
    editor_declined=False,
)

_FIRST_ACCOUNT = msgspec.structs.replace(
    _ACCOUNT, company=None, billing_email="owner@acme.com", website=None, timezone="UTC"
)

_SESSION = Session(
    user=UserProfile(USER_ID, "owner@acme.com", "Acme Owner"),
    workspaces=[SessionWorkspace(UUID(WORKSPACE_ID), "Acme", Plan.AGENCY, Role.OWNER, billing=True, is_payer=True)],
    csrf_token="Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9f",  # noqa: S106 - made up
    expires_at="2026-11-28T09:30:00.123456+00:00",
)

_OWNER = UserProfile(USER_ID, "owner@acme.com", "Acme Owner")

_CREDENTIALS = {"email": "owner@acme.com", "password": "correct horse battery"}

EXAMPLES: Mapping[str, Example] = {
    "create_session": Example(envelope(_SESSION), _CREDENTIALS),
    "read_session": Example(envelope(_SESSION)),
    "delete_session": Example(envelope(SignedOut(deleted=True))),
    "read_account": Example(envelope(_ACCOUNT)),
    "update_account": Example(envelope(_ACCOUNT), {"company": "Acme GmbH", "timezone": "Europe/Berlin"}),
    "bootstrap_account": Example(
        envelope(Bootstrap(_OWNER, _FIRST_ACCOUNT, FIRST_KEYS)),
        {"token": "bt_Jx0dEXAMPLE", **_CREDENTIALS, "name": "Acme Owner", "workspace_name": "Acme"},
        {
            200: (
                "The user existed before: nothing was changed, and no keys are shown.",
                envelope(Bootstrap(_OWNER, _FIRST_ACCOUNT, [])),
            )
        },
    ),
}
