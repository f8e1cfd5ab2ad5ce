"""Connecting and disconnecting platforms: validating what an operator enters, and storing it sealed."""

import re
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlsplit

import msgspec

from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.security_log import record_security_event
from sightline.platforms import access
from sightline.platforms.connections import queries
from sightline.platforms.connections.load import build_sealer, load_settings_with
from sightline.platforms.connections.models import SavedCredential, SavedOptions
from sightline.platforms.pricing import Prices
from sightline.settings import Settings

LOCAL_VENDOR = "compatible"
_HINT_LENGTH = 4
_SHORTEST_HINTED = 12
"""A shorter key gets no hint, because four characters would reveal too much of it."""
_MAX_KEY_LENGTH = 1_000
_MODEL = re.compile(r"[\w./:@+-]{1,200}")
_NO_SPACE = re.compile(r"[!-~]+")


class CredentialInput(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator enters for a vendor. An empty key keeps the saved one, an empty model means the default."""

    key: str = ""
    login: str = ""
    """Only for DataForSEO, whose key is a password."""
    base_url: str = ""
    model: str = ""

    def __repr__(self) -> str:
        return "CredentialInput(…)"


def setting_of(vendor: str, part: str) -> str:
    """Return the name of a vendor's setting, such as `openai_api_key`."""
    if vendor == "dataforseo" and part == "api_key":
        return "dataforseo_password"
    return f"{'local' if vendor == LOCAL_VENDOR else vendor}_{part}"


async def prepare_credential(
    db: Reader, settings: Settings, vendor: str, entered: CredentialInput, *, now: datetime
) -> tuple[SavedCredential, Settings]:
    """Return what would be saved, and the settings as they would be then, to test them before anything is saved.

    Refused: what the environment sets, a missing or malformed key, address or model, and a new address for a saved key:
    the person who changes the address would receive the key (422).
    """
    try:
        return await _prepare(db, settings, vendor, entered, now=now)
    except Problem:
        record_security_event("platform_connection_refused", vendor=vendor, reason="invalid")
        raise


async def _prepare(
    db: Reader, settings: Settings, vendor: str, entered: CredentialInput, *, now: datetime
) -> tuple[SavedCredential, Settings]:
    if settings.is_set_by_environment(setting_of(vendor, "base_url" if vendor == LOCAL_VENDOR else "api_key")):
        raise invalid_field(
            "key", "is set by an environment variable, which takes precedence; change it there", "environment"
        )
    saved = await queries.find_credential(db, vendor)
    base_url = _clean_address(entered.base_url) if vendor == LOCAL_VENDOR else None
    sealed, hint = (saved.sealed, saved.hint) if saved else (None, "")
    if entered.key:
        key = _clean_key(entered.key, "key")
        if vendor == "dataforseo":
            key = f"{_clean_key(entered.login, 'login')}:{key}"
        sealed, hint = build_sealer(settings).seal(key.encode(), vendor.encode()), make_hint(key)
    elif sealed is None and vendor != LOCAL_VENDOR:
        raise invalid_field("key", "enter a key", "required")
    elif saved is not None and saved.sealed is not None and base_url != saved.base_url:
        raise invalid_field("key", "enter the key again: a new address would receive the saved one", "required")
    draft = SavedCredential(vendor, sealed, hint, base_url, _clean_model(entered.model), now)
    return draft, await load_settings_with(db, settings, draft)


def make_hint(key: str) -> str:
    """Return the last four characters of a key, or nothing if it is short."""
    return key[-_HINT_LENGTH:] if len(key) >= _SHORTEST_HINTED else ""


async def save_credential(tx: Transaction, draft: SavedCredential) -> None:
    await queries.replace_credential(tx, draft)
    await record_audit(tx, None, "platform_connected", vendor=draft.vendor)


async def disconnect_vendor(tx: Transaction, vendor: str) -> bool:
    """Delete everything that was saved for a vendor, its key included; return False if nothing was."""
    if not await queries.delete_credential(tx, vendor):
        return False
    await record_audit(tx, None, "platform_disconnected", vendor=vendor)
    return True


async def list_credentials(db: Reader) -> dict[str, SavedCredential]:
    """Return what is saved, by vendor. Keys are sealed."""
    return {each.vendor: each for each in await queries.list_credentials(db)}


async def list_options(db: Reader) -> dict[str, SavedOptions]:
    return {each.platform: each for each in await queries.list_options(db)}


async def save_options(
    tx: Transaction, platform: str, prices: Prices | None, monthly_limit_usd: Decimal | None, *, now: datetime
) -> None:
    """Save prices and the monthly limit of a platform; None removes them."""
    document = None if prices is None else msgspec.json.encode(prices).decode()
    await queries.replace_options(tx, platform, document, monthly_limit_usd, now=now)
    await record_audit(tx, None, "platform_options_changed", platform=platform)


async def save_surface(tx: Transaction, settings: Settings, platform: str, surface: str, *, now: datetime) -> None:
    """Save on which surface a platform is asked; empty means the default. New trends start with the next check.

    Refused: what the environment sets, and a surface that is not connected (422).
    """
    if settings.is_set_by_environment("platform_surfaces"):
        raise invalid_field("surface", "is set by SIGHTLINE_PLATFORM_SURFACES; change it there", "environment")
    connected = access.list_surfaces(settings, platform)
    if surface and surface not in connected:
        raise invalid_field(
            "surface", f"must be one of the connected ones: {', '.join(connected) or 'none'}", "not_connected"
        )
    await queries.set_surface(tx, platform, surface or None, now=now)
    await record_audit(tx, None, "platform_options_changed", platform=platform)


def _clean_key(text: str, field: str) -> str:
    key = text.strip()
    if not key or len(key) > _MAX_KEY_LENGTH or not _NO_SPACE.fullmatch(key):
        raise invalid_field(field, "must be one line of visible characters, without spaces", "format")
    return key


def _clean_model(text: str) -> str | None:
    model = text.strip()
    if model and not _MODEL.fullmatch(model):
        raise invalid_field("model", "must be the id of a model, such as gpt-6.1-terra", "format")
    return model or None


def _clean_address(text: str) -> str:
    address = text.strip().rstrip("/")
    fault = invalid_field("base_url", "must be an address such as http://127.0.0.1:11434/v1", "format")
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError as error:
        raise fault from error
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or parts.username
        or not _NO_SPACE.fullmatch(address)
    ):
        raise fault
    if parts.query or parts.fragment or len(address) > _MAX_KEY_LENGTH:
        raise fault
    return address
