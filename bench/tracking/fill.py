"""Years of scans and other domains, written by SQL from the rows of the measured domain.

All of it is in the measured workspace: there no index can separate it by its first column. Keys fit each other as they
do in an installation; texts of answers are short, because nothing that is measured reads them.
"""

from typing import Any

import asyncpg

from bench.environment import BenchEnvironment
from bench.tracking.brand import Brand
from bench.tracking.databases import PLATFORMS

YEAR = 365
_BATCH = 100_000
_TIMEOUT = 600
_TABLES = ("domains", "prompts", "cells", "scoreboards", "scans", "scan_results", "prompt_checks", "answers")

# Number 0 is the measured domain itself; the others are its copies, with ids that are made from its own.
_PREPARE = """
CREATE SCHEMA bench;
CREATE TABLE bench.domains (number integer PRIMARY KEY, domain_id uuid NOT NULL, oldest timestamptz NOT NULL);
CREATE TABLE bench.scans (number integer, domain_id uuid, scan_id uuid PRIMARY KEY, original uuid, at timestamptz,
                          answers integer, answered boolean NOT NULL DEFAULT false);
CREATE FUNCTION bench.own(id uuid, number integer) RETURNS uuid IMMUTABLE LANGUAGE sql AS
    $$ SELECT CASE number WHEN 0 THEN id ELSE md5(id::text || number)::uuid END $$;
-- Of version 7, as the product makes them: they carry a time, and so does the order of the index.
CREATE FUNCTION bench.at(at timestamptz, noise text) RETURNS uuid IMMUTABLE LANGUAGE sql AS
    $$ SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(noise, 1, 3) || '8'
               || substr(noise, 4, 15))::uuid $$"""

_DOMAINS = (
    """WITH copied AS (
           INSERT INTO domains SELECT made.* FROM domains d, generate_series($3::integer, $4::integer) number,
               LATERAL jsonb_populate_record(d, jsonb_build_object(
                   'id', bench.own(d.id, number), 'domain', 'brand' || number || '.com')) made
           WHERE d.workspace_id = $1 AND d.id = $2 RETURNING id, substring(domain FROM '[0-9]+')::integer AS number)
       INSERT INTO bench.domains
       SELECT copied.number, copied.id, b.oldest FROM copied, bench.domains b WHERE b.number = 0""",
    """INSERT INTO prompts SELECT made.* FROM prompts p, generate_series($3::integer, $4::integer) number,
           LATERAL jsonb_populate_record(p, jsonb_build_object(
               'id', bench.own(p.id, number), 'domain_id', bench.own(p.domain_id, number))) made
       WHERE p.workspace_id = $1 AND p.domain_id = $2""",
    """INSERT INTO cells (workspace_id, domain_id, prompt_id, platform, base, scan_id, scope, answer_id, status, stale,
                          checked_at, seen_at)
       SELECT workspace_id, bench.own(domain_id, number), bench.own(prompt_id, number), platform, base,
              bench.own(scan_id, number), scope, bench.own(answer_id, number), status, stale, checked_at, seen_at
       FROM cells, generate_series($3::integer, $4::integer) number WHERE workspace_id = $1 AND domain_id = $2""",
    """INSERT INTO scoreboards SELECT made.* FROM scoreboards s, generate_series($3::integer, $4::integer) number,
           LATERAL jsonb_populate_record(s, jsonb_build_object(
               'domain_id', bench.own(s.domain_id, number), 'base_scan_id', bench.own(s.base_scan_id, number),
               'latest_scan_id', bench.own(s.latest_scan_id, number))) made
       WHERE s.workspace_id = $1 AND s.domain_id = $2""",
)

# One check a day before the oldest so far, every seventh a Full Check; each is a copy of the measured domain's latest
# of that scope, with its point of the trend. The measured domain's have their boards, too.
_CHECKS = (
    """INSERT INTO bench.scans (number, domain_id, scan_id, original, at, answers)
       SELECT d.number, d.domain_id, bench.at(at, md5(d.number || ':' || at)), s.id, at, s.answers_total
       FROM bench.domains d, generate_series(1, $4::integer) day,
            LATERAL (SELECT d.oldest - day * interval '1 day' AS at) timed, scans s
       WHERE s.workspace_id = $1 AND s.id = CASE day % 7 WHEN 0 THEN $2::uuid ELSE $3::uuid END
         AND d.number BETWEEN $5 AND $6""",
    """INSERT INTO scans SELECT made.* FROM bench.scans b JOIN scans s ON s.workspace_id = $1 AND s.id = b.original
           JOIN domains d ON d.workspace_id = $1 AND d.id = b.domain_id,
           LATERAL jsonb_populate_record(s, jsonb_build_object(
               'id', b.scan_id, 'domain_id', b.domain_id, 'domain', d.domain, 'created_at', b.at, 'started_at', b.at,
               'completed_at', b.at + interval '2 minutes')) made
       WHERE NOT EXISTS (SELECT FROM scans t WHERE t.workspace_id = $1 AND t.id = b.scan_id)""",
    """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version, point, board)
       SELECT $1, b.scan_id, CASE b.number WHEN 0 THEN r.results ELSE '{}' END, r.metrics_version,
              r.extractor_version,
              convert_to(replace(convert_from(r.point, 'UTF8'), b.original::text, b.scan_id::text), 'UTF8'),
              CASE b.number WHEN 0 THEN r.board END
       FROM bench.scans b JOIN scan_results r ON r.workspace_id = $1 AND r.scan_id = b.original
       WHERE NOT EXISTS (SELECT FROM scan_results t WHERE t.workspace_id = $1 AND t.scan_id = b.scan_id)""",
    """INSERT INTO prompt_checks (workspace_id, domain_id, prompt_id, scan_id, scope, answers_source, completed_at,
                                  valid, cited, cells)
       SELECT $1, b.domain_id, bench.own(p.prompt_id, b.number), b.scan_id, p.scope, p.answers_source,
              b.at + interval '2 minutes', p.valid, p.cited, CASE b.number WHEN 0 THEN p.cells ELSE '[]' END
       FROM bench.scans b JOIN prompt_checks p ON p.workspace_id = $1 AND p.scan_id = b.original
       WHERE NOT EXISTS (SELECT FROM prompt_checks t WHERE t.workspace_id = $1 AND t.scan_id = b.scan_id)""",
    """UPDATE bench.domains d SET oldest = found.oldest
       FROM (SELECT number, min(at) AS oldest FROM bench.scans GROUP BY number) found
       WHERE found.number = d.number""",
)

# The next checks without answers, newest first, about as many as make a batch.
_ANSWERS = """
WITH chosen AS (
    SELECT scan_id FROM (SELECT scan_id, sum(answers) OVER (ORDER BY number, at DESC) AS total
                         FROM bench.scans WHERE NOT answered) counted WHERE total <= $2
), taken AS (
    UPDATE bench.scans s SET answered = true FROM chosen WHERE s.scan_id = chosen.scan_id RETURNING s.*
)
INSERT INTO answers (workspace_id, scan_id, id, prompt_index, platform, country, status, text, record, answered_at)
SELECT $1, scan_id, gen_random_uuid(), i / 6, ($3::text[])[i % 6 + 1], NULL, 'ok', 'Acme is named most often here.',
       '{}', at
FROM (SELECT * FROM taken ORDER BY scan_id) t, generate_series(0, t.answers - 1) i"""


class Filler:
    def __init__(self, connection: "asyncpg.Connection[Any]", brand: Brand) -> None:
        self._connection = connection
        self._workspace_id = brand.owned.workspace_id
        self._brand = brand

    @classmethod
    async def open(cls, environment: BenchEnvironment, brand: Brand) -> "Filler":
        connection = await asyncpg.connect(environment.database_url, server_settings={"timezone": "UTC"})
        await connection.execute("SET synchronous_commit = off")
        return cls(connection, brand)

    async def prepare(self) -> None:
        """Prepare the database once; a copy has it already."""
        await self._connection.execute(_PREPARE)
        await self._connection.execute(
            "INSERT INTO bench.domains VALUES (0, $1, $2)", self._brand.owned.domain_id, self._brand.begun
        )

    async def copy_domain(self, count: int) -> None:
        for statement in _DOMAINS:
            await self._run(statement, self._workspace_id, self._brand.owned.domain_id, 1, count)
            await self._run("ANALYZE domains, prompts")  # else each foreign key is looked up as in a table of one row

    async def add_checks(self, days: int, *, first: int = 0, last: int = 0) -> None:
        """Add this many days before the oldest scan of each of these domains."""
        full, daily = self._brand.scans["full_check"], self._brand.scans["daily_check"]
        await self._run(_CHECKS[0], self._workspace_id, full, daily, days, first, last)
        for statement in _CHECKS[1:-1]:
            await self._run(statement, self._workspace_id)
        await self._run(_CHECKS[-1])

    async def add_answers(self, total: int) -> int:
        """Add answers until there are this many, or one scan's fewer. Return their number."""
        there = await self.count_answers()
        while there < total:
            wanted = min(_BATCH, total - there)
            done = await self._run(_ANSWERS, self._workspace_id, wanted, list(PLATFORMS))
            added = int(done.rpartition(" ")[2])
            if not added:
                break
            there += added
        return there

    async def count_answers(self) -> int:
        count: int = await self._connection.fetchval("SELECT count(*) FROM answers", timeout=_TIMEOUT)
        return count

    async def close(self) -> None:
        """Vacuum now rather than when autovacuum would, in the middle of a round."""
        for table in _TABLES:
            await self._run(f"VACUUM (ANALYZE) {table}")
        await self._run("CHECKPOINT")
        await self._connection.close()

    async def _run(self, statement: str, *values: object) -> str:
        return await self._connection.execute(statement, *values, timeout=_TIMEOUT)
