"""Backups of an installation: one file with the database and the sealed secret key, and how it is restored.

Files outside the database, such as raw payloads in a payload store, are not part of a backup.
"""
