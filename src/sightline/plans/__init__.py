"""What each plan allows, in one table.

Who is on which plan is a column of the workspace (`accounts/`); counting against limits is in `usage/`.
"""
