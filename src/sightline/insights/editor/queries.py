"""SQL of the editor: its replies, and what the editions of a domain build on."""

import uuid
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Reader, Transaction
from sightline.insights.editor.caller import StoredReply
from sightline.insights.editor.market import Market
from sightline.insights.editor.models import EditionAccount, EditionRow, StoredMemory
from sightline.insights.editor.requests import EditorRequest
from sightline.insights.editor.sorting import CodebookTheme
from sightline.kit.clock import Clock

REPLIES_KEPT = timedelta(days=35)
"""How long a reply is kept after its last use: no longer than answers are, at least."""
_MOST_KEPT = 60_000  # characters of a reply: a longer one does not count

_decode_market = msgspec.json.Decoder(Market).decode
_decode_memory = msgspec.json.Decoder(StoredMemory).decode
_decode_account = msgspec.json.Decoder(EditionAccount).decode


class DomainReplies:
    """The replies to the requests of one domain, and who was asked: a `ReplyStore`."""

    def __init__(
        self,
        db: Reader,
        workspace_id: uuid.UUID,
        domain_id: uuid.UUID,
        editor: str,
        *,
        scan_id: uuid.UUID | None,
        clock: Clock,
    ) -> None:
        self._db, self._key = db, (workspace_id, domain_id)
        self._editor, self._scan_id, self._clock = editor, scan_id, clock

    async def find(self, requests: Sequence[EditorRequest]) -> dict[str, str]:
        """Return the replies that are stored, and note that they were used."""
        rows = await self._db.fetch(
            """UPDATE editor_replies SET used_at = $5
               WHERE workspace_id = $1 AND domain_id = $2 AND editor = $3 AND request_key = ANY($4::text[])
               RETURNING request_key, reply""",
            *self._key,
            self._editor,
            [each.key for each in requests],
            self._clock(),
        )
        return {row[0]: _unpack(row[1]) for row in rows}

    async def save(self, reply: StoredReply) -> str:
        """Store a reply. If another process has stored one, that one counts."""
        now = self._clock()
        stored = await self._db.fetchval(
            """INSERT INTO editor_replies (workspace_id, domain_id, request_key, editor, scan_id, request, reply,
                                           model_served, latency_ms, cost_usd, asked_at, used_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
               ON CONFLICT (workspace_id, domain_id, request_key, editor) DO UPDATE SET used_at = $11
               RETURNING reply""",
            *self._key,
            reply.request.key,
            self._editor,
            self._scan_id,
            _pack(reply.request.text),
            _pack(reply.text[: _MOST_KEPT + 1]),
            reply.model,
            reply.latency_ms,
            reply.cost_usd,
            now,
        )
        return _unpack(stored)

    async def sum_of_check(self) -> tuple[int, float]:
        """Return how many requests the check has sent, and what they cost as far as it is known."""
        row = await self._db.fetchrow(
            """SELECT count(*), coalesce(sum(cost_usd), 0) FROM editor_replies
               WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3""",
            *self._key,
            self._scan_id,
        )
        return row[0], row[1]


async def find_site_reply(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str | None:
    """Return the latest reply about the website of a domain."""
    found = await db.fetchval(
        """SELECT reply FROM editor_replies
           WHERE workspace_id = $1 AND domain_id = $2 AND request_key LIKE 'site-%' ORDER BY asked_at DESC LIMIT 1""",
        workspace_id,
        domain_id,
    )
    return None if found is None else _unpack(found)


def _pack(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _unpack(stored: bytes) -> str:
    return zlib.decompress(stored).decode("utf-8", "surrogatepass")


async def find_edition(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> EditionRow:
    """Return what is stored of the editions of a domain, without its themes; an empty row before the first."""
    row = await db.fetchrow(
        """SELECT scan_id, editor, codebook_version, market, market_corrected_by, memory, account
           FROM editions WHERE workspace_id = $1 AND domain_id = $2""",
        workspace_id,
        domain_id,
    )
    if row is None:
        return EditionRow()
    return EditionRow(
        scan_id=row["scan_id"],
        editor=row["editor"],
        version=row["codebook_version"],
        market=_decode_market(row["market"]) if row["market"] else None,
        is_corrected=row["market_corrected_by"] is not None,
        memory=_decode_memory(zlib.decompress(row["memory"])) if row["memory"] else StoredMemory(),
        account=_decode_account(row["account"]) if row["account"] else None,
    )


async def list_themes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> tuple[CodebookTheme, ...]:
    """Return the codebook, the oldest theme first, each with the label that people gave it."""
    rows = await db.fetch(
        """SELECT theme, coalesce(own_label, label), definition, examples, merged_into, hidden, pinned
           FROM codebook_themes WHERE workspace_id = $1 AND domain_id = $2 ORDER BY length(theme), theme""",
        workspace_id,
        domain_id,
    )
    return tuple(CodebookTheme(row[0], row[1], row[2], tuple(row[3]), *row[4:]) for row in rows)


async def add_themes(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, themes: Sequence[CodebookTheme]
) -> None:
    """Add themes. What people have decided about a known one stays."""
    await tx.executemany(
        """INSERT INTO codebook_themes (workspace_id, domain_id, theme, label, definition, examples)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING""",
        [(workspace_id, domain_id, each.id, each.label, each.definition, list(each.examples)) for each in themes],
    )


async def store_edition(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, row: EditionRow) -> None:
    """Store how the latest edition went and what the next builds on. A market that people corrected stays.

    Without an editor, what earlier editions remember stays, too.
    """
    await tx.execute(
        """INSERT INTO editions AS e (workspace_id, domain_id, scan_id, editor, codebook_version, market, memory,
                                      account)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (workspace_id, domain_id) DO UPDATE SET
               scan_id = $3, editor = $4, codebook_version = greatest(e.codebook_version, $5),
               market = CASE WHEN e.market_corrected_by IS NULL THEN coalesce($6, e.market) ELSE e.market END,
               memory = coalesce($7, e.memory), account = $8""",
        workspace_id,
        domain_id,
        row.scan_id,
        row.editor,
        row.version,
        msgspec.json.encode(row.market) if row.market else None,
        zlib.compress(msgspec.json.encode(row.memory)) if row.editor else None,
        msgspec.json.encode(row.account),
    )


async def store_correction(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, market: Market | None, user_id: uuid.UUID | None
) -> None:
    """Store the market that people say it is; None lets the next edition ask for it again."""
    await tx.execute(
        """INSERT INTO editions AS e (workspace_id, domain_id, market, market_corrected_by) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id, domain_id) DO UPDATE SET market = $3, market_corrected_by = $4""",
        workspace_id,
        domain_id,
        msgspec.json.encode(market) if market else None,
        user_id if market else None,
    )


async def store_theme(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, theme: CodebookTheme, *, is_renamed: bool
) -> None:
    """Store what people decided about a theme. The editor's label stays with it."""
    await tx.execute(
        """UPDATE codebook_themes SET own_label = coalesce($4, own_label), merged_into = $5, hidden = $6, pinned = $7
           WHERE workspace_id = $1 AND domain_id = $2 AND theme = $3""",
        workspace_id,
        domain_id,
        theme.id,
        theme.label if is_renamed else None,
        theme.merged_into,
        theme.hidden,
        theme.pinned,
    )


async def raise_version(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Let the next edition sort all passages again."""
    await tx.execute(
        "UPDATE editions SET codebook_version = codebook_version + 1 WHERE workspace_id = $1 AND domain_id = $2",
        workspace_id,
        domain_id,
    )


async def delete_editions(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Delete everything that the editor said about a domain, and what people said about that."""
    for table in ("editor_replies", "codebook_themes", "editions"):
        await tx.execute(f"DELETE FROM {table} WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)


async def delete_unused_replies_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM editor_replies WHERE used_at < $1", now - REPLIES_KEPT)


async def sum_replies_any_workspace(db: Reader, *, since: datetime) -> tuple[int, int, float | None]:
    """Return how many requests were sent since a time, for how many Full Checks, and what these cost."""
    row = await db.fetchrow(
        """SELECT count(*), count(DISTINCT scan_id), sum(cost_usd) FILTER (WHERE scan_id IS NOT NULL)
           FROM editor_replies WHERE asked_at >= $1""",
        since,
    )
    return row[0], row[1], row[2]


async def list_accounts_any_workspace(db: Reader) -> list[EditionAccount]:
    """Return how the latest edition of each domain went."""
    return [_decode_account(row[0]) for row in await db.fetch("SELECT account FROM editions WHERE account IS NOT NULL")]
