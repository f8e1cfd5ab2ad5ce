"""The history of the schema: one plain-SQL migration per file, never edited after it has landed.

Running them is in `db/migrate.py`.
"""
