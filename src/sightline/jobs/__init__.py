"""Work that outlives its request: putting it in the queue, and the worker that carries it out.

What the work is belongs to the features; only `cli` brings the two together.
"""
