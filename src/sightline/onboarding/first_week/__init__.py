"""The list of the first week: what a new domain still needs, read from what is stored.

The page part that shows it is `web/pages/dashboard/first_week.py`.
"""
