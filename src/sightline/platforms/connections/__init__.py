"""Connections that operators save in the database: credentials by vendor, prices and monthly limits by platform.

What the environment sets wins, and is read in `platforms/access.py`; what calls cost is counted in `platforms/costs/`.
"""
