"""Schemas of a new workspace and its owner in the Console API."""

from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.schemas import (
    EXAMPLE_ACCOUNT,
    EXAMPLE_CREDENTIALS,
    EXAMPLE_USER,
    Account,
    UserProfile,
    to_account,
)
from sightline.api_keys.schemas import FIRST_EXAMPLE_KEYS, MintedKey, to_minted_key
from sightline.kit.examples import Example
from sightline.onboarding.bootstrap import BootstrapResult


class BootstrapInput(msgspec.Struct, frozen=True):
    """The workspace to create, and its owner."""

    token: Annotated[
        str,
        Meta(
            description="Bootstrap token that `sightline serve` prints on its first start.",
            min_length=1,
            max_length=200,
            examples=["bt_…"],
        ),
    ]
    email: Annotated[
        str,
        Meta(
            description="E-mail address that the owner signs in with.",
            min_length=3,
            max_length=254,
            examples=["owner@acme.com"],
            extra_json_schema={"format": "email"},
        ),
    ]
    password: Annotated[
        str,
        Meta(
            description="Password of the owner, at least 10 characters.",
            min_length=10,
            max_length=1_000,
            examples=["correct horse battery"],
        ),
    ]
    workspace_name: Annotated[
        str, Meta(description="Name of the workspace to create.", min_length=1, max_length=200, examples=["Acme"])
    ]
    name: Annotated[str, Meta(description="Display name of the owner. May be empty.", max_length=200)] = ""


class Bootstrap(msgspec.Struct, frozen=True):
    """The owner, the workspace, and the first keys, which are shown only in this response."""

    user: Annotated[UserProfile, Meta(description="The owner.")]
    workspace: Annotated[Account, Meta(description="The workspace with its profile.")]
    keys: Annotated[
        list[MintedKey],
        Meta(
            description="The first API keys: a live Console key, a test Console key and a Data key. Empty if the user "
            "existed before."
        ),
    ]


def to_bootstrap(made: BootstrapResult) -> Bootstrap:
    return Bootstrap(
        UserProfile(made.user.id, made.user.email, made.user.name),
        to_account(made.workspace),
        [to_minted_key(key, secret) for key, secret in made.keys],
    )


# Examples

_FIRST_ACCOUNT = msgspec.structs.replace(
    EXAMPLE_ACCOUNT, company=None, billing_email="owner@acme.com", website=None, timezone="UTC"
)

EXAMPLES = {
    "bootstrap_account": Example(
        Bootstrap(EXAMPLE_USER, _FIRST_ACCOUNT, FIRST_EXAMPLE_KEYS),
        {"token": "bt_Jx0dEXAMPLE", **EXAMPLE_CREDENTIALS, "name": "Acme Owner", "workspace_name": "Acme"},
        {
            200: (
                "The user existed before: nothing was changed, and no keys are shown.",
                Bootstrap(EXAMPLE_USER, _FIRST_ACCOUNT, []),
            )
        },
    ),
}
