"""All SQL of saved connections, which belong to the installation."""

from datetime import datetime
from decimal import Decimal

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.platforms.connections.models import SavedCredential, SavedOptions

_CREDENTIAL = columns(SavedCredential)
_OPTIONS = columns(SavedOptions)


async def list_credentials(db: Reader) -> list[SavedCredential]:
    return to_rows(SavedCredential, await db.fetch(f"SELECT {_CREDENTIAL} FROM platform_credentials"))


async def find_credential(db: Reader, vendor: str) -> SavedCredential | None:
    row = await db.fetchrow(f"SELECT {_CREDENTIAL} FROM platform_credentials WHERE vendor = $1", vendor)
    return to_row_or_none(SavedCredential, row)


async def lock_credentials(tx: Transaction) -> list[SavedCredential]:
    rows = await tx.fetch(f"SELECT {_CREDENTIAL} FROM platform_credentials ORDER BY vendor FOR UPDATE")
    return to_rows(SavedCredential, rows)


async def replace_credential(tx: Transaction, saved: SavedCredential) -> None:
    await tx.execute(
        f"""INSERT INTO platform_credentials ({_CREDENTIAL}) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (vendor) DO UPDATE SET sealed = excluded.sealed, hint = excluded.hint,
                base_url = excluded.base_url, model = excluded.model, saved_at = excluded.saved_at""",
        *(getattr(saved, name) for name in SavedCredential.__struct_fields__),
    )


async def set_sealed(tx: Transaction, vendor: str, sealed: bytes) -> None:
    await tx.execute("UPDATE platform_credentials SET sealed = $2 WHERE vendor = $1", vendor, sealed)


async def delete_credential(tx: Transaction, vendor: str) -> bool:
    """Delete what was saved for a vendor; return False if nothing was."""
    deleted = await tx.fetchval("DELETE FROM platform_credentials WHERE vendor = $1 RETURNING true", vendor)
    return deleted is not None


async def list_options(db: Reader) -> list[SavedOptions]:
    return to_rows(SavedOptions, await db.fetch(f"SELECT {_OPTIONS} FROM platform_options"))


async def replace_options(
    tx: Transaction, platform: str, prices: str | None, monthly_limit_usd: Decimal | None, *, now: datetime
) -> None:
    await tx.execute(
        """INSERT INTO platform_options (platform, prices, monthly_limit_usd, saved_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (platform) DO UPDATE SET prices = excluded.prices,
                monthly_limit_usd = excluded.monthly_limit_usd, saved_at = excluded.saved_at""",
        platform,
        prices,
        monthly_limit_usd,
        now,
    )


async def set_surface(tx: Transaction, platform: str, surface: str | None, *, now: datetime) -> None:
    await tx.execute(
        """INSERT INTO platform_options (platform, surface, saved_at) VALUES ($1, $2, $3)
           ON CONFLICT (platform) DO UPDATE SET surface = excluded.surface, saved_at = excluded.saved_at""",
        platform,
        surface,
        now,
    )
