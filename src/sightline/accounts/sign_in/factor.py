"""Continuing a sign-in with the second factor.

The right password starts a sign-in that waits ten minutes for the factor. Until then there is no session: the token of
the waiting sign-in is good for nothing else, and ends with the password and with all sessions.
"""

import secrets
from datetime import datetime

import msgspec

from sightline.accounts.second_factor import passkeys
from sightline.accounts.second_factor import queries as factor_queries
from sightline.accounts.second_factor.models import FactorAnswer, UsedFactor
from sightline.accounts.second_factor.verify import read_factors, use_factor
from sightline.accounts.security_emails import enqueue_factor_changed
from sightline.accounts.sign_in import devices, queries, waits
from sightline.accounts.sign_in.models import Browser, NewSession, SignedIn, WaitingUser
from sightline.accounts.sign_in.sessions import digest_token, open_session, read_session, tell_about_new_browser
from sightline.audit.record import record_audit_of_person
from sightline.db.engine import Database, Reader
from sightline.errors import Problem
from sightline.settings import Settings

CHALLENGE_BYTES = 32


class FactorQuestion(msgspec.Struct, frozen=True):
    """What the page asks for: the methods of the person, and what a browser needs to use a passkey."""

    methods: list[UsedFactor]
    passkey_options: str | None


async def ask_for_factor(db: Database, settings: Settings, token: str | None, *, now: datetime) -> FactorQuestion:
    """Return how the sign-in can be continued, with a fresh challenge. Refused: one that does not wait (401)."""
    waiting = await _read_waiting(db, token, now=now)
    assert token is not None
    state, host = await read_factors(db, waiting.user_id), passkeys.find_host(settings)
    if host is None or "passkey" not in state.methods:
        return FactorQuestion(state.methods, None)
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    await queries.set_pending_challenge(db, digest_token(token), challenge)
    known = await factor_queries.list_credential_ids(db, waiting.user_id)
    return FactorQuestion(state.methods, passkeys.build_options(host, known, challenge))


async def continue_sign_in(
    db: Database, settings: Settings, token: str | None, answer: FactorAnswer, *, browser: Browser, now: datetime
) -> tuple[NewSession, SignedIn]:
    """Verify the second factor and open the session.

    Refused: a sign-in that does not wait, a wrong answer (401), and an attempt during a wait (429).
    """
    waiting = await _read_waiting(db, token, now=now)
    user_id, digest = waiting.user_id, digest_token(token or "")
    async with waits.attempt_factor(db, user_id, now=now):
        opened = None
        async with db.transaction() as tx:
            await queries.lock_password_hash(tx, user_id)  # nobody changes the password meanwhile
            used = await use_factor(tx, settings, user_id, answer, challenge=waiting.challenge, now=now)
            if used is not None:
                if not await queries.delete_pending(tx, digest, now=now):
                    raise Problem("sign_in_expired")
                await record_audit_of_person(tx, user_id, "second_factor_used", factor=used)
                opened = await open_session(
                    tx, settings, user_id, browser=browser, provider_id=waiting.provider_id, now=now
                )
        if opened is None:
            async with db.transaction() as tx:
                await record_audit_of_person(tx, user_id, "second_factor_failed", by_themselves=False)
            raise Problem("second_factor_failed")
    signed_in = await read_session(db, digest_token(opened.token), now=now)
    if used == "recovery_code":
        async with db.transaction() as tx:
            await enqueue_factor_changed(tx, settings, signed_in.user, "code_used", now=now)
    device = browser.device_token
    if not await devices.is_known_device(db, signed_in.user.email, device, *settings.signing_keys, now=now):
        await tell_about_new_browser(db, settings, signed_in.user, now=now)
    return opened, signed_in


async def _read_waiting(db: Reader, token: str | None, *, now: datetime) -> WaitingUser:
    waiting = await queries.find_pending(db, digest_token(token), now=now) if token else None
    if waiting is None:
        raise Problem("sign_in_expired")
    return waiting
