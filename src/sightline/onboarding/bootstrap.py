"""Bootstrap: the holder of the one-time token that the service printed creates the first owner and workspace."""

import hashlib
import hmac
import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import queries as accounts_queries
from sightline.accounts.models import User, Workspace
from sightline.accounts.operators.grant import grant_first_operator
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.issue import NewKey, mint_key
from sightline.api_keys.models import ApiKey
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, retry_later
from sightline.kit.security_log import record_security_event
from sightline.onboarding import queries
from sightline.plans.table import DEFAULT_PLAN

TOKEN_LIFETIME = timedelta(days=7)
_PREFIX = "bt_"


class BootstrapResult(msgspec.Struct, frozen=True):
    """`keys` pairs each record with the full key; it is empty if the user already existed or no keys were requested."""

    user: User
    workspace: Workspace
    keys: list[tuple[ApiKey, str]]
    is_new: bool


async def create_token(tx: Transaction, *, now: datetime, first_owner_only: bool = False) -> str:
    """Create a token and delete unused older ones, so that exactly one link works.

    With `first_owner_only`, the unused token ends when an owner exists, however that owner was created.
    """
    token, expires_at = _PREFIX + secrets.token_urlsafe(24), now + TOKEN_LIFETIME
    await queries.delete_unused_tokens(tx)
    await queries.insert_token(tx, _digest(token), first_owner_only=first_owner_only, now=now, expires_at=expires_at)
    return token


async def create_first_token(db: Database, *, now: datetime) -> str | None:
    """Create a token for the first owner of an installation without users; return None if there are any."""
    if not await queries.is_new_installation(db):
        return None
    async with db.transaction() as tx:
        return await create_token(tx, now=now, first_owner_only=True)


async def is_token_usable(db: Reader, token: str, *, now: datetime) -> bool:
    """Return whether the token is unused and has not ended."""
    return await _find_token(db, token, now=now) == (True, None)


async def require_token(db: Reader, token: str, email: str, *, now: datetime) -> bool:
    """Return whether `bootstrap` would create a user, and so needs a password hash. Refused: what it would refuse.

    Call it before hashing: a caller without the token must not cause work.
    """
    known, used_by = await _find_token(db, token, now=now)
    if not known:
        record_security_event("bootstrap_refused")
        raise Problem("bootstrap_token_invalid")
    existing = await accounts_queries.find_user_by_email(db, email)
    _require_own_token(used_by, existing)
    return existing is None


async def _find_token(db: Reader, token: str, *, now: datetime) -> tuple[bool, uuid.UUID | None]:
    """Return whether the token is known and has not ended, and the user that it created, in constant time."""
    digest = _digest(token)
    found: tuple[bool, uuid.UUID | None] = (False, None)
    for stored, used_by in await queries.list_tokens(db, now=now):
        if hmac.compare_digest(stored, digest):
            found = True, used_by
    return found


def _require_own_token(used_by: uuid.UUID | None, existing: User | None) -> None:
    """Refuse a token that another user has used."""
    if used_by is not None and (existing is None or existing.id != used_by):
        raise Problem("bootstrap_token_invalid")


class FirstOwner(msgspec.Struct, frozen=True, kw_only=True):
    """The person who uses the token, and the name of the workspace to create."""

    email: str
    name: str
    password_hash: str | None
    """None for a user who exists."""
    workspace_name: str


async def bootstrap(
    tx: Transaction,
    token: str,
    owner: FirstOwner,
    *,
    now: datetime,
    with_operator: bool,
    with_keys: bool = True,
) -> BootstrapResult:
    """Create the user, the workspace and, with `with_keys`, the first keys, once per token.

    With `with_operator`, the user becomes the operator of an installation that had no operator yet, and no users other
    than those of the demonstration.

    A second call with the same e-mail returns the same user and workspace, but no keys, and changes nothing, not even
    the password. Refused: a token that is unknown or has ended, and one that another user has used.
    """
    known, used_by = await queries.lock_token(tx, _digest(token), now=now)
    existing = await accounts_queries.find_user_by_email(tx, owner.email)
    if not known:
        raise Problem("bootstrap_token_invalid")
    _require_own_token(used_by, existing)
    if existing is not None:
        return BootstrapResult(existing, await _find_first_workspace(tx, existing), [], is_new=False)
    if owner.password_hash is None:  # the user that `require_token` saw is gone
        raise retry_later("service_unavailable", 1)
    becomes_operator = with_operator and not await queries.has_customers(tx)
    user = await create_user(tx, owner.email, owner.name, owner.password_hash, now=now)
    if user is None:  # created by a concurrent request; the next call finds it
        raise retry_later("service_unavailable", 1)
    workspace = await create_workspace(tx, user, owner.workspace_name, DEFAULT_PLAN, now=now)
    await queries.mark_used(tx, _digest(token), user.id)
    if becomes_operator:
        await grant_first_operator(tx, user.id, now=now)
    keys = await _mint_first_keys(tx, workspace, user, now=now) if with_keys else []
    return BootstrapResult(user, workspace, keys, is_new=True)


async def _mint_first_keys(
    tx: Transaction, workspace: Workspace, user: User, *, now: datetime
) -> list[tuple[ApiKey, str]]:
    first = [
        NewKey(name="First live key", kind="console", livemode=True),
        NewKey(name="First test key", kind="console", livemode=False),
        NewKey(name="First data key", kind="data", livemode=True, scopes=["write"]),
    ]
    return [await mint_key(tx, workspace.id, user.id, new, now=now) for new in first]


async def _find_first_workspace(tx: Transaction, user: User) -> Workspace:
    memberships = await accounts_queries.list_memberships(tx, user.id)
    workspace = memberships and await accounts_queries.find_workspace(tx, memberships[0].workspace_id)
    if not workspace:
        raise Problem("workspace_not_found", "This user is not a member of any workspace.")
    return workspace


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
