"""Mailings: the reports of a client, sent to its recipients on a schedule, and a link to the latest of them.

The reports themselves are in `reports/weekly/`, and the recipients in `clients/`.
"""
