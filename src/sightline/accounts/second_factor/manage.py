"""Adding and removing second factors, and the way back for a person who has lost all of them.

The first factor comes with recovery codes and ends all other sessions, because they began without it. Removing the last
one removes the codes.
"""

import secrets
import uuid
from datetime import datetime

import msgspec

from sightline.accounts import queries as account_queries
from sightline.accounts.members import lock_and_read_member
from sightline.accounts.models import Actor, Role, User
from sightline.accounts.second_factor import apps, passkeys, queries
from sightline.accounts.second_factor.models import FactorKind
from sightline.accounts.second_factor.recovery_codes import clean_code, digest_code, make_codes
from sightline.accounts.security_emails import FactorChange, enqueue_factor_changed
from sightline.accounts.sign_in import queries as session_queries
from sightline.accounts.sign_in.factor import CHALLENGE_BYTES
from sightline.accounts.sign_in.models import SignedIn
from sightline.accounts.users import clean_name
from sightline.audit.record import record_audit, record_audit_of_person
from sightline.db.engine import Database, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id
from sightline.kit.sealing import SecretUnreadable
from sightline.settings import Settings

MAX_FACTORS = 20


class NewApp(msgspec.Struct, frozen=True):
    """An authenticator app that is not confirmed yet: its key, its address for a QR code, and the key as it is sent."""

    key: str
    uri: str
    sealed: str


def start_app(settings: Settings, signed_in: SignedIn, sealed: str = "") -> NewApp:
    """Return a new key for an app, or the one that was `sealed` for this session before. Nothing is stored yet."""
    sealer, row = apps.build_sealer(settings), signed_in.session_digest
    key = _open_new_key(settings, signed_in, sealed) if sealed else apps.make_key()
    return NewApp(key, apps.build_uri(key, signed_in.user.email), sealed or sealer.seal(key.encode(), row).hex())


def _open_new_key(settings: Settings, signed_in: SignedIn, sealed: str) -> str:
    try:
        return apps.build_sealer(settings).open(bytes.fromhex(sealed), signed_in.session_digest).decode()
    except (ValueError, SecretUnreadable) as error:
        raise invalid_field("code", "belongs to a form of another session; start again", "expired") from error


async def add_app(
    tx: Transaction, settings: Settings, signed_in: SignedIn, sealed: str, code: str, *, now: datetime
) -> list[str] | None:
    """Add the app whose code this is. Returns the recovery codes with the first factor.

    Refused: a wrong code, and a second app (422).
    """
    key, user_id, factor_id = _open_new_key(settings, signed_in, sealed), signed_in.user.id, new_id()
    step = apps.find_step(key, clean_code(code), now=now)
    if step is None:
        raise invalid_field("code", "is wrong; enter the six digits that the app shows now", "wrong")
    secret = apps.seal_key(settings, key, user_id, factor_id)
    return await _add(tx, settings, signed_in, factor_id, "app", "", secret, counter=step, now=now)


async def start_passkey(db: Database, settings: Settings, signed_in: SignedIn) -> str | None:
    """Return what a browser needs to make a passkey; None where browsers make none. The challenge works once."""
    host = passkeys.find_host(settings)
    if host is None:
        return None
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    await session_queries.set_challenge(db, signed_in.session_digest, challenge)
    known = await queries.list_credential_ids(db, signed_in.user.id)
    return passkeys.build_new_options(host, signed_in.user, known, challenge)


async def add_passkey(
    tx: Transaction, settings: Settings, signed_in: SignedIn, name: str, credential: str, *, now: datetime
) -> list[str] | None:
    """Add the passkey that the browser has made. Returns the recovery codes with the first factor.

    Refused: a name of no or too many characters, and a passkey that is not for this session and site (422).
    """
    name = clean_name(name)
    challenge = await session_queries.take_challenge(tx, signed_in.session_digest)
    made = passkeys.verify_new(settings, credential, challenge) if challenge else None
    if made is None:
        raise invalid_field("credential", "is not a passkey that was made here just now; try again", "wrong")
    return await _add(
        tx,
        settings,
        signed_in,
        new_id(),
        "passkey",
        name,
        made.credential_public_key,
        counter=made.sign_count,
        credential_id=made.credential_id,
        now=now,
    )


async def _add(
    tx: Transaction,
    settings: Settings,
    signed_in: SignedIn,
    factor_id: uuid.UUID,
    kind: FactorKind,
    name: str,
    secret: bytes,
    *,
    counter: int,
    credential_id: bytes | None = None,
    now: datetime,
) -> list[str] | None:
    user = signed_in.user
    await session_queries.lock_password_hash(tx, user.id)  # two first factors must not both make codes
    known = await queries.list_factors(tx, user.id)
    stored = len(known) < MAX_FACTORS and await queries.insert_factor(
        tx, user.id, factor_id, kind, name, secret, counter=counter, credential_id=credential_id, now=now
    )
    if not stored:
        field = "code" if kind == "app" else "credential"
        raise invalid_field(field, "cannot be added: you have one app at most, and each passkey once", "taken")
    await record_audit_of_person(tx, user.id, "second_factor_added", factor=kind)
    await enqueue_factor_changed(tx, settings, user, "added", now=now)
    if known:
        return None
    ended = await session_queries.delete_sessions_of_user(tx, user.id, keep=signed_in.session_digest)
    await record_audit_of_person(tx, user.id, "sessions_ended", sessions=ended)
    return await _make_codes(tx, user.id)


async def remove_factor(
    tx: Transaction, settings: Settings, user: User, factor_id: uuid.UUID | None, *, now: datetime
) -> None:
    await session_queries.lock_password_hash(tx, user.id)
    if factor_id is None or not await queries.delete_factor(tx, user.id, factor_id):
        raise Problem("not_found", "This factor was removed before.")
    if not await queries.has_factor(tx, user.id):
        await queries.delete_factors(tx, user.id)
    await record_audit_of_person(tx, user.id, "second_factor_removed")
    await enqueue_factor_changed(tx, settings, user, "removed", now=now)


async def replace_codes(tx: Transaction, settings: Settings, user: User, *, now: datetime) -> list[str]:
    """Return ten new recovery codes; the earlier ones end. Refused: a person without a second factor (409)."""
    await session_queries.lock_password_hash(tx, user.id)
    if not await queries.has_factor(tx, user.id):
        raise Problem("second_factor_missing")
    await enqueue_factor_changed(tx, settings, user, "codes", now=now)
    return await _make_codes(tx, user.id)


async def _make_codes(tx: Transaction, user_id: uuid.UUID) -> list[str]:
    codes = make_codes()
    await queries.replace_codes(tx, user_id, map(digest_code, codes))
    await record_audit_of_person(tx, user_id, "recovery_codes_made")
    return codes


# The way back after a lost device


async def reset_member_factors(
    tx: Transaction, settings: Settings, actor: Actor, user_id: uuid.UUID | None, *, now: datetime
) -> None:
    """Let an owner remove the second factors of a member who has lost them.

    Refused: anyone but an owner, the owner's own factors, and those of a person who also has access elsewhere (403):
    an owner decides about their own workspace alone, so the operator does it.
    """
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    member = user_id and await account_queries.find_member(tx, actor.workspace_id, user_id)
    if not member:
        raise Problem("not_found", "This person is no longer a member of the workspace.")
    if member.user_id == actor.user_id or await queries.has_access_elsewhere(tx, actor.workspace_id, member.user_id):
        raise Problem("second_factor_reset_refused")
    await reset_factors(tx, settings, member.user_id, "reset", now=now)


async def reset_factors(
    tx: Transaction, settings: Settings, user_id: uuid.UUID, change: FactorChange, *, now: datetime
) -> bool:
    """Remove all second factors and end all sessions; return False if there were none. The person gets an e-mail."""
    await session_queries.lock_password_hash(tx, user_id)
    user = await queries.find_user(tx, user_id)
    if user is None or not await queries.delete_factors(tx, user_id):
        return False
    ended = await session_queries.delete_sessions_of_user(tx, user_id)
    await record_audit_of_person(tx, user_id, "second_factors_reset", by_themselves=False, sessions=ended)
    await enqueue_factor_changed(tx, settings, user, change, now=now)
    return True


async def require_factor(tx: Transaction, actor: Actor, *, required: bool) -> None:
    """Let only people with a second factor open the workspace, or everyone again.

    Refused: anyone but an owner (403), and an owner who has no factor and would be locked out (409).
    """
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    if required and not await queries.has_factor(tx, actor.user_id):
        raise Problem("second_factor_missing")
    await account_queries.update_workspace(tx, actor.workspace_id, {"requires_second_factor": required})
    await record_audit(tx, actor.workspace_id, "second_factor_required_set", required=required)
