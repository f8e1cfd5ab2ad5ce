"""`python -m bench.soak --minutes 60`: whether tables, indexes and processes stay the same size under constant load.

API, worker and a platform that answers at once run as an operator runs them. Tracked checks, Console scans, webhooks,
page reads and sign-ins keep them busy. The exit status is 1 if a working table grows, or if history grows faster than
the number of answers.
"""
