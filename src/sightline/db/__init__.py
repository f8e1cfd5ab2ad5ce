"""PostgreSQL: the pool, keyset paging, migrations, and the embedded server.

Queries of a feature live in that feature's `queries.py`, not here.
"""
