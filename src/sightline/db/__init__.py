"""PostgreSQL: the pool, keyset paging, migrations and the embedded server.

The queries of a feature are in its own `queries.py`.
"""
