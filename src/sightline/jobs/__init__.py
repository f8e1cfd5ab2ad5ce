"""Jobs: work that outlives its request. Putting jobs in the queue, claiming them, running them, retrying them.

What a job does belongs to its feature. `worker/` lists every kind of job with its handler.
"""
