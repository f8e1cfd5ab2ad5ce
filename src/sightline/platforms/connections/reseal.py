"""Sealing saved platform keys with the current key of the installation, after the key was changed."""

import structlog

from sightline.db.engine import Database
from sightline.kit.sealing import SecretUnreadable
from sightline.platforms.connections import queries
from sightline.platforms.connections.load import build_sealer
from sightline.settings import Settings

log = structlog.get_logger()


async def reseal_keys(db: Database, settings: Settings) -> tuple[int, int, int]:
    """Seal every saved key with the current key of the installation.

    Return how many were sealed again, were current before, and cannot be decrypted. The last ones stay as they are.
    """
    sealer, resealed, current, unreadable = build_sealer(settings), 0, 0, 0
    async with db.transaction() as tx:
        for saved in await queries.lock_credentials(tx):
            if saved.sealed is None:
                continue
            row = saved.vendor.encode()
            if sealer.is_current(saved.sealed, row):
                current += 1
                continue
            try:
                key = sealer.open(saved.sealed, row)
            except SecretUnreadable:
                unreadable += 1
                log.warning("platform_key_unreadable", vendor=saved.vendor)
                continue
            await queries.set_sealed(tx, saved.vendor, sealer.seal(key, row))
            resealed += 1
    return resealed, current, unreadable
