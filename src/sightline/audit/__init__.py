"""The audit log: who did what in a workspace, and when. Its entries can be added and read, and nothing else.

What the operator reads in the logs of the processes is written here, too; `kit/security_log.py` formats those lines.
"""
