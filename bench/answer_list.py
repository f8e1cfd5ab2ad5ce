"""`python -m bench.answer_list`: the time that PostgreSQL takes for lists of answers, at a million answers of a domain.

It fills a separate database and prints, for each filter alone and with a search, the time of the queries that list the
first page (and the part of it that is planning), of the one that counts, and of the one that counts labels.
"""

import argparse
import asyncio
import random
import uuid
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import md5
from typing import Any

import asyncpg
import msgspec

from bench.environment import open_environment
from sightline.platforms.models import Usage
from sightline.scans.models import Provenance
from sightline.scans.partitions import first_id_at
from sightline.scans.stored import StoredRecord, encode_record
from sightline.scoreboard.answer_list import queries, search_queries
from sightline.scoreboard.answer_list.queries import Selection
from sightline.scoreboard.answer_list.read import MAX_COUNTED, is_small, list_answers

_WORKSPACE, _DOMAIN = uuid.UUID(int=1), uuid.UUID(int=2)
_PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude", "copilot", "google_ai_overviews", "grok", "meta_ai")
_PROMPTS = 250
_TEXTS = 4_000
_WORDS = 20_000
_ROUNDS = 5
_LIMIT_MS = 50
_NOW = datetime(2026, 11, 16, tzinfo=UTC)


# Each text has words of all frequencies; each answer has one more word that no other answer has.
_FACTS = """
WITH numbered AS (
    SELECT i, i / $7 AS prompt, ($8::text[])[i % $7 + 1] AS platform, md5($4::text || ':' || i) AS noise,
           ('x' || substr(md5($4 || '/' || i), 1, 7))::bit(28)::integer AS luck
    FROM generate_series(0, $6 - 1) i
), made AS (
    SELECT n.*, (lpad(to_hex((extract(epoch FROM $5::timestamptz) * 1000)::bigint + i), 12, '0') || '7'
                 || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid AS answer_id, t.text, t.words
    FROM numbered n JOIN bench_texts t ON t.number = n.luck % $9
), stored AS (
    INSERT INTO answers (workspace_id, scan_id, id, prompt_index, platform, status, text, record, answered_at)
    SELECT $1, $3::uuid, answer_id, prompt, platform, 'ok', text, $10, $5 FROM made
)
INSERT INTO answer_facts (workspace_id, domain_id, scan_id, answer_id, prompt_id, platform, latency_ms, labels, words)
SELECT $1, $2::uuid, $3, answer_id, md5('prompt' || prompt)::uuid, platform, luck % 20000,
       ARRAY['domain:' || $2::uuid, 'source:live', 'platform:' || platform,
             'country:' || (ARRAY['US', 'DE', 'FR', 'GB', 'global'])[prompt % 5 + 1],
             'language:' || (ARRAY['en', 'de', 'fr', 'en', 'en'])[prompt % 5 + 1],
             'prompt:' || md5('prompt' || prompt)::uuid, 'status:ok']
       || CASE WHEN luck % 100 < 40 THEN ARRAY['named', 'stance:' || CASE WHEN luck % 1000 < 4 THEN 'discouraged'
                                               WHEN luck % 100 < 3 THEN 'contrast' ELSE 'neutral' END,
                   'sentiment:' || CASE WHEN luck % 100 < 2 THEN 'negative' WHEN luck % 100 < 20 THEN 'positive'
                                        ELSE 'neutral' END]
               ELSE ARRAY['absent'] END
       || CASE WHEN luck % 50 = 1 THEN ARRAY['gained'] WHEN luck % 50 = 49 THEN ARRAY['lost'] ELSE '{}' END
       || CASE WHEN luck % 7 < 5 THEN ARRAY['competitor:Globex', 'rivals'] ELSE '{}' END
       || CASE WHEN luck % 400 = 7 THEN ARRAY['competitor:Rare'] ELSE '{}' END
       || ARRAY['search:question ' || prompt || ' reviews', 'search:rare words ' || luck % 50021, 'model:m-1']
       || ARRAY['sources', 'site:common.com', 'site:site' || luck % 37 || '.com',
                'site:small' || luck % 5003 || '.org'],
       words || to_tsvector('simple', 'ref' || $4 || 'n' || i)
FROM made
"""


async def _fill(connection: "asyncpg.Connection[Any]", answers: int) -> list[uuid.UUID]:
    await connection.execute("SET synchronous_commit = off")
    await connection.execute(
        """INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, 'Bench', 'agency', now())""", _WORKSPACE
    )
    await connection.execute(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, status, brand_name, created_at)
           VALUES ($1, $2, 'tracked', true, 'acme.com', 'active', 'Acme', now())""",
        _WORKSPACE,
        _DOMAIN,
    )
    await connection.execute(
        """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, language_code, source, status,
                                created_at)
           SELECT $1, md5('prompt' || i)::uuid, $2, 'Question ' || i, 'question ' || i, 'en', 'added_by_you',
                  'active', now() FROM generate_series(0, $3 - 1) i""",
        _WORKSPACE,
        _DOMAIN,
        _PROMPTS,
    )
    await _make_texts(connection)
    record = encode_record(StoredRecord(provenance=Provenance(surface="sandbox", vendor="bench", usage=Usage())))
    size = _PROMPTS * len(_PLATFORMS)
    checks = answers // size
    for month in {(_NOW - timedelta(days=2 * back)).strftime("%Y-%m-01") for back in range(checks)}:
        start = datetime.fromisoformat(month).replace(tzinfo=UTC)
        end = (start + timedelta(days=32)).replace(day=1)
        for table in ("answers", "answer_facts"):
            await connection.execute(
                f"""CREATE TABLE IF NOT EXISTS {table}_{start:%Y_%m} PARTITION OF {table}
                    FOR VALUES FROM ('{first_id_at(start)}') TO ('{first_id_at(end)}')"""
            )
    scans = []
    for back in reversed(range(checks)):
        at = _NOW - timedelta(days=2 * back)
        scan_id = uuid.UUID(int=first_id_at(at).int | (7 << 76) | (2 << 62) | back)
        await connection.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                                  answers_source, brand, selected_platforms, customer_keywords, credits_charged,
                                  answers_total, created_at, started_at, completed_at)
               VALUES ($1, $2, $3, 'acme.com', true, 'full_check', 'completed', 20, 'live', '{}', $4, '{}', 0, $5, $6,
                       $6, $6)""",
            _WORKSPACE,
            scan_id,
            _DOMAIN,
            list(_PLATFORMS),
            size,
            at,
        )
        await connection.execute(
            _FACTS,
            _WORKSPACE,
            _DOMAIN,
            scan_id,
            str(back),
            at,
            size,
            len(_PLATFORMS),
            list(_PLATFORMS),
            _TEXTS,
            record,
            timeout=600,
        )
        scans.append(scan_id)
    await connection.execute(
        """INSERT INTO cells SELECT workspace_id, domain_id, prompt_id, platform, true, scan_id, 'full_check',
                  answer_id, 'ok', false, now(), now() FROM answer_facts WHERE scan_id = $1""",
        scans[-1],
    )
    for table in ("answers", "answer_facts", "cells"):
        await connection.execute(f"VACUUM ANALYZE {table}", timeout=600)
    return scans


async def _make_texts(connection: "asyncpg.Connection[Any]") -> None:
    """Store texts of 250 words, the n-th word of the vocabulary about 1/n times as often as the first."""
    chance = random.Random(20_261_116)
    vocabulary = [f"word{number}" for number in range(_WORDS)]
    weights = [1 / (number + 3) for number in range(_WORDS)]
    texts = [" ".join(chance.choices(vocabulary, weights, k=250)) for _ in range(_TEXTS)]
    await connection.execute("CREATE TABLE bench_texts (number integer PRIMARY KEY, text text, words tsvector)")
    await connection.execute(
        """INSERT INTO bench_texts SELECT place - 1, text, strip(to_tsvector('english', text))
           FROM unnest($1::text[]) WITH ORDINALITY AS t (text, place)""",
        texts,
    )


class _Explainer:
    """Runs the queries of the list as they are, and adds up the time that PostgreSQL says they took."""

    def __init__(self, connection: "asyncpg.Connection[Any]") -> None:
        self._connection = connection
        self.planning = self.total = 0.0

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        # Without the clock readings of each step, which may take longer than the step.
        explain = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)"
        rows = await self._connection.fetch(f"{explain} {query}", *args, timeout=600)
        found = msgspec.json.decode(rows[0][0])[0]
        self.planning += found["Planning Time"]
        self.total += found["Planning Time"] + found["Execution Time"]
        return await self._connection.fetch(query, *args, timeout=600)

    async def fetchrow(self, query: str, *args: Any) -> Any:
        return (await self.fetch(query, *args))[0]

    async def fetchval(self, query: str, *args: Any) -> Any:
        return (await self.fetchrow(query, *args))[0]


def _list_cases(scans: list[uuid.UUID]) -> dict[str, Selection]:
    def select(**fields: Any) -> Selection:
        labels = ["status:ok", *fields.pop("labels", [])]
        return Selection(workspace_id=_WORKSPACE, domain_id=_DOMAIN, labels=labels, **fields)

    every = ["source:live"]
    filters = {
        "no filter": every,
        "platform": [*every, "platform:gemini"],
        "country": [*every, "country:DE"],
        "language": [*every, "language:de"],
        "prompt": [*every, f"prompt:{uuid.UUID(md5(b'prompt7').hexdigest())}"],
        "named": [*every, "named"],
        "absent": [*every, "absent"],
        "common competitor": [*every, "competitor:Globex"],
        "rare competitor": [*every, "competitor:Rare"],
        "common site": [*every, "site:common.com"],
        "usual site": [*every, "site:site5.com"],
        "rare site": [*every, "site:small77.org"],
        "negative": [*every, "sentiment:negative"],
        "discouraged": [*every, "stance:discouraged"],
        "lost": [*every, "lost"],
    }
    words = {"": "", "common word": "word0", "usual word": "word300", "rare word": "word19000", "one answer": "ref5n77"}
    cases = {
        f"{name} + {word}" if word else name: select(labels=labels, words=text, configurations=["english", "german"])
        for name, labels in filters.items()
        for word, text in words.items()
    }
    for word, text in words.items():
        more = {"words": text, "configurations": ["english", "german"]}
        latest = {"is_latest": True, "scan_ids": scans[-1:], **more}
        cases[f"latest, {word or 'no word'}"] = select(**latest)
        cases[f"latest named, {word or 'no word'}"] = select(
            is_latest=True, scan_ids=scans[-1:], labels=["named"], **more
        )
        cases[f"one check, {word or 'no word'}"] = select(scan_ids=[scans[len(scans) // 3]], **more)
        cases[f"an old month, {word or 'no word'}"] = select(scan_ids=scans[20:35], **more)
    cases["lost against another check"] = select(
        scan_ids=[scans[-1]], labels=["absent"], against=scans[-2], against_labels=["status:ok", "named"]
    )
    return cases


async def _measure(connection: "asyncpg.Connection[Any]", scans: list[uuid.UUID]) -> float:
    worst = 0.0
    print(f"{'':42}{'list':>9}{'planned':>9}{'count':>9}{'labels':>9}  ms of PostgreSQL, median of {_ROUNDS}")
    for name, selection in _list_cases(scans).items():
        times = await _measure_case(connection, selection)
        worst = max(worst, times[0])
        print(f"{name:42}" + "".join(f"{each:9.1f}" for each in times))
    print(f"slowest list: {worst:.1f} ms, allowed: {_LIMIT_MS} ms")
    return worst


async def _measure_histories(connection: "asyncpg.Connection[Any]", scans: list[uuid.UUID]) -> None:
    """Print the times of what the pages of searches and of a platform count, over four and over twelve weeks."""
    for weeks in (4, 12):
        shown = scans[-weeks * 7 // 2 :]
        selection = Selection(workspace_id=_WORKSPACE, domain_id=_DOMAIN, scan_ids=shown, labels=["status:ok"])
        newest = msgspec.structs.replace(selection, scan_ids=shown[-1:])
        page = await search_queries.list_searches(connection, newest, after=None, limit=26)
        one = msgspec.structs.replace(selection, labels=["platform:gemini"])
        reads = (
            partial(search_queries.list_searches, selection=newest, after=None, limit=26),
            partial(search_queries.list_searches, selection=selection, after=None, limit=26),
            partial(search_queries.count_labels_with, selection=selection, searches=page),
            partial(queries.count_by_check, selection=one),
        )
        searches, last, sites, platform = [(await _time(connection, read)).total for read in reads]
        print(
            f"{weeks} weeks: searches {searches:.0f} ms (the last page {last:.0f} ms), their sites {sites:.0f} ms, "
            f"one platform {platform:.0f} ms"
        )


async def _measure_case(connection: "asyncpg.Connection[Any]", selection: Selection) -> list[float]:
    limit = None if is_small(selection) else MAX_COUNTED + 1
    listed = await _time(connection, lambda db: list_answers(db, None, selection, after=None, page_size=50))
    count = await _time(connection, lambda db: queries.count_selected(db, selection, limit=limit))
    times = [listed.total, listed.planning, count.total]
    if await queries.count_selected(connection, selection, limit=limit) != limit:
        times.append((await _time(connection, lambda db: queries.count_labels(db, selection))).total)
    return times


async def _time(
    connection: "asyncpg.Connection[Any]", read: Callable[[_Explainer], Coroutine[Any, Any, object]]
) -> _Explainer:
    """Return the round of median time."""
    rounds = [_Explainer(connection) for _ in range(_ROUNDS)]
    for explainer in rounds:
        await read(explainer)
    return sorted(rounds, key=lambda each: each.total)[_ROUNDS // 2]


async def _run(url: str, answers: int) -> float:
    connection = await asyncpg.connect(url)
    try:
        scans = await _fill(connection, answers)
        sizes = await connection.fetchrow(
            """SELECT count(*), pg_size_pretty(sum(pg_table_size(t.oid))), pg_size_pretty(sum(pg_indexes_size(t.oid)))
               FROM pg_class t WHERE relname ~ '^answer_facts_' AND relkind = 'r'"""
        )
        print(f"{answers:,} answers in {len(scans)} checks; {sizes[0]} partitions, {sizes[1]}, indexes {sizes[2]}")
        await _measure_histories(connection, scans)
        return await _measure(connection, scans)
    finally:
        await connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=1_000_000)
    with open_environment() as environment:
        return int(asyncio.run(_run(environment.database_url, parser.parse_args().answers)) > _LIMIT_MS)


if __name__ == "__main__":
    raise SystemExit(main())
