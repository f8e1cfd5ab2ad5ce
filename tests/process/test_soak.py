"""A short soak: the load runs, every table is watched, and a working table that grows is reported."""

import asyncio
import os
from unittest.mock import patch

import asyncpg
import pytest

from bench.environment import open_environment
from bench.soak.findings import Sample, judge, print_findings
from bench.soak.run import run_soak
from bench.soak.sizes import Relation

MB = 1024 * 1024

# Every answer leaves a page in a table that nobody cleans up.
_LEAK = """
CREATE TABLE leaking (page text NOT NULL);
ALTER TABLE leaking ALTER page SET STORAGE PLAIN;
CREATE FUNCTION leak() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO leaking VALUES (repeat('x', 7000)); RETURN NULL; END $$;
CREATE TRIGGER leak AFTER INSERT ON answers FOR EACH ROW EXECUTE FUNCTION leak();
"""


async def add_leak(url):
    connection = await asyncpg.connect(url)
    await connection.execute(_LEAK)
    await connection.close()


@pytest.mark.slow
def test_a_soak_reports_a_working_table_that_grows(capsys):
    # The environment removes the settings of this process.
    with patch.dict(os.environ), open_environment() as environment:
        asyncio.run(add_leak(environment.database_url))
        samples = run_soak(environment, minutes=0.25, every=2.5, domains=1)
    findings = judge(samples)
    assert "leaking" in findings.growing
    assert samples[-1].answers > 0 and samples[-1].pages > 0 and samples[-1].failures == 0
    assert all(samples[-1].megabytes[name] > 10 for name in ("API", "worker", "postgresql"))
    print_findings(findings)
    printed = capsys.readouterr().out
    assert "GROWS" in next(line for line in printed.splitlines() if line.startswith("leaking"))


def build_samples(*sizes, table):
    """Return samples in which a table has these sizes, while answers grow by 1,000 a minute."""
    return [
        Sample(minute, 1_000 * minute, 0, 0, 0, [Relation(table, table, "table", size, 10, 0)], {})
        for minute, size in enumerate(sizes, 1)
    ]


@pytest.mark.parametrize(
    ("table", "sizes", "expected"),
    [
        ("jobs", [2 * MB] * 12, []),
        ("jobs", [MB + minute * MB for minute in range(12)], ["jobs"]),
        ("jobs", [2 * MB, 2 * MB, *[4 * MB] * 10], []),  # it grew once, and stays
        ("jobs", [8192 + minute * 8192 for minute in range(12)], []),  # small
        ("answers", [minute * MB for minute in range(1, 13)], []),
        ("answers", [minute * minute * MB for minute in range(1, 13)], ["answers"]),
    ],
    ids=["flat", "growing", "a step", "small", "linear history", "history that grows faster"],
)
def test_what_counts_as_growth(table, sizes, expected):
    assert judge(build_samples(*sizes, table=table)).growing == expected
