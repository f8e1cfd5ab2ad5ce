"""`python -m bench.tables`: the rate and the memory of streamed tables, at a million answers of a domain.

It fills a separate database and prints for each stream the rows per second and how much the process grows. `COPY` of
the whole query in one statement is what the streams of `mentions` are compared with.
"""

import argparse
import asyncio
import gc
import time
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pyarrow.parquet  # noqa: F401 - loading the library is not what a stream costs

from bench.environment import open_environment
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.db.engine import Database
from sightline.platforms.models import Source
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.partitions import first_id_at
from sightline.scans.record import summarize_scan
from sightline.scans.stored import encode_measured, encode_prompts, to_record
from sightline.scoreboard.recompute.missing_rows import build_missing_rows_any_workspace
from sightline.tables.catalog import TABLES
from sightline.tables.models import Extent, TableRead, TableSource
from sightline.tables.parquet import stream_parquet
from sightline.tables.queries import write_copy
from sightline.tables.read import stream_lines

_WORKSPACE, _DOMAIN = uuid.UUID(int=1), uuid.UUID(int=2)
_PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude", "copilot", "google_ai_overviews", "grok", "mistral")
_PROMPTS = 250
_NOW = datetime(2026, 11, 16, tzinfo=UTC)
_BRANDS = MeasuredBrands(
    Brand("Acme", (), ("acme.com",)),
    tuple(Brand(name, (), (f"{name.lower()}.com",)) for name in ("Globex", "Initech", "Umbrella", "Hooli")),
)
_TEXTS = tuple(
    "\n".join(
        f"{place}. {name} makes an anvil that smiths call steady, quiet and fair in price; its base is wide, and the "
        "face stays flat for years of daily work in a small forge."
        for place, name in enumerate(names, 1)
    )
    for names in (("Acme", "Globex", "Hooli"), ("Globex", "Initech"), ("Umbrella", "Hooli", "Acme"), ("Initech",))
)
_SOURCES = tuple(Source(f"https://{site}/anvils/{number}") for number, site in enumerate(("acme.com", "g2.com") * 3))
_RATIO = 0.3
_GROWTH = 50 * 1024**2


def _make_scan() -> tuple[ScanPlan, bytes, list[tuple[int, str, str, bytes]]]:
    """Return the plan of a check, its results, and its answers: prompt, platform, text and record."""
    prompts = tuple(
        ScanPrompt(id=str(uuid.UUID(int=1000 + number)), text=f"Question {number} about anvils", language="en")
        for number in range(_PROMPTS)
    )
    plan = ScanPlan(
        domain="acme.com", brand=_BRANDS.brand, competitors=_BRANDS.competitors, prompts=prompts, platforms=_PLATFORMS
    )
    lexicon = Lexicon(plan.tracked)
    origin = Provenance(surface="sandbox", vendor="bench", model_asked="m-1", model_served="m-1", latency_ms=900)
    made = [
        ScanAnswer(
            id=str(uuid.UUID(int=place * len(_PLATFORMS) + column)),
            prompt=prompt,
            platform=platform,
            status="ok",
            text=_TEXTS[(place + column) % len(_TEXTS)],
            cited=_SOURCES[: (place + column) % 6],
            provenance=origin,
        )
        for place, prompt in enumerate(prompts)
        for column, platform in enumerate(_PLATFORMS)
    ]
    analyzed = [analyze_answer(answer, lexicon, sentiment="model") for answer in made]
    whole = summarize_scan(
        plan, analyzed, answers_source="live", prompts_source="given", started_at=_NOW, stopped=False, sentiment=True
    )
    rows = [(int(each.prompt.text.split()[1]), each.platform, each.text, to_record(each)) for each in whole.answers]
    return plan, msgspec.json.encode(whole.results), rows


async def _fill(connection: "asyncpg.Connection[Any]", answers: int) -> None:
    plan, results, rows = _make_scan()
    await connection.execute("SET synchronous_commit = off")
    await connection.execute(
        "INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, 'Bench', 'agency', now())", _WORKSPACE
    )
    await connection.execute(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, status, brand_name, created_at)
           VALUES ($1, $2, 'tracked', true, 'acme.com', 'active', 'Acme', now())""",
        _WORKSPACE,
        _DOMAIN,
    )
    await connection.execute(
        "CREATE TABLE bench_answers (prompt_index integer, platform text, text text, record bytea)"
    )
    await connection.copy_records_to_table("bench_answers", records=rows)
    for back in reversed(range(answers // len(rows))):
        at = _NOW - timedelta(days=back)
        scan_id = uuid.UUID(int=first_id_at(at).int | (7 << 76) | (2 << 62) | back)
        await connection.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                                  answers_source, brand, prompts, selected_platforms, customer_keywords,
                                  credits_charged, answers_total, created_at, started_at, completed_at)
               VALUES ($1, $2, $3, 'acme.com', true, 'full_check', 'completed', 20, 'live', $4, $5, $6, '{}', 0, $7,
                       $8, $8, $8)""",
            _WORKSPACE,
            scan_id,
            _DOMAIN,
            encode_measured(_BRANDS),
            encode_prompts(plan.prompts),
            list(_PLATFORMS),
            len(rows),
            at,
        )
        await connection.execute(
            """INSERT INTO answers
                   (workspace_id, scan_id, id, prompt_index, platform, status, text, record, answered_at)
               SELECT $1, $2, gen_random_uuid(), prompt_index, platform, 'ok', text, record, $3 FROM bench_answers""",
            _WORKSPACE,
            scan_id,
            at,
            timeout=600,
        )
        await connection.execute(
            """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version)
               VALUES ($1, $2, $3, '1', '1')""",
            _WORKSPACE,
            scan_id,
            results,
        )
    for table in ("answers", "scans", "scan_results", "table_changes"):
        await connection.execute(f"VACUUM ANALYZE {table}", timeout=600)


def _read(table: str, *, text: bool = False) -> TableRead:
    source = TableSource(workspace_id=_WORKSPACE, domain_id=_DOMAIN)
    return TableRead(table=TABLES[table], source=source, extent=Extent(text=text), since=None)


def _read_memory() -> int:
    """Return how much memory this process has resident, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


async def _drain(name: str, rows: int, chunks: AsyncIterator[bytes]) -> tuple[float, int]:
    """Read a stream to its end; return the rows per second and the largest growth of the process."""
    gc.collect()
    before = most = _read_memory()
    started, size = time.perf_counter(), 0
    async for chunk in chunks:
        size += len(chunk)
        most = max(most, _read_memory())
    seconds = time.perf_counter() - started
    print(
        f"{name:28}{rows:>12,} rows {size / 1e6:>9,.0f} MB {seconds:>8.1f} s {rows / seconds:>11,.0f} rows/s "
        f"growth {(most - before) / 1e6:5.1f} MB"
    )
    return rows / seconds, most - before


async def _copy_whole(connection: "asyncpg.Connection[Any]") -> tuple[int, float]:
    """Copy all mentions with one statement; return how many there are and the rows per second."""
    keys = [row[0] for row in await connection.fetch("SELECT key FROM table_changes WHERE unit = 'scan'")]
    query, values = write_copy(_read("mentions"), keys, "csv")
    lines = 0

    async def count(chunk: bytes) -> None:
        nonlocal lines
        lines += chunk.count(b"\n")

    started = time.perf_counter()
    await connection.copy_from_query(query, *values, output=count, format="csv", timeout=3600)
    seconds = time.perf_counter() - started
    print(f"{'COPY of the query':28}{lines:>12,} rows {'':>12} {seconds:>8.1f} s {lines / seconds:>11,.0f} rows/s")
    return lines, lines / seconds


async def _run(url: str, answers: int) -> bool:
    connection = await asyncpg.connect(url)
    db = Database(url, pool_size=2, statement_timeout=600)
    await db.open()
    try:
        started = time.perf_counter()
        await _fill(connection, answers)
        await build_missing_rows_any_workspace(db, {"live": frozenset(), "sandbox": frozenset()}, now=_NOW)
        await connection.execute("VACUUM ANALYZE scan_rows", timeout=600)
        print(f"{answers:,} answers, stored in {time.perf_counter() - started:.0f} s")
        rows, copied = await _copy_whole(connection)
        csv, *grown = await _drain("mentions.csv", rows, stream_lines(db, _read("mentions"), "csv"))
        for name, count, chunks in (
            ("mentions.jsonl", rows, stream_lines(db, _read("mentions"), "jsonl")),
            ("mentions.parquet", rows, stream_parquet(db, _read("mentions"))),
            ("answers.jsonl with texts", answers, stream_lines(db, _read("answers", text=True), "jsonl")),
        ):
            grown.append((await _drain(name, count, chunks))[1])
        print(f"mentions.csv: {csv / copied:.2f} of COPY, at least {_RATIO}; largest growth {max(grown) / 1e6:.0f} MB")
        return csv / copied >= _RATIO and max(grown) < _GROWTH
    finally:
        await db.close()
        await connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=1_000_000)
    with open_environment() as environment:
        return int(not asyncio.run(_run(environment.database_url, parser.parse_args().answers)))


if __name__ == "__main__":
    raise SystemExit(main())
