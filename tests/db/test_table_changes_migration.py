"""Migration 0038: scans, insights and tags of the commit before are in the tables, and later changes are noticed."""

from importlib import import_module

from tests.tables.table_reader import ChangingDomain, TableReader


async def test_rows_of_the_commit_before_are_in_the_tables(installation):
    domain = await ChangingDomain.open(installation)
    db = installation.db
    async with db.transaction() as tx:
        await domain.tag(tx, ("brand",))
    await domain.check([0, 1, 2, 3])
    before = TableReader(domain.history)
    await before.read()
    for table in ("table_changes", "domain_changes", "removed_rows", "prompt_tags_seen"):
        await db.execute(f"DELETE FROM {table}")  # as the commit before, which had none of them
    migration = import_module("sightline.db.migrations.versions.0038_table_changes")
    await db.execute(migration.STORED.partition("CREATE INDEX")[0])
    after = TableReader(domain.history)
    await after.read()
    for rows in (*before.rows.values(), *after.rows.values()):
        for row in rows.values():
            del row["updated_at"]  # when it was measured, for rows from before
    assert after.find_differences(before) == []
    assert any(row["tag"] == "brand" for row in after.rows["daily_metrics"].values())
    await domain.rename(("Akme",))
    sent = after.sent
    await after.read("mentions")
    assert after.sent > sent
