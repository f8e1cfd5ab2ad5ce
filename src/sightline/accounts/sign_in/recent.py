"""Recent sign-in: what changes who has access needs a proof of the person from the last 15 minutes.

A person who is signed in proves it again with the password, with a code of their app, with a passkey, or through the
identity provider with which they signed in. API keys are not asked.
"""

import secrets
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import passwords
from sightline.accounts.second_factor import passkeys
from sightline.accounts.second_factor import queries as factor_queries
from sightline.accounts.second_factor.models import FactorAnswer
from sightline.accounts.second_factor.verify import read_factors, use_factor
from sightline.accounts.sign_in import queries, waits
from sightline.accounts.sign_in.factor import CHALLENGE_BYTES
from sightline.accounts.sign_in.models import SignedIn
from sightline.audit.record import record_audit_of_person
from sightline.db.engine import Database
from sightline.errors import Problem
from sightline.kit.security_log import record_security_event
from sightline.settings import Settings

LIFETIME = timedelta(minutes=15)


class Proof(msgspec.Struct, frozen=True):
    """What a person sends to prove who they are: one of these is enough."""

    password: str = ""
    answer: FactorAnswer = FactorAnswer()

    def __bool__(self) -> bool:
        return bool(self.password or self.answer.code or self.answer.passkey)


class ConfirmQuestion(msgspec.Struct, frozen=True):
    """What the page offers: a password, a code, single sign-on, and what a browser needs to use a passkey."""

    with_password: bool
    with_code: bool
    with_single_sign_on: bool
    passkey_options: str | None


def is_recent(signed_in: SignedIn, *, now: datetime) -> bool:
    return now - signed_in.confirmed_at < LIFETIME


def require_recent(signed_in: SignedIn, *, now: datetime) -> None:
    """Refuse with 403 a session whose last proof of the person is older than 15 minutes."""
    if not is_recent(signed_in, now=now):
        raise Problem("reauthentication_required")


async def ask_to_confirm(db: Database, settings: Settings, signed_in: SignedIn) -> ConfirmQuestion:
    """Return how the person can prove who they are, with a fresh challenge for a passkey."""
    state, host = await read_factors(db, signed_in.user.id), passkeys.find_host(settings)
    stored = await queries.find_password_hash(db, signed_in.user.id)
    question = ConfirmQuestion(
        stored != passwords.NO_PASSWORD, "app" in state.methods, signed_in.provider_id is not None, None
    )
    if host is None or "passkey" not in state.methods:
        return question
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    await queries.set_challenge(db, signed_in.session_digest, challenge)
    known = await factor_queries.list_credential_ids(db, signed_in.user.id)
    return msgspec.structs.replace(question, passkey_options=passkeys.build_options(host, known, challenge))


async def confirm(
    db: Database, settings: Settings, signed_in: SignedIn, proof: Proof, *, address: str, now: datetime
) -> None:
    """Verify the proof, and note it in the session. Refused: a wrong one (403), and an attempt during a wait (429)."""
    user, proven = signed_in.user, False
    if proof.password:
        attempt = waits.attempt_sign_in(db, address, user.email, now=now)
    else:
        attempt = waits.attempt_factor(db, user.id, now=now)
    async with attempt:
        if proof.password:
            stored = await queries.find_password_hash(db, user.id)
            proven = await passwords.verify_password(stored, proof.password)
        async with db.transaction() as tx:
            if not proven:
                challenge = await queries.take_challenge(tx, signed_in.session_digest)
                proven = not proof.password and (
                    await use_factor(
                        tx, settings, user.id, proof.answer, challenge=challenge, with_recovery=False, now=now
                    )
                    is not None
                )
            if proven:
                await queries.set_confirmed(tx, signed_in.session_digest, now=now)
        if not proven:
            async with db.transaction() as tx:
                await record_audit_of_person(tx, user.id, "confirmation_failed")
            raise Problem("confirmation_failed")
    record_security_event("sign_in_confirmed", user_id=user.id)
