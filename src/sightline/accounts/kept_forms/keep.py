"""Keeping a form: sealed in the sign-in page of one browser, then sealed in the database for one person."""

import base64
import hashlib
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.kept_forms import queries
from sightline.accounts.kept_forms.models import KeptForm
from sightline.db.engine import Reader, Transaction
from sightline.kit.sealing import Sealer, SecretUnreadable
from sightline.settings import Settings

MAX_BYTES = 100_000
"""A larger form is not kept."""
MAX_SEALED_LENGTH = 2 * MAX_BYTES
_LIFETIME = timedelta(hours=1)
_PURPOSE = b"sightline kept forms 1"
SECRET_FIELDS = frozenset({"password", "current_password", "new_password", "key", "token"})
"""Fields that are never kept: what people type into password fields, and tokens."""


def seal_for_browser(settings: Settings, form: KeptForm, device_token: str) -> str | None:
    """Return the form sealed for the browser that sent it; None if it is too large or nothing of it can be kept."""
    fields = {name: values for name, values in form.fields.items() if name not in SECRET_FIELDS and any(values)}
    content = msgspec.json.encode(msgspec.structs.replace(form, fields=fields))
    if not fields or len(content) > MAX_BYTES:
        return None
    return base64.urlsafe_b64encode(_build_sealer(settings).seal(content, _browser_row(device_token))).decode()


def open_for_browser(settings: Settings, text: str, device_token: str, *, now: datetime) -> KeptForm | None:
    """Return the form that was sealed for this browser; None if it is another's, too old or changed."""
    if not text or len(text) > MAX_SEALED_LENGTH:
        return None
    try:
        sealed = base64.urlsafe_b64decode(text.encode("ascii"))
        form = _decode(_build_sealer(settings).open(sealed, _browser_row(device_token)))
    except (ValueError, SecretUnreadable):
        return None
    return form if now - form.sent_at <= _LIFETIME else None


async def store_form(tx: Transaction, settings: Settings, user_id: uuid.UUID, form: KeptForm, *, now: datetime) -> None:
    """Store the form for a person, in place of an earlier one."""
    sealed = _build_sealer(settings).seal(msgspec.json.encode(form), user_id.bytes)
    await queries.replace_form(tx, user_id, sealed, expires_at=now + _LIFETIME)


async def read_form(db: Reader, settings: Settings, user_id: uuid.UUID, *, now: datetime) -> KeptForm | None:
    """Return the person's kept form; None after an hour."""
    sealed = await queries.find_form(db, user_id, now=now)
    if sealed is None:
        return None
    try:
        return _decode(_build_sealer(settings).open(sealed, user_id.bytes))
    except SecretUnreadable:
        return None


async def delete_expired_forms_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await queries.delete_expired_any_workspace(tx, now=now)


_decode = msgspec.json.Decoder(KeptForm).decode


def _build_sealer(settings: Settings) -> Sealer:
    return Sealer(_PURPOSE, *settings.signing_keys)


def _browser_row(device_token: str) -> bytes:
    return hashlib.sha256(device_token.encode()).digest()
