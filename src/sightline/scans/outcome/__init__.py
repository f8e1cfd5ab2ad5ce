"""What a completed scan found, as it is stored: results, the board of the scan, and facts about its answers.

How these are made is in `scans/running/` and `scoreboard/`; when they are deleted, in `scans/retention/`.
"""
