"""A ledger of a million entries as years of scans leave it: mostly charges, some purchases, refunds and grants."""

import uuid

import asyncpg

_BATCH = 100_000
# Ids are of version 7, as the product makes them: they carry the entry's time, and so does the order of the index.
_ENTRIES = """
INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, scan_id, payment_reference, description, cause,
                            created_at)
SELECT $1, (stamp || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid, true,
       CASE kind WHEN 0 THEN 200 WHEN 1 THEN 5 WHEN 2 THEN 20 ELSE -5 END,
       CASE kind WHEN 0 THEN 'purchase' WHEN 1 THEN 'refund' WHEN 2 THEN 'promotional_grant'
                 ELSE 'scan_consumption' END,
       CASE WHEN kind = 1 OR kind > 2 THEN (stamp || '7' || substr(noise, 1, 3) || '9' || substr(noise, 4, 15))::uuid
       END,
       CASE kind WHEN 0 THEN 'ord_' || substr(noise, 1, 24) END,
       CASE kind WHEN 0 THEN 'Purchase of 200 credits' WHEN 1 THEN 'Refund: the check of acme.com failed'
                 WHEN 2 THEN 'Thanks for waiting, and "sorry" again' ELSE 'Check of acme.com on 5 platforms' END,
       'bench:' || n, at
FROM (SELECT n, n % 20 AS kind, md5(n::text) AS noise, at,
             lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS stamp
      FROM (SELECT n, timestamptz '2024-01-01' + n * interval '61.7 seconds' AS at
            FROM generate_series($2::integer, $3::integer) n) numbered) timed"""


async def fill_ledger(database_url: str, workspace_id: uuid.UUID, rows: int) -> None:
    """Add entries until the account has this many; its balance stays their sum."""
    connection = await asyncpg.connect(database_url)
    try:
        there = await connection.fetchval("SELECT count(*) FROM credit_entries WHERE workspace_id = $1", workspace_id)
        for first in range(there + 1, rows + 1, _BATCH):
            await connection.execute(_ENTRIES, workspace_id, first, min(first + _BATCH - 1, rows), timeout=300)
        await connection.execute(
            """UPDATE credit_accounts SET balance =
                   (SELECT sum(delta) FROM credit_entries WHERE workspace_id = $1 AND livemode)
               WHERE workspace_id = $1 AND livemode""",
            workspace_id,
            timeout=300,
        )
        # Now, instead of when autovacuum sees fit: in the middle of a round.
        await connection.execute("VACUUM (ANALYZE) credit_entries", timeout=300)
    finally:
        connection.terminate()
