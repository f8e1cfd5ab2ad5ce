"""The schema's history, one plain-SQL step per file, never edited after it has landed.

How the steps are run is `db/migrate.py`.
"""
