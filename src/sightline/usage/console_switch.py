"""The operator's switch for the Console API of the whole installation."""

from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.db.installation import store_fact


async def set_console_enabled(tx: Transaction, *, enabled: bool) -> None:
    await store_fact(tx, "console_enabled", enabled)
    await record_audit(tx, None, "console_switched", enabled=enabled)
