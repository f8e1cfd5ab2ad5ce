"""All SQL that writes the outcome of scans."""

import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.db.engine import Transaction
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.stored import AnswerFacts, ScanMetrics, ScanRow

# Writing systems without spaces: each character is a word, in answers as in what is searched for.
SPACELESS = r"([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF])"


async def rewrite_records(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, records: Mapping[uuid.UUID, bytes]
) -> None:
    await tx.execute(
        """UPDATE answers a SET record = r.record
           FROM unnest($3::uuid[], $4::bytea[]) AS r (id, record)
           WHERE a.workspace_id = $1 AND a.scan_id = $2 AND a.id = r.id""",
        workspace_id,
        scan_id,
        list(records),
        list(records.values()),
    )


async def insert_results(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    results: bytes,
    name_index: bytes | None = None,
) -> None:
    """Insert the results of a scan, with the versions that made them."""
    await tx.execute(
        """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version, name_index)
           VALUES ($1, $2, $3, $4, $5, $6)""",
        workspace_id,
        scan_id,
        results,
        METRICS_VERSION,
        EXTRACTOR_VERSION,
        name_index,
    )


async def replace_measured_brands(tx: Transaction, scan: ScanRow) -> None:
    """Store new names with a scan whose figures they do not change."""
    await tx.execute(
        "UPDATE scans SET brand = $3 WHERE workspace_id = $1 AND id = $2", scan.workspace_id, scan.id, scan.brand
    )


async def replace_scan_results(
    tx: Transaction, scan: ScanRow, results: bytes, metrics: ScanMetrics, name_index: bytes | None
) -> None:
    """Replace the results of a scan, with the versions that made them, and its index of words if it is new."""
    await tx.execute(
        """UPDATE scans SET brand = $3, visibility_score = $4, brand_coverage_pct = $5, ai_mentions = $6,
                  citation_count = $7, market_position = $8
           WHERE workspace_id = $1 AND id = $2""",
        scan.workspace_id,
        scan.id,
        scan.brand,
        *(getattr(metrics, name) for name in ScanMetrics.__struct_fields__),
    )
    await tx.execute(
        """UPDATE scan_results SET results = $3, metrics_version = $4, extractor_version = $5,
                  name_index = coalesce($6, name_index)
           WHERE workspace_id = $1 AND scan_id = $2""",
        scan.workspace_id,
        scan.id,
        results,
        METRICS_VERSION,
        EXTRACTOR_VERSION,
        name_index,
    )


async def store_scan_board(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, *, point: bytes, board: bytes, changes: bytes | None
) -> None:
    """Store what is shown of a scan whose answers have their facts."""
    await tx.execute(
        """UPDATE scan_results SET point = $3, board = $4, changes = $5, has_facts = true
           WHERE workspace_id = $1 AND scan_id = $2""",
        workspace_id,
        scan_id,
        point,
        board,
        changes,
    )


async def update_labels(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, facts: Sequence[AnswerFacts]
) -> None:
    """Update the labels of stored answers. Their indexed words stay: a text never changes."""
    await tx.execute(
        """UPDATE answer_facts f SET labels = ARRAY(SELECT jsonb_array_elements_text(t.labels)), latency_ms = t.latency
           FROM unnest($4::uuid[], $5::jsonb[], $6::integer[]) AS t (answer_id, labels, latency)
           WHERE f.workspace_id = $1 AND f.domain_id = $2 AND f.scan_id = $3 AND f.answer_id = t.answer_id
             AND (f.labels <> ARRAY(SELECT jsonb_array_elements_text(t.labels))
                  OR f.latency_ms IS DISTINCT FROM t.latency)""",
        workspace_id,
        domain_id,
        scan_id,
        [each.answer_id for each in facts],
        [msgspec.json.encode(each.labels).decode() for each in facts],
        [each.latency_ms for each in facts],
    )


async def insert_facts(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, facts: Sequence[AnswerFacts]
) -> None:
    """Insert the facts of answers that have none. Their text is read by PostgreSQL and does not leave it."""
    await tx.execute(
        rf"""INSERT INTO answer_facts (workspace_id, domain_id, scan_id, answer_id, prompt_id, platform, latency_ms,
                                       labels, words)
             SELECT $1, $2, $3, t.answer_id, t.prompt_id, t.platform, t.latency,
                    ARRAY(SELECT jsonb_array_elements_text(t.labels)),
                    strip(to_tsvector(t.configuration::regconfig, regexp_replace(a.text, '{SPACELESS}', ' \1 ', 'g')))
             FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::jsonb[], $8::text[], $9::integer[])
                      AS t (answer_id, prompt_id, platform, labels, configuration, latency)
             JOIN answers a ON a.workspace_id = $1 AND a.scan_id = $3 AND a.id = t.answer_id
             WHERE NOT EXISTS (SELECT FROM answer_facts f WHERE f.workspace_id = $1 AND f.domain_id = $2
                                 AND f.scan_id = $3 AND f.answer_id = t.answer_id)
             ON CONFLICT DO NOTHING""",
        workspace_id,
        domain_id,
        scan_id,
        [each.answer_id for each in facts],
        [each.prompt_id for each in facts],
        [each.platform for each in facts],
        [msgspec.json.encode(each.labels).decode() for each in facts],
        [each.configuration for each in facts],
        [each.latency_ms for each in facts],
    )
