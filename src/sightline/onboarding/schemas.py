"""Schemas of the first owner in the Console API."""

import uuid
from typing import Annotated

import msgspec

from sightline.accounts.schemas import Account, to_account
from sightline.api_keys.schemas import MintedKey, to_minted_key
from sightline.onboarding.bootstrap import BootstrapResult


class BootstrapInput(msgspec.Struct, frozen=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["bt_…"])]
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=254, examples=["owner@acme.com"])]
    password: Annotated[str, msgspec.Meta(min_length=10, max_length=1_000, examples=["correct horse battery"])]
    workspace_name: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["Acme"])]
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""


class BootstrapUser(msgspec.Struct, frozen=True):
    id: uuid.UUID
    email: str
    name: str


class Bootstrap(msgspec.Struct, frozen=True):
    """The owner, the workspace, and the first keys: shown in this response and never again."""

    user: BootstrapUser
    workspace: Account
    keys: list[MintedKey]


def to_bootstrap(made: BootstrapResult) -> Bootstrap:
    return Bootstrap(
        BootstrapUser(made.user.id, made.user.email, made.user.name),
        to_account(made.workspace),
        [to_minted_key(key, secret) for key, secret in made.keys],
    )
