"""SQL of facts and of the claims of answers about them."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction
from sightline.facts.models import CheckedClaims, Claim, ClaimCount, FactRow, FormerValue

CHECKS_SHOWN = 26
"""How many Full Checks back the history of a contradiction goes: half a year."""

_FACT = """f.id, f.kind, f.subject, f.value, f.currency, f.unit, f.country, f.valid_from, f.former_values,
    f.former_until, f.accepted, f.status, f.source, u.name, f.updated_at"""


async def list_facts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[FactRow]:
    """Return the facts of a domain, proposals first, by kind and subject."""
    rows = await db.fetch(
        f"""SELECT {_FACT} FROM brand_facts f LEFT JOIN users u ON u.id = f.changed_by
            WHERE f.workspace_id = $1 AND f.domain_id = $2
            ORDER BY f.status DESC, array_position($3::text[], f.kind), lower(f.subject), f.id""",
        workspace_id,
        domain_id,
        ["price", "product", "availability", "founded", "place", "certification", "ability"],
    )
    return [_to_fact(row) for row in rows]


def _to_fact(row: Sequence[object]) -> FactRow:
    values, until = row[8], row[9]
    assert isinstance(values, list)
    assert isinstance(until, list)
    return msgspec.convert(
        {
            **dict(
                zip(("id", "kind", "subject", "value", "currency", "unit", "country", "valid_from"), row, strict=False)
            ),
            "former": tuple(FormerValue(*each) for each in zip(values, until, strict=True)),
            **dict(zip(("accepted", "status", "source", "changed_by", "updated_at"), tuple(row)[10:], strict=True)),
        },
        FactRow,
    )


async def insert_fact(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    fact: FactRow,
    user_id: uuid.UUID | None,
) -> bool:
    """Insert a fact. Returns False if there is one of the same kind, subject, country and unit."""
    return bool(
        await tx.fetchval(
            """INSERT INTO brand_facts (workspace_id, domain_id, id, kind, subject, value, currency, unit, country,
                                        valid_from, former_values, former_until, status, source, changed_by,
                                        created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
               ON CONFLICT DO NOTHING RETURNING true""",
            workspace_id,
            domain_id,
            fact.id,
            fact.kind,
            fact.subject,
            fact.value,
            fact.currency,
            fact.unit,
            fact.country,
            fact.valid_from,
            [each.value for each in fact.former],
            [each.until for each in fact.former],
            fact.status,
            fact.source,
            user_id,
            fact.updated_at,
        )
    )


async def update_fact(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, fact: FactRow, user_id: uuid.UUID | None
) -> None:
    """Store a changed fact. Its kind, subject, country and unit never change."""
    await tx.execute(
        """UPDATE brand_facts SET value = $4, currency = $5, valid_from = $6, former_values = $7, former_until = $8,
                                  accepted = $9, status = $10, changed_by = $11, updated_at = $12
           WHERE workspace_id = $1 AND domain_id = $2 AND id = $3""",
        workspace_id,
        domain_id,
        fact.id,
        fact.value,
        fact.currency,
        fact.valid_from,
        [each.value for each in fact.former],
        [each.until for each in fact.former],
        list(fact.accepted),
        fact.status,
        user_id,
        fact.updated_at,
    )


async def delete_fact(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, fact_id: uuid.UUID) -> None:
    """Delete a fact and the claims about it."""
    await tx.execute(
        "DELETE FROM brand_facts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        fact_id,
    )


async def store_claims(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    claims: Sequence[Claim],
    *,
    completed_at: datetime,
) -> None:
    """Store the claims of a Full Check, in the place of those that it had. A fact that was deleted has none."""
    await tx.execute(
        "DELETE FROM fact_checks WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3",
        workspace_id,
        domain_id,
        scan_id,
    )
    await tx.execute(
        "INSERT INTO fact_checks (workspace_id, domain_id, scan_id, completed_at) VALUES ($1, $2, $3, $4)",
        workspace_id,
        domain_id,
        scan_id,
        completed_at,
    )
    known = {fact.id for fact in await list_facts(tx, workspace_id, domain_id)}
    await tx.executemany(
        """INSERT INTO fact_claims (workspace_id, domain_id, scan_id, fact_id, answer_id, prompt_id, platform, verdict,
                                    stated, passage, words, sources)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)""",
        [
            (
                workspace_id,
                domain_id,
                scan_id,
                each.fact_id,
                each.answer_id,
                each.prompt_id,
                each.platform,
                each.verdict,
                each.stated,
                each.passage,
                each.words,
                list(each.sources),
            )
            for each in claims
            if each.fact_id in known
        ],
    )


async def list_checks(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, until: datetime | None = None
) -> list[tuple[uuid.UUID, datetime]]:
    """Return the Full Checks whose answers were compared with the facts, latest first."""
    rows = await db.fetch(
        """SELECT scan_id, completed_at FROM fact_checks
           WHERE workspace_id = $1 AND domain_id = $2 AND ($3::timestamptz IS NULL OR completed_at <= $3)
           ORDER BY completed_at DESC LIMIT $4""",
        workspace_id,
        domain_id,
        until,
        CHECKS_SHOWN,
    )
    return [(row[0], row[1]) for row in rows]


async def list_checked_domains(db: Reader, workspace_id: uuid.UUID) -> set[uuid.UUID]:
    """Return the domains with at least two checks whose answers were compared with facts."""
    rows = await db.fetch(
        "SELECT domain_id FROM fact_checks WHERE workspace_id = $1 GROUP BY domain_id HAVING count(*) > 1",
        workspace_id,
    )
    return {row[0] for row in rows}


async def list_claims(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> list[CheckedClaims]:
    """Return the claims of some checks, in the order of these."""
    rows = await db.fetch(
        """SELECT scan_id, fact_id, answer_id, prompt_id, platform, verdict, stated, passage, words, sources
           FROM fact_claims WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = ANY($3::uuid[])
           ORDER BY platform, answer_id""",
        workspace_id,
        domain_id,
        list(scan_ids),
    )
    found: dict[uuid.UUID, list[Claim]] = {scan_id: [] for scan_id in scan_ids}
    for row in rows:
        found[row["scan_id"]].append(msgspec.convert({**row, "sources": tuple(row["sources"])}, Claim))
    return [CheckedClaims(scan_id, tuple(claims)) for scan_id, claims in found.items()]


async def count_claims(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> list[ClaimCount]:
    """Return how many answers of each check state something wrong, by fact and statement."""
    rows = await db.fetch(
        """SELECT scan_id, fact_id, stated, count(*) AS answers FROM fact_claims
           WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = ANY($3::uuid[])
             AND verdict IN ('contradicts', 'outdated')
           GROUP BY scan_id, fact_id, stated""",
        workspace_id,
        domain_id,
        list(scan_ids),
    )
    return [ClaimCount(*row) for row in rows]


async def judge_claims(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, fact_id: uuid.UUID, stated: str, verdict: str
) -> int:
    """Give all claims that state the same a verdict, as people said; return how many there were."""
    rows = await tx.fetch(
        """UPDATE fact_claims SET verdict = $5
           WHERE workspace_id = $1 AND domain_id = $2 AND fact_id = $3 AND stated = $4 RETURNING 1""",
        workspace_id,
        domain_id,
        fact_id,
        stated,
        verdict,
    )
    return len(rows)


async def delete_checks(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Delete what answers claimed. The facts stay."""
    await tx.execute("DELETE FROM fact_checks WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
