"""Which identity provider signs in whom: choosing it by e-mail domain, configuring it, and requiring it.

An operator assigns e-mail domains to workspaces. Otherwise an owner could claim the domain of somebody else, and sign
in as its people in all of their workspaces.
"""

import re
import uuid
from datetime import datetime

import msgspec

from sightline.accounts import queries as account_queries
from sightline.accounts.members import lock_and_read_member
from sightline.accounts.models import Actor, Role
from sightline.accounts.sign_in.models import SignedIn
from sightline.accounts.single_sign_on import queries
from sightline.accounts.single_sign_on.models import (
    INSTALLATION_PROVIDER,
    Provider,
    SignInRefused,
    StoredProvider,
    find_domain,
)
from sightline.accounts.single_sign_on.protocol import open_client
from sightline.audit.record import record_audit
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.email_addresses import is_email_address
from sightline.kit.sealing import Sealer, SecretUnreadable
from sightline.settings import Settings

_PURPOSE = b"sightline identity providers 1"
_MAX_LENGTH = 500
_ISSUER = re.compile(r"https?://[^\s?#]+")


class ProviderInput(msgspec.Struct, frozen=True):
    """What an owner enters. An empty secret keeps the stored one."""

    issuer: str
    client_id: str
    client_secret: str = ""


def find_installation_provider(settings: Settings) -> Provider | None:
    if not settings.oidc_issuer or not settings.oidc_client_id or settings.oidc_client_secret is None:
        return None
    domains = frozenset(each.strip().lower() for each in settings.oidc_domains.split(",") if each.strip())
    secret = settings.oidc_client_secret.get_secret_value()
    return Provider(INSTALLATION_PROVIDER, settings.oidc_issuer, settings.oidc_client_id, secret, domains)


async def load_provider(db: Reader, settings: Settings, provider_id: uuid.UUID) -> Provider | None:
    """Return the provider as it is configured now. None without one, and without e-mail domains."""
    if provider_id == INSTALLATION_PROVIDER:
        return find_installation_provider(settings)
    stored = await queries.find_provider(db, provider_id)
    domains = await queries.list_domains(db, provider_id) if stored else []
    if stored is None or not domains:
        return None
    try:
        secret = _build_sealer(settings).open(stored.client_secret, _name_row(stored)).decode()
    except SecretUnreadable:  # the key of the installation was changed
        return None
    return Provider(provider_id, stored.issuer, stored.client_id, secret, frozenset(domains))


async def find_provider_of_address(db: Reader, settings: Settings, email: str) -> Provider | None:
    """Return the provider that signs in the person with this address."""
    workspace_id = await queries.find_workspace_of_domain(db, find_domain(email))
    if workspace_id is not None:
        return await load_provider(db, settings, workspace_id)
    provider = find_installation_provider(settings)
    return provider if provider is not None and provider.accepts(email) else None


async def has_provider(db: Reader, settings: Settings) -> bool:
    """Return whether anybody can sign in through a provider, so that the sign-in page offers it."""
    return find_installation_provider(settings) is not None or await queries.has_provider_any_workspace(db)


# Configuring


async def prepare_provider(
    db: Database, settings: Settings, actor: Actor, entered: ProviderInput, *, now: datetime
) -> StoredProvider:
    """Read what the provider says about itself, and return what to store.

    Refused: an issuer that does not answer as one, and a new issuer without its secret (422). Nothing is stored yet.
    """
    issuer, client_id = entered.issuer.strip(), entered.client_id.strip()
    if len(issuer) > _MAX_LENGTH or not _ISSUER.fullmatch(issuer):
        raise invalid_field("issuer", "must be an address such as https://login.acme.com", "url")
    if not 1 <= len(client_id) <= _MAX_LENGTH or not client_id.isprintable():
        raise invalid_field("client_id", "must have 1 to 500 characters", "length")
    if len(entered.client_secret) > _MAX_LENGTH or not entered.client_secret.isprintable():
        raise invalid_field("client_secret", "must have 1 to 500 characters", "length")
    try:
        async with open_client(settings, of_installation=False) as client:
            issuer = (await client.discover(issuer)).issuer
    except SignInRefused as refused:
        raise invalid_field(
            "issuer", f"does not answer as an identity provider ({refused.reason})", "issuer"
        ) from refused
    before = await queries.find_provider(db, actor.workspace_id)
    made = StoredProvider(actor.workspace_id, issuer, client_id, b"", now)
    if entered.client_secret:
        sealed = _build_sealer(settings).seal(entered.client_secret.encode(), _name_row(made))
    elif before is not None and before.issuer == issuer:  # a secret is never sent to another issuer
        sealed = before.client_secret
    else:
        raise invalid_field("client_secret", "must be entered for this issuer", "required")
    return msgspec.structs.replace(made, client_secret=sealed)


async def save_provider(tx: Transaction, actor: Actor, provider: StoredProvider) -> None:
    """Store the provider of the workspace. Refused: anyone but an owner (403), and while it is required (409)."""
    await _require_changeable(tx, actor)
    await queries.delete_provider(tx, actor.workspace_id)
    await queries.upsert_provider(tx, actor.workspace_id, provider)
    await record_audit(tx, actor.workspace_id, "identity_provider_set", provider.issuer)


async def remove_provider(tx: Transaction, actor: Actor) -> None:
    """Remove the provider of the workspace, so that passwords are left. Refused as for `save_provider`."""
    await _require_changeable(tx, actor)
    if await queries.delete_provider(tx, actor.workspace_id):
        await record_audit(tx, actor.workspace_id, "identity_provider_removed")


async def _require_changeable(tx: Transaction, actor: Actor) -> None:
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    workspace = await account_queries.find_workspace(tx, actor.workspace_id)
    if workspace is not None and workspace.required_provider_id == actor.workspace_id:
        raise Problem("single_sign_on_in_use")


async def require_single_sign_on(tx: Transaction, actor: Actor, signed_in: SignedIn, *, required: bool) -> None:
    """Let members open the workspace only through the provider of this session, or in any way again.

    Refused: anyone but an owner (403), and an owner who has not signed in through a provider and could be locked out
    (409).
    """
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    if required and signed_in.provider_id not in {actor.workspace_id, INSTALLATION_PROVIDER}:
        raise Problem("single_sign_on_not_used")
    await _set_requirement(tx, actor.workspace_id, signed_in.provider_id if required else None)


async def _set_requirement(tx: Transaction, workspace_id: uuid.UUID, provider_id: uuid.UUID | None) -> None:
    await account_queries.update_workspace(tx, workspace_id, {"required_provider_id": provider_id})
    await record_audit(tx, workspace_id, "single_sign_on_required_set", required=provider_id is not None)


# For operators


async def assign_domain(tx: Transaction, workspace_id: uuid.UUID, text: str, *, now: datetime) -> uuid.UUID:
    """Let a workspace sign in the people of an e-mail domain; return the workspace that has the domain now.

    A domain that another workspace has stays there.
    """
    domain = text.strip().lower().removeprefix("@")
    if not is_email_address(f"name@{domain}"):
        raise invalid_field("domain", "must be the domain of e-mail addresses, such as acme.com")
    before = set(await queries.list_domains(tx, workspace_id))
    owner = await queries.insert_domain(tx, workspace_id, domain, now=now)
    if owner == workspace_id and domain not in before:
        await record_audit(tx, workspace_id, "sign_in_domain_assigned", domain)
    return owner


async def unassign_domain(tx: Transaction, text: str) -> uuid.UUID | None:
    """End the assignment of an e-mail domain; return the workspace that had it."""
    domain = text.strip().lower().removeprefix("@")
    workspace_id = await queries.delete_domain(tx, domain)
    if workspace_id is not None:
        await record_audit(tx, workspace_id, "sign_in_domain_removed", domain)
    return workspace_id


async def end_requirement(tx: Transaction, workspace_id: uuid.UUID) -> bool:
    """Let members sign in with passwords again, because the provider is down; return False if nothing was required."""
    workspace = await account_queries.lock_workspace(tx, workspace_id)
    if workspace is None or workspace.required_provider_id is None:
        return False
    await _set_requirement(tx, workspace_id, None)
    return True


async def reseal_providers(tx: Transaction, settings: Settings) -> tuple[int, int, int]:
    """Seal every client secret with the current key of the installation.

    Return how many were sealed again, were current before, and cannot be opened. The last ones stay as they are.
    """
    sealer, resealed, current, unreadable = _build_sealer(settings), 0, 0, 0
    for stored in await queries.lock_providers_any_workspace(tx):
        if sealer.is_current(stored.client_secret, _name_row(stored)):
            current += 1
            continue
        try:
            secret = sealer.open(stored.client_secret, _name_row(stored))
        except SecretUnreadable:
            unreadable += 1
            continue
        sealed = sealer.seal(secret, _name_row(stored))
        await queries.upsert_provider(tx, stored.workspace_id, msgspec.structs.replace(stored, client_secret=sealed))
        resealed += 1
    return resealed, current, unreadable


def _build_sealer(settings: Settings) -> Sealer:
    return Sealer(_PURPOSE, *settings.signing_keys)


def _name_row(stored: StoredProvider) -> bytes:
    """Return what a secret is sealed for: in a row with another issuer it cannot be opened."""
    return stored.workspace_id.bytes + stored.issuer.encode()
