"""Verifying an answer to the question for a second factor, whichever kind it is."""

import uuid
from datetime import datetime

from sightline.accounts.second_factor import queries
from sightline.accounts.second_factor.apps import use_code
from sightline.accounts.second_factor.models import FactorAnswer, FactorState, UsedFactor
from sightline.accounts.second_factor.passkeys import use_passkey
from sightline.accounts.second_factor.recovery_codes import clean_code, digest_code, is_recovery_code
from sightline.db.engine import Reader, Transaction
from sightline.settings import Settings


async def read_factors(db: Reader, user_id: uuid.UUID) -> FactorState:
    return FactorState(await queries.list_factors(db, user_id), await queries.count_codes(db, user_id))


async def use_factor(
    tx: Transaction,
    settings: Settings,
    user_id: uuid.UUID,
    answer: FactorAnswer,
    *,
    challenge: bytes | None,
    with_recovery: bool = True,
    now: datetime,
) -> UsedFactor | None:
    """Return the kind of factor that the answer proves, and use it up; None for a wrong answer.

    A code works once. A passkey has to sign `challenge`, which the caller uses up.
    """
    if answer.passkey:
        proven = challenge is not None and await use_passkey(tx, settings, user_id, answer.passkey, challenge, now=now)
        return "passkey" if proven else None
    code = clean_code(answer.code)
    if is_recovery_code(code):
        return "recovery_code" if with_recovery and await queries.delete_code(tx, user_id, digest_code(code)) else None
    return "app" if code and await use_code(tx, settings, user_id, code, now=now) else None
