"""What calls to live platforms cost, by workspace, domain, platform and day.

It belongs here if it counts calls or reads the counts. What one call costs is in `platforms/pricing.py`; credits,
which customers pay, are in `credits/`.
"""
