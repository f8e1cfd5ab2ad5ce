"""The worker process: what it is made of, every kind of job it runs, and what it does periodically.

What a job does is in its feature; the queue and the loop that claims jobs are in `jobs/`; the command that starts a
worker is in `cli/serving.py`.
"""
