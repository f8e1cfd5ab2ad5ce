"""Who lost access: keys, sessions and memberships that ended, as triggers of the database record them.

Processes follow these records, so that they refuse the same callers while the database is down (`api/edge/`).
"""
