"""The plans: which there are and what each of them allows, in one table.

The plan that a workspace is on is a column of the workspace (`accounts/`); counting against limits is in `usage/`.
"""
