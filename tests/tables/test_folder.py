"""A folder of Parquet files follows the database, and DuckDB computes the figures of the product from it."""

import fcntl

import duckdb
import msgspec
import pytest

from sightline.kit.rounding import round_half_away
from sightline.scans.schemas.results import ScanMeasurements
from sightline.tables.folder import FolderError, export_folder
from sightline.tables.models import TableSource
from tests.docs.code_blocks import read_blocks
from tests.running_worker import until
from tests.tables.table_reader import ChangingDomain, TableReader


@pytest.fixture
async def domain(installation):
    opened = await ChangingDomain.open(installation)
    await opened.check([0, 1, 3, 4])
    installation.clock.advance(days=20)
    await opened.check([1, 0, 2, 3])
    await opened.compete("globex.com", hide=False)
    await opened.compete("initech.com", hide=False)
    return opened


async def export(domain: ChangingDomain, folder):
    """Export and return the months that were written."""
    source = TableSource(workspace_id=domain.workspace_id, domain_id=domain.domain_id)
    written = []
    await export_folder(domain.installation.db, source, folder, text=True, report=written.append)
    return written


def read_ids(folder, table: str) -> set[str]:
    files = folder / table / "month=*" / "*.parquet"
    return {row[0] for row in duckdb.sql(f"SELECT row_id FROM read_parquet('{files}')").fetchall()}


async def test_a_folder_follows_the_database_month_by_month(domain, tmp_path):
    written = await export(domain, tmp_path)
    months = {each.month for each in written if each.table == "answers"}
    assert len(months) == 2 and all(each.rows for each in written if each.table == "answers")
    reader = TableReader(domain.history)
    await reader.read()
    for table, rows in reader.rows.items():
        if rows:
            assert read_ids(tmp_path, table) == set(rows), table

    async def writes_nothing() -> bool:
        return await export(domain, tmp_path) == []

    await until(writes_nothing)
    await domain.compete("globex.com", hide=True)
    (tmp_path / "mentions" / f"month={min(months)}" / ".part-0.parquet.unfinished").write_bytes(b"of a killed run")
    assert {each.month for each in await export(domain, tmp_path) if each.table == "mentions"} == months
    await reader.read()
    assert read_ids(tmp_path, "mentions") == set(reader.rows["mentions"])
    assert not list(tmp_path.rglob("*.unfinished"))


async def test_an_export_that_is_killed_is_done_again(domain, tmp_path):
    source = TableSource(workspace_id=domain.workspace_id, domain_id=domain.domain_id)

    def kill(_) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await export_folder(domain.installation.db, source, tmp_path, text=True, report=kill)
    assert {each.table for each in await export(domain, tmp_path)} >= {"daily_metrics", "answers", "mentions"}


async def test_a_folder_of_another_export_is_refused(domain, tmp_path):
    await export(domain, tmp_path)
    other = await ChangingDomain.open(domain.installation)
    with pytest.raises(FolderError, match="another domain"):
        await export(other, tmp_path)
    with (tmp_path / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(FolderError, match="Another export"):
            await export(domain, tmp_path)


async def test_duckdb_recomputes_the_headline_of_every_check(domain, tmp_path, monkeypatch):
    """The queries are those of docs/guides/tables.md."""
    await export(domain, tmp_path)
    monkeypatch.chdir(tmp_path)
    stored = {
        str(row[0]): msgspec.json.decode(row[1], type=ScanMeasurements).headline
        for row in await domain.installation.db.fetch("SELECT scan_id, results FROM scan_results")
    }
    (query,) = read_blocks("docs/guides/tables.md", "sql")
    rows = duckdb.sql(query).fetchall()
    assert len(rows) == len(stored) == 2
    for scan_id, *values in rows:
        headline = stored[str(scan_id)]
        expected = [getattr(headline, name).value for name in headline.__struct_fields__]
        assert [None if value is None else round_half_away(round(value, 9), 1) for value in values] == expected
