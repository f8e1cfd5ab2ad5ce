"""The sweeper: what it finds without a job or past its deadline, and what it does about it.

How a scan runs and ends is in `scans/running/`.
"""
