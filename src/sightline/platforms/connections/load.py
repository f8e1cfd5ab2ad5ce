"""Loading what operators saved into the settings of a running process.

Every process does so every few seconds, so that a new connection is used without a restart.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from pydantic import SecretStr

from sightline.db.engine import Reader
from sightline.db.installation import read_fact
from sightline.kit.sealing import Sealer, SecretUnreadable
from sightline.platforms.connections import queries
from sightline.platforms.connections.models import SavedCredential
from sightline.settings import Settings

LOAD_SECONDS = 2.0
_PURPOSE = b"sightline platform keys 1"


def build_sealer(settings: Settings) -> Sealer:
    return Sealer(_PURPOSE, *settings.signing_keys)


async def load_connections(db: Reader, settings: Settings) -> bool:
    """Put what is saved into the settings, and return whether that changed anything. The environment wins.

    A key that cannot be decrypted counts as missing: the operator's page says so.
    """
    return await _apply(db, settings, await queries.list_credentials(db))


async def load_settings_with(db: Reader, settings: Settings, draft: SavedCredential) -> Settings:
    """Return a copy of the settings, as they would be if the draft were saved."""
    kept = [each for each in await queries.list_credentials(db) if each.vendor != draft.vendor]
    copy = settings.model_copy()
    await _apply(db, copy, [*kept, draft])
    return copy


async def _apply(db: Reader, settings: Settings, credentials: Iterable[SavedCredential]) -> bool:
    options = await queries.list_options(db)
    prices = {each.platform: msgspec.json.decode(each.prices) for each in options if each.prices}
    values = _to_settings(credentials, settings)
    if surfaces := {each.platform: each.surface for each in options if each.surface}:
        values["platform_surfaces"] = surfaces
    sandbox_ended = await read_fact(db, "sandbox_ended_at") is not None
    return settings.use_saved(values, prices=prices, sandbox_ended=sandbox_ended)


def _to_settings(credentials: Iterable[SavedCredential], settings: Settings) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for each in credentials:
        name = "local" if each.vendor == "compatible" else each.vendor
        if (secret := reveal_key(each, settings)) is not None:
            if each.vendor == "dataforseo":
                login, _, password = secret.partition(":")
                values |= {"dataforseo_login": login, "dataforseo_password": SecretStr(password)}
            else:
                values[f"{name}_api_key"] = SecretStr(secret)
        elif each.sealed is not None:
            continue  # without the key, requests to the saved address would fail
        values |= {
            f"{name}_{part}": value
            for part, value in (("model", each.model), ("base_url", each.base_url))
            if value is not None
        }
    return values


def reveal_key(saved: SavedCredential, settings: Settings) -> str | None:
    """Return the key, or None if there is none or it cannot be decrypted."""
    if saved.sealed is None:
        return None
    try:
        return build_sealer(settings).open(saved.sealed, saved.vendor.encode()).decode()
    except SecretUnreadable:
        return None
