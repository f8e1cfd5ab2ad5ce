"""Signing in through an identity provider: leaving for it, and coming back with a code.

What has to be remembered between the two requests is in a sealed cookie: which provider was asked, and what only this
browser and the provider know of the sign-in. Each provider has a return address of its own, so that the answer of one
is never taken for that of another.
"""

import base64
import binascii
import hmac
import secrets
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import passwords
from sightline.accounts.invitations.accept import accept_invitations_of_address
from sightline.accounts.models import User
from sightline.accounts.security_emails import enqueue_identity_linked
from sightline.accounts.sign_in import queries as session_queries
from sightline.accounts.sign_in import waits
from sightline.accounts.sign_in.models import Browser, NewSession, PendingSignIn, SignedIn
from sightline.accounts.sign_in.recent import LIFETIME as RECENT
from sightline.accounts.sign_in.sessions import change_password, start_session
from sightline.accounts.single_sign_on import queries
from sightline.accounts.single_sign_on.models import INSTALLATION_PROVIDER, Claims, Provider, SignInRefused
from sightline.accounts.single_sign_on.protocol import Discovery, build_authorization_url, open_client
from sightline.accounts.single_sign_on.providers import load_provider
from sightline.accounts.users import create_user, find_user
from sightline.audit.record import record_audit, record_audit_of_person
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem
from sightline.kit.sealing import Sealer, SecretUnreadable
from sightline.kit.security_log import record_security_event
from sightline.settings import Settings

LIFETIME = timedelta(minutes=10)
_PURPOSE = b"sightline single sign-on 1"
_CLOCKS = timedelta(minutes=1)  # by which the clock of a provider may differ
_INSTALLATION = "installation"  # in place of the id of a workspace in addresses


class Journey(msgspec.Struct, frozen=True):
    """A sign-in that has left for its provider."""

    provider_id: uuid.UUID
    issuer: str
    state: str
    nonce: str
    verifier: str
    next_path: str
    started_at: datetime
    confirms: bytes | None = None
    """The digest of the session whose person proves again who they are; None to sign in."""


class Departure(msgspec.Struct, frozen=True):
    """Where the browser goes, and the cookie that it takes along."""

    url: str
    cookie: str


class Arrival(msgspec.Struct, frozen=True):
    """What has become of a journey: a session, a sign-in that waits for a second factor, or a confirmed session."""

    next_path: str
    started: NewSession | PendingSignIn | None


def build_return_address(settings: Settings, provider_id: uuid.UUID) -> str:
    """Return the address that is registered with the provider."""
    name = _INSTALLATION if provider_id == INSTALLATION_PROVIDER else str(provider_id)
    return f"{settings.public_url}/sign-in/sso/{name}/callback"


def parse_provider_name(name: str) -> uuid.UUID | None:
    try:
        return INSTALLATION_PROVIDER if name == _INSTALLATION else uuid.UUID(name)
    except ValueError:
        return None


async def leave(
    db: Database,
    settings: Settings,
    provider: Provider,
    *,
    email: str,
    next_path: str,
    address: str,
    confirms: bytes | None = None,
    now: datetime,
) -> Departure:
    """Return where the provider signs in the person. With `confirms`, it asks them even if it knows them.

    Refused: a provider that does not answer as one (401, 503), and an attempt during a wait (429).
    """
    async with waits.attempt_token(db, address, now=now):
        known = await _discover(db, settings, provider)
    journey = Journey(
        provider.id,
        known.issuer,
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(32),
        next_path=next_path,
        started_at=now,
        confirms=confirms,
    )
    url = build_authorization_url(
        provider,
        known,
        state=journey.state,
        nonce=journey.nonce,
        verifier=journey.verifier,
        redirect_uri=build_return_address(settings, provider.id),
        email=email,
        again=confirms is not None,
    )
    sealed = _build_sealer(settings).seal(msgspec.json.encode(journey), b"")
    return Departure(url, base64.urlsafe_b64encode(sealed).decode())


async def _discover(db: Database, settings: Settings, provider: Provider) -> Discovery:
    try:
        async with open_client(settings, of_installation=provider.workspace_id is None) as client:
            return await client.discover(provider.issuer)
    except SignInRefused as refused:
        raise await _refuse(db, provider, refused) from refused


async def arrive(
    db: Database,
    settings: Settings,
    name: str,
    query: Mapping[str, str],
    *,
    browser: Browser,
    signed_in: SignedIn | None,
    now: datetime,
) -> Arrival:
    """Complete a sign-in with what the provider sent along with the browser.

    Refused: everything that this browser did not ask this provider for in the last ten minutes, a code or token that is
    not of this sign-in, an address that is not verified or not of the provider's domains (401), a person with neither
    account nor invitation (403), and an attempt during a wait (429).
    """
    async with waits.attempt_token(db, browser.address, now=now):
        provider_id, journey = parse_provider_name(name), _open_cookie(settings, browser.journey)
        provider = await load_provider(db, settings, provider_id) if provider_id is not None else None
        if journey is None or provider is None or not _belongs(journey, provider, query, now=now):
            record_security_event("single_sign_on_refused", reason="not_started_here")
            raise Problem("single_sign_on_failed")
        try:
            claims = await _read_claims(settings, provider, journey, query, now=now)
            if journey.confirms is not None:
                await _confirm(db, provider, journey, claims, signed_in, now=now)
                return Arrival(journey.next_path, None)
            async with db.transaction() as tx:
                user = await _find_person(tx, settings, provider, journey.issuer, claims, signed_in, now=now)
                started = await start_session(
                    tx,
                    settings,
                    user.id,
                    browser=browser,
                    provider_id=provider.id,
                    confirmed_at=min(claims.authenticated_at or now - RECENT, now),
                    now=now,
                )
        except SignInRefused as refused:
            raise await _refuse(db, provider, refused) from refused
        return Arrival(journey.next_path, started)


def _belongs(journey: Journey, provider: Provider, query: Mapping[str, str], *, now: datetime) -> bool:
    return (
        journey.provider_id == provider.id
        and journey.issuer.rstrip("/") == provider.issuer.rstrip("/")  # it may have been changed meanwhile
        and hmac.compare_digest(journey.state.encode(), query.get("state", "").encode())
        and now - journey.started_at < LIFETIME
    )


async def _read_claims(
    settings: Settings, provider: Provider, journey: Journey, query: Mapping[str, str], *, now: datetime
) -> Claims:
    async with open_client(settings, of_installation=provider.workspace_id is None) as client:
        known = await client.discover(provider.issuer)
        sent = query.get("iss")  # RFC 9207
        if (sent is None and known.authorization_response_iss_parameter_supported) or sent not in {None, known.issuer}:
            raise SignInRefused("answer_of_another_issuer")
        if "error" in query or "code" not in query:
            raise SignInRefused("denied_by_provider")
        return await client.redeem(
            msgspec.structs.replace(provider, issuer=known.issuer),
            known,
            query["code"],
            verifier=journey.verifier,
            redirect_uri=build_return_address(settings, provider.id),
            nonce=journey.nonce,
            now=now,
        )


async def _confirm(
    db: Database, provider: Provider, journey: Journey, claims: Claims, signed_in: SignedIn | None, *, now: datetime
) -> None:
    """Note in the session, which began through this provider, that its person has just proved who they are."""
    if signed_in is None or signed_in.session_digest != journey.confirms or signed_in.provider_id != provider.id:
        raise SignInRefused("session_ended")
    known = await queries.find_identity_user(db, journey.issuer, claims.subject)
    if known is None or known.id != signed_in.user.id:
        raise SignInRefused("another_person")
    if claims.authenticated_at is None or claims.authenticated_at < journey.started_at - _CLOCKS:
        raise SignInRefused("not_asked_again")
    async with db.transaction() as tx:
        await session_queries.set_confirmed(tx, signed_in.session_digest, now=now)
    record_security_event("sign_in_confirmed", user_id=known.id)


async def _find_person(
    tx: Transaction,
    settings: Settings,
    provider: Provider,
    issuer: str,
    claims: Claims,
    signed_in: SignedIn | None,
    *,
    now: datetime,
) -> User:
    """Return whom the provider has signed in; at the first time, link them to their account or to an invitation."""
    if not provider.accepts(claims.email):
        raise SignInRefused("domain_not_assigned")
    known = await queries.find_identity_user(tx, issuer, claims.subject)
    user = known or await find_user(tx, claims.email)
    if user is not None and not await _may_sign_in(tx, provider, user):
        raise SignInRefused("not_for_this_provider")
    is_new = user is None
    user = user or await create_user(tx, claims.email, claims.name, passwords.NO_PASSWORD, now=now)
    if user is None:
        raise SignInRefused("account_created_meanwhile")
    joined = await accept_invitations_of_address(tx, claims.email, user.id, provider.workspace_id, now=now)
    if is_new and not joined:
        raise SignInRefused("account_missing")
    if known is None:
        await queries.insert_identity(tx, issuer, claims.subject, user.id, now=now)
        await record_audit_of_person(tx, user.id, "identity_linked")
        if not is_new:
            await _replace_password(tx, settings, user, signed_in, now=now)
    return user


async def _may_sign_in(db: Reader, provider: Provider, user: User) -> bool:
    """Return whether the provider decides about this account.

    That of a workspace decides about the people of its e-mail domains, and about no operator of the installation.
    """
    if provider.workspace_id is None:
        return True
    return provider.accepts(user.email) and not await queries.is_operator(db, user.id)


async def _replace_password(
    tx: Transaction, settings: Settings, user: User, signed_in: SignedIn | None, *, now: datetime
) -> None:
    """End the password and the sessions of an account that somebody else may have created for this address.

    A person who is signed in to the account has proved that it is theirs, and keeps the password.
    """
    keeps_password = signed_in is not None and signed_in.user.id == user.id
    if not keeps_password:
        await session_queries.lock_password_hash(tx, user.id)
        await change_password(tx, user.id, passwords.NO_PASSWORD)
    await enqueue_identity_linked(tx, settings, user, keeps_password=keeps_password, now=now)


async def _refuse(db: Database, provider: Provider, refused: SignInRefused) -> Problem:
    """Record the reason, which the person does not need and the owner does, and return the problem."""
    async with db.transaction() as tx:
        await record_audit(tx, provider.workspace_id, "single_sign_on_refused", reason=refused.reason)
    if refused.unavailable:
        return Problem("identity_provider_unavailable")
    if refused.reason == "account_missing":
        return Problem("single_sign_on_account_missing")
    return Problem("single_sign_on_failed")


def _open_cookie(settings: Settings, cookie: str | None) -> Journey | None:
    try:
        sealed = base64.urlsafe_b64decode(cookie or "")
        return msgspec.json.decode(_build_sealer(settings).open(sealed, b""), type=Journey)
    except (binascii.Error, ValueError, SecretUnreadable):
        return None


def _build_sealer(settings: Settings) -> Sealer:
    return Sealer(_PURPOSE, *settings.signing_keys)
