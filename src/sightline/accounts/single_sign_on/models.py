"""Identity providers, and what they say about a person."""

import uuid
from datetime import datetime

import msgspec

INSTALLATION_PROVIDER = uuid.UUID(int=0)
"""The id of the installation's own provider. That of a workspace's provider is the id of the workspace."""


class StoredProvider(msgspec.Struct, frozen=True):
    """The provider of a workspace, as it is stored: with a sealed secret."""

    workspace_id: uuid.UUID
    issuer: str
    client_id: str
    client_secret: bytes
    changed_at: datetime


class Provider(msgspec.Struct, frozen=True):
    """An identity provider, with what Sightline needs to be its client."""

    id: uuid.UUID
    issuer: str
    client_id: str
    client_secret: str
    domains: frozenset[str]
    """The e-mail domains whose people it signs in. Empty for an installation's provider that signs in everyone."""

    @property
    def workspace_id(self) -> uuid.UUID | None:
        return None if self.id == INSTALLATION_PROVIDER else self.id

    def accepts(self, email: str) -> bool:
        """Return whether the provider may sign in the person with this address."""
        if not self.domains:
            return self.workspace_id is None
        return find_domain(email) in self.domains


def find_domain(email: str) -> str:
    """Return the domain of an e-mail address."""
    return email.rpartition("@")[2]


class Claims(msgspec.Struct, frozen=True):
    """What a provider says about the person who has signed in there. The token was verified."""

    subject: str
    email: str
    name: str
    authenticated_at: datetime | None
    """When the person last proved who they are; None if the provider does not say."""


class SignInRefused(Exception):
    """A sign-in through a provider ends here. `reason` is a word for the audit log, and nothing from outside."""

    def __init__(self, reason: str, *, unavailable: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.unavailable = reason, unavailable
