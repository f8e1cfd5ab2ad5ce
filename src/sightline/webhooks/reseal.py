"""Sealing the secrets of webhooks with the current key of the installation, after the key was changed."""

import uuid

import msgspec
import structlog

from sightline.db.engine import Database, Transaction
from sightline.webhooks import queries
from sightline.webhooks.models import SealedSecrets
from sightline.webhooks.secrets import SecretBox, SecretUnreadable

log = structlog.get_logger()

_BATCH = 200


class ResealCounts(msgspec.Struct):
    """How many secrets were sealed again, already had the current key, or cannot be opened."""

    resealed: int = 0
    current: int = 0
    unreadable: int = 0


async def reseal_secrets_any_workspace(db: Database, box: SecretBox, *, batch: int = _BATCH) -> ResealCounts:
    """Seal every stored secret with the current key, batch by batch.

    Secrets that already have the current key are skipped, so it can be run again after a crash. A secret that no key
    opens is left as it is and counted: its owner has to rotate it.
    """
    counts = ResealCounts()
    after: tuple[uuid.UUID, uuid.UUID] | None = None
    while True:
        async with db.transaction() as tx:
            rows = await queries.lock_secrets_any_workspace(tx, after=after, limit=batch)
            for row in rows:
                await _reseal(tx, row, box, counts)
        if len(rows) < batch:
            return counts
        after = rows[-1].workspace_id, rows[-1].id


async def _reseal(tx: Transaction, row: SealedSecrets, box: SecretBox, counts: ResealCounts) -> None:
    sealed = [row.secret] if row.old_secret is None else [row.secret, row.old_secret]
    changed = [_seal_again(one, row, box, counts) for one in sealed]
    if changed != sealed:
        await queries.set_secrets(tx, row.workspace_id, row.id, changed[0], changed[1] if changed[1:] else None)


def _seal_again(sealed: bytes, row: SealedSecrets, box: SecretBox, counts: ResealCounts) -> bytes:
    if box.is_current(sealed, row.workspace_id, row.id):
        counts.current += 1
        return sealed
    try:
        secret = box.open(sealed, row.workspace_id, row.id)
    except SecretUnreadable:
        counts.unreadable += 1
        log.warning("webhook_secret_unreadable", workspace_id=str(row.workspace_id), endpoint_id=str(row.id))
        return sealed
    counts.resealed += 1
    return box.seal(secret, row.workspace_id, row.id)
